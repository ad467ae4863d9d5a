"""What the kernel, its driver's module and X write in their logs, beside what `driver` has."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "pci-bus-unseen",
        "lspci finds no bus to ask, as in WSL 1 and in some sandboxes",
        ("pcilib: cannot open /proc/bus/pci", "cannot find any working access method"),
        r"pcilib: (Cannot open /proc/bus/pci)|lspci: (Cannot find any working access method)",
    ),
    Sign(
        "udev-modprobe-failed",
        "udev could not load the driver's modules",
        ("modprobe nvidia",),
        r"Process '\S{0,20}modprobe (?:-\w+ ){0,3}(nvidia[\w-]*)' failed with exit code",
    ),
    Sign(
        "gpu-not-started",
        "the module found the GPU, and could not bring it up",
        cues(
            "rm_init_adapter failed|gfw boot|gfw_boot|rpcrecvpoll timed|gsp timeout"
            "|waiting for rpc from gsp|cannot initialize gsp|osinitnvmapping"
            "|failed to initialize the nvidia gpu at pci|failed to copy vbios|wpr2 already up"
            "|fsp boot c|fsp queue|gsp rm heartbeat|module->open() failed"
        ),
        r"NVRM[^\n]*(?:rm_init_adapter failed|failed to wait for GFW.?BOOT|failed to copy vbios"
        r"|WPR2 already up|FSP boot c\w+ (?:failed|timeout)|FSP queue empty/timeout"
        r"|GSP RM heartbeat timed ?out|module->open\(\) failed, error -5\b"
        r"|rpcRecvPoll timed ?out|GSP Timeout|waiting for RPC from GSP|cannot initialize GSP"
        r"|osInitNvMapping:? .{0,8}cannot attach)|NVIDIA\([\w-]+\): (Failed to initialize the"
        r" NVIDIA GPU at PCI:[\d:@]+)",
    ),
    Sign(
        "gpu-crash-dump",
        "the module kept what it could learn of a GPU that crashed",
        ("crash dump has been created", "gsp-crashcat report"),
        r"NVRM[^\n]*(GPU crash dump has been created|GSP-CrashCat Report)",
    ),
    Sign(
        "gpu-answers-nonsense",
        "the module, or X, waits for a GPU in vain, or reads from it what no register holds",
        (
            *("gpu is probably locked", "possible bad register read", "wait (2, 8, 0x"),
            *("check whether gpu is present on the bus", "gpu config space not accessible"),
        ),
        r"NVRM[^\n]*(GPU is probably locked|possible bad register read"
        r"|Failed GPU reg read : 0xf+\b|GPU Config Space not accessible)"
        r"|NVIDIA\([\w-]+\): (WAIT \(2, 8, 0x\w+)",
    ),
    Sign(
        "module-probe-failed",
        "the module found GPUs, of which it could set up none; the value is their number",
        ("the nvidia probe routine failed for",),
        r"NVRM: The NVIDIA probe routine failed for ([1-9]\d?) device",
    ),
    Sign(
        "gsp-firmware-missing",
        "the file of the firmware that the driver brings for the GPU's processor is not found",
        ("no firmware image found", "/gsp_"),
        r"NVRM[^\n]*RmFetchGspRmImages: (No firmware image found)"
        r"|\bnvidia [\da-f:.]+: Direct firmware load for (nvidia/[\d.]+/gsp_\w+\.bin) failed",
    ),
    Sign(
        "power-state-stuck",
        "the GPU does not wake up from the power state into which the kernel put it",
        ("change power state from d3", "stuck in d3", "; giving up", "from gc6 to d0 state"),
        r"NVRM[^\n]*(GPU is unable to transition from GC6 to D0 state)"
        r"|(?:nvidia|vfio)[^\n]*(change power state from D3\w+ to D0|stuck in D3)"
        r"|\bnvidia [\da-f:.]+: (not ready \d+ms after [\w ]{1,12}; giving up)",
    ),
    Sign(
        "pci-answers-nothing",
        "the bus reads nothing but ones from the GPU's registers",
        ("(rev ff)",),
        r"(NVIDIA Corporation [^\n]{1,120}\(rev ff\))",
    ),
    Sign(
        "device-file-silent",
        "a device file of the GPU is there, and opening it fails in the hardware",
        ("input/output error", " eio "),
        r"(/dev/nvidia\d+)[^\n]{0,12}\(?(?:Input/output error|EIO)",
    ),
    Sign(
        "bus-error-fatal",
        "the PCI bus reports an error of the GPU that cannot be mended",
        ("aer: can't recover", "severity=uncorrected (fatal)"),
        r"nvidia[^\n]*(AER: can't recover|severity=Uncorrected \(Fatal\))",
    ),
    Sign(
        "resources-refused",
        "the firmware or the kernel gave the GPU no address range, or no interrupt, it can use",
        cues(
            "64-bit bar mapped above|failed to re-allocate bar1|find an irq for your nvidia card"
            "|does not appear to be receiving|nvrm: pci_enable_device failed"
            "|nvrm: request_mem_region failed|dma address not in addressable range"
        ),
        r"NVRM: (?:\S+ )?(.{0,12}64-bit BAR mapped above|FATAL: Failed to re-allocate BAR1"
        r"|Can't find an IRQ for your NVIDIA card"
        r"|request_mem_region failed for|DMA address not in addressable range"
        r"|pci_enable_device failed)"
        r"|NVIDIA\([\w-]+\): (The NVIDIA kernel module does not appear to be receiving)",
    ),
    Sign(
        "module-does-not-load-told",
        "somebody says that the driver, or its module, is not loaded",
        ("load",),
        r"\bnvidia(?: kernel)? (?:driver|module)s?\b[^\n.]{0,24}\b(?:can'?t|cannot|will not|won'?t"
        r"|(?<!need )(?<!needs )(?<!needed )no longer"
        r"|is(?: still)? not|isn't|are not|aren't|unable to|fails? to|failed to|refuses? to"
        r"|does not|doesn't|do not|don't) (?:be |get )?load(?:ed|ing)?\b",
    ),
    Sign(
        "driver-versions-differ-told",
        "somebody says that the driver's halves are of two versions",
        cues(
            "version mismatch|library mismatch|versions do|api mismatch: |mismatched"
            "|mismatching nvidia kernel module|kernel module currently loaded| libnvidia-"
            "|mismatch in versions between nvidia-smi|to initialize nvml: driver/l"
        ),
        r"(\bNVML (?:driver )?(?:version|library) mismatch|\bdriver/library mismatch"
        # GPUtil reads nvidia-smi's words for a number, which its error cuts short.
        r"|Failed to initialize NVML: Driver/l(?!ibrary version mismatch)\w{0,6}"
        r"|driver and library version mismatch|nvidia-smi (?:reports|says|shows|complains about)"
        r" (?:an? )?(?:driver |library )?version mismatch"
        r"|(?:nvidia|cuda) driver and (?:the )?library (?:being|are) mismatched"
        r"|NVML and driver versions? (?:do not|don't) match|API mismatch: (?:the|this) [\w ]+"
        r"|Mismatch in versions between nvidia-smi and NVML"
        r"|Version mismatch: nvidia-modeset\.ko\(\d[\d.]+\) nvidia-drm\.ko\(\d[\d.]+\)"
        # Scripts of images that bring the driver's libraries along.
        r"|\A[\d.\W]{0,12}Mismatching nvidia kernel module loaded(?=\W*\Z)"
        r"|\A[\d.\W]{0,12}match the nvidia kernel module currently loaded \(version)"
        # A part of the driver that is asked for in another release than it is of.
        r"|\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|should|would|may|might|fix(?:e[sd])?|solved)\b))"
        r".*?\b((?:(?:looks?|looking|goes|asks?|asking|search(?:es|ing)?) for|wants?|requires?"
        r"|(?:tries|trying) to (?:load|open|find|use)) (?:an? |the )?`?libnvidia-[\w-]{2,30}"
        r"(?:\.so[\w.]{0,16})?`?,? (?:whose (?:\w+ )?(?:number|version|release)"
        r" (?:is(?: not|n't)|differs|does(?: not|n't))"
        r"|(?:of|with|in|from) (?:an? |some |the )?"
        r"(?:other|another|different|wrong|older|newer|old)"
        r" (?:\w+ )?(?:number|version|release|driver)\b))",
    ),
    Sign(
        "held-for-virtual-machine",
        "the GPU is kept for a virtual machine",
        ("already bound to vfio",),
        r"NVRM[^\n]*(already bound to vfio\S*)",
    ),
    Sign(
        "gpu-bound-elsewhere",
        "the module finds the GPU in the hands of another driver, whose name is the value",
        ("is already bound to ",),
        r"\bNVRM: GPU [\da-fA-F:.]{7,16} is already bound to (?!nouveau|vfio)(\w[\w-]{0,30})",
    ),
    Sign(
        "module-of-other-kernel",
        "a module of the driver and the running kernel were not built for each other",
        ("version magic", "unknown symbol"),
        r"\b(nvidia(?![-_](?:peermem|fs))[\w-]*:"
        r" (?:version magic '.{1,80}|Unknown symbol \w+ .{0,20}))",
    ),
    Sign(
        "proc-lists-gpu",
        "the running module tells of a GPU in /proc/driver/nvidia, which containers see as well",
        ("device minor:",),
        r"\A\s*Device Minor:\s{1,12}(\d{1,3})\s*\Z",
    ),
    Sign(
        "uvm-not-loaded",
        "the module from which CUDA's device file comes, nvidia_uvm, cannot be loaded",
        ("nvidia_uvm", "nvidia-uvm", "uvm kernel"),
        r"(Kernel module nvidia_uvm is not loaded"
        r"|could not load (?:the )?UVM kernel module|(?:could not|cannot|can't|failed to|unable to)"
        r" (?:load|insert)(?: the)?(?: kernel)?(?: module)? '?nvidia[-_]uvm'?)",
    ),
    Sign(
        "uvm-not-loaded-told",
        "somebody says that nvidia_uvm, which makes CUDA's device file, is not loaded",
        ("nvidia_uvm", "nvidia-uvm"),
        r"(?i)(?<!kernel module )(\bnvidia[-_]uvm\b(?: kernel)?(?: module)?"
        r" (?:is|was|does|gets?|will)(?: not|n't)(?: \w+){0,2} load(?:ed|ing)?\b"
        r"(?![^\n]*\b(?:on demand|loads it|works?)\b)"
        r"|\bmodules? (?:is|are|was|were) loaded,? (?:but )?nvidia[-_]uvm"
        r" (?:is|was)(?: not|n't)\b)",
    ),
    Sign(
        "module-not-loaded-told",
        "a program of NVIDIA, or X, says that the kernel module does not run",
        cues(
            "nvidia driver is not loaded|failed to initialize the nvidia kernel module"
            "|the nvidia kernel module was not found|failed to query nvidia devices"
            "|could not load gpu driver|nvidia kernel module is not loaded"
            "|nvidia modules are not loaded|could not insert 'off'"
            "|failed to load the nvidia kernel module|failed to find module 'nvidia"
            "|failed to insert module 'nvidia|error inserting nvidia"
            "|nvidia-persistenced failed to initialize|ownership of the nvidia device"
            "|could not load kernel module nvidia|isn't a nvidia gpu or driver isn't properly setup"
            "|command 'modprobe nvidia"
        ),
        # One for screens is not wanted everywhere, nvidia_uvm has a sign of its own.
        r"\A(?!.*could not load kernel module nvidia_"
        r"|.*command 'modprobe nvidia(?![^'\n]*' returned non-zero exit status))",
    ),
)

"""What the driver's own programs and the kernel say: nvidia-smi, modprobe, Fabric Manager."""

from __future__ import annotations

from ..sign import Sign

SIGNS = (
    Sign(
        "devices-said-busy",
        "somebody says in other words than CUDA's that its devices are busy",
        ("unavailable or busy", "busy or unavailable"),
        r"cuda devices? (?:is |are )?(?:unavailable or busy|busy or unavailable)",
    ),
    Sign(
        "smi-no-driver",
        "nvidia-smi cannot talk to the kernel module",
        ("communicate with", "connect to the nvidia", "connect to the driver", "talk to the"),
        r"nvidia[^\n]*?\b(?:couldn'?t|could not|can'?t|cannot|unable to|fail(?:s|ed) to)"
        r" (?:communicate with|connect to|talk to) the (?:nvidia )?driver"
        r"|\b(?:couldn'?t|could not|can'?t|cannot|unable to|fail(?:s|ed) to)"
        r" (?:communicate with|connect to|talk to)(?: the)? nvidia driver",
    ),
    Sign("smi-no-devices", "nvidia-smi lists no GPU", ("no devices were found",)),
    Sign(
        "smi-without-answer",
        "nvidia-smi ends without an answer and without a reason",
        ("nvml: n/a", "segmentation fault"),
        r"initialize NVML: N/A|nvidia-smi[^\n]{0,40}segmentation fault"
        r"|segmentation fault[^\n]{0,40}nvidia-smi",
    ),
    Sign(
        "smi-not-found",
        "there is no nvidia-smi on this machine, or not on its PATH",
        ("nvidia-smi",),
        r"nvidia-smi[^\n]{0,12}: (?:command )?not found|command not found: nvidia-smi"
        r"|'nvidia-smi' is not recognized|nvidia-smi: No such file"
        r"|\"nvidia-smi\\?\": executable file not found|executable file `?nvidia-smi`? not found"
        r"|nvidia-smi' not found"
        r"|No such file or directory: '?\S*nvidia-smi|nvidia-smi: 未找到命令"
        r"|failed to run command .nvidia-smi.: No such file"
        r"|(?:unable|not able) to (?:run|find|execute) [`'\"]?nvidia-smi"
        r"|'?nvidia-smi'? 不是内部或外部命令|unknown command: nvidia-smi|nvidia-smi.{0,40}無法辨識",
    ),
    Sign(
        "smi-no-cuda",
        "nvidia-smi reaches the driver, and finds no libcuda to ask for its CUDA",
        ("cuda version: err", "cuda umd version: err"),
    ),
    Sign(
        "smi-device-handle",
        "nvidia-smi cannot reach one GPU; the value is its address and why",
        ("unable to determine the device handle",),
        r"device handle for \w+ ?([\dA-F:.]+|\d+): ?(.{1,100})|device handle for (.{1,100})",
    ),
    Sign(
        "gpu-reset-required",
        "a GPU must be reset",
        (
            "gpu requires reset",
            "gpu reset required",
            "reset required",
            "reboot the system to recover",
        ),
        r"GPU requires reset|reset required\s*:\s*yes|GPU reset required|to recover this GPU",
    ),
    Sign(
        "smi-insufficient-permissions",
        "NVML refuses the user",
        ("insufficient permissions", "insufficientpermissions"),
        r"nvidia|nvml|gpu",
    ),
    Sign(
        "module-not-found",
        "modprobe finds no nvidia module for this kernel",
        (
            "module nvidia not found",
            "module nvidia-current not found",
            "module nvidia_drm not found",
            "nvidia kernel module missing",
            "nvidia module missing",
        ),
    ),
    Sign(
        "module-not-accepted",
        "the kernel refuses the module: it is not signed (Secure Boot)",
        (
            "required key not available",
            "key was rejected by service",
            "loading of unsigned module",
            "lockdown: modprobe: unsigned module",
            "unsigned module loading is restricted",
            "module signature verification failed",
        ),
        r"\A(?!\s*#\s*define\b)",
    ),
    Sign(
        "module-no-device",
        "the nvidia module found no device that it serves, or another driver holds it",
        (
            "could not insert 'nvidia",
            "no nvidia graphics adapter found",
            "nvrm: no nvidia gpu found",
            "no nvidia devices probed",
            "the nvidia probe routine was not called",
            "none of the nvidia graphics adapters",
            "none of the nvidia devices were initialized",
        ),
        r"could not insert 'nvidia[\w-]*': (No such device.{0,60})|(no NVIDIA|none of the NVIDIA"
        r"|probe routine).*",
    ),
    Sign(
        "module-build-failed",
        "the kernel module could not be built, or was built for another kernel",
        (
            "bad return status for module build",
            "error! bad exit status from",
            "unable to build the kernel module",
            "unable to find the kernel source tree",
            "building nvidia kernel module failed",
            'an error occurred while performing the step: "building kernel modules"',
            "unable to load the kernel module 'nvidia",
            "nvidia: disagrees about version of symbol",
            "could not insert module nvidia",
            "your kernel headers for kernel",
            "could not resolve linux kernel version",
            "gpl-incompatible module nvidia",
            "the nvidia kernel module was not created",
            "dkms module 'nvidia",
            "dkms autoinstall on ",
            "failed to run `/usr/sbin/dkms ",
            "module not found: 'nvidia",
            "akmods",
            "x11-drivers/nvidia-drivers",
            "-nvidia-x11-",
        ),
        r"bad return status for module build|bad exit status from|unable to build the kernel module"
        r"|unable to find the kernel source tree"
        r"|building nvidia kernel module failed|performing the step: .building kernel modules"
        r"|unable to load the kernel module|disagrees about version of symbol"
        r"|could not insert module nvidia|your kernel headers for kernel"
        r"|could not resolve linux kernel version|gpl-incompatible module nvidia"
        r"|module was not created|module 'nvidia[\w.-]*' failed to build"
        r"|dkms autoinstall on \S+ failed for nvidia|dkms (?:build|install)[^\n]{0,20}-m nvidia"
        r"|==> ERROR: module not found: 'nvidia|nvidia[\w-]*-kmod[^\n]{0,60}\[?failed"
        r"|failed[^\n]{0,60}nvidia[\w-]*-kmod|nvidia-drivers-\S+ failed"
        r"|builder for '\S+-nvidia-x11-\S+' failed",
    ),
    Sign(
        "dkms-source-missing",
        "dkms lists a release of the driver whose source is gone, and stops there",
        ("/var/lib/dkms/nvidia",),
        r"/var/lib/dkms/(nvidia[^/]{0,20}/[\d.]+)/source/dkms\.conf does not exist",
    ),
    Sign(
        "nouveau-in-the-way",
        "nouveau is loaded, so the nvidia module cannot be",
        (
            "nouveau kernel driver is currently in use",
            "nouveau is using",
            "the nouveau kernel driver",
            "already bound to nouveau",
            "please disable nouveau",
        ),
        r"nouveau kernel driver is currently in use|is already bound to nouveau|disable nouveau"
        r"|conflicting driver nouveau|bound to nouveau",
    ),
    Sign(
        "legacy-branch-needed",
        "the installed driver no longer serves this GPU; the value is the branch that does",
        ("legacy drivers", "is supported through the nvidia", "will ignore this gpu"),
        r"supported through the NVIDIA (\d+)\.?\w* Legacy drivers"
        r"|driver (\d+\.\d+\S*) [^\n]{0,40}(?:legacy|ignore)",
    ),
    Sign(
        "driver-does-not-serve-gpu",
        "this release of the driver does not know the GPU: it is too old or too new for it",
        ("in this system is not supported by the",),
        r"in this system is not supported by the(?: \d|\Z)",
    ),
    Sign(
        "open-module-unsupported",
        "the open kernel module does not serve this GPU",
        (
            "not supported by the nvidia open",
            "is not supported by open nvidia",
            "installed in this system is not supported by open",
            "requires use of the nvidia open kernel modules",
            "installed in this system requires use of",
        ),
    ),
    Sign(
        "gsp-failed",
        "the GPU's system processor did not start",
        ("rminitadapter failed", "gsp rpc timeout", "failed to initialize gsp", "kgspbootstrap"),
        r"RmInitAdapter failed!? ?\(?([\w:]*)|GSP|kgspBootstrap",
    ),
    Sign(
        "fabric-version-mismatch",
        "Fabric Manager is of another version than the driver: its version, the driver's",
        ("match with driver version", "match the driver version"),
        r"interface version (\d[\d.]*\d)\s*(?:don't|doesn't|does not) match with driver version"
        r" (\d[\d.]*\d)|(fabric ?manager)[^\n]{0,30}(?:doesn't|does not) match the driver version",
    ),
    Sign(
        "fabric-without-switch",
        "Fabric Manager found no NVSwitch, so this system does without it",
        ("nv_warn_nothing_to_do",),
    ),
    Sign(
        "fabric-not-ready",
        "the NVLink fabric of this system is not set up",
        ("fabric manager", "fabric", "nvidia-fabricmanager"),
        r"failed to (?:start|initialize)[^\n]{0,20}fabric\s?manager|fabric\s?manager[^\n]{0,60}"
        r"(?:not running|never reported|inactive|could not|failed|is not|not started)"
        r"|fabric[^\n]{0,20}(?:state|status)\s*[:=]\s*(?:\"|')?(In ?Progress"
        r"|Not Started"
        r"|NotStarted)|nvidia-fabricmanager[^\n]{0,60}(?:failed|inactive|dead|not found)",
    ),
    Sign(
        "nvswitch-problem",
        "an NVSwitch has a problem",
        ("nvswitch",),
        r"SXid|nvswitch[^\n]{0,60}(?:fatal|fail|error|not detected)",
    ),
    Sign(
        "power-capped",
        "the GPU is slowed down by its power limit",
        ("sw power cap", "power cap"),
        r"sw[ _]power[ _]cap(?:ping)?\s*[:|=]\s*active\b|throttle detected[^\n]{0,24}power cap",
    ),
    Sign(
        "hw-slowdown",
        "the hardware slows the GPU down: heat or power",
        (
            "hw slowdown",
            "hw thermal slowdown",
            "hw power brake",
            "sw thermal slowdown",
            "thermal slowdown",
            "thermal throttling",
            "due to thermal violation",
            "due to power violation",
        ),
        r"((?:hw|sw)[ _](?:thermal |power brake )?slowdown)\s*[:|=]\s*active\b|thermal throttling"
        r"|throttle detected[^\n]{0,24}((?:hw|sw) (?:thermal |power brake )?slowdown)"
        r"|clock[^\n]{0,20} due to (thermal|power) violation",
    ),
    Sign(
        "power-cable",
        "the board's power cable is not connected, or brings too little",
        ("insufficient external power", "power cables", "auxiliary power"),
        r"insufficient external power|power (?:cables?|connector)[^\n]{0,60}(?:connected|properly)",
    ),
    Sign(
        "power-limit-locked",
        "the power limit of this board cannot be changed",
        ("changing power management limit is not supported", "not supported in current scope"),
    ),
    Sign(
        "pcie-narrow",
        "the PCIe link is narrower than the card's: width now, width at most",
        ("lnksta:", "link width"),
        r"LnkSta:.{0,60}Width (x\d+) \(downgraded\)",
    ),
    Sign(
        "ecc-pages-pending",
        "memory rows or pages wait to be retired or remapped",
        ("remapping failure", "pending page blacklist", "retired pages", "row remapper"),
        r"(?:Remapping Failure Occurred|Pending Page Blacklist|Pending)\s*:\s*yes",
    ),
    Sign(
        "io-region-invalid",
        "the firmware gave the GPU no usable address range",
        (
            "this pci i/o region assigned to your nvidia device is invalid",
            "bar1 is 0m",
            "bar 1: can't assign",
            "no space for [mem",
        ),
        r"I/O region assigned to your NVIDIA device is invalid|BAR1 is 0M|BAR 1: can't assign",
    ),
    Sign(
        "device-file-refused",
        "a device file of the GPU cannot be opened; the value is its name",
        ("/dev/nvidia", "/dev/dxg"),
        r"(/dev/(?:nvidia[\w-]*|dxg))[^\n]{0,80}(?:permission denied|operation not permitted"
        r"|EPERM|EACCES)|(?:permission denied|operation not permitted|EPERM|EACCES)[^\n]{0,60}"
        r"(/dev/(?:nvidia[\w-]*|dxg))",
    ),
    Sign(
        "device-file-missing",
        "a device file of the GPU is not there; the value is its name",
        ("/dev/nvidia", "/dev/dxg"),
        r"(/dev/(?:nvidia[\w-]*|dxg))[^\n]{0,24}(?:no such file|does not exist|not found|ENOENT"
        r"|没有那个文件|files? (?:is|are) missing)"
        r"|(?:no such file|stat failed|ENOENT)[^\n]{0,40}?(/dev/(?:nvidia[\w-]*|dxg))",
    ),
    Sign(
        "device-file-wanted",
        "a service was told to hand a device file of the GPU on, and there is none",
        ("adding custom device", "can't stat gres.conf file", "open the device file /dev/nvidia"),
        r"(?:adding custom device|can't stat gres\.conf file) \"?(/dev/nvidia[\w-]*)"
        r"|could not open the device file (/dev/nvidia\w*) \(No such file",
    ),
    Sign(
        "after-suspend",
        "the machine was suspended before it failed",
        ("suspend", "hibernat", "sleep", "pm: resume"),
        r"(?:after|from|following|since)[^\n]{0,40}\b(?:suspend\w*|sleep(?:ing)?|hibernat\w*)\b"
        r"|\bPM: (?:suspend exit|resume)|\b(?:was|been) (?:suspended|hibernated|put to sleep)\b",
    ),
    Sign(
        "gpu-gone-after-suspend",
        "somebody says that a program no longer gets at the GPU since the machine slept",
        ("suspend", "hibernat", "sleep"),
        r"(?:after|from|since|following|with)[^\n.]{0,40}\b(?:suspend\w*|sleep\w*|hibernat\w*)\b"
        r"[^\n.]{0,30}\b(?:[GC]PU|cuda)\b[^\n.]{0,12}\b(?:stops?|stopped|no longer|disappears?)\b"
        r"|(?:after|from|since|following)[^\n.]{0,40}\b(?:suspend\w*|sleep\w*|hibernat\w*)\b"
        r"[^\n.]{0,60}\b(?:no longer|stops?|not|only|refuses|fails|cannot|unable)\b[^\n.]{0,30}"
        r"\b(?:[GC]PU|cuda)\b"
        r"|\b(?:not|n't|never|no longer)\b[^\n.]{0,25}\b(?:gpu|cuda)\b[^\n.]{0,30}\bafter "
        r"(?:suspend\w*|sleep\w*|hibernat\w*|resum\w*)\b",
    ),
    Sign(
        "uvm-reloaded",
        "loading the driver's module nvidia_uvm anew makes CUDA work again",
        ("nvidia_uvm", "nvidia-uvm"),
        r"(?:reload\w*|restart\w*|unload\w*)[^\n]{0,30}nvidia[_-]uvm"
        r"|nvidia[_-]uvm[^\n]{0,60}(?:reload|unload|fixe[sd]|solved|works? again)",
    ),
    Sign(
        "nvml-stub",
        "the toolkit's stub of NVML speaks, which a program loaded in place of the driver's",
        ("in gdk package is a stub library", "always run with libnvidia-ml.so that is installed"),
    ),
    Sign(
        "stub-linked",
        "the name under which libcuda is loaded leads to the toolkit's stub",
        ("libcuda.so.1 ->",),
        r"libcuda\.so\.1 -> (\S*stubs/libcuda\.so)",
    ),
    Sign(
        "temperature-limit-low",
        "the driver holds the GPU below a temperature that all bear easily; the value is it",
        ("gpu max operating temp",),
        r"GPU Max Operating Temp\s*: ([1-6]\d) C\b",
    ),
    Sign(
        "bus-lost",
        "a GPU no longer answers on the PCI bus",
        (
            "fallen off the bus",
            "gpu is lost",
            "gpu has fallen",
            "is lost. reboot the system",
            "is lost.  reboot the system",
        ),
    ),
    Sign(
        "bus-lost-told",
        "somebody tells that a GPU leaves the PCI bus",
        ("the bus", "the pci"),
        r"(?i)(\b(?:gpu|card|device|graphics|RTX \w+)\b[^.\n]{0,60}\b(?:falls?|fell|falling|drops?"
        r"|dropped|dropping|disappears?|disappeared)(?: off| from)(?: of)? the"
        r"(?: pci-?e?(?: express)?)? ?bus\b)",
    ),
)

"""What the driver's own programs and the kernel say: modprobe, the bus, device files."""

from ..languages import NO_FILE, REFUSED
from ..sign import Sign
from ..text import cues
from . import fabric

_REFUSED = "|".join((*REFUSED, "EPERM", "EACCES", "-1 EIO"))
#: The programs that miss the device files which SELinux or AppArmor closes; a browser does not.
_COMPUTES = r"comm=\"(?:python|ipython|jupyter|nvidia|ollama|tritonserver)[^\"\n]*\""

SIGNS = (
    *fabric.SIGNS,
    Sign(
        "dxcore-not-initialised",
        "NVIDIA's container tools do not get at what Windows gives WSL",
        ("dxcore initialization failed",),
    ),
    Sign(
        "gsp-record-shown",
        "the module shows what the GPU's own processor sent it last, as it does at faults",
        ("gsp_lockdown_notice", "gsp_post_nocat_record"),
        r"NVRM:[^\n]{0,20}\s\d{4}\s{1,4}(GSP_LOCKDOWN_NOTICE|GSP_POST_NOCAT_RECORD)\b",
    ),
    Sign(
        "devices-said-busy",
        "somebody says in other words than CUDA's that its devices are busy",
        (
            *("unavailable or busy", "busy or unavailable", "busy or not available"),
            "cuda-capable device is/are busy",  # without the "(s)" that people leave out
            *("no more unused gpus", "no more unused cuda gpus", "all gpus are in use"),
            "stat: unavailable",  # GROMACS, which tried to make a context on the GPU
        ),
        r"(?<!if )(?<!when )(?<!whether )cuda devices? (?:is |are )?"
        r"(?:unavailable or busy|busy or unavailable|busy or not available)(?! ?\?)|no more unused"
        r"|CUDA-capable device is/are busy|Error: All GPUs are in use"
        r"|compute cap\.: \d{1,2}\.\d,.{0,20} stat: unavailable",
    ),
    Sign(
        "module-not-found",
        "modprobe finds no nvidia module for this kernel",
        cues(
            "]module 'nvidia' is not found|"  # Bumblebee
            "module nvidia not found|module nvidia-current not found|module nvidia_drm not found"
            "|nvidia kernel module missing|nvidia kernel module not found|nvidia module missing"
            "|available modules: ["
        ),
        # optimus-manager lists those of NVIDIA's and nouveau that there are for the kernel.
        r"\bAvailable modules: \[(?![^\]\n]*nvidia)[^\]\n]*\]"
        r"|module nvidia(?:-current|_drm)? not found|\]module 'nvidia' is not found"
        r"|nvidia (?:kernel )?module (?:missing|not found)",
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
            "system's dkms key is not installed in mok",  # update-secureboot-policy
            # NVIDIA's installer, after it was told to install without a signature.
            "kernel module load error: operation not permitted",
        ),
        r"\A(?!\s*#\s*define\b)",
    ),
    Sign(
        "module-no-device",
        "the nvidia module found no device that it serves, or another driver holds it",
        cues(
            "could not insert 'nvidia|no nvidia graphics adapter found|nvrm: no nvidia gpu found"
            "|no nvidia devices probed|the nvidia probe routine was not called"
            "|nvrm: no nvidia pci devices found"
            "|none of the nvidia graphics adapters|none of the nvidia devices were initialized"
        ),
        r"could not insert 'nvidia[\w-]*' ?: (No such device.{0,60})|(no NVIDIA|none of the NVIDIA"
        r"|probe routine).*",
    ),
    Sign(
        "module-build-failed",
        "the kernel module could not be built, or was built for another kernel",
        cues(
            "bad return status for module build|error! bad exit status from"
            "|compiler version check failed|unable to build the kernel module"
            "|unable to find the kernel source tree|building nvidia kernel module failed"
            "|build of nvidia"
            '|an error occurred while performing the step: "building kernel modules"'
            "|unable to load the kernel module 'nvidia|nvidia: disagrees about version of symbol"
            "|could not insert module nvidia|your kernel headers for kernel|was skipped since the"
            "|could not resolve linux kernel version|gpl-incompatible module nvidia"
            "|the nvidia kernel module was not created|dkms module 'nvidia|dkms autoinstall on "
            "|failed to run `/usr/sbin/dkms |module not found: 'nvidia|module not found: `nvidia"
            "|akmods|x11-drivers/nvidia-drivers|-nvidia-x11-|failed cc version check|nvidia-kmod "
            "|error! missing module 'nvidia|unable to build the unified memory kernel module"
            "|error: unable to link kernel module"
            "|dkms make.log for nvidia"
        ),
        r"bad return status for module build|bad exit status from"
        r"|unable to (?:build|link) (?:the )?(?:unified memory )?kernel module"
        r"|unable to find the kernel source tree"
        r"|building nvidia kernel module failed|build of nvidia[\w-]*\.ko failed"
        r"|see /var/cache/akmods/nvidia|performing the step: .building kernel modules"
        r"|unable to load the kernel module|disagrees about version of symbol"
        r"|could not insert module nvidia|compiler version check failed"
        r"|failed CC version check|your kernel headers for kernel"
        r"|module build for kernel \S+ was skipped since the"
        r"|could not resolve linux kernel version|gpl-incompatible module nvidia"
        r"|dkms make\.log for nvidia"  # whose path DKMS prints where a build has failed
        r"|module was not created|module 'nvidia[\w.-]*' failed to build"
        r"|dkms autoinstall on \S+ failed for nvidia|dkms (?:build|install)[^\n]{0,20}-m nvidia"
        r"|(?:==> ERROR: |\A\W{0,4})module not found: ['`]nvidia"
        r"|nvidia[\w-]*-kmod[^\n]{0,60}\[?failed"
        r"|failed[^\n]{0,60}nvidia[\w-]*-kmod|nvidia-drivers-\S+ failed"
        r"|builder for '\S+-nvidia-x11-\S+' failed|error! missing module 'nvidia[\w-]*' in",
    ),
    Sign(
        "dkms-source-missing",
        "dkms lists a release of the driver whose source is gone, and stops there",
        ("/var/lib/dkms/nvidia", "directory: /usr/src/nvidia"),
        r"/var/lib/dkms/(nvidia[^/]{0,20}/[\d.]+)/source/dkms\.conf does not exist"
        r"|\ADirectory: /usr/src/(nvidia[\w.-]{1,40}) does not exist",
    ),
    Sign(
        "nouveau-in-the-way",
        "nouveau is loaded, so the nvidia module cannot be",
        cues(
            "nouveau kernel driver is currently in use|the nouveau kernel driver"
            "|already bound to nouveau|please disable nouveau|module nouveau is in use"
        ),
        r"nouveau kernel driver is currently in use|is already bound to nouveau|disable nouveau"
        r"|bound to nouveau|module nouveau is in use",
    ),
    Sign(
        "legacy-branch-needed",
        "the installed driver no longer serves this GPU; the value is the branch that does",
        (
            *("legacy drivers", "is supported through the nvidia", "will ignore this gpu"),
            *("nvrm: ignoring the legacy gpu", "is only supported "),  # the last: nvidia-detect
        ),
        r"(?:supported (?:through|by) the|you can try the) (?:NVIDIA )?(\d+)\.?\w* Legacy drivers"
        r"|NVRM: (ignoring the legacy GPU [\da-f:.]+)"
        r"|your card is only supported (?:by|up to) the (?:Tesla )?(\d+)[.\w]* (?:legacy )?drivers"
        r" series"
        r"|driver (\d+\.\d+\S*) [^\n]{0,40}(?:legacy|ignore)",
    ),
    Sign(
        "driver-does-not-serve-gpu",
        "this release of the driver does not know the GPU: it is too old or too new for it",
        (
            "in this system is not supported by the",
            # Debian's packages, by way of debconf, which breaks the lines
            *("no longer handled by the nvidia", "aborting nvidia driver installation"),
            *("nicht mehr vom nvidia-treiber", "plus g\u00e9r\u00e9e par le pilote nvidia"),
            "not supported by any driver version up to",
        ),
        r"in this system is not supported by the(?: \d|\Z)"
        r"|card which is no longer handled by the NVIDIA(?: driver|\s*\Z)"
        r"|\AAborting nvidia driver installation\.\s*\Z"
        r"|Grafikkarte, die nicht mehr vom NVIDIA-Treiber"
        r"|n'est plus g\u00e9r\u00e9e par le pilote NVIDIA"
        r"|Your card is not supported by any driver version up to \d",
    ),
    Sign(
        "open-module-unsupported",
        "the open kernel module does not serve this GPU",
        cues(
            "not supported by the nvidia open|is not supported by open nvidia"
            "|installed in this system is not supported by open"
            "|requires use of the nvidia open kernel modules|nvrm: proprietary nvidia.ko"
            "|installed in this system requires use of"
        ),
    ),
    Sign(
        "gsp-failed",
        "the GPU's system processor did not start",
        cues(
            "rminitadapter failed|gsp rpc timeout|failed to initialize gsp|kgspbootstrap"
            "|failed to create a dma mapping"
        ),
        r"NVRM[^\n]{0,40}(Failed to create a DMA mapping)!\s*\Z"
        r"|(RmInitAdapter failed!?(?: ?\([\w:]+\))?)|GSP|kgspBootstrap",
    ),
    Sign(
        # All other libraries of CUDA are the toolkit's own.
        "cmake-no-libcuda",
        "CMake finds no libcuda, which comes with the driver",
        ("cuda_cuda_library",),
        r"\A\W{0,4}(CUDA_CUDA_LIBRARY) \(ADVANCED\)\s*\Z|\b(CUDA_CUDA_LIBRARY-NOTFOUND)\b",
    ),
    Sign(
        # Files of the toolkit itself.
        "cmake-no-cudart",
        "CMake finds no CUDA run time",
        ("cuda_cudart_library", "cuda_toolkit_include"),
        r"\A\W{0,4}(CUDA_(?:CUDART_LIBRARY|TOOLKIT_INCLUDE)) \(ADVANCED\)\s*\Z"
        r"|\b(CUDA_(?:CUDART_LIBRARY|TOOLKIT_INCLUDE)-NOTFOUND)\b",
    ),
    Sign(
        "power-cable",
        "the board's power cable is not connected, or brings too little",
        ("insufficient external power", "power cables"),
        r"insufficient external power|power (?:cables?|connector)[^\n]{0,60}(?:connected|properly)",
    ),
    Sign(
        "pcie-narrow",
        "the PCIe link is narrower than the card's: width now, width at most",
        ("lnksta:", "at pcie x", "@ x1", "@ x4", "gpu-z", "gpuz"),
        r"LnkSta:.{0,60}Width (x\d+) \(downgraded\)"
        r"|\b(?:gpu|card)\b[^.?\n]{0,24}\b(?:runs|running|is|works|stuck)\b[^.?\n]{0,12}\bat PCIe"
        r" (x[14])\b"
        # GPU-Z's field, with the generation behind each width, and what people read in it.
        r"|\bPCI(?:e|-E(?:xpress)?)\b ?[\d.]{0,3} ?x(?:8|16) [1-6]\.\d @ (x[14]) [1-6]\.\d\b"
        r"|\bGPU-?Z (?:shows|says|reports|tells|lists)\b[^.?\n]{0,24} (?:at|@|in|runs) "
        r"(?:PCIe )?(x[14])(?: [1-6]\.\d)?\b(?! of)",
    ),
    Sign(
        "io-region-invalid",
        "the firmware gave the GPU no usable address range",
        cues(
            "this pci i/o region assigned to your nvidia device is invalid| is 0m @"
            "|bar 1: can't assign"
        ),
        r"I/O region assigned to your NVIDIA device is invalid|BAR\d is 0M @|BAR 1: can't assign",
    ),
    Sign(
        "device-file-refused",
        "a device file of the GPU cannot be opened; the value is its name",
        ("/dev/nvidia", "/dev/dxg", 'name="nvidia'),
        rf"(/dev/(?:nvidia[\w-]*|dxg))[^\n]{{0,80}}(?:{_REFUSED})"
        rf"|(?:{_REFUSED})[^\n]{{0,60}}(/dev/(?:nvidia[\w-]*|dxg))|avc: +denied [^\n]{{0,80}}"
        rf"{_COMPUTES}[^\n]{{0,80}}name=\"(nvidia[\w-]*)\"|apparmor=\"DENIED\"[^\n]{{0,120}}"
        rf"name=\"(/dev/nvidia[\w-]*)\"[^\n]{{0,40}}{_COMPUTES}",
    ),
    Sign(
        "device-file-missing",
        "a device file of the GPU is not there; the value is its name",
        ("/dev/nvidia", "/dev/dxg"),
        rf"(/dev/(?:nvidia[\w-]*|dxg))[^\n]{{0,24}}(?:{'|'.join(NO_FILE)}|does not exist"
        r"|not found|ENOENT|files? (?:is|are) missing)"
        r"|(?:no such file|stat failed|ENOENT)[^\n]{0,40}?(/dev/(?:nvidia[\w-]*|dxg))"
        r"|cannot access '?(/dev/dxg)"
        r"|(/dev/dxg) (?:device |file )?is (?:not available|missing|gone)",
    ),
    Sign(
        "device-file-wanted",
        "a service was told to hand a device file of the GPU on, and there is none",
        cues(
            "adding custom device|can't stat gres.conf file|stat /dev/nvidia"
            "|open the device file /dev/nvidia|waiting for gres.conf file"
        ),
        r"(?:adding custom device|can't stat gres\.conf file|waiting for gres\.conf file)"
        r" \"?(/dev/{1,2}nvidia[\w-]*)"
        r"|\bl?stat (/dev/nvidia[\w-]*): no such file"
        r"|could not open the device file (/dev/nvidia\w*) \(No such file",
    ),
    Sign(
        "cdi-without-device-file",
        "the description of devices that containers get was made without a device file of the GPU",
        ("cdi spec",),
        r"(?<!if )(?<!if the )(?<!when the )\bCDI spec\w* (?:does not|doesn't)"
        r" (?:contain|list|include) \W?(/dev/nvidia(?:\d{1,2}|ctl|-uvm)\b)",
    ),
    Sign(
        "after-suspend",
        "the machine was suspended before it failed",
        ("suspen", "hibernat", "sleep", "pm: resume", "woke up", "waking up", "wakes up"),
        r"(?:after|from|following|since)[^\n]{0,40}"
        r"\b(?:suspen[ds]\w*|sleep(?:ing)?|hibernat\w*)\b(?!\()"
        r"|\bPM: (?:suspend exit|resume)|\b(?:was|been) (?:suspended|hibernated|put to sleep)\b"
        r"|\b(?:laptop|notebook|machine|computer|pc|desktop|workstation|system|lid)\b[^.\n]{0,24}?"
        r"\b(?:(?:went|goes|gone|falls?|fell) (?:in)?to (?:sleep|suspend|hibernation)|(?:was|fell)"
        r" asleep|slept|(?:woke|wakes|waking) up(?! (?:the|an?|all|its|my|each)\b))\b",
    ),
    Sign(
        "gpu-gone-after-suspend",
        "somebody says that a program no longer gets at the GPU since the machine slept",
        ("suspen", "hibernat", "sleep"),
        r"(?:after|from|since|following|with)[^\n.]{0,40}\b(?:suspen[ds]\w*|sleep\w*|hibernat\w*)\b"
        r"[^\n.]{0,30}\b(?:[GC]PU|cuda)\b(?: (?:functionality|access|support)\b[^\n.]{0,60})?"
        r"[^\n.]{0,12}\b(?:stops?|stopped|no longer|disappears?)\b"
        r"|(?:after|from|since|following)[^\n.]{0,40}\b(?:suspen[ds]\w*|sleep\w*|hibernat\w*)\b"
        r"[^\n.]{0,60}\b(?:no longer|stops?|not|only|refuses|fails|cannot|unable)\b[^\n.]{0,30}"
        r"\b(?:[GC]PU|cuda)\b"
        r"|\b(?:no (?:gpu|cuda|opencl)|(?:not|n't|never|no longer)\b[^\n.]{0,25}\b(?:gpu|cuda"
        r"|opencl))\b[^\n.]{0,30}\bafter "
        r"(?:suspend\w*|sleep\w*|hibernat\w*|resum\w*)\b",
    ),
    Sign(
        "uvm-reloaded",
        "loading the driver's module nvidia_uvm anew makes CUDA work again",
        ("nvidia_uvm", "nvidia-uvm"),
        r"(?<!failed to )(?<!could not )(?<!unable to )(?<!cannot )"
        r"(?:reload\w*|restart\w*|\bunload\w*)[^\n]{0,30}nvidia[_-]uvm"
        r"|\brmmod nvidia_uvm\b[^\n]{0,40}\bmodprobe nvidia_uvm\b"
        r"|nvidia[_-]uvm[^\n]{0,60}(?:reload|unload|fixe[sd]|solved|works? again)",
    ),
    Sign(
        "nvml-stub",
        "the toolkit's stub of NVML speaks, which a program loaded in place of the driver's",
        ("in gdk package is a stub library", "always run with libnvidia-ml.so that is installed"),
    ),
    Sign(
        "nvrtc-stub",
        "the toolkit's stub of NVRTC speaks, which a program loaded in place of the library",
        ("running using the stub version of nvrtc",),
    ),
    Sign(
        "stub-linked",
        "the name under which libcuda is loaded leads to the toolkit's stub",
        ("libcuda.so.1 ->",),
        r"libcuda\.so\.1 -> (\S*stubs/libcuda\.so)",
    ),
    Sign(
        "bus-lost",
        "a GPU no longer answers on the PCI bus",
        cues(
            "fallen off the bus|gpu is lost|gpuislost|gpu has fallen|is lost. reboot the system"
            "|is lost.  reboot the system|gpu lost from the bus"
            "|failed to query display engine channel state|nvrm: attempting to remove device"
        ),
    ),
    Sign(
        "reboot-helps-told",
        "somebody says that after a restart of the machine it works again",
        ("reboot", "restart"),
        r"(?i)\A(?!.*(?:\?|\b(?:if|unless|should|would|may|might)\b))"
        r".*?\b(?:after|until|only) (?:an? |the |I )?(?:re-?boot\w*|restart\w*(?: of)?"
        r" (?:the |my )?(?:machine|computer|pc|server|host|system|windows))\b,? [^.\n]{0,20}?"
        r"\b(?:runs?|works?|is back|comes back|is (?:there|detected|found|fine|ok))\b",
    ),
    Sign(
        "gpu-hung-told",
        "a program that watches its GPUs says that one does not go on",
        ("hung detected", "hangs in cuda call"),
        r"\A[\s\d:.,\[\]-]{0,32}(?:ERROR|WARN\w*|WATCHDOG)?\W{0,4}GPU ?#?\d{1,2}\b:?"
        r" (?:hung detected|hangs in CUDA call)",
    ),
    Sign(
        "smi-without-capability",
        "the driver's nvidia-smi does not know the field of the compute capability",
        ('field "compute_cap" is not a valid field',),
    ),
    Sign(
        "bus-lost-told",
        "somebody tells that a GPU leaves the PCI bus",
        ("the bus", "the pci", "lost", "loses", "reboot", "power cycle", "in pci bus"),
        r"(?i)(\bnvidia card not showing up in PCI bus after rescan\b|"  # optimus-manager
        r"\bnvidia-smi\b[^.\n]{0,30}\b(?:shows?|lists?|reports?|says?|prints?|marks?|claims?)\b"
        r"[^.\n]{0,30}\b(?:gpus?|cards?|devices?)\b[^.\n]{0,16}\b(?:as|is|are|was|were)"
        r" (?:being )?[\"'`]?lost\b"
        r"|\b(?:gpu|card|device|graphics|RTX \w+)\b[^.\n]{0,60}\b(?:falls?|fell|falling|drops?"
        r"|dropped|dropping|disappears?|disappeared)(?: off| from)(?: of)? the"
        r"(?: pci-?e?(?: express)?)? ?bus\b"
        r"|\A(?!.*(?:container|docker|\bpod\b))\W{0,4}(?:the )?[\w-]{2,30} has lost (?:an?|its)"
        r" (?:gpu|card)\W*\Z"
        r"|\bnvidia-smi (?:has )?los(?:t|es) (?:one|an?|the|both|all|two|some)(?: of the)? "
        r"(?:gpus?|cards?)\b"
        r"(?=(?:(?!container|docker|\bpod\b)[^.\n]){0,100}\b(?:re-?boot|restart|power[ -]cycle))"
        r"|\bdriver (?:cannot|can't|can no longer|no longer|does(?: not|n't)) "
        r"(?:reach(?:es)?|finds?|sees?|talks? to) (?:the|my|its) (?:gpu|card)"
        r"(?: any ?(?:more|longer))?\b"
        r"(?=(?:(?!container|docker|\bpod\b)[^\n]){0,200}\bpower[ -]cycl)"
        r"|\b(?:driver|machine|system|kernel|box|host|server|pc) (?:then |suddenly |also )?"
        r"(?:loses|lost) (?:the|my|its) (?:whole )?(?:nvidia )?(?:gpu|(?:graphics )?card)\b"
        r"(?=(?:(?!container|docker|\bpod\b)[^.\n]){0,100}\b(?:re-?boot|restart|power[ -]cycle))"
        r"|\b(?:gpu|card)\b[^.\n]{0,24}\b(?:is|stays|remains|was) (?:gone|lost|dead|away)"
        r" (?:until|till|before) (?:(?!container|docker|\bpod\b)[^.\n]){0,30}"
        r"\b(?:reboot|power cycle))",
    ),
)

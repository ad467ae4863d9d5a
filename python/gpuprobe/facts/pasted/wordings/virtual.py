"""What hypervisors, vGPUs and Windows say of a GPU that is passed on, shared or refused."""

from ..sign import Sign
from ..text import cues

#: Device Manager says the same of all devices.
_OF_NVIDIA = r"(?:nvidia|geforce|quadro)[^\n]*"

#: How AMD and Intel call the file of a driver for Windows.
_OF_OTHERS = r"(?:[cu]\d{7}|iigd_\w{1,8}|igd\w{1,8}|cui_\w{1,8}|ki\d{1,8})\.inf_"

#: Hypervisors for a desktop, which give their guests no card of NVIDIA's.
_DESKTOP_GUESTS = r"vmware(?: workstation| player| fusion)?|virtual ?box|parallels"
_ASKS_WHETHER = (
    r"(?:can|could|how (?:can|do|to)|is it possible|is there (?:a|any) way|possible to|may)"
)

#: https://aws.amazon.com/ec2/instance-types/: p and g have GPUs, of which g4ad's are AMD's.
TYPE_WITHOUT_GPU = (
    r"(?:inf[12]|trn[12]n?|g4ad|t[234]g?a?|[cmr][3-8][a-z]{0,3})\."
    r"(?:(?:\d{0,2}x)?large|medium|small|micro|metal)"
)

#: Where programs and libraries are looked for, or what sets it.
_SEARCHED = r"(?:\b(?:add|set|export|prepend|append|put)\w*|\b(?:LD_LIBRARY_)?PATH\b)"

SIGNS = (
    Sign(
        "cloud-type-with-gpu",
        "a machine of Amazon's is of a type that has GPUs of NVIDIA's, which is the value",
        ("xlarge",),
        r"\b((?:p[2-6][a-z]{0,3}|g[3-7](?!ad\b)[a-z]{0,2})\.\d{0,2}xlarge)\b",
    ),
    Sign(
        "cloud-type-without-gpu",
        "a machine of Amazon's is of a type that has no GPU of NVIDIA's, which is the value",
        tuple(f".{size}" for size in ("xlarge", "large", "medium", "small", "micro", "metal"))
        + tuple(f".{count}xlarge" for count in (2, 4, 8, 9, 12, 16, 18, 24, 32, 48)),
        rf"\b({TYPE_WITHOUT_GPU})\b",
    ),
    Sign(
        "vgpu-versions-differ",
        "the drivers of the virtual machine and of its host do not go together",
        ("guest driver incompatible", "incompatible guest/host drivers", "guest vgx version"),
    ),
    Sign(
        "vgpu-unlicensed",
        "a virtual GPU without a licence, which the driver slows down",
        cues(
            "license status|grid license|grid licence|failed to acquire license"
            "|license request failed|unlicensed (|valid license"
        ),
        r"License Status\s*: (Unlicensed[^\n]*)|(Valid GRID licen[cs]e not found)"
        r"|nvidia-gridd[^\n]*(Failed to acquire license|license request failed|Unlicensed \()"
        r"|nvidia-gridd[^\n]*(valid licen[cs]e[^\n]{0,20} (?:not|could)[^\n]*)",
    ),
    Sign(
        "other-card-asked",
        "somebody asks whether, or how, a program runs on another maker's card",
        ("amd ", "amd's", "amd?", "radeon", "rocm", "intel arc"),
        # Not of processors, nor beside the name of a card of NVIDIA's.
        r"\A(?!.*\b(?:geforce|[gr]tx|quadro|tesla)).*?"
        r"\b(?:is there|are there|any|how|can|could|does|will|is it|possible)\b[^.?\n]{0,60}"
        r"\b(AMD(?:'s)?(?! (?:cpus?|processors?|ryzen|epyc|threadripper|athlon|opteron)\b)"
        r"(?: radeon)?(?: gpus?| (?:graphics )?cards?| hardware)?|radeon(?: \w+)?"
        r"(?: gpus?| cards?)|rocm|intel arc)\b[^.?\n]{0,70}\?",
    ),
    Sign(
        "driver-awaited",
        "a service waits for what NVIDIA's kernel module makes; the value is the path",
        ("/sys/bus/pci/drivers/nvidia", "/dev/nvidia"),
        r"\bwait(?:s|ing)? (?:for|until) (?:the )?(?:file |path )?[\"'`]?"
        r"(/sys/bus/pci/drivers/nvidia|/dev/nvidia\w*)",
    ),
    Sign(
        "nvidia-driver-missed-told",
        "somebody says that a program looks for NVIDIA's driver and stops without it",
        ("nvidia driver", "nvidia gpu", "nvidia check"),
        r"\A(?=.{1,500}\Z)(?!.*\b(?:if|unless|solved|fixed)\b).*?(?:\b(?:error|exception|message"
        r"|complain\w*|crash\w*|fail(?:s|ed|ing)?|stops?)\b[^.?\n]{0,40}?\b(?:missing|lacking"
        r"|absent|no|lack of|without)(?: the| an| any)? nvidia (?:driver|gpu)s?\b"
        r"|\b(?:skip|avoid|bypass|disable|get past|pass|work around)\w*[^.?\n]{0,24}?"
        r"\bnvidia (?:driver |gpu )?(?:check|test)s?\b"
        r"|\bnvidia (?:driver |gpu )?(?:check|test)s? [^.?\n]{0,24}?\b(?:skipped|avoided|bypassed"
        r"|disabled|fails|failed)\b)",
    ),
    Sign(
        "guest-cuda-asked",
        "somebody asks whether a guest of VMware's, VirtualBox's or Parallels' can have CUDA",
        ("vmware", "virtualbox", "virtual box", "parallels"),
        # What passes a card on is another matter: ESXi, vGPU.
        r"(?i)\A(?!.*\b(?:esxi?|vsphere|v?gpu[- ]?pass\w*|pass-?through|vgpu|grid)\b)"
        rf".*?(?:\b{_ASKS_WHETHER}\b[^.?\n]{{0,60}}\b(?:cuda|gpus?)\b[^.?\n]{{0,60}}"
        rf"\b({_DESKTOP_GUESTS})\b[^.?\n]{{0,60}}\?"
        rf"|\b{_ASKS_WHETHER}\b[^.?\n]{{0,60}}\b({_DESKTOP_GUESTS})\b[^.?\n]{{0,60}}"
        r"\b(?:cuda|gpus?)\b[^.?\n]{0,60}\?"
        rf"|\bcuda\b[^.?\n]{{0,60}}\b({_DESKTOP_GUESTS})\b[^?\n]{{0,60}}\. "
        rf"{_ASKS_WHETHER}\b[^.?\n]{{0,60}}\b(?:cuda|gpus?)\b[^.?\n]{{0,40}}\?)",
    ),
    Sign(
        "gpu-of-host-only-told",
        "somebody says that a virtual machine does not get at the GPU of its host",
        ("host gpu", "host's gpu", "host graphics", "host's graphics", "gpu of the host"),
        r"\b(?:vm|virtual machine|guest|virtualbox|vmware|hyper-v)\b.{0,80}?"
        r"\b(?:host(?:'s)? (?:gpu|graphics card)|gpu of the host)\b[^.?\n]{0,40}?"
        r"\b(?:can(?:not|'t| not)|could(?:n't| not)|is(?:n't| not)|not) (?:be )?"
        r"(?:accessed|accessible|reached|reachable|seen|used|visible|available|passed)\b",
    ),
    Sign(
        "os-driver-set-up",
        "a package manager sets up the kernel module of NVIDIA's driver; the value is the package",
        ("nvidia-dkms-", "cuda-drivers"),
        r"\b(?:Setting up|error processing package|configuration of)"
        r" (nvidia-dkms-\d{3}[\w-]{0,12}|cuda-drivers(?:-\d{3})?)\b",
    ),
    Sign(
        "wsl-without-adapters",
        "NVIDIA's container tools find themselves in WSL, and no GPU of NVIDIA's",
        ("wsl environment detected", "running a driver with pre-wddm 2.8"),
        r"WSL environment detected but no ad[ao]pters were found\b(?! means)"
        r"|WDDM adapter running a driver with pre-WDDM 2\.8",
    ),
    Sign(
        "wsl-adapter-of-others",
        "the driver that Windows gives WSL is another maker's; the value is its folder",
        ("core nvidia component",),
        rf"Core Nvidia component \S{{1,60}} not found in \S*/drivers/({_OF_OTHERS}\S{{0,80}})",
    ),
    Sign(
        "wsl-adapter-of-nvidia",
        "Windows gives WSL a driver of NVIDIA's; the value is its folder",
        ("/usr/lib/wsl/drivers/nv",),
        r"/usr/lib/wsl/drivers/(nv\w{1,12}\.inf_\w{1,80})",
    ),
    Sign(
        "wsl-folder-not-searched",
        "somebody says that programs do not look where WSL has the driver of Windows",
        ("usr/lib/wsl/lib",),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?\s*\Z|\b(?:if|unless|should|would|may|might|even|still"
        r"|no effect|already|avoid|make sure)\b)).*?("
        r"usr/lib/wsl/lib/?[`'\"]?[^.;\n]{0,24}\b(?:(?:is|was|are)(?: not|n't)|not|missing|absent)"
        r"(?: found)?(?: being)?(?: there)? (?:in|on|from|part of|searched|known|looked)\b"
        r"|\b(?:does(?: not|n't)|did(?: not|n't)|never)"
        r" (?:contain|include|have|name|list|search|know|look (?:in|into|at))"
        r"[^.;\n]{0,24}usr/lib/wsl/lib"
        rf"|{_SEARCHED}[^.;\n]{{0,60}}usr/lib/wsl/lib[^.;\n]{{0,60}}\b(?:solve[sd]|fixe[sd]"
        r"|help(?:s|ed)|works?(?! not)|worked|resolve[sd]|was needed|is needed)\b"
        r"|\b(?:had to|have to|needed to|(?:fixed|solved) (?:it |this )?by|after|only once I)"
        r" (?:\w+ )?(?:add|set|export|nam|put|prepend|append)\w*[^;\n]{0,60}usr/lib/wsl/lib)",
    ),
    Sign(
        "passthrough-device-silent",
        "the hypervisor gets no answer from the device that it is to pass on",
        cues(
            "invalid pci rom header signature|vfio_err_notifier_handler|vfio_bar_restore"
            "|reset recovery - restoring bars|after flr; giving up|no available reset mechanism"
        ),
        r"vfio[^\n]*(Invalid PCI ROM header signature|vfio_err_notifier_handler[^\n]{0,60}"
        r"|vfio_bar_restore|reset recovery|after FLR; giving up|no available reset mechanism)"
        r"|(vfio_err_notifier_handler)",
    ),
    Sign(
        "windows-device-without-driver",
        "Windows has no driver for an NVIDIA GPU; its numbers are read by `windows_devices`",
        ("drivers for this device are not installed",),
        _OF_NVIDIA + r"(drivers for this device are not installed)",
    ),
    Sign(
        "windows-driver-not-loaded",
        "Windows does not load the driver of an NVIDIA GPU",
        ("cannot load the device driver", "cannot load the drivers", "verify the digital sign"),
        _OF_NVIDIA + r"(cannot load the d[\w ]{1,12}drivers?|cannot verify the digital signature)",
    ),
    Sign(
        "windows-device-failed",
        "an NVIDIA GPU does not start under Windows",
        ("this device cannot start", "cannot find enough free resources"),
        _OF_NVIDIA + r"(this device cannot start|cannot find enough free resources)",
    ),
    Sign(
        "windows-code-43",
        "Windows stopped the device because its driver reported problems",
        ("code 43", "error 43"),
        r"(?:nvidia|geforce|quadro|gpu|rtx|gtx|graphics|display)[^\n]*\b((?:code|error) 43)\b"
        r"|\b((?:code|error) 43)\b[^\n]*(?:nvidia|geforce|quadro|gpu|rtx|gtx|graphics|display)"
        r"|has stopped this device because it has reported problems\. \((Code 43)\)",
    ),
)

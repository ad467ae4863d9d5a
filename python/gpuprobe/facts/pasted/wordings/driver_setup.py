"""What stops the installation of a driver: nvidia-installer, DKMS, dpkg, the GPU operator."""

from ..sign import Sign
from ..text import cues

#: The driver's module, and no other that NVIDIA has dkms build.
_MODULE = r"nvidia(?!-fs|-peermem)"

#: A branch of the driver, or one of its releases.
_BRANCH = r"v?(\d{3}(?:\.\d{1,3}){0,2})(?![\w.]*\d)"
#: Up to the driver, without a word about one that is there, and no further than the sentence.
_WITHOUT_MINE = (
    r"(?:(?!\b(?:I|we|my|our|have|has|had|got|but|with|than|installed|running)\b)"
    r"(?:[^\n;.]|\.(?=\d))){0,60}?"
)

#: Whose driver it is, in front of the word.
_WHOSE = r"(?: (?:the|an?|my|our|last|recent|latest|host|host's|nvidia|gpu|I|we|have|had))*"

#: An image of NVIDIA's driver, in whatever registry.
_DRIVER_IMAGE = r"(?:[^\s\"]{1,120}/)?nvidia/driver[:@]([\w.:-]{1,100})"

SIGNS = (
    Sign(
        "driver-changed-told",
        "somebody says that the driver was changed between what worked and what fails",
        ("driver",),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|should|would|please|need to|have to|try|still)\b))"
        rf".*?\b((?:after|since|before){_WHOSE} (?:driver (?:upgrade|update)"
        rf"|(?:upgrad|updat)(?:e|ed|ing)(?: of| to)?{_WHOSE} driver)\b)",
    ),
    Sign(
        "told-minimum-driver",
        "somebody names the least driver that a program asks for, which is the value",
        ("driver",),
        r"\A(?=.{1,500}\Z)(?!.*\b(?:no longer|if|unless|windows|wsl|recommend\w*|error)\b)"
        r"(?!.*(?:\bnot|n't|\bnever) (?:require|need|want|ask|demand|expect)).*?(?:"
        r"\b(?:requir(?:es?|ed|ing)|requirement|needs?|wants?|asks? for|demands?|expects?|minimum"
        rf"|at (?:the (?:very )?)?least)\b{_WITHOUT_MINE}\bdrivers?(?: version)?(?: is| of)?"
        rf"(?: at least)? ?(?:[:=\u2265]|>=)? ?{_BRANCH}"
        r"|\bdrivers?(?: version)? (?:(?:must|has to|needs to|should) be )?"
        rf"(?:at least|>=|\u2265) ?{_BRANCH}"
        rf"|\bdrivers?(?: version)? {_BRANCH} (?:or|and) (?:newer|later|higher|above|up)\b)",
    ),
    Sign(
        "installer-module-in-use",
        "the installer stops because the module of another release is in use",
        cues(
            "appears to already be loaded in your kernel"
            "|could not unload nvidia driver kernel modules|you appear to be running an x server"
            "|failed to unload driver: resource temporarily unavailable"
        ),
        r"kernel module '(nvidia[\w-]*)' appears to already be loaded|could not unload NVIDIA"
        r" driver|you appear to be running an X server; please exit X before installing"
        r"|(failed to unload driver): resource temporarily unavailable",
    ),
    Sign(
        "installer-module-unsigned",
        "the installer built a module that Secure Boot refuses",
        (
            *("not signed by a key that is trusted", "module with unavailable key is rejected"),
            "the kernel does not trust any key which is capable of verifying",
        ),
    ),
    Sign(
        "installer-no-gpu",
        "the installer knows none of the GPUs that it found; the value is its release",
        cues(
            "you do not appear to have an nvidia gpu supported by"
            "|could not find compatible graphics hardware"
        ),
        r"GPU supported by the (\d[\d.]*)|this (graphics driver could not find) compatible",
    ),
    Sign(
        "installer-no-compiler",
        "the installer finds no compiler, or another than the kernel was built with",
        cues(
            "unable to find the development tool|version check failed|cc sanity check"
            "|kernel header file|version of the kernel sources"
        ),
        r"unable to find the development tool .(\w+).|\bThe (?:CC|compiler) version check failed"
        r"|failed CC sanity check|the kernel header file '(\S+)' does not exist"
        r"|unable to determine the version of the kernel sources located in '(\S+)'",
    ),
    Sign(
        "module-source-error",
        "the compiler refuses the module's source for this kernel; the value is the place",
        cues(
            ": error:|: fatal error:|] error |nvidia kernel module|(--configure)"
            "|kernel headers for module nvidia|building dkms module|is marked as broken"
        ),
        rf"(/(?:{_MODULE}[\w.-]*|selfgz\d+)/\S*?nv[\w-]*\.[ch]:\d+(?::\d+)?): (?:fatal )?error:"
        # As installers and dkms lay them; before branch 361 their names began otherwise.
        rf"|(/(?:NVIDIA-Linux-\S{{5,40}}|dkms/{_MODULE}\S{{0,60}})/(?:kernel|build)[\w/.-]{{0,60}}"
        r"\.[ch]:\d{1,5}(?::\d{1,4})?): (?:fatal )?error:"
        rf"|/(dkms/{_MODULE}\S*/build|selfgz\d+)\S*\] Error \d"
        r"|building DKMS module:? '?(nvidia[\w.-]*)[^\n]{0,60}FAILED"
        r"|Unable to build the (NVIDIA kernel module)\b|\bthe (nvidia kernel module) was"
        r" successfully built\". See"
        r"|(kernel headers for module nvidia\S*)|(nvidia-x11-\S{1,40}) .{0,80}is marked as broken"
        r"|package (nvidia-(?:dkms|kernel)[\w-]*) (?:package )?\(--configure\)",
    ),
    Sign(
        "dkms-fails-told",
        "somebody says that DKMS does not build a driver's module",
        ("dkms",),
        r"\A(?=.{1,500}\Z)"
        r"(?=[^\n]*(?:nvidia|\bdriver \d{3}|\b\d{3}\.\d{2,3}|\b\d{3}(?:xx)? (?:series|driver)))"
        r"[^\n]*?(\bdkms\b[^\n.]{0,30}\b(?:fail(?:s|ed|ing|ure)?|broken|not build\w*)\b"
        r"|\bdkms module\b[^\n.]{0,50}?\b(?:does(?: not|n't)|did(?: not|n't)|will not|won't"
        r"|cannot|can't|could(?: not|n't)) (?:be )?(?:buil[dt]|compiled?)\b"
        r"|\bdkms\b[^\n.]{0,30}\bdoesn't build\b"
        r"|\bdkms module\b[^\n.]{0,30}\bends? (?:with|in)\b[^\n]{0,12}\bfail(?:s|ed|ure)\b"
        r"|\b(?:breaks?|broke|fail(?:s|ed|ing)?)\b[^\n.]{0,24}\bdkms (?:module|build)\b)",
    ),
    Sign(
        "installation-failed",
        "NVIDIA's installer gave up",
        ("nvidia-installer.log' for details",),
        r"(installation has failed)",
    ),
    Sign(
        "driver-lacking-said",
        "a program that sets machines up says that no NVIDIA driver is installed, or could be",
        ("because nvidia driver is not installed", "proprietary drivers could not be installed"),
        r"\b(?:GPUs configuration because (Nvidia driver is not installed)"  # ParallelCluster
        r"|(Proprietary drivers could not be installed))\b",  # nvautoinstall
    ),
    Sign(
        "driver-container",
        "the container in which the GPU operator builds the driver speaks",
        ("stopping nvidia persistence daemon", "nvidia software installer for", "driver-ctr"),
    ),
    Sign(
        "driver-image-not-pulled",
        "the image that brings the driver to a node of Kubernetes is not to be had: its tag",
        ("nvidia/driver:", "nvidia/driver@", "nvidia-driver-daemonset"),
        r"\b(?:failed to pull|back-off pulling|failed to pull and unpack) image \\?\""
        rf"{_DRIVER_IMAGE}|\bfailed to resolve reference \\?\"{_DRIVER_IMAGE}"
        rf"|\bmanifest for {_DRIVER_IMAGE} not found\b"
        r"|(nvidia-driver-daemonset[\w-]*) +\d/\d +(?:Init:)?(?:ErrImagePull|ImagePullBackOff)\b",
    ),
    Sign(
        "node-installer-failed",
        "Google's installer put no driver on a node; the value is why",
        ("install.go:", "installer.go:", "failed to check driver compatibility: "),
        r"\binstall(?:er)?\.go:\d{1,5}\] "
        r"(failed to (?!verify)[^:\n]{0,80}?\bdrivers?\b[^:\n]{0,80})"
        r"|(failed to check driver compatibility): ",
    ),
    Sign(
        "driver-package-files",
        "two packages of the driver want the same file, or the same diversion",
        ("trying to overwrite", "mismatch on divert-to", "breaks dependency"),
        r"trying to overwrite '[^']*(?:nvidia|libcuda|libnv)[^']*'[^\n]*(?:package (\S+))"
        r"|(mismatch on divert-to)|breaks dependency '(nvidia-utils|nvidia)=[^']*'",
    ),
)

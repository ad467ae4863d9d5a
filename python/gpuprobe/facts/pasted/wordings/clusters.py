"""What Kubernetes, NVIDIA's device plugin and Slurm say of GPUs that they give to programs."""

from ..sign import Sign
from ..text import cues
from .virtual import TYPE_WITHOUT_GPU

#: What a container does that has the GPU.
_SERVES = r"(?:works?|runs?|fine|sees|finds|ok)"

SIGNS = (
    Sign(
        "compose-alone-told",
        "somebody says that what fails with Compose works with docker run",
        ("docker run",),
        r"\A(?=.{1,400}\Z)(?=.*\bcompose\b)(?!.*(?:\?|\b(?:if|unless|should|whether|would|also)\b))"
        r".*?(?:\bcompose\b[^\n]{0,120}?\b(?:but|while|whereas|though)\b[^.\n]{0,40}"
        rf"\b{_SERVES}\b[^.\n]{{0,24}}?\bdocker run\b"
        rf"|(?:\b{_SERVES}\b[^\n]{{0,48}}?\bdocker run\b|\bdocker run\b[^\n]{{0,60}}?\b{_SERVES}\b)"
        r"[^\n]{0,60}?\b(?:but|while|whereas|and)\b[^.\n]{0,24}?"
        r"(?:(?:\b(?:not|no|fails?|cannot)\b|n't\b)[^.\n]{0,32}\bcompose\b"
        r"|\bcompose\b[^.\n]{0,32}?(?:\b(?:not|no|fails?|cannot)\b|n't\b)))",
    ),
    Sign(
        "slurm-no-gpu-as-number",
        "a program takes for a number what Slurm sets for a job without GPUs",
        ("nodevfiles'",),
        r"\binvalid literal for int\(\) with base 10: '(NoDevFiles)'",
    ),
    Sign(
        "slurm-step-without-gpu",
        "a step of Slurm that asks for no GPU is shown none, and one that asks lists it;"
        " where that takes several lines, runs/slurm_steps.py reads it",
        ("no devices were found",),
        r"\bsrun (?![^\n]*(?: -G| --g))[^\n]{0,80}nvidia-smi[^\n]{0,40}No devices were found"
        r"[^\n]{0,200}\bsrun [^\n]*(?: -G ?\d| --g(?:res|pus)\S*)[^\n]{0,80}\bGPU 0: ",
    ),
    Sign(
        "k8s-no-gpu-resource",
        "no node of the cluster offers nvidia.com/gpu",
        ("nvidia.com/gpu", "gpu resources are not"),
        r"insufficient nvidia\.com/gpu|devices unavailable for nvidia\.com/gpu"
        r"|unregistered device nvidia\.com/gpu"
        r"|GPU resources are not (?:yet )?discovered by the node"
        r"|nvidia\.com/gpu:\s+0\b|no healthy devices present[^\n]*nvidia\.com/gpu",
    ),
    Sign(
        "k8s-plugin-registered",
        "the device plugin offers a node's GPUs",
        ("registered device plugin for 'nvidia.com/gpu'",),
    ),
    Sign(
        "k8s-pod-scheduled",
        "a pod found its node",
        ("successfully assigned ", "started container "),
        r"\bSuccessfully assigned \S+ to \S|\bStarted container \w",
    ),
    Sign(
        "k8s-plugin-no-nvml",
        "the device plugin finds no NVML or no GPU on its node",
        cues(
            "could not load nvml library|failed to initialize nvml: could not load"
            "|no devices found. waiting indefinitely"
            "|if this is a gpu node, did you set the docker default runtime"
            "|did you set the docker default runtime to|detected non-nvml platform"
            "|incompatible platform detected|incompatible strategy detected"
            "|invalid device discovery strategy|no valid resources detected"
        ),
    ),
    Sign(
        "k8s-plugin-mig",
        "the device plugin's MIG strategy does not fit the GPUs",
        cues(
            "migenabled=true was not configured correctly|mig strategy"
            "|all devices on the node must be configured"
            "|error getting device memory info: insufficient permissions"
            "|error attempting multiple config orderings|insufficient nvidia.com/mig-"
        ),
        r"insufficient (nvidia\.com/mig-[\w.]+)"
        r"|migEnabled=true was not configured correctly|invalid MIG|must be configured with"
        r"|MIGConfig: error attempting multiple config orderings|config orderings: all orderings"
        r"|device memory info: Insufficient Permissions",
    ),
    Sign(
        "k8s-cuda-validation-fails",
        "the program by which NVIDIA's operator tries CUDA on a node ends with an error",
        ("cuda-validat",),
        r"\bcuda-validat(?:or|ion)\b[^\n]{0,60}?\b(?:crash\w*|(?<!no )error)\b",
    ),
    Sign(
        "k8s-unhealthy-gpu",
        "the device plugin marked a GPU as unhealthy",
        cues(
            "marking device unhealthy|device marked unhealthy|device is unhealthy|xidcriticalerror"
            "|marking it as unhealthy"
        ),
        r"XidCriticalError: Xid=(\d+)"
        r"|\b(?:marking device|device marked(?: as)?|device is)(?: as)? unhealthy"
        r"|(unable to get device handle from UUID): [^;\n]{1,60}; marking it as unhealthy",
    ),
    Sign(
        "slurm-no-gres",
        "Slurm gave the job no GPU, or knows none",
        cues(
            "requested node configuration is not available|invalid generic resource"
            "|invalid gres specification|invalid trackable resource (tres) specification"
            "|gres/gpu count reported lower than configured"
        ),
        r"gres(?!/gpu count reported lower than configured \([1-9])|generic resource"
        r"|trackable resource|node configuration is not available",
    ),
    Sign(
        "slurm-gpu-gone",
        "Slurm counts fewer GPUs on a node than there were, yet some; the value is both numbers",
        ("gres/gpu count reported lower than configured",),
        r"lower than configured \(([1-9]\d? < \d{1,2})\)",
    ),
    Sign(
        "slurm-outside-job",
        "a GPU was asked for on a node without one (a login node)",
        ("login node", "login-node"),
        r"login.node[^\n]{0,60}(?:gpu|cuda)|(?:gpu|cuda)[^\n]{0,60}login.node",
    ),
    Sign(
        "head-node-without-gpu",
        "a cluster's head node is of a type that has no GPU of NVIDIA's, which is the value",
        ("head node", "headnode", "login node", "master node"),
        rf"\b(?:head|login|master) ?node(?: is|\s?[:=])? (?:an? )?({TYPE_WITHOUT_GPU})\b",
    ),
    Sign(
        "on-head-node-told",
        "somebody says that something was done on a cluster's head node",
        ("head node", "headnode", "login node", "master node"),
        r"(?i)\A(?!.*\b(?:if|unless|should|instead of|not|n't|never)\b).*?"
        r"\b(?:on|from) (?:the|my|our|its) (?:head|login|master) ?node\b",
    ),
    Sign(
        "gpu-shared-by-pods",
        "a cluster gives several pods one GPU, and holds none to its share of the memory",
        ("gpushare", "gpu-mem", "gpu.shared", "time-slicing", "timeslicing"),
        r"\b(gpushare|aliyun\.com/gpu-mem|nvidia\.com/gpu\.shared|time-?slicing)\b",
    ),
)

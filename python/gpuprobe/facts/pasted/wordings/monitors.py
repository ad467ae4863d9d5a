"""What monitors of GPUs say of themselves and of what they count."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "monitor-finds-no-gpu",
        "nvtop finds no GPU, which it asks NVML for: a board's driver may have none that answers",
        ("no gpu to monitor",),
    ),
    Sign(
        "samples-work-told",
        "somebody says that a sample of CUDA's works, or what watches NVIDIA's boards",
        ("device", "cuda", "bandwidthtest", "jtop"),
        r"(?:\A|[.!?] )(?![^.\n]{0,200}(?:\b(?:if|unless|should|whether|would|might|not|nor|neither"
        r"|no longer)\b|n't\b|\?))[^.\n]{0,120}?(?:\bdevice ?query\b|\bbandwidthtest\b|\bjtop\b"
        r"|\bcuda(?:'s)?(?: toolkit)?[- ](?:samples?|examples?)\b)[^.\n]{0,40}?"
        r"\b(?:works?|pass(?:es)?|(?:runs?|is|are) (?:\w+ )?(?:fine|well|ok|okay))\b",
    ),
    Sign(
        "dcgm-initialized",
        "DCGM, which asks the driver's NVML, has begun its work",
        ("dcgm successfully initialized", "| list modules"),
    ),
    Sign(
        "dcgm-counters-refused",
        "DCGM has no counters of what the GPUs do: its module is not there, or the GPUs have none",
        cues(
            "profiling is not supported for this group|a module of dcgm that is not currently"
            "|: feature not supported"
        ),
        r"(Profiling is not supported for this group of GPUs)"
        r"|Error (?:watching fields|setting watches)[^\n]{0,16}: (Feature not supported)"
        r"|(serviced by a module of DCGM that is not currently loaded)",
    ),
    Sign(
        "smi-log-printed",
        "nvidia-smi -q began its log, which it does with a driver that answers",
        ("==nvsmi log==",),
    ),
    Sign(
        "opengl-by-nvidia",
        "OpenGL is rendered by NVIDIA's driver",
        ("opengl renderer string:", "opengl renderer:", "gl_renderer"),
        r"(?i)\b(?:OpenGL renderer(?: string)?|GL_RENDERER) ?[:=] ?(?:NVIDIA )?"
        r"((?:GeForce|Quadro|Tesla|NVS|TITAN|RTX|GTX)\b[^\n]{1,40}/PCIe/SSE2)",
    ),
)

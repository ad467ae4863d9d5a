"""What monitors of GPUs say of themselves and of what they count."""

from ..sign import Sign
from ..text import cues

SIGNS = (
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

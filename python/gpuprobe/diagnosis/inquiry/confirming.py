"""What to ask where a cause is named and only possible: the question that is about it alone."""

from ...ourselves import INSTALL, WHERE
from ..model import Reading
from .model import Platform, Question, everywhere
from .symptoms import ARCHITECTURE
from .trials import BEFORE_START, BLOCKING, MODE, ON_DEMAND, WITHOUT_PATH

_VISIBLE = Question(
    "visible-devices",
    everywhere(INSTALL, "gpuprobe visible"),
    ("visible.process_devices",),
    (
        Reading('"shows 0 of 1 devices", or fewer than there are', "the variable hides the "
                "GPU: the entry that does is marked.", ("hidden-by-visible-devices",)),
        Reading("all devices", "it hides none; look at the driver and the container.",
                ("driver-not-loaded", "container-no-gpu", "no-nvidia-gpu")),
    ),
    text=f"run this where the program runs{WHERE}; it holds CUDA_VISIBLE_DEVICES against the "
    "driver",
)  # fmt: skip
_FILES = Question(
    "device-files",
    {Platform.LINUX: ("ls -l /dev/nvidia*",)},
    ("node.nvidiactl", "node.nvidia-uvm"),
    (
        Reading("nvidia0, nvidiactl or nvidia-uvm is not listed, or not crw-rw-rw-",
                "that file is missing, or closed to you.", ("device-nodes",)),
        Reading("all three, crw-rw-rw-", "they are well; the GPU or its driver is at fault.",
                ("device-lost", "driver-library-mismatch", "no-nvidia-gpu")),
    ),
)  # fmt: skip
_VISUAL_C = Question(
    "visual-c",
    {Platform.WINDOWS: ("where.exe msvcp140.dll vcruntime140_1.dll",)},
    ("msvc_runtime.missing",),
    (
        Reading('"Could not find files"', "Microsoft's Visual C++ run time is missing, in "
                "whole or in part.", ("msvc-runtime-missing",)),
        Reading("two files in System32", "it is there. With error 126 another DLL is missing, "
                "perhaps of CUDA or cuDNN; with 1114 it may be too old.",
                ("cudnn-missing", "cudart-missing", "cublas-missing")),
    ),
)  # fmt: skip
_MEMORY = Question(
    "memory",
    everywhere("nvidia-smi"),
    ("gpu.0.memory_free_bytes",),
    (
        Reading("most of Memory-Usage is taken", "another process, which the table may name, "
                "holds it.", ("oom-other-process",)),
        Reading("most of it is free", "the work itself needs more than the GPU has.",
                ("oom-workload",)),
    ),
    text="run this while your program is not running, and paste what it prints below your text",
)  # fmt: skip
_PYTHON = Question(
    "python",
    everywhere(
        "python -c \"import sys, struct; print(sys.version, struct.calcsize('P') * 8)\"",
        "python -m pip download --no-deps PACKAGE",
    ),
    ("python.bits",),
    (
        Reading("no matching distribution, once pip is updated", "there is no build for this "
                "Python: one of 32 bits, or of another release.", ("python-unsupported",)),
        Reading("a file that is saved", "pip was too old, or asked another index.", ()),
    ),
)  # fmt: skip
_PACKAGES = Question(
    "packages-of-one-module",
    everywhere("python -m pip list"),
    ("package.*.version",),
    (
        Reading("two that bring one module, as tensorflow and tensorflow-gpu, or several of "
                "onnxruntime, cupy or opencv", "what was installed last lies on top of the other.",
                ("mixed-installs",)),
        Reading("one of each", "no package is in the way: it may be a build without CUDA.",
                ("cpu-only-build",)),
    ),
)  # fmt: skip
_LIMITS = Question(
    "limits-while-slow",
    everywhere("nvidia-smi -q -d PERFORMANCE,POWER,TEMPERATURE"),
    ("gpu.0.throttle",),
    (
        Reading('"Active" beside a reason other than Idle', "that is what slows the GPU down.",
                ("power-thermal",)),
        Reading('all "Not Active"', "nothing slows it down: the program leaves it waiting, or "
                "another one uses it.", ("user-code", "silent-cpu-fallback")),
    ),
    unless=("about.restarts",),  # what a machine that restarts shows before tells nothing
    text="run this while it is slow, and paste what it prints below your text",
)  # fmt: skip
_ARCHITECTURE = ARCHITECTURE._replace(when=("",), unless=())

#: By the cause of which they make sure.
CONFIRMING = {
    "hidden-by-visible-devices": _VISIBLE,
    "device-nodes": _FILES,
    "msvc-runtime-missing": _VISUAL_C,
    "python-unsupported": _PYTHON,
    "oom-other-process": _MEMORY,
    "oom-workload": _MEMORY,
    "visible-devices-too-late": BEFORE_START,
    "library-path-conflict": WITHOUT_PATH,
    "oom-preallocation": ON_DEMAND,
    "user-code": BLOCKING,
    "device-busy": MODE,
    "mixed-installs": _PACKAGES,
    "power-thermal": _LIMITS,
    "gpu-too-new": _ARCHITECTURE,
    "gpu-too-old": _ARCHITECTURE,
}

"""What to ask where a text names a framework: each shows its build and what it sees by itself."""

from __future__ import annotations

from ..model import Reading
from .model import Question, everywhere

#: Why a build for CUDA does not reach the GPU.
NOT_REACHED = (
    *("no-nvidia-gpu", "driver-missing", "driver-not-loaded", "driver-library-mismatch"),
    *("driver-too-old", "device-nodes", "container-no-gpu", "hidden-by-visible-devices", "wsl"),
)
#: What is left where the framework sees the GPU.
IN_THE_PROGRAM = ("user-code", "silent-cpu-fallback", "oom-workload", "oom-other-process")
LIBRARIES = (
    *("cudart-missing", "cublas-missing", "cudnn-missing", "cudnn-mismatch"),
    *("cuda-libs-mismatch", "library-path-conflict"),
)
_WORKS = "the set-up works; the fault is in the program, its memory or its choice of device."


def _of(framework: str) -> tuple[str, ...]:
    return f"about.{framework}", f"package.{framework}", f"framework.{framework}"


TORCH_START = Question(
    "torch-start",
    everywhere('python -c "import torch; torch.cuda.init()"'),
    ("error.*",),
    (
        Reading('"No CUDA GPUs are available"', "a variable hides the GPU, or a container does.",
                ("hidden-by-visible-devices", "container-no-gpu")),
        Reading('"Found no NVIDIA driver"', "libcuda is not found where torch runs.",
                ("driver-missing", "wsl")),
        Reading('"driver ... is too old"', "the driver serves an older CUDA than torch was "
                "built for.", ("driver-too-old", "forward-compat")),
        Reading('"CUDA unknown error"', "the driver's parts do not fit, or its device files "
                "are missing.", ("driver-library-mismatch", "device-nodes", "device-lost")),
        Reading("nothing", _WORKS, IN_THE_PROGRAM),
    ),
    when=("framework.torch.sees_gpu",),
    after=("package.torch.build", "driver.version"),
    unless=("error.", "sign.torch-no-driver", "sign.torch-driver-too-old"),
)  # fmt: skip

PROGRAMS = (
    Question(
        "torch",
        everywhere("python -m torch.utils.collect_env"),
        ("framework.torch.sees_gpu", "package.torch.build"),
        (
            Reading('"Is CUDA available: True"', _WORKS, IN_THE_PROGRAM),
            Reading('"CUDA used to build PyTorch: None"', "this torch is a build without CUDA.",
                    ("cpu-only-build", "python-unsupported")),
            Reading('"False" beside a version of CUDA', "torch does not reach the GPU; the lines "
                    "about GPU and driver tell why.", NOT_REACHED),
        ),
        when=(*_of("torch"), "sign.torch-"),
    ),
    Question(
        "tensorflow",
        everywhere(
            'python -c "import tensorflow as tf; print(tf.sysconfig.get_build_info()); '
            'print(tf.config.list_physical_devices())"'
        ),
        ("framework.tensorflow.sees_gpu", "package.tensorflow.build"),
        (
            Reading("a device of type GPU", _WORKS, IN_THE_PROGRAM),
            Reading('"is_cuda_build" is False', "this TensorFlow is a build without CUDA, as all "
                    "are on Windows since 2.11.", ("cpu-only-build", "python-unsupported")),
            Reading("lines about a library that could not be loaded", "that library is missing, "
                    "or of another version.", LIBRARIES),
            Reading('"failed call to cuInit", or only a CPU', "the driver is not reached.",
                    NOT_REACHED),
        ),
        when=(*_of("tensorflow"), "sign.tf-"),
    ),
    Question(
        "jax",
        everywhere('python -c "import jax; jax.print_environment_info()"'),
        ("framework.jax.sees_gpu", "package.jaxlib.version"),
        (
            Reading('"CudaDevice"', _WORKS, IN_THE_PROGRAM),
            Reading('"CpuDevice" above a table of nvidia-smi', "the plug-in for CUDA is missing, "
                    "or does not fit jaxlib.",
                    ("cpu-only-build", "framework-cuda-mismatch", *LIBRARIES)),
            Reading('"CpuDevice" without a table', "the driver is not reached.", NOT_REACHED),
        ),
        when=(*_of("jax"), "sign.jax-fell-back"),
    ),
    Question(
        "onnxruntime",
        everywhere(
            'python -c "import onnxruntime as ort; '
            'print(ort.__version__, ort.get_device(), ort.get_available_providers())"'
        ),
        ("package.onnxruntime-gpu.build",),
        (
            Reading("no CUDAExecutionProvider", "the package without CUDA is installed, alone or "
                    "over onnxruntime-gpu.", ("cpu-only-build", "mixed-installs")),
            Reading("CUDAExecutionProvider", "the build is right; a library of CUDA or cuDNN that "
                    "it needs is not found when a session starts.",
                    (*LIBRARIES, "framework-cuda-mismatch", "msvc-runtime-missing")),
        ),
        when=_of("onnxruntime"),
        unless=("package.onnxruntime.build",),
    ),
    Question(
        "cupy",
        everywhere('python -c "import cupy; cupy.show_config()"'),
        ("package.cupy.cuda",),
        (
            Reading('"Device 0 Name"', _WORKS, IN_THE_PROGRAM),
            Reading('"CUDA Driver Version" below "CUDA Runtime Version"', "the driver is too old "
                    "for this CuPy.", ("driver-too-old", "framework-cuda-mismatch")),
            Reading("an error", "its name tells what is missing: the driver, or a library of CUDA.",
                    (*NOT_REACHED, *LIBRARIES)),
        ),
        when=_of("cupy"),
    ),
    Question(
        "numba",
        everywhere('python -c "from numba import cuda; cuda.detect()"'),
        ("framework.numba.sees_gpu",),
        (
            Reading('"Found 1 CUDA devices"', _WORKS, IN_THE_PROGRAM),
            Reading("an error", "its name tells what is missing: the driver, or a library of CUDA.",
                    (*NOT_REACHED, "toolkit-missing")),
        ),
        when=_of("numba"),
    ),
    Question(
        "paddle",
        everywhere(
            'python -c "import paddle; print(paddle.device.is_compiled_with_cuda()); '
            'paddle.utils.run_check()"'
        ),
        ("package.paddlepaddle.build",),
        (
            Reading('"works well on 1 GPU"', _WORKS, IN_THE_PROGRAM),
            Reading("False", "this is paddlepaddle, the build without CUDA; the other one is "
                    "called paddlepaddle-gpu.", ("cpu-only-build", "mixed-installs")),
            Reading("an error", "its text names the library or the version that does not fit.",
                    (*LIBRARIES, *NOT_REACHED)),
        ),
        when=_of("paddle"),
        unless=("package.paddlepaddle-gpu.build",),
    ),
)  # fmt: skip

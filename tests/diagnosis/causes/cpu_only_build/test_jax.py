"""A build without CUDA, as JAX tells of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

PLUGIN = (
    "An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not installed. "
    "Falling back to cpu."
)
SMI = (
    "| NVIDIA-SMI 535.104.05             Driver Version: 535.104.05   CUDA Version: 12.2     |\n"
    "|   0  NVIDIA GeForce RTX 3090        Off | 00000000:01:00.0  On |                  N/A |\n"
)
JAX_BACKEND = (
    "RuntimeError: Unknown backend: 'gpu' requested, but no platforms that are instances of gpu "
    "are present. Platforms present are: cpu\n"
)
NO_GPU_JAX = "WARNING: No GPU/TPU found, falling back to CPU.\n"
SETS = 'os.environ["CUDA_VISIBLE_DEVICES"] = '
JAX = f'jax.random.PRNGKey(0)\n{SETS}"1"\n'
NO_JAXLIB = (
    "WARNING: An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not"
    " installed. Falling back to cpu."
)
DLPACK = "XlaRuntimeError: INVALID_ARGUMENT: DLPack tensor is on GPU"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"Google Colab with a T4\n{PLUGIN}", "cpu-only-build"),
        (f"Kaggle notebook with GPU\n{PLUGIN}", "cpu-only-build"),
        (
            (
                "WARNING: no GPU detected, will be using CPU\njaxlib  0.4.7\n"
                "| NVIDIA-SMI 525.85.12    Driver Version: 525.85.12    CUDA Version: 12.0     |"
            ),
            "cpu-only-build",
        ),
        (SMI + JAX_BACKEND + "jaxlib==0.4.20", "cpu-only-build"),
        (f"jaxlib: 0.4.13\n{DLPACK}, but no GPU backend was provided.", "cpu-only-build"),
        (NO_GPU_JAX + "I have CUDA 12.2, jax = 0.4.13", "cpu-only-build"),
        (
            NO_GPU_JAX + "I have CUDA 12.2\nlibcudart.so.12: cannot open shared object file",
            "cudart-missing",
        ),
        (JAX + NO_JAXLIB, "cpu-only-build"),
    ],
)
def test_a_build_without_cuda_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        SMI + JAX_BACKEND + "jaxlib==0.4.20\njax-cuda12-plugin==0.4.20",
        JAX_BACKEND,
        NO_GPU_JAX,
    ],
)
def test_kin_of_a_build_without_cuda_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_jax_that_lists_the_gpu_is_another_than_that_which_warned() -> None:
    assert ruled(f"{PLUGIN}\n>>> jax.devices()\n[CudaDevice(id=0)]") == "unknown"


def test_jax_that_is_told_to_take_the_cpu_is_no_wrong_build():
    asked = "jaxlib: 0.4.30\n{}=cpu\n>>> jax.devices()\n[CpuDevice(id=0)]"
    assert ruled(asked.format("JAX_PLATFORMS")) != "cpu-only-build"
    assert ruled(asked.format("JAX_LOG")) == "cpu-only-build"


_ATTRIBUTE = "'cuda': module 'jaxlib.xla_extension' has no attribute 'GpuAllocatorConfig'"
_PLATFORMS = 'NOT_FOUND: Could not find registered platform with name: "cuda". Available platform'


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (f"{_ATTRIBUTE}\nThe GPU can be found by tensorflow.", "cpu-only-build"),
        (f"{_ATTRIBUTE}\nGPU: RTX 3090", "cpu-only-build"),
        (f"'gpu': {_PLATFORMS} names are: Interpreter Host\nGPU: RTX 3090", "cpu-only-build"),
        (_ATTRIBUTE, "unknown"),
        (f"{_ATTRIBUTE}\nHow can the GPU be found by tensorflow?", "unknown"),
        (f"{_ATTRIBUTE}\nThe GPU can not be found by tensorflow.", "unknown"),
    ],
)
def test_jaxlib_that_knows_no_cuda_is_one_for_the_cpu_where_there_is_a_gpu(pasted: str, cause: str):
    assert ruled(f"Unable to initialize backend {pasted}") == cause


def test_part_that_pip_left_out_is_not_missed_where_the_gpu_is_seen():
    told = "jax 0.4.30 does not provide the extra 'cuda12'\n>>> jax.devices()\n[CudaDevice(id=0)]"
    assert ruled(told) != "cpu-only-build"


NO_ALLOCATOR = (
    "RuntimeError: Unable to initialize backend 'cuda': module 'jaxlib.xla_extension' has no "
    "attribute 'GpuAllocatorConfig' (set JAX_PLATFORMS='' to automatically choose an available "
    "backend)"
)


@pytest.mark.parametrize(
    ("command", "cause"),
    [
        ("JAX_PLATFORMS=cuda python train.py", "cpu-only-build"),
        ("python train.py", "unknown"),  # whether there is a GPU at all, nobody tells
    ],
)
def test_jaxlib_without_cuda_where_its_gpu_is_asked_for(command: str, cause: str):
    assert ruled(f"{command}\n\n{NO_ALLOCATOR}") == cause


FELL_BACK = "\nWARNING:absl:No GPU/TPU found, falling back to CPU.\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("Google Colab, GPU runtime switched on", "cpu-only-build"),
        ("I run it in Colab, and the runtime type is set to GPU.", "cpu-only-build"),
        ("Kaggle notebook, accelerator: GPU P100", "cpu-only-build"),
        ("Google Colab, I forgot to choose the GPU runtime", "no-nvidia-gpu"),
        ("Google Colab; the runtime type is not set to GPU", "no-nvidia-gpu"),
        ("Google Colab", "no-nvidia-gpu"),
    ],
)
def test_a_notebook_that_has_a_gpu_lacks_jaxs_plugin(told: str, cause: str):
    assert ruled(told + FELL_BACK) == cause


@pytest.mark.parametrize(
    ("version", "told", "cause"),
    [
        ("0.1.69", "Now JAX no longer sees the GPU.", "cpu-only-build"),
        ("0.3.0", "After the update jax fell back to the CPU", "cpu-only-build"),
        ("0.1.66+cuda110", "Now JAX no longer sees the GPU.", "unknown"),
        ("0.1.69", "Is it so that JAX no longer sees the GPU?", "unknown"),
        ("0.1.69", "JAX no longer sees the file of weights", "unknown"),
    ],
)
def test_somebody_says_that_a_plain_jaxlib_gets_no_gpu(version: str, told: str, cause: str):
    assert ruled(f"jaxlib=={version}\n{told}\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("What can I do so that my training uses it?\n{}", "cpu-only-build"),
        ("{}\n我的代码报错\uff0c怎么办", "cpu-only-build"),
        ("I run this on macOS.\n{}", "unknown"),
        (
            "My epochs go on, may I leave it?\n{}\n 20%|##   | 20/100 [00:10<00:40, 2.0it/s]",
            "unknown",
        ),
        ("{}", "unknown"),
    ],
)
def test_somebody_complains_of_a_jaxlib_that_knows_no_cuda(told: str, cause: str):
    assert ruled(told.format(f"Unable to initialize backend {_ATTRIBUTE}")) == cause

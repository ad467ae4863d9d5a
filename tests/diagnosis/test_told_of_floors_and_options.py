"""Builds without CUDA, packages below whose floor a GPU is, files that are none; each with kin."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_IMAGE = "CUDA Error: no kernel image is available for execution on the device "
IMAGE = "docker run -p 80:80 ghcr.io/org/server:2.0\n"
WITH_GPUS = "docker run --gpus all -p 80:80 ghcr.io/org/server:2.0\n"
BNB = "The installed version of bitsandbytes was compiled without GPU support."
CHAINER = "RuntimeError: CUDA environment is not correctly set up"
BY_MAKE = (
    "I {0}.cpp build info: \n"
    "I CFLAGS:   -I.  -O3 -std=c11 -fPIC -pthread -mavx\n"
    "I CXXFLAGS: -I. -O3 -std=c++11 -fPIC -pthread -mavx{1}\n"
    "I LDFLAGS:  \n"
)
OPEN3D = 'RuntimeError: [Open3D Error] (f()) /x/MemoryManager.cpp:1: Unsupported device "CUDA:0". '
ENROOT = "[WARN] Kernel module nvidia_uvm is not loaded. Make sure the NVIDIA driver is loaded\n"
CLI = "nvidia-container-cli: initialization error: driver error: failed to process request"
FAISS = "Faiss assertion 'err == CUBLAS_STATUS_SUCCESS' failed in void faiss::gpu::runMatrixMult()"
BOARD = "/usr/lib/aarch64-linux-gnu"
UV = "  ╰─▶ Because {0} has no wheels with a {1}\n"
HINT = "hint: You require CPython 3.13 (`cp313`), but we only found wheels"
PIP = "ERROR: Could not find a version that satisfies the requirement {} (from versions: none)"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("GPU: Quadro P5000\n" + NO_IMAGE + "/src/flash-attention/csrc/ln.cuh 2", "gpu-too-old"),
        ("GPU: Tesla P40\n" + NO_IMAGE + "/x/flashinfer/include/page.cuh:1", "gpu-too-old"),
        # What it serves is there: then the build is another matter.
        (
            "GPU: RTX 3090\n" + NO_IMAGE + "/src/flash-attention/csrc/ln.cuh 2",
            "extension-mismatch",
        ),
        ("GPU: Quadro P5000\n" + NO_IMAGE + "/src/apex/csrc/ln.cu 2", "extension-mismatch"),
        ("Kokkos::Cuda::initialize ERROR: likely mismatch of architecture", "gpu-too-old"),
        ("GPU: A100\ncuda: 10.0\n" + FAISS, "gpu-too-new"),
        ("GPU: A100\ncuda: 11.4\n" + FAISS, "unknown"),
        ("Faiss hangs, 100% of a core is in libnvidia-ptxjitcompiler.so.510.54", "gpu-too-new"),
        ("  95.2%  python  libnvidia-ptxjitcompiler.so.535.54  [.] 0x0001", "gpu-too-new"),
        ("libcuda.so  libcuda.so.1  libnvidia-ptxjitcompiler.so.1", "unknown"),
    ],
)
def test_what_has_no_code_for_a_gpu(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (OPEN3D + "Set BUILD_CUDA_MODULE=ON to compile for CUDA support.", "cpu-only-build"),
        ("[Open3D Error] Not compiled with CUDA, but CUDA device is used.", "cpu-only-build"),
        (
            "error: the solver was built without GPUs. Rebuild with -DAPP_ENABLE_CUDA=ON to enable",
            "cpu-only-build",
        ),
        # Advice, and a file of settings.
        ("Set WITH_CUDA=ON to compile for CUDA support, if you need it.", "unknown"),
        ("-- App is not built with CUDA. Error: set -DAPP_CUDA=ON to enable it.", "unknown"),
        ("option(APP_CUDA): -DAPP_CUDA=ON to enable GPUs", "unknown"),
        (
            "CUDAExecutionProvider is not in available providers (['CPUExecutionProvider']).",
            "cpu-only-build",
        ),
        (
            "The run stops because the open3d of my environment is not a GPU build.",
            "cpu-only-build",
        ),
        ("I saw that ctranslate2 from pip is a CPU-only build.", "cpu-only-build"),
        ("It was slow if the torch from pip is a CPU-only build.", "unknown"),
        ("Is the open3d from conda no GPU build?", "unknown"),
        ("The first card is no GPU, and this is not a CUDA version of it.", "unknown"),
        (">>> import open3d as o3d\n>>> o3d.core.cuda.is_available()\nFalse", "unknown"),
        ("$ GGML_CUDA=1 make -j\n" + BY_MAKE.format("whisper", ""), "cpu-only-build"),
        ("$ make LLAMA_CUBLAS=1\n" + BY_MAKE.format("llama", ""), "cpu-only-build"),
        ("$ make LLAMA_CUBLAS=1\n" + BY_MAKE.format("llama", " -DGGML_USE_CUBLAS"), "unknown"),
        ("$ make -j\n" + BY_MAKE.format("llama", ""), "unknown"),
    ],
)
def test_what_was_built_without_cuda(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize("words", [BNB, CHAINER])
def test_a_container_that_got_no_gpu_comes_before_its_packages(words: str):
    assert ruled(IMAGE + words) == "container-no-gpu"
    assert ruled(WITH_GPUS + words) != "container-no-gpu"
    assert ruled(words) != "container-no-gpu"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (ENROOT + CLI, "driver-not-loaded"),
        (CLI, "container-no-gpu"),
        (
            "CUDA version 12.1 is not compatible with TensorRT-LLM models. Required version: 12.4",
            "driver-too-old",
        ),
        ("This quantization is not compatible with TensorRT-LLM models.", "unknown"),
        ("OS: Bash on Windows (Ubuntu)\ncudaErrorNoDevice", "wsl"),
        ("OS: Linux subsystem on Windows 10\ncudaErrorNoDevice: no CUDA-capable device", "wsl"),
        ("OS: Windows 10, Git Bash on Windows\ncudaErrorNoDevice", "driver-not-loaded"),
        (
            "Now and then the driver loses the card, and only a reboot brings it back.",
            "device-lost",
        ),
        ("The GPU is gone until the next reboot of the host.", "device-lost"),
        ("The driver loses the GPU in a container until that container is restarted.", "unknown"),
        ("The game loses the card after a reboot.", "unknown"),
        (
            "ERROR: Kokkos has been compiled for CUDA but no GPUs are requested (src/kokkos.cpp:1)",
            "user-code",
        ),
        ("This is a GPU partition but no GPUs are requested", "unknown"),
    ],
)
def test_what_programs_and_people_say_of_the_driver_and_the_card(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("/usr/local/cuda/lib64/libcudnn.so.6: file too short", "cudnn-missing"),
        ("OSError: /opt/cuda/lib64/libcudnn.so.8: invalid ELF header", "cudnn-missing"),
        ("ImportError: /usr/local/cuda/lib64/libcublas.so.11: file too short", "cublas-missing"),
        ("ImportError: /usr/local/cuda/lib64/libcudart.so.11.0: file too short", "cudart-missing"),
        (
            "-rw-r--r-- 1 root root 0 Oct 19  2020 /usr/local/cuda/lib64/libcudnn.so.8",
            "cudnn-missing",
        ),
        # On a board the tools for containers put empty files in the place of its own.
        (
            f"{WITH_GPUS}-rw-r--r-- 1 root root 0 Oct 19  2020 {BOARD}/libcublas.so.10.2",
            "container-no-gpu",
        ),
        ("-rw-r--r-- 1 root root 981 Oct 19  2020 /usr/local/cuda/lib64/libcudnn.so.8", "unknown"),
        ("lrwxrwxrwx 1 root root 0 Oct 19  2020 /x/libcudnn.so -> libcudnn.so.8", "unknown"),
        ("/opt/app/libfoo.so.6: file too short", "unknown"),
    ],
)
def test_a_file_that_is_no_library(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (
            UV.format("onnxruntime-gpu==1.2.0", "matching\n      Python ABI tag"),
            "python-unsupported",
        ),
        (
            UV.format("vllm==0.4.0", "matching Python version tag (e.g., `cp313`)"),
            "python-unsupported",
        ),
        (
            HINT + " for `tensorflow`\n    (v2.19.0) with the following Python ABI tags: `cp39`",
            "python-unsupported",
        ),
        (
            HINT,
            "python-unsupported",
        ),
        (
            HINT + " for `pyqlib`",
            "unknown",
        ),
        ("Python version: 3.12.1\n" + PIP.format("deploy-gpu-python"), "python-unsupported"),
        ("Python version: 3.12.1\n" + PIP.format("some_engine-gpu==1.0"), "python-unsupported"),
        (PIP.format("deploy-gpu-python"), "unknown"),
        ("Python version: 3.12.1\n" + PIP.format("some-engine"), "unknown"),
    ],
)
def test_what_has_no_file_for_a_python(pasted: str, cause: str):
    assert ruled(pasted) == cause

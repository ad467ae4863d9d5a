"""Statements in a spelling or an order of their own: slips of a colon, sentences, old programs."""

from __future__ import annotations

import pytest

from support.cases import ruled

REFUSED = "clang: error: Unsupported CUDA gpu architecture: {}"
NONE_KNOWN = "GPU: no known devices\n"
NO_GPU = "Device mapping: no known devices.\n"
UNLEARNT = "TensorFlow version: {}\nGPU: RTX 3080\nthe GPU run never surpassed 0.1 accuracy"
THREAD = "lambda [](int)->auto::operator()(int)->auto: block: [0,0,0], thread: [3,0,0] "
OTHER_CUDA = (
    "The detected CUDA version ({}) mismatches the version that was used to compile PyTorch ({})"
)
DXCORE = (
    "attempting to load dxcore to see if we are running under Windows Subsystem for Linux (WSL)\n"
    "dxcore initialization failed, continuing assuming a non-WSL environment\n"
)


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("ImportError: libcudnn.so.6 cannot open shared object file", "cudnn-missing"),
        ("Failed to initialize NVML: Driver / library version mismatch", "driver-library-mismatch"),
        ("CUDA 8.0, GTX 1080\n" + REFUSED.format("sm_61"), "gpu-too-new"),
        ("LLVM ERROR: PTX version 8.5 does not support target 'sm_120'", "gpu-too-new"),
        ("panic: More than one MIG device type present on node", "mig"),
        ("it throws OOM when allocating tensor with shape...", "oom-workload"),
        ("PyTorch built with CUDA:         False\nGPU: A100", "cpu-only-build"),
        (NONE_KNOWN + "tensorflow-1.0.0 (https://pypi.org/project/tensorflow)", "cpu-only-build"),
        ("GTX 980 Ti\nit requires a minimum compute capability of 6.0", "gpu-too-old"),
        (THREAD + "Assertion `index < sizes[i]` failed.", "user-code"),
        ("tf.test.is_built_with_cuda returns False", "cpu-only-build"),
        ("CUDA APIs used within the container throw error 804", "forward-compat"),
        ('undefined symbol: "ncclCommWindowRegister"', "cuda-libs-mismatch"),
        ("CUDA_ERROR_NO_DEVICE on any partitioned Nvidia A100 card", "mig"),
        ("FATAL: the 't' kernel requires 5.0 capability!\nGPU: TESLA K80", "gpu-too-old"),
        (UNLEARNT.format("2.3.1"), "gpu-too-new"),
        ("it loads `/usr/lib/stubs/libcuda.so` instead of the driver's", "stub-library"),
        (OTHER_CUDA.format("%s", "%s"), "toolkit-mismatch"),
        ("LoadError: Error -1 calling cuDriverGetVersion", "stub-library"),
        ("ImportError: flash_attn_2_cuda undefined symbol", "extension-mismatch"),
        (NO_GPU + "tensorflow 1.0.1\nUsing gpu device 0: GeForce GTX 1070", "cpu-only-build"),
        ("Using gpu device 0: GeForce GTX 1070 (CNMeM is disabled)", "healthy"),
        ("Deterministic GPU implementation of Op not available.", "healthy"),
        (DXCORE + "nvml error: driver not loaded", "driver-not-loaded"),
    ],
)
def test_what_is_said_in_other_words_is_read(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "libcudnn.so.6 opens a shared object file",
        "the OOM killer was idle when allocating the tensor",
        "PyTorch built with CUDA:         True\nGPU: A100",
        "tensorflow-1.0.0 (https://pypi.org/project/tensorflow-serving-api)",
        "RTX 3090\nit requires a minimum compute capability of 6.0",
        "is MSVCP140.DLL missing? the file is present",
        DXCORE,
        THREAD + "Assertion `index < sizes[i]` held.",
        "tf.test.is_built_with_cuda tells of CUDA",
        "Using gpu device 0: GeForce GTX 1080\nwith TensorFlow the GPU doesn't work",
        "the CUDA sample throws 3 dice",
        "FATAL: the 't' kernel requires 5.0 capability!\nGPU: Tesla T4",
        UNLEARNT.format("2.9.1"),
        "ls /usr/lib/stubs/libcuda.so",
        "flash_attn_2_cuda has no undefined symbol left",
        NO_GPU + "tensorflow 1.15.1\nUsing gpu device 0: GeForce GTX 1070",
    ],
)
def test_what_only_looks_like_it_is_not(pasted: str) -> None:
    assert ruled(pasted) in ("unknown", "healthy")

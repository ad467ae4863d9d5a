"""A GPU that is too old or too new, by what a library, a compiler or a program says of its work."""

from __future__ import annotations

import pytest

from support.cases import ruled

_THC = (
    "cublas runtime error : the GPU program failed to execute at /pytorch/aten/src/THC/THCBlas.cu"
)
_BUILT = "PyTorch version: 1.1.0\nCUDA used to build PyTorch: {}\nGPU 0: GeForce RTX 2080 Ti\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (f"RuntimeError: {_THC}:450\n" + _BUILT.format("9.0.176"), "gpu-too-new"),
        (f"RuntimeError: {_THC}:450\n" + _BUILT.format("10.0.130"), "unknown"),
        (f"RuntimeError: {_THC}:331\nI have an RTX 3090.", "gpu-too-new"),
        (f"RuntimeError: {_THC}:331\nI have a GTX 1080.", "unknown"),
        (f"I use Pytorch 1.0.1 and cuda 9.0 with a RTX 2080 Ti GPU.\n{_THC}:441", "gpu-too-new"),
        (f"I use Pytorch 1.0.1 and cuda 10.0 with a RTX 2080 Ti.\n{_THC}:441", "unknown"),
        (f"Have an RTX 2080 Ti.\nIt requires PyTorch 1.0.1 and cuda 9.0.\n{_THC}:441", "unknown"),
        (
            "RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED\nI have an RTX 3090.",
            "unknown",
        ),
    ],
)
def test_cublas_of_a_cuda_before_the_gpu_fails(pasted: str, cause: str):
    assert ruled(pasted) == cause


_NEEDS = "error   : Feature '.bf16' requires .target sm_80 or higher"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (f"ptxas /tmp/compile-ptx-src-9e79cc, line 59; {_NEEDS}", "gpu-too-old"),
        (f"ptxas /tmp/tmpjp5bgu11.ptx, line 75; {_NEEDS}", "gpu-too-old"),
        (f"ptxas /tmp/tmpxft_00001_0-6_kernel.ptx, line 75; {_NEEDS}", "unknown"),
        (f"GPU 0: NVIDIA A100\nptxas /tmp/tmpjp5bgu11.ptx, line 75; {_NEEDS}", "unknown"),
    ],
)
def test_triton_makes_code_that_the_gpu_does_not_have(pasted: str, cause: str):
    assert ruled(pasted) == cause


_FOUND = "ggml_init_cublas: found 1 CUDA devices:\n  Device 0: Tesla "


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (f"My ollama does not use the GPU.\n{_FOUND}K80, compute capability 3.7", "gpu-too-old"),
        (f"My ollama does not use the GPU.\n{_FOUND}P40, compute capability 6.1", "healthy"),
        (f"It does not use the GPU.\n{_FOUND}K80, compute capability 3.7", "healthy"),
        ("ollama does not use my Tesla P40", "unknown"),
        ("CUBLASError: (code 8, CUBLAS_STATUS_ARCH_MISMATCH)", "gpu-too-old"),
        ("Your device is too old. We require compute capability >= 50", "gpu-too-old"),
        ("Is your device too old? What compute capability do you require?", "unknown"),
    ],
)
def test_programs_serve_newer_gpus_only(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("llm_load_tensors: offloading 0 repeating layers to GPU", "silent-cpu-fallback"),
        ("ollama[7]: llm_load_tensors: offloading 0 repeating layers to GPU", "unknown"),
        ("llm_load_tensors: offloading 10 repeating layers to GPU", "unknown"),
    ],
)
def test_llama_is_asked_to_put_no_layer_on_the_gpu(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("dlib.DLIB_USE_CUDA returns False", "cpu-only-build"),
        ("print(dlib.DLIB_USE_CUDA)  # True, not False", "unknown"),
        (">>> dlib.DLIB_USE_CUDA is True, False is what I feared", "unknown"),
        ("it says that gcc versions later than 12 are not supported", "toolkit-mismatch"),
        ("my gcc is later than 12", "unknown"),
    ],
)
def test_builds_told_of_in_a_sentence(pasted: str, cause: str):
    assert ruled(pasted) == cause

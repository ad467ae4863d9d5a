"""A GPU that is too old for the software, as PyTorch and what stands on it tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

#: Since 2.9 torch lists what its build has code for.
LISTED = """UserWarning: Found GPU0 {gpu} which is of compute capability (CC) {capability}.
    The following list shows the CCs this version of PyTorch was built for:
    - 7.5 which supports hardware CC >=7.5,<8.0
    - 8.0 which supports hardware CC >=8.0,<9.0 except {{8.7}}
    - 9.0 which supports hardware CC >=9.0,<10.0"""
NO_CODE = "\nCUDA error: no kernel image is available for execution on the device"
NO_IMAGE = "CUDA Error: no kernel image is available for execution on the device "
GEMM = "when calling `cublasGemmEx( handle, opa, opb, m, n, k, &falpha, a, CUDA_R_{}, lda)`"
NO_BFLOAT16 = f"RuntimeError: CUDA error: CUBLAS_STATUS_NOT_SUPPORTED {GEMM.format('16BF')}"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "RuntimeError: torch._scaled_mm is only supported on CUDA devices with compute"
                " capability >= 9.0 or 8.9, or ROCm MI300+"
            ),
            "gpu-too-old",
        ),
        (LISTED.format(gpu="NVIDIA GeForce GTX 1060", capability="6.1"), "gpu-too-old"),
        (
            (
                "I have a GeForce 920M\n"
                "CUDA error: no kernel image is available for execution on the device\n"
            ),
            "gpu-too-old",
        ),
        (
            (
                "I have NVIDIA 390\n"
                "CUDA error: no kernel image is available for execution on the device\n"
            ),
            "unknown",
        ),
        ("Using on K80 Tesla" + NO_CODE, "gpu-too-old"),
        ("Using on K80 boards" + NO_CODE, "unknown"),
        (
            (
                "RuntimeError: cuda runtime error (48) : no kernel image is available for"
                " execution on"
                " the device at /pytorch/aten/src/THC/THCTensorMath.cu:15"
            ),
            "gpu-too-old",
        ),
        (
            "the newest CUDA error: no kernel image is available for execution on the device",
            "unknown",
        ),
        ("GPU: Quadro P5000\n" + NO_IMAGE + "/src/flash-attention/csrc/ln.cuh 2", "gpu-too-old"),
        ("GPU: Tesla P40\n" + NO_IMAGE + "/x/flashinfer/include/page.cuh:1", "gpu-too-old"),
        ("PyTorch no longer supports this GPU because it is too old.", "gpu-too-old"),
        ("The project no longer supports this GPU backend", "unknown"),
        (NO_BFLOAT16 + "\nGPU 0: Tesla V100-SXM2-16GB", "gpu-too-old"),
        (NO_BFLOAT16 + "\nGPU 0: NVIDIA A100-SXM4-80GB", "unknown"),
        (NO_BFLOAT16, "gpu-too-old"),
        (
            (
                "GTX 750 Ti, torch 2.8.0+cu128\n"
                "CUDA error: no kernel image is available for execution on the device"
            ),
            "gpu-too-old",
        ),
        (
            "NVIDIA A100\ntorch==2.4.0+cu121\nRuntimeError: kernel only supports sm_89 and above\n",
            "gpu-too-old",
        ),
    ],
)
def test_a_gpu_that_is_too_old_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "ERROR: Could not find widget (window, panel) in the page",
    ],
)
def test_kin_of_a_gpu_that_is_too_old_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize("clock", ["885 MHz", "135 MHz", "1.98 GHz"])
def test_a_clock_of_the_sm_is_no_compute_capability(clock: str):
    assert ruled(f"GPU: RTX 4060\ntorch: 2.1.0+cu121\nSM : {clock}\n") == "unknown"


@pytest.mark.parametrize(
    ("card", "cause"), [("1050m", "gpu-too-old"), ("4050m", "unknown"), ("10500m", "unknown")]
)
def test_a_short_name_tells_whether_a_build_is_too_new(card: str, cause: str):
    failed = "CUDA error: no kernel image is available for execution on the device"
    named = ruled(f"GPU: {card}\n{failed}\n")
    assert (named == "gpu-too-old") is (cause == "gpu-too-old")


CAST = """Platform: Windows 11
pytorch version: {torch}
Device: cuda:0 {gpu} : native
torch.AcceleratorError: CUDA error: no kernel image is available for execution on the device
"""


@pytest.mark.parametrize(
    ("torch", "gpu", "cause"),
    [
        ("2.8.0+cu129", "NVIDIA GeForce GTX 1070", "gpu-too-old"),
        ("2.9.0+cu128", "NVIDIA GeForce GTX 1070", "gpu-too-old"),  # listed for Linux alone
        ("2.8.0+cu129", "NVIDIA GeForce RTX 3060", "extension-mismatch"),
    ],
)
def test_a_build_for_windows_without_code_for_a_gpu(torch: str, gpu: str, cause: str):
    assert ruled(CAST.format(torch=torch, gpu=gpu)) == cause


ENGINE = """GPU: {gpu}
nvidia-cudnn-cu12         {cudnn}
torch                     2.9.1+cu126
RuntimeError: GET was unable to find an engine to execute this computation
"""


@pytest.mark.parametrize(
    ("gpu", "cudnn", "old"),
    [
        ("Tesla V100-SXM2-32GB", "9.15.1.9", True),
        ("Tesla V100-SXM2-32GB", "9.10.2.21", False),
        ("NVIDIA A100-SXM4-40GB", "9.15.1.9", False),
    ],
)
def test_a_later_cudnn_dropped_the_gpu(gpu: str, cudnn: str, *, old: bool):
    assert (ruled(ENGINE.format(gpu=gpu, cudnn=cudnn)) == "gpu-too-old") is old


@pytest.mark.parametrize(
    ("card", "cause"),
    [
        ("GeForce GT 740M", "gpu-too-old"),  # one of its two chips is of capability 3.0
        ("Tesla K80", "extension-mismatch"),
    ],
)
def test_a_name_that_two_chips_bear_is_not_said_to_be_served(card: str, cause: str):
    failed = "RuntimeError: CUDA error: no kernel image is available for execution on the device"
    assert ruled(f"GPU: {card}\ntorch==1.3.1+cu92\nPython 3.7.4\n{failed}\n") == cause

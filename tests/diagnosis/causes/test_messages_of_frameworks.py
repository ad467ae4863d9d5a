"""Messages as they stand in the sources of frameworks, and what comes close to them."""

from __future__ import annotations

import pytest

from support.cases import explained, ruled

CMAKE = (
    "CMake Error at horovod/{}/CMakeLists.txt:21 (message):\n  Horovod build with GPU support was"
)
ORT = "[ONNXRuntimeError] : 1 : FAIL : "
OUTDATED = (
    "Outdated cuPTI installation found.\nVersion JAX was built against: 26\n"
    "Minimum supported: {}\nInstalled version: {}\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        # PyTorch
        ("RuntimeError: torch.cuda.Stream requires CUDA support", "cpu-only-build"),
        ("RuntimeError: this model requires CUDA support", "unknown"),
        (
            "RuntimeError: NVTX functions not installed. Are you sure you have a CUDA build?",
            "cpu-only-build",
        ),
        ("RuntimeError: Current CUDA Device does not support bfloat16.", "gpu-too-old"),
        ("RuntimeError: device 3 is not visible (CUDA_VISIBLE_DEVICES=[0, 1, 2])", "user-code"),
        (
            "ValueError: local_rank 4 exceeds available GPUs in CUDA_VISIBLE_DEVICES=2,3",
            "hidden-by-visible-devices",
        ),
        ("ValueError: local_rank 4 exceeds available GPUs in CUDA_VISIBLE_DEVICES=", "unknown"),
        ("ValueError: SyncBatchNorm expected input tensor to be on GPU or XPU", "user-code"),
        ("RuntimeError: nvcc is required to build fatbin", "toolkit-missing"),
        ("RuntimeError: a lead is required to build fatbin", "unknown"),
        ("Need to set WINDOWS_CUDA_HOME for windows cross-compilation", "toolkit-missing"),
        # Horovod, for which CMake breaks the line
        (
            f"{CMAKE.format('torch')} requested but this PyTorch installation\n  does",
            "cpu-only-build",
        ),
        (
            f"{CMAKE.format('mxnet')} requested but this MXNet installation\n  does",
            "cpu-only-build",
        ),
        # XLA, and JAX' account of its libraries
        ("cuLinkAddData fails. This is usually caused by stale driver version.", "driver-too-old"),
        ("cuLinkAddData fails. This is usually caused by a stale cache.", "unknown"),
        (OUTDATED.format(18, 16), "cuda-libs-mismatch"),
        (OUTDATED.format(18, "n/a"), "unknown"),
        # Paddle
        ("AssertionError: Not compiled with CUDA", "cpu-only-build"),
        (
            "your paddle is not compiled with cuda but you assign 'nccl' as backend.",
            "cpu-only-build",
        ),
        (
            "The API paddle.device.cuda.memory_reserved is not supported in CPU-only PaddlePaddle.",
            "cpu-only-build",
        ),
        ("OSError: Only supported compiled paddle with gpu/rocm and xpu , but", "cpu-only-build"),
        ("GPU Driver Version can't be detected. No GPU driver!", "driver-missing"),
        ("AssertionError: Can't find your gpus 7 in CUDA_VISIBLE_DEVICES[0,1,2].", "user-code"),
        ("Can't find your selected_gpus 5 in CUDA_VISIBLE_DEVICES[4].", "user-code"),
        ("The selected gpu card 6 cannot found in CUDA_VISIBLE_DEVICES (4,5).", "user-code"),
        ("AssertionError: The device id 4 exceeds gpu card number 2", "user-code"),
        ("AssertionError: The device id 0 exceeds gpu card number 0", "unknown"),
        # MXNet, DGL, PyTorch Geometric, spconv
        (
            (
                "Check failed: dev_id < n: Invalid GPU Id: 5, Valid device id should be less than "
                "total_gpu: 2"
            ),
            "user-code",
        ),
        (
            "base.cc: Please install cuda driver for GPU use.  No cuda driver detected.",
            "driver-missing",
        ),
        ("dgl._ffi.base.DGLError: [11:12:13] GPU support not compiled.", "cpu-only-build"),
        ("DGLError: Cannot convert a CUDA graph to networkx. Call g.cpu() first.", "user-code"),
        (
            "ValueError: Got indices on device cuda:1 whereas the feature tensor is on cpu.",
            "user-code",
        ),
        ("'CuGraphGATConv' requires GPU-based processing (got CPU tensor)", "user-code"),
        ("AssertionError: implicit gemm only support cuda", "user-code"),
        ("ValueError: can't find cudart include for nvrtc, you must either", "toolkit-missing"),
        # Lightning
        (
            "Cannot use GPUStatsMonitor callback because NVIDIA driver is not installed.",
            "driver-missing",
        ),
        ("Look whether the NVIDIA driver is not installed.", "unknown"),
        # ONNX Runtime
        (
            (
                "WARNING: The installed PyTorch 2.7.1+cu118 uses CUDA 11.x, but onnxruntime-gpu is "
                "built with CUDA 12.x. Please install PyTorch for CUDA 12.x to be compatible."
            ),
            "framework-cuda-mismatch",
        ),
        (
            f"{ORT}BFloat16 MatMulNBits is not supported on cuda device with compute capability",
            "gpu-too-old",
        ),
        (
            f"{ORT}BF16 Attention requires Ampere (sm_80)+. This GPU (Quadro RTX 4000)",
            "gpu-too-old",
        ),
        (
            (
                "Decoder masked self attention can only be used on GPU cards of compute capability "
                "5.3 or higher. This card has compute capability 5.0"
            ),
            "gpu-too-old",
        ),
        (
            (
                "Failed to create TensorrtExecutionProvider. Please reference https://onnxruntime.ai/docs"
                "/execution-providers/TensorRT-ExecutionProvider.html#requirements to ensure all "
                "dependencies are met."
            ),
            "unknown",
        ),
    ],
)
def test_the_cause_is_named_by_the_message_alone(text: str, cause: str) -> None:
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "[TRT] [W] CUDA initialization failure with error: 100. Please check your CUDA "
                "installation: https://docs.nvidia.com/cuda/cuda-installation-guide-linux/index.html"
            ),
            "driver-too-old",
        ),
        (
            (
                "lightning.fabric.utilities.exceptions.MisconfigurationException: You requested"
                " gpu: [1]\n But your machine only has: []"
            ),
            "user-code",
        ),
    ],
)
def test_where_no_gpu_is_found_words_speak_in_vain(text: str, cause: str) -> None:
    assert explained(text) != cause

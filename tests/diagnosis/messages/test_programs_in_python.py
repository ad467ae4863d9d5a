"""What programs for Python have to say of their set-up, by their sources."""

from __future__ import annotations

import pytest

from support.cases import root_by_rules, ruled


@pytest.mark.parametrize(
    ("text", "cause", "title"),
    [
        (
            (
                'NotFoundError: "nvml" is an NVIDIA driver library and can only be found via'
                " system search. Ensure the NVIDIA display driver is installed."
            ),
            "driver-missing",
            "No NVIDIA driver",
        ),
        (
            (
                "cuda.bindings._internal.utils.FunctionNotFoundError: function cuGreenCtxCreate is"
                " not found"
            ),
            "driver-too-old",
            "cuGreenCtxCreate",
        ),
        (
            (
                "RuntimeError: cuda.pathfinder.load_nvidia_dynamic_lib() requires 64-bit Python."
                " Currently running: 32-bit Python 3.10"
            ),
            "python-unsupported",
            "64-bit Python",
        ),
        (
            (
                "RuntimeError: Device compute capability 7.0 is less than the minimum supported by"
                " NVRTC 13.1. Supported compute capabilities are 7.5, 8.0."
            ),
            "gpu-too-old",
            "7.0",
        ),
        (
            (
                "RuntimeError: CUDA 13.1 requires sm_75 or higher, but sm_70 (device cuda:1) was"
                " specified. Use a CUDA 12 build of Warp on this GPU."
            ),
            "gpu-too-old",
            "sm_70",
        ),
        (
            (
                "Warp 1.5.0 initialized:\n   CUDA Toolkit 12.6, Driver 11.2 (insufficient CUDA"
                " driver version!)"
            ),
            "driver-too-old",
            "11.2",
        ),
        (
            "RuntimeError: Conditional graph nodes require CUDA driver 12.4+",
            "driver-too-old",
            "12.4",
        ),
        (
            (
                "RuntimeError: [cuda_driver.cpp:CUDADriver@60] The Taichi CUDA backend requires at"
                " least CUDA 10.0, got v9.2."
            ),
            "driver-too-old",
            "10.0 9.2",
        ),
        (
            (
                "XGBoostError: [10:00:01] /workspace/src/common/x.cuh:95: Insufficient driver:"
                " 11020 < 12000"
            ),
            "driver-too-old",
            "11020 12000",
        ),
        (
            "[LightGBM] [Fatal] GPU Tree Learner was not enabled in this build.",
            "cpu-only-build",
            "LightGBM says",
        ),
        (
            "WARNING: /workspace/src/context.cc:190: XGBoost is not compiled with CUDA support.",
            "cpu-only-build",
            "XGBoost says",
        ),
        (
            (
                "tvm.error.InternalError: Check failed: (bf != nullptr) is false: Target cuda is"
                " not enabled"
            ),
            "cpu-only-build",
            "TVM says",
        ),
        (
            (
                "RuntimeError: faiss-gpu installed but nvidia-cublas-cu12 is missing — pip install"
                " 'nvidia-cublas-cu12>=12.6,<13'"
            ),
            "cublas-missing",
            "cuBLAS",
        ),
        (
            (
                "RuntimeError: faiss-gpu installed but nvidia-cuda-runtime-cu11 is missing — pip"
                " install 'nvidia-cuda-runtime-cu11>=11.8,<12'"
            ),
            "cudart-missing",
            "run time",
        ),
        (
            (
                "[ERROR] Cuda ['11.6'] version(libcufft*.so need by mindspore-gpu) is not found,"
                " please confirm that the path of cuda is set to the env LD_LIBRARY_PATH"
            ),
            "cublas-missing",
            "cuFFT",
        ),
        (
            (
                "[WARNING] MindSpore version 1.8.1 and cuda version 11.8.89 does not match, CUDA"
                " version [['10.1', '11.1']] are supported by MindSpore officially."
            ),
            "framework-cuda-mismatch",
            "11.8",
        ),
        (
            (
                "RuntimeError: Device(id:1) memory isn't enough and alloc failed, alloc size:"
                " 4294967296B."
            ),
            "oom-workload",
            "does not fit",
        ),
    ],
)
def test_programs_name_the_cause(text: str, cause: str, title: str) -> None:
    root = root_by_rules(text)
    assert root.cause == cause
    assert title in root.finding.title


@pytest.mark.parametrize(
    "text",
    [
        'DynamicLibNotFoundError: "nvtiff" is a library of its own',
        "FunctionNotFoundError: function cuFileDriverOpen is not found",  # GPUDirect Storage's
        "Warp 1.9.0 initialized:\n   CUDA Toolkit 12.9, Driver 13.0",
        (
            "RuntimeError: Conditional graph nodes require CUDA driver 12.4+, but no CUDA driver"
            " was found"
        ),
        "Target llvm is not enabled",
        "INFO: faiss-gpu installed, nvidia-cublas-cu12 as well",
        "MindSpore version 2.2.0 and cuda version 11.6 match",
    ],
)
def test_what_is_near_their_words_names_none(text: str) -> None:
    assert ruled(text) in ("healthy", "unknown")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (
            "RuntimeError: faiss-gpu installed but nvidia-curand-cu12 is missing — pip install 'x'",
            "pip install nvidia-curand-cu12",
        ),
        (
            "[LightGBM] [Fatal] CUDA Tree Learner was not enabled in this build.",
            "pip install --no-binary lightgbm lightgbm --config-settings=cmake.define.USE_CUDA=ON",
        ),
    ],
)
def test_the_repair_is_the_programs_own(text: str, command: str) -> None:
    assert command in root_by_rules(text).finding.fix.commands

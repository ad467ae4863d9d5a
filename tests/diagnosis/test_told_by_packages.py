"""What packages around the frameworks say of their builds, and installers of what they lack."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

#: Since 2.9 torch lists what its build has code for.
LISTED = """UserWarning: Found GPU0 {gpu} which is of compute capability (CC) {capability}.
    The following list shows the CCs this version of PyTorch was built for:
    - 7.5 which supports hardware CC >=7.5,<8.0
    - 8.0 which supports hardware CC >=8.0,<9.0 except {{8.7}}
    - 9.0 which supports hardware CC >=9.0,<10.0"""
LACKS = "Your installed torch==2.13.0+cu126 does not include kernels for this GPU. Reinstall"
PYG = 'File "C:\\env\\Lib\\site-packages\\torch_sparse\\__init__.py", line 18, in <module>\n'
PROCEDURE = "OSError: [WinError 127] The specified procedure could not be found"
VERSION_FILE = "\\site-packages\\torch_scatter\\_version_cuda.pyd' (or one of its dependencies)"
FAISS = (
    "Faiss assertion 'err__ == cudaSuccess' failed in void faiss::gpu::runL2Norm(); CUDA error 209"
    " no kernel image is available for execution on the device"
)
SGL = 'ImportError: libnvrtc.so.12: cannot open shared object file\n File "/x/sgl_kernel/load.py"'
OPENCV = ">>> cv2.cuda.getCudaEnabledDeviceCount()\n{count}\n"
UV = "Because torch==1.13.1 has no wheels with a matching Python ABI tag (e.g., `cp312`), we can"
UV_PLATFORM = (
    "error: Distribution `torch==2.5.1 @ registry+https://pypi` can't be installed because it"
    " doesn't have a source distribution or wheel for the current platform"
)


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (LISTED.format(gpu="NVIDIA GeForce GTX 1060", capability="6.1"), "gpu-too-old"),
        (LISTED.format(gpu="NVIDIA GeForce RTX 5060", capability="12.0"), "gpu-too-new"),
        (LACKS + "\nGPU: RTX 5060", "gpu-too-new"),
        ("FlashAttention-3 only supports Hopper GPUs or newer.", "gpu-too-old"),
        ("RuntimeError: Expected is_sm8x || is_sm90 to be true, but got false.", "gpu-too-old"),
        ("Expected is_sm8x || is_sm90 to be true, but got false.\nRTX 5090", "gpu-too-new"),
        ("Expected is_sm75 || is_sm8x to be true, but got false.\nTesla V100", "gpu-too-old"),
        ("RuntimeError: SGLang only supports sm75 and above.", "gpu-too-old"),
        ("WARNING - CUDA kernels for auto_gptq are not installed, this", "extension-mismatch"),
        ("ImportError: awq_ext is not installed", "extension-mismatch"),
        ("No module named 'diff_gaussian_rasterization._C'", "extension-mismatch"),
        ("ModuleNotFoundError: No module named 'rotary_emb_cuda'", "extension-mismatch"),
        ("[sgl_kernel] CRITICAL: Could not load any common_ops library!", "extension-mismatch"),
        (SGL, "extension-mismatch"),
        (
            "Could not find compatible tinycudann extension for compute capability 86.",
            "extension-mismatch",
        ),
        (PYG + PROCEDURE, "extension-mismatch"),
        ("Could not find module 'C:" + VERSION_FILE, "extension-mismatch"),
        (
            (
                "error in ms_deformable_im2col_cuda: no kernel image is available for execution on"
                " the device"
            ),
            "extension-mismatch",
        ),
        (FAISS, "extension-mismatch"),
        (
            "AttributeError: module 'faiss' has no attribute 'StandardGpuResources'",
            "cpu-only-build",
        ),
        (
            "DGLError: Check failed: allow_missing: Device API cuda is not enabled.",
            "cpu-only-build",
        ),
        (OPENCV.format(count=0), "cpu-only-build"),
        (OPENCV.format(count=1), "healthy"),
        ("gsplat: No CUDA toolkit found. gsplat will be disabled.", "toolkit-missing"),
        (
            "RuntimeError: Could not find MSVC/GCC/CLANG installation on this computer.",
            "toolkit-missing",
        ),
        ("pycuda._driver.LogicError: cuMemAlloc failed: invalid device context", "user-code"),
        (UV, "python-unsupported"),
        (UV_PLATFORM, "python-unsupported"),
        ("Unable to find installation candidates for torch (2.0.0)", "python-unsupported"),
        (
            (
                "RuntimeError: Cannot install on Python version 3.12.0; only versions >=3.8,<3.12"
                " are supported."
            ),
            "python-unsupported",
        ),
    ],
)
def test_package_names_its_cause(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        LISTED.format(gpu="NVIDIA GeForce RTX 2080", capability="7.5"),
        "torch does not include kernels for this purpose",
        "A compiler that only supports sm boards",
        "Expected is_small to be true, but got false.",
        "ModuleNotFoundError: No module named 'torch._C'",
        "ModuleNotFoundError: No module named 'requests_ext_tools'",
        PYG + "OSError: [WinError 2] The system cannot find the file specified",
        "module 'faiss' has no attribute 'write_index'",
        "Device API vulkan is not enabled.",
        "Assertion 'err__ == cudaSuccess' failed in main.cu",
        "Because requests==1.0 has no wheels with a matching Python ABI tag",
        "Unable to find installation candidates for pywin32 (305)",
        "It can be installed on Python version 3.12.0",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"


def test_a_program_without_gpu_support_is_named_and_not_bitsandbytes() -> None:
    report = gpuprobe.explain("OpenCV was compiled without GPU support")
    [placed] = report.diagnosis.placed
    assert placed.finding.title.endswith("OpenCV was compiled without GPU support")
    assert "itsandbytes" not in placed.finding.title


def test_opencv_counts_devices_and_lists_them():
    asked = (
        '$ python3 -c "import cv2; print(cv2.__version__, cv2.cuda.getCudaEnabledDeviceCount());'
        ' cv2.cuda.printShortCudaDeviceInfo(0)"\n'
    )
    device = 'Device 0:  "NVIDIA GeForce GTX 1070"  8118Mb, sm_61, Driver/Runtime ver.11.70/11.70\n'
    assert ruled(f"{asked}4.6.0 1\n{device}") == "healthy"
    assert ruled(f"{asked}4.6.0 0\n") == "cpu-only-build"

"""What a second line, another program's words or the name of a product add to an error."""

from __future__ import annotations

import pytest

from support.cases import ruled

NOT_LOADED = """could not load library "/home/user/.julia/artifacts/2a0f/lib/libcublas.so.11"
{below}
"""
FILE = "/home/user/.julia/artifacts/2a0f/lib/libcublas.so.11"


@pytest.mark.parametrize(
    ("below", "cause"),
    [
        (
            f"{FILE}: undefined symbol: cublasLtGetStatusString, version libcublasLt.so.11",
            "cuda-libs-mismatch",
        ),
        (
            f"{FILE}: cannot open shared object file: No such file or directory",
            "cublas-missing",
        ),
    ],
)
def test_the_line_below_says_why_a_library_was_not_loaded(below: str, cause: str):
    assert ruled(NOT_LOADED.format(below=below)) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "numba.cuda.cudadrv.error.NvvmSupportError: GPU compute capability 3.0 "
                "is not supported(requires >=3.5)"
            ),
            "gpu-too-old",
        ),
        ("numba.cuda.cudadrv.error.NvvmSupportError: libNVVM cannot be found", "toolkit-missing"),
        (
            (
                "/usr/include/bits/mathcalls.h(79): error: exception specification is\n"
                'incompatible with that of previous function "cospi" (declared at '
                "line 2601"
            ),
            "toolkit-mismatch",
        ),
        (
            (
                "/home/user/a.cu(12): error: exception specification is\n"
                'incompatible with that of previous function "mine" (declared at '
                "line 4"
            ),
            "unknown",
        ),
        (
            ("GPU: RTX 3090\ncudaMemcpyToSymbol: SetSim copy to cSim failed invalid device symbol"),
            "gpu-too-new",
        ),
        (
            ("Could not find nvcc and default cuda_home='/usr/local/cuda' doesn't exist"),
            "toolkit-missing",
        ),
        (
            (
                "ValueError: The memory capacity is unbalanced. "
                "min_per_gpu_memory=32.4, local_gpu_memory=77"
            ),
            "oom-other-process",
        ),
        (
            (
                "These bindings are for CUDNN 5.x (5005 <= cudnn.version > 6000) , "
                "while the loaded CuDNN is version: 4007"
            ),
            "cudnn-mismatch",
        ),
        (
            (
                "Python Version: CPython 3.8.10\n"
                "The installation of cudf-cu11 for version 23.10.2 failed."
            ),
            "python-unsupported",
        ),
        ("The installation of the driver for version 23 failed.", "unknown"),
        ((">>> import dlib\n>>> dlib.DLIB_USE_CUDA\nFalse"), "cpu-only-build"),
        ((">>> import dlib\n>>> dlib.DLIB_USE_CUDA\nTrue"), "unknown"),
        (
            (
                "I have a GeForce 920M\n"
                "CUDA error: no kernel image is available for execution on the device"
            ),
            "gpu-too-old",
        ),
        (
            (
                "I have NVIDIA 390\n"
                "CUDA error: no kernel image is available for execution on the device"
            ),
            "unknown",
        ),
    ],
)
def test_programs_say_it_in_their_own_words(text: str, cause: str):
    assert ruled(f"{text}\n") == cause


REFUSED = """{banner}
E cuda_driver.cc:319] failed call to cuInit: CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE: forward \
compatibility was attempted on non supported HW
E cuda_diagnostics.cc:313] kernel version 430.50.0 does not match DSO version 440.33.1 -- cannot \
find working devices in this configuration
"""


@pytest.mark.parametrize(
    ("banner", "cause"),
    [
        ("NOTE: Legacy NVIDIA Driver detected.  Compatibility mode ENABLED.", "forward-compat"),
        ("", "driver-library-mismatch"),
    ],
)
def test_an_image_says_that_it_put_its_own_driver_library_first(banner: str, cause: str):
    assert ruled(REFUSED.format(banner=banner)) == cause


LSPCI = """01:00.0 VGA compatible controller: NVIDIA Corporation GP102 [GeForce GTX 1080 Ti]
	Kernel driver in use: {driver}
	Kernel modules: nvidiafb, nouveau, nvidia
RuntimeError: No CUDA GPUs are available
"""


@pytest.mark.parametrize(
    ("driver", "cause"), [("vfio-pci", "driver-not-loaded"), ("nvidia", "unknown")]
)
def test_a_gpu_is_kept_for_virtual_machines(driver: str, cause: str):
    assert ruled(LSPCI.format(driver=driver)) == cause

"""A compiled extension that was built for something else."""

from __future__ import annotations

import pytest

from support.cases import ruled

VLLM_IMPORT = (
    'WARNING [_custom_ops.py:20] Failed to import from vllm._C with ImportError("libcudart.so.12:'
    ' cannot open shared object file: No such file or directory")'
)
FLASH = "flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so"
LIBC = "ImportError: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.32' not found (required by "
SYMBOL = "`flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so: undefined\n{} _ZN3c104impl3cow1Pv`"
OPENCV = (
    "OpenCV(4.8.0) /home/user/opencv_contrib-4.8.0/modules/cudev/grid/transform.hpp:264: error: "
    "(-217:Gpu API call) no kernel image is available for execution on the device\n"
)
BITSANDBYTES = (
    "UserWarning: The installed version of bitsandbytes was compiled without GPU support. "
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "Loading binary C:\\venv\\bitsandbytes\\libbitsandbytes_cuda118.so\n"
                "argument of type 'WindowsPath' is not iterable"
            ),
            "extension-mismatch",
        ),
        (
            "libbitsandbytes_cuda114.so: cannot open shared object file: No such file or directory",
            "extension-mismatch",
        ),
        (
            "RuntimeError: No compatible CUDA binary found at /opt/libbitsandbytes_cuda117.so",
            "extension-mismatch",
        ),
        # It takes that where torch sees no GPU, whatever the reason is.
        (
            "RuntimeError: Method 'cadam' not available in CPU-only version of bitsandbytes",
            "unknown",
        ),
        (
            (
                "ValueError: Trying to use the marlin backend, but could not import the C++/CUDA"
                " dependencies with the following error: DLL load failed"
            ),
            "extension-mismatch",
        ),
        ("Trying to use the marlin backend, which imports C++/CUDA dependencies", "unknown"),
        (
            "Exllamav2 kernel is not installed, reset disable_exllamav2 to True.",
            "extension-mismatch",
        ),
        (
            (
                "ImportError: DLL load failed while importing _ext: The specified procedure could"
                " not be found."
            ),
            "extension-mismatch",
        ),
        (
            (
                '  File "C:\\x\\site-packages\\nunchaku\\__init__.py", line 1, in <module>\n'
                "ImportError: DLL load failed while importing _C: The specified procedure could not"
                " be found."
            ),
            "extension-mismatch",
        ),
        ("libbitsandbytes_cpu.so: undefined symbol: cget_col_row_stats", "extension-mismatch"),
        (
            "RuntimeError: Attempted to use bitsandbytes native library functionality but it's not",
            "extension-mismatch",
        ),
        (VLLM_IMPORT, "extension-mismatch"),
        (
            "(-216:No CUDA support) OpenCV was not built to work with the selected device.",
            "extension-mismatch",
        ),
        ("WARNING - CUDA kernels for auto_gptq are not installed, this", "extension-mismatch"),
        ("ImportError: awq_ext is not installed", "extension-mismatch"),
        (f"{LIBC}/x/site-packages/{FLASH})", "extension-mismatch"),
        (f"{LIBC}/x/bin/tool)", "unknown"),
        ("ImportError: flash_attn_2_cuda undefined symbol", "extension-mismatch"),
        (SYMBOL.format(" symbol:"), "extension-mismatch"),
        (SYMBOL.format(" behaviour:"), "unknown"),
        (OPENCV, "extension-mismatch"),
        (BITSANDBYTES, "extension-mismatch"),
    ],
)
def test_an_extension_that_does_not_fit_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


BNB = (
    "OS: Windows 10\nbitsandbytes {}\n"
    "CUDA SETUP: WARNING! libcuda.so not found! Do you have a CUDA driver installed?\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "ImportError: DLL load failed while importing runtime: not found.\nimport cupy",
        "flash_attn_2_cuda has no undefined symbol left",
        BNB.format("0.44.1"),
    ],
)
def test_kin_of_an_extension_that_does_not_fit_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(("path", "cause"), [("D:\\env\\", "extension-mismatch"), ("", "unknown")])
def test_a_library_for_linux_on_windows_is_a_bitsandbytes_for_linux(path: str, cause: str):
    assert ruled(f"bin {path}bitsandbytes\\libbitsandbytes_cpu.so") == cause


BNB_OF_SYSTEM = """OS: {}
CUDA SETUP: WARNING! libcuda.so not found! Do you have a CUDA driver installed?
"""


@pytest.mark.parametrize(
    ("system", "cause"),
    [
        ("Windows 10", "extension-mismatch"),
        ("Ubuntu 22.04", "unknown"),
        ("Windows 11, WSL2", "wsl"),
    ],
)
def test_an_extension_for_linux_looks_for_its_files_on_windows(system: str, cause: str):
    assert ruled(BNB_OF_SYSTEM.format(system)) == cause


NO_IMAGE = "{}no kernel image is available for execution on the device\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (NO_IMAGE.format("CUDA kernel failed : "), "extension-mismatch"),
        (NO_IMAGE.format("CUDA error: "), "unknown"),
        ("CUDA kernel failed : out of memory", "oom-workload"),
    ],
)
def test_operators_that_a_project_compiles_say_so_in_words_of_their_own(text: str, cause: str):
    assert ruled(text) == cause

"""cuBLAS, or one of its siblings, that is missing, as texts from Windows tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_DLL = "ErrorCode:NoSuchFile] kernel32.LoadLibrary():'{}' not found. CUDA is required"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('Could not load "nvrtc64_70.dll": it was not there', "cublas-missing"),
        (
            "ERROR: Could not find cublasLt (cublasLt64_115.dll, cublasLt64_11.dll) in C:\\x",
            "cublas-missing",
        ),
        ("cublas64_12.dll is not found or cannot be loaded", "cublas-missing"),
        (NO_DLL.format("cublas64_91.dll"), "cublas-missing"),
        (NO_DLL.format("opencv_world.dll"), "unknown"),
        ("Failed to LoadLibraryEx cublas64_12.dll", "cublas-missing"),
        ("cublas64_11.dll, cufft64_10.dll and two others are missing", "cublas-missing"),
        ("cublas64_11.dll and some more DLLs are not there", "cublas-missing"),
        ("cublas64_11.dll and the docs are missing", "unknown"),
    ],
)
def test_cublas_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "settings.dll is not found",
        "TensorRT was linked against cuBLAS/cuBLAS LT 11.4.2 but loaded cuBLAS/cuBLAS LT 11.2.1",
    ],
)
def test_kin_of_cublas_that_is_missing_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


LINKED = (
    "C:\\w>dumpbin /dependents fft.cp311-win_amd64.pyd\n"
    "Dump of file fft.cp311-win_amd64.pyd\n"
    "  Image has the following dependencies:\n\n"
    "    cufft64_11.dll\n    KERNEL32.dll\n    VCRUNTIME140.dll\n"
)
NOT_FOUND = "C:\\w>where cufft64_11.dll\nINFO: Could not find files for the given pattern(s).\n"
FAILED = (
    'C:\\w>python -c "import fft"\n'
    "ImportError: DLL load failed while importing fft: The specified module could not be found.\n"
)


def test_a_library_that_it_is_linked_with_is_not_found():
    assert ruled(LINKED + NOT_FOUND + FAILED) == "cublas-missing"


@pytest.mark.parametrize(
    "text",
    [
        LINKED + FAILED,
        LINKED.replace("    KERNEL32", "    c10.dll\n    KERNEL32") + NOT_FOUND + FAILED,
        LINKED + NOT_FOUND.replace("cufft64_11", "nvcuda") + FAILED,
        LINKED.replace("dumpbin /dependents", "dumpbin /headers") + NOT_FOUND + FAILED,
    ],
)
def test_no_library_of_it_was_looked_for_in_vain(text: str):
    assert ruled(text) != "cublas-missing"


def test_a_file_that_loads_lacks_nothing():
    assert ruled(LINKED + NOT_FOUND) in ("unknown", "healthy")


WHERE = r"""ImportError: DLL load failed while importing x: The specified module could not be found.
C:\w>dumpbin /dependents x.cp310-win_amd64.pyd
    cublas64_12.dll
    VCRUNTIME140.dll
C:\w>where cublas64_12.dll vcruntime140.dll
{found}
C:\w>
"""
SYSTEM = "C:\\Windows\\System32\\vcruntime140.dll"
CUBLAS = "C:\\t\\bin\\cublas64_12.dll"


@pytest.mark.parametrize(
    ("found", "named"), [(SYSTEM, True), (f"{CUBLAS}\n{SYSTEM}", False), ("...", False)]
)
def test_windows_shows_the_others_of_a_list_of_files(found: str, *, named: bool):
    assert (ruled(WHERE.replace("{found}", found)) == "cublas-missing") is named


FORM = "\nOS: Windows 10\nCUDA version: 10.1\n"


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("cublas64_100.dll is missing from torch-1.3.0-cp37-cp37m-win_amd64.whl", "cublas-missing"),
        ("cublas64_100.dll is missing in the new wheel", "cublas-missing"),
        ("cublas64_100.dll is missing in the folder", "framework-cuda-mismatch"),
    ],
)
def test_what_a_wheel_was_to_bring_no_toolkit_is_the_reason_for(said: str, cause: str):
    assert ruled(said + FORM) == cause

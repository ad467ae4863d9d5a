"""What Bazel, CMake, Cargo, linkers and configure scripts say of the toolkit."""

from __future__ import annotations

import pytest

from support.cases import ruled

CMAKE_TRIAL = (
    '  The CUDA compiler\n\n    "/usr/bin/nvcc"\n\n  is not able to compile a simple test '
    "program.\n\n  It fails with the following output:\n"
)
UNSUITABLE = (
    '  Could NOT find CUDA{}: Found unsuitable version "{}", but required is at\n  least "12"'
)
IMPORTED = 'The imported project "C:\\VC\\v170\\BuildCustomizations\\{}.props" was not found.'
CMAKE_TARGET = '  Target "foo" links to:\n    CUDA::{}\n  but the target was not found.\n'


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("Cuda Configuration Error: Cannot find cuda.h under /usr/local/cuda", "toolkit-missing"),
        (
            "Could not find any cuda.h matching version '11.2' in any subdirectory:\n        ''",
            "toolkit-missing",
        ),
        (
            (
                "Cuda Configuration Error: None of the libraries match their SONAME: "
                "/usr/local/cuda/lib64/libcudart.so.11.0"
            ),
            "toolkit-missing",
        ),
        ("Inconsistent CUDA toolkit path: /usr vs /usr/lib", "toolkit-missing"),
        ("RuntimeError: Cannot find CUDA_HOME. CUDA must be available.", "toolkit-missing"),
        ("RuntimeError: Cannot find cuda path", "toolkit-missing"),
        ("The nvcc binary could not be located in your $PATH.", "toolkit-missing"),
        ("`nvcc --version` failed.: Os { code: 2, kind: NotFound }", "toolkit-missing"),
        ("ERROR: libnpp not found", "toolkit-missing"),
        (
            (
                "* Device #1: CUDA SDK Toolkit installation NOT detected.\n"
                "             Falling back to OpenCL Runtime"
            ),
            "toolkit-missing",
        ),
        ("CMake Error at CMakeLists.txt:2 (project):\n  No CUDA toolset found.", "toolkit-missing"),
        ("CMake Error: CMAKE_CUDA_COMPILER not set, after EnableLanguage", "toolkit-missing"),
        (
            (
                "  The CMAKE_CUDA_COMPILER:\n\n    /usr/local/cuda/bin/nvcc\n\n"
                "  is not a full path to an existing compiler tool."
            ),
            "toolkit-missing",
        ),
        (CMAKE_TARGET.format("cublas"), "toolkit-missing"),
        (CMAKE_TARGET.format("nvToolsExt"), "toolkit-mismatch"),
        (CMAKE_TRIAL, "toolkit-missing"),
        (
            CMAKE_TRIAL + "    nvcc fatal   : Unsupported gpu architecture 'compute_20'",
            "toolkit-mismatch",
        ),
        ("Error: Unsupported CUDA version 12.8 detected.", "toolkit-mismatch"),
        ("Unsupported cuda toolkit version: `13.1`. Please raise an issue.", "toolkit-mismatch"),
        (
            "nvfortran-Error-CUDA version 12.8 is not available in this installation.",
            "toolkit-mismatch",
        ),
        (
            "nvlink fatal   : Input file '/tmp/a.o' newer than toolkit (122 vs 118)",
            "toolkit-mismatch",
        ),
        (
            "  Found two conflicting CUDA installs:\n\n  V12.2.140 in '/usr/local/cuda/include'",
            "toolkit-mismatch",
        ),
        (UNSUITABLE.format("", "10.1"), "toolkit-mismatch"),
        (UNSUITABLE.format("Toolkit", "11.5.119"), "toolkit-mismatch"),
        (IMPORTED.format("CUDA 11.3"), "toolkit-missing"),
        (
            (
                "error : The CUDA Toolkit v11.1 directory '' does not exist. Please verify the "
                "CUDA Toolkit is installed properly or define the CudaToolkitDir property."
            ),
            "toolkit-missing",
        ),
        ('catastrophic error: cannot open source file "vector_types.h"', "toolkit-missing"),
        ("NvrtcSupportError: NVRTC cannot be found.", "toolkit-missing"),
        ('floatn.h(79): error: identifier "__float128" is undefined', "toolkit-mismatch"),
        (
            "nvcc fatal   : nvcc cannot find a supported version of Microsoft Visual Studio.",
            "toolkit-mismatch",
        ),
        (
            (
                "nvcc fatal   : Visual Studio configuration file 'vcvars64.bat' could not be found "
                "for installation at 'C:/VC/bin/../..'"
            ),
            "toolkit-missing",
        ),
        (
            'DynamicLibNotFoundError: Failure finding "libnvvm.so": No such file: libnvvm.so*',
            "toolkit-missing",
        ),
        (
            (
                "`nvidia-smi` failed. Ensure that you have CUDA installed and that `nvidia-smi` is "
                "in your PATH."
            ),
            "driver-missing",
        ),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "Found CUDA 11.2 in /usr/local/cuda/include/cuda.h",
        "-- CMAKE_CUDA_COMPILER: /usr/local/cuda/bin/nvcc",
        (
            "  The CMAKE_CXX_COMPILER:\n\n    /usr/bin/c++-9\n\n  is not a full path to an "
            "existing compiler tool."
        ),
        '  Target "foo" links to:\n    OpenSSL::SSL\n  but the target was not found.\n',
        "target_link_libraries(foo CUDA::cublas CUDA::nvToolsExt)",
        "Supported CUDA version 12.8 detected.",
        "-- Found CUDA toolset 12.4",
        'Could NOT find Boost: Found unsuitable version "1.65"',
        IMPORTED.format("Qt"),
        'cannot open source file "vector_kinds.h"',
        'floatn.h(79): error: identifier "float128" is undefined',
        "checking for libnpp... found",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"

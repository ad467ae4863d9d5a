"""A compiler or a toolkit that does not go with the other, by nvcc's words or by the tables."""

from __future__ import annotations

import pytest

from support.cases import ruled

COSPI = 'specification is incompatible with that of previous function "{}"\n  (declared at line 9\n'
CMAKE = "-- The CXX compiler identification is GNU {}.1.0\nBuilding it fails.\n"
NVCC = "Cuda compilation tools, release 12.4, V12.4.131\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("'-allow-unsupported-compiler' can be used to override this version check;\n",
         "toolkit-mismatch"),
        ("nvcc has the option -allow-unsupported-compiler\n", "unknown"),
        ("ERROR: No supported gcc/g++ host compiler found, but clang-14 is available.\n",
         "toolkit-mismatch"),
        ("#error:  Microsoft Visual Studio 2017 Update >= 9 is not supported yet!\n",
         "toolkit-mismatch"),
        ("C1189: #error:  -- unsupported Microsoft Visual\n Studio version! Only the versions\n",
         "toolkit-mismatch"),
        ("C1189: #error:  -- wrong header\n", "unknown"),
        (f"mathcalls.h(79): error: exception\n  {COSPI.format('cospi')}", "toolkit-mismatch"),
        (f"mathcalls.h(79): error: exception\n  {COSPI.format('myfunc')}", "unknown"),
        ("RuntimeError: Triton only support CUDA 10.0 or higher, but got CUDA version: 13.1",
         "toolkit-mismatch"),
        ('    raise RuntimeError("Triton only support CUDA 10.0 or higher, but got CUDA version: "',
         "unknown"),
        ("nvlink fatal   : Input file 'a.cubin' newer than toolkit (125 vs118)\n",
         "toolkit-mismatch"),
    ],
)  # fmt: skip
def test_a_compiler_or_a_toolkit_is_refused_in_words(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(("gcc", "cause"), [(15, "toolkit-mismatch"), (12, "unknown")])
def test_who_cannot_compile_has_a_gcc_that_the_table_says_nvcc_does_not_take(gcc: int, cause: str):
    assert ruled(NVCC + CMAKE.format(gcc)) == cause


def test_a_gcc_that_nvcc_does_not_take_harms_nobody_who_compiles_nothing():
    assert ruled(NVCC + CMAKE.format(15).replace("Building it fails.\n", "")) == "unknown"


@pytest.mark.parametrize(
    ("gcc", "cause"),
    [("gcc-9.3.1-2.fc31.x86_64", "toolkit-mismatch"), ("gcc-7.5.0-1.el7.x86_64", "unknown")],
)
def test_rpm_tells_the_compiler_and_the_toolkit(gcc: str, cause: str):
    text = f"I can't compile the examples.\n$ rpm -q gcc\n{gcc}\ncuda-10.1.243-1.x86_64\n"
    assert ruled(text) == cause

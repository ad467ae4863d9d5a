"""A toolkit that does not fit, where a build of an extension fails, and what only looks like it."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.model import Confidence
from support.cases import ruled
from support.pasted import finding

K2_SETUP = (
    "    running_cuda_version = collect_env.get_running_cuda_version(\n"
    "AssertionError: PyTorch is built with CUDA version: {}.\n"
    "The current running CUDA version is: {}\n"
)
K2_CMAKE = (
    "CMake Error at cmake/torch.cmake:36 (message):\n"
    "  PyTorch 1.8.1 is compiled with CUDA 10.2.\n\n  But you are using CUDA {} to compile k2.\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (K2_SETUP.format("10.2", "11.0.221"), "toolkit-mismatch"),
        (K2_SETUP.format("11.3", "11.4.120"), "toolkit-mismatch"),
        (K2_CMAKE.format("11.1"), "toolkit-mismatch"),
        ("The current running CUDA version is: 12.2, as on all our nodes.", "unknown"),
        ("PyTorch is built with CUDA version: 12.1", "unknown"),
    ],
)
def test_the_build_of_k2_takes_the_cuda_of_torch_alone(text: str, cause: str):
    assert ruled(text) == cause


def test_both_versions_of_two_lines_are_told():
    told = finding(K2_SETUP.format("11.3", "11.4.120"))
    assert told.title == "The toolkit is CUDA 11.4, the framework was built with 11.3"


NOT_BUILT = "RuntimeError: Error building extension 'fused_adam'\n"
OBJECTS = "RuntimeError: Error compiling objects for extension\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"torch: 2.0.1+cu118\nCUDA toolkit: 11.2\n{NOT_BUILT}", "toolkit-mismatch"),
        (f"nvcc: 11.6\ntorch 2.1.0+cu121\n{OBJECTS}", "toolkit-mismatch"),
        (f"nvcc: 12.1\ntorch 1.13.1+cu117\n{NOT_BUILT}", "toolkit-mismatch"),
        (f"nvcc: 11.8\ntorch 2.0.1+cu118\n{NOT_BUILT}", "unknown"),
        (f"nvcc: 12.4\ntorch 2.3.1+cu121\n{NOT_BUILT}", "unknown"),
        (f"torch 2.3.1+cu121\n{NOT_BUILT}", "unknown"),
        ("nvcc: 11.6\ntorch 2.1.0+cu121\nIt trains well.\n", "unknown"),
    ],
)
def test_an_extension_is_not_built_with_a_toolkit_before_that_of_torch(text: str, cause: str):
    assert ruled(text) == cause


def test_without_a_reason_of_the_compiler_it_is_one_of_several():
    text = f"CUDA toolkit: 11.2\ntorch: 2.0.1+cu118\n{NOT_BUILT}"
    assert finding(text).confidence is Confidence.POSSIBLE
    gcc = "#error -- unsupported GNU version! gcc versions later than 10 are not supported!\n"
    assert finding(f"{text}{gcc}").title.startswith("nvcc takes gcc up to 10")


SET_UP = "set up the environment for Microsoft"
STUDIO = "C:/Program Files (x86)/Microsoft Visual Studio/2019/Community/VC/Auxiliary/Build/"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            f"nvcc fatal   : Could not {SET_UP} Visual Studio using '{STUDIO}vcvars64.bat'",
            "toolkit-mismatch",
        ),
        (
            f"nvcc fatal : Could not {SET_UP} V\n  isual Studio using 'D:/VS/VC/vcvars6\n  4.bat'",
            "toolkit-mismatch",
        ),
        (f"** Visual Studio 2019 Developer Command Prompt\n{STUDIO}vcvars64.bat", "unknown"),
    ],
)
def test_nvcc_cannot_set_up_visual_studio(text: str, cause: str):
    assert ruled(f"OS: Windows 11\n{text}\n") == cause

"""What CMake, nvcc, nvlink, CuPy, Numba and others have to say of a toolkit, by their sources."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import root_by_rules, ruled

CMAKE = "CMake Error at /usr/share/cmake/Modules/CMakeDetermineCUDACompiler.cmake:{} (message):\n  "


@pytest.mark.parametrize(
    ("text", "cause", "title"),
    [
        (
            CMAKE.format(29) + "Could not find the compiler specified in the environment variable"
            " CUDACXX:\n\n  /opt/cuda-11.8/bin/nvcc.",
            "toolkit-missing",
            "nvcc",
        ),
        (
            (
                "-- Could not find `nvcc` executable in any searched paths, please set"
                " CUDAToolkit_ROOT"
            ),
            "toolkit-missing",
            "nvcc",
        ),
        (
            CMAKE.format(265) + 'Unable to find cuda_runtime.h in "/opt/cuda/include" for\n'
            "  _CUDA_INCLUDE_DIRS.",
            "toolkit-missing",
            "headers",
        ),
        (
            "FileNotFoundError: Unable to find cuda_runtime.h from /opt/env/include",
            "toolkit-missing",
            "headers",
        ),
        (
            CMAKE.format(51) + "Could not find the compiler specified in the environment variable\n"
            "  CUDAHOSTCXX:\n\n  /usr/bin/g++-9.",
            "toolkit-missing",
            "host's C++ compiler",
        ),
        (
            "nvcc fatal   : Cannot find compiler 'g++-12' in PATH",
            "toolkit-missing",
            "host's C++ compiler",
        ),
        (
            (
                "nvcc fatal   : The compiler specified via option --compiler-bindir"
                " '/usr/bin/gcc-8' does not exist"
            ),
            "toolkit-missing",
            "host's C++ compiler",
        ),
        (
            (
                "RuntimeError: nvdisasm was not found or could not be executed. It is included with"
                " the CUDA toolkit"
            ),
            "toolkit-missing",
            "a program of the toolkit",
        ),
        (
            "RuntimeError: cuobjdump has not been found. You may need to install the CUDA toolkit",
            "toolkit-missing",
            "a program of the toolkit",
        ),
        (
            "RuntimeError: Relocatable PTX code is requested, but cudadevrt is not found.",
            "toolkit-missing",
            "a library to link with",
        ),
        (
            "[ERROR] ME: mindspore-gpu on windows need CUDA_PATH, but not set it now",
            "toolkit-missing",
            "the toolkit",
        ),
        (
            CMAKE.format(14) + "CMAKE_CUDA_ARCHITECTURES:\n\n    Ampere\n\n  is not one of the"
            " following:\n\n    * a semicolon-separated list of integers",
            "toolkit-mismatch",
            "no architecture",
        ),
        (
            CMAKE.format(7) + "CMAKE_CUDA_ARCHITECTURES must be non-empty if set.",
            "toolkit-mismatch",
            "no architecture",
        ),
        (
            "  Unknown CUDA Architecture Name 9.0 in CUDA_SELECT_NVCC_ARCH_FLAGS",
            "toolkit-mismatch",
            "no architecture",
        ),
        (
            (
                "nvcc fatal   : The version ('16.0') of the host compiler ('Apple clang') is not"
                " supported"
            ),
            "toolkit-mismatch",
            "refuses the host compiler",
        ),
        (
            "nvcc fatal   : Unsupported host compiler 'icpc'",
            "toolkit-mismatch",
            "refuses the host compiler",
        ),
        (
            "error: #error -- ICC is not supported as a host compiler!",
            "toolkit-mismatch",
            "refuses the host compiler",
        ),
        (
            (
                "nvlink fatal   : Input file 'libold.a:x.o' must be recompiled with toolkit >= Cuda"
                " 12.0"
            ),
            "toolkit-mismatch",
            "another toolkit",
        ),
        (
            (
                "nvlink error   : Object 'y.o' cannot be linked due to version mismatch. Objects"
                " using tcgen05 in 12.x cannot be linked with 13.0 or later"
            ),
            "toolkit-mismatch",
            "another toolkit",
        ),
        (
            "ptxas fatal   : Unsupported .target 'sm_120'",
            "gpu-too-new",
            "does not yet compile for compute capability 12.0",
        ),
        (
            (
                "numba/cuda/cudadrv/nvvm.py:368: UserWarning: CUDA Toolkit 11.0 is unsupported by"
                " Numba - 11.2 is the minimum required version."
            ),
            "toolkit-mismatch",
            "takes CUDA 11.2 or later",
        ),
    ],
)
def test_builders_tell_what_of_the_toolkit_is_at_fault(text: str, cause: str, title: str) -> None:
    root = root_by_rules(text)
    assert root.cause == cause
    assert title in root.finding.title


@pytest.mark.parametrize(
    "text",
    [
        "gcc fatal: Cannot find compiler 'cc1plus' in PATH",  # none of nvcc's
        "-- CMAKE_CUDA_ARCHITECTURES: 86",
        "nvlink warning : Input file 'a.o' ABI version '7' is newer",
        "$ nvdisasm --version\nnvdisasm: NVIDIA (R) CUDA disassembler",
        "ptxas application ptx input, line 7; fatal   : Unsupported .target 'sm_120'",  # driver's
        "-- cudadevrt: /usr/local/cuda/lib64/libcudadevrt.a",
    ],
)
def test_what_is_near_their_words_names_no_toolkit(text: str) -> None:
    assert ruled(text) not in ("toolkit-missing", "toolkit-mismatch", "gpu-too-new")


def test_numba_gets_its_own_toolkit() -> None:
    text = "UserWarning: CUDA Toolkit 10.1 is unsupported by Numba - 11.2 is the minimum required"
    assert "numba -s" in root_by_rules(text).finding.fix.commands


def test_a_policy_that_is_not_set_is_no_missing_architecture() -> None:
    policy = "  Policy CMP0104 is not set: CMAKE_CUDA_ARCHITECTURES now detected for NVCC,\n"
    empty = '  CUDA_ARCHITECTURES is empty for target "{}".\n'
    warned = f"CMake Warning (dev) in CMakeLists.txt:\n{policy}\n{empty.format('mine')}"
    assert gpuprobe.explain(warned).diagnosis.root is None
    failed = f"CMake Error in CMakeLists.txt:\n{empty.format('mine')}"
    assert ruled(failed) == "toolkit-mismatch"

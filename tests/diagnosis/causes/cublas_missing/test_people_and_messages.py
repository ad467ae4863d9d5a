"""cuBLAS, or one of its siblings, that is missing, told by bare messages and people."""

from __future__ import annotations

import pytest

from support.cases import ruled

SYSTEM_PATH = "ValueError: libcublas.so.*[0-9] not found in the system path ['/workspace']"
JAX = "CUDA backend failed to initialize: Unable to load {}."
SPARSE = "RuntimeError: Unable to load cuSPARSE. Is it installed?\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "OSError: libnccl.so.2: cannot open shared object file: No such file or directory",
            "nccl",
        ),
        (
            "OSError: libnppicc.so.13: cannot open shared object file: No such file or directory",
            "cublas-missing",
        ),
        ("python: can't open file 'train.py': [Errno 2] No such file or directory", "unknown"),
        (SYSTEM_PATH, "cublas-missing"),
        ("libcublas.so.12 -> not found", "cublas-missing"),
        (JAX.format("cuSPARSE"), "cublas-missing"),
        (SPARSE, "cublas-missing"),
        ("ImportError: /usr/local/cuda/lib64/libcublas.so.11: file too short", "cublas-missing"),
        ("OSError: cublas library not found", "cublas-missing"),
        (
            'DynamicLibNotFoundError: Failure finding "libcublas.so": No such file: libcublas.so*',
            "cublas-missing",
        ),
        ("Unable to load DLL 'cublas64_11': The specified module", "cublas-missing"),
        ("OSError: libcufft.so.10: cannot open shared o", "cublas-missing"),
        ("ImportError: libcupti.so.12: cannot open shared object file", "cublas-missing"),
        ("ImportError: libcusparseLt.so.0: cannot open shared object file", "cublas-missing"),
        ("ImportError: libnvshmem_host.so.3: cannot open shared object file", "cublas-missing"),
        ("nvrtc: error: failed to open libnvrtc-builtins.so.11.1.\n", "cublas-missing"),
        # A library is missing by its product's name.
        ("INTERNAL: cuSPARSE library was not found.", "cublas-missing"),
        ("RuntimeError: cuDNN library not found", "cudnn-missing"),
        ("the cuDNN library was found", "unknown"),
        ("a library not found in CUDA", "unknown"),
    ],
)
def test_cublas_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "libfoo.so.*[0-9] not found in the system path []",
        "Unable to load DLL 'curl': The module is another's",
        (
            "ImportError: DLL load failed while importing _driver: The specified module could "
            "not be found."
        ),
    ],
)
def test_kin_of_cublas_that_is_missing_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


WANTED = "OSError: libcublas.so.11: cannot open shared object file: No such file or directory\n"


def test_a_command_that_lists_nothing_shows_no_library():
    refused = "ls: cannot access 'libcublas.so.12': No such file or directory"
    assert ruled(f"{WANTED}$ ls libcublas.so.12\n{refused}\n") == "cublas-missing"


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("What comes out is a CUDA that has no cuBLAS in it.", "cublas-missing"),
        ("CUDA 10.1 of apt came without cuBLAS.", "cublas-missing"),
        ("There is no libcublas.so in /usr/local/cuda-10.1/lib64.", "cublas-missing"),
        ("llama.cpp was compiled for a CUDA that has no cuBLAS.", "unknown"),
        ("Does CUDA 10.1 come without cuBLAS?", "unknown"),
        ("If the CUDA toolkit has no cuBLAS, install it.", "unknown"),
    ],
)
def test_a_toolkit_that_came_without_cublas(said: str, cause: str) -> None:
    assert ruled(f"TensorFlow 2.3 does not work.\n{said}\n") == cause

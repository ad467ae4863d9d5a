"""What programs say in other versions and layouts leads to the same causes, its kin to none."""

from __future__ import annotations

import pytest

from support.cases import ruled

JIT = "TensorFlow was not built with CUDA kernel binaries compatible with compute capability {}."


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (
            "OSError: libnccl.so.2: cannot open shared object file: No such file or directory",
            "cublas-missing",
        ),
        (
            "OSError: libnvvm.so: cannot open shared object file: No such file or directory",
            "toolkit-missing",
        ),
        (
            "Error: Cannot load cudnn shared library. Cannot invoke method cudnnGetVersion at (x)",
            "cudnn-missing",
        ),
        (
            "ImportError: /x/site-packages/cudf/_lib/csv.so: undefined symbol: _ZN4cudf2io4read",
            "extension-mismatch",
        ),
        ("cuDNN compiled (7102) and runtime (7005) versions mismatch", "cudnn-mismatch"),
        (
            (
                "The detected CUDA version (11.8) mismatches the version that was used to compile\n"
                "PyTorch (12.4). Please make sure to use the same CUDA versions."
            ),
            "toolkit-mismatch",
        ),
        (
            (
                "ImportError: /x/m.so: symbol cudaMemPoolCreate version libcudart.so.11.0 "
                "not defined in file libcudart.so.11.0 with link time reference"
            ),
            "cuda-libs-mismatch",
        ),
        (
            (
                "Python version: 3.13\nTensorFlow version: tf 2.8\n"
                "ERROR: No matching distribution found for tensorflow"
            ),
            "python-unsupported",
        ),
        (JIT.format("12.0") + "\nfailed with 'CUDA_ERROR_INVALID_HANDLE'", "gpu-too-new"),
        (JIT.format("12.0") + "\nfailed with 'CUDA_ERROR_INVALID_PTX'", "gpu-too-new"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        # It takes long and works.
        JIT.format("9.0") + " CUDA kernels will be jit-compiled from PTX.",
        (
            "Total VRAM 16073 MB, total RAM 32000 MB\n"
            "Device: cuda:0 NVIDIA GeForce RTX 4060 Ti : cudaMallocAsync\n"
            "0.0 seconds (IMPORT FAILED): /x/custom_nodes/some"
        ),
    ],
)
def test_machine_that_works_is_healthy(pasted: str) -> None:
    assert ruled(pasted) == "healthy"


@pytest.mark.parametrize(
    "pasted",
    [
        # There are builds for this Python: the reason is another one.
        (
            "Python version: 3.10\nTensorFlow version: tf 2.8\n"
            "ERROR: No matching distribution found for tensorflow"
        ),
        "libnvvm.so was found in /usr/local/cuda/nvvm/lib64",
        "Cannot load the shared library of the model. Cannot invoke method run",
        "failed with 'CUDA_ERROR_INVALID_HANDLE'",  # a handle alone tells nothing of the GPU
        "symbol lookup: symbol foo version LIBFOO_1 not defined in file libfoo.so.1",
    ],
)
def test_kin_of_these_texts_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"

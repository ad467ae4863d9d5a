"""Tests that passed on a CUDA device, and those that pass without one."""

from __future__ import annotations

import pytest

from gpuprobe.facts.pasted import read
from gpuprobe.facts.pasted.runs import tests_at_work
from gpuprobe.facts.pasted.text import Text


def shown(pasted: str) -> list[str]:
    return [key.name for key, _ in tests_at_work.read(Text(pasted))]


@pytest.mark.parametrize(
    ("pasted", "program"),
    [
        ("[       OK ] CudaViewTest.CreateUpdateValues (946 ms)", "googletest"),
        ("[       OK ] cuda.view_bad_alloc (3 ms)", "googletest"),
        ("tests/test_ops.py::test_matmul[cuda:1] PASSED  [ 75%]", "pytest"),
        ("test/test_conv.py::TestConv::test_conv2d[float16-cuda-True] PASSED", "pytest"),
        ("tests/kernels/test_softmax_gpu.py ........................    [100%]", "pytest"),
        ("test_manual_seed (__main__.TestCuda) ... ok", "torch"),
        (" 1/12 Test  #1: gpu.saxpy ........................   Passed    0.61 sec", "ctest"),
        ("     Testing CUDA tests passed", "cuda-jl"),
        (
            (
                "[ RUN      ] Layers.relu/3, where GetParam() = CUDA/CUDA_FP16\n"
                "[       OK ] Layers.relu/3 (4 ms)\n"
            ),
            "opencv-python",
        ),
    ],
)
def test_a_test_on_a_device_shows_that_it_computes(pasted: str, program: str):
    assert shown(pasted) == [f"framework.{program}.computed"]
    assert f"framework.{program}.computed" in read(pasted)


@pytest.mark.parametrize(
    "pasted",
    [
        "[       OK ] CudaWithoutDevice.IsUnavailable (1 ms)",
        "[  FAILED  ] CudaViewTest.CreateUpdateValues (946 ms)",
        "tests/test_ops.py::test_matmul[cpu] PASSED  [ 75%]",
        "tests/test_ops.py::test_matmul[cuda:1] SKIPPED (no GPU)  [ 75%]",
        "tests/test_ops.py::test_error_message[cuda] PASSED  [ 75%]",
        "tests/test_gpu.py ...s......    [100%]",
        "test_no_gpu (__main__.TestCuda) ... ok",
        "test_manual_seed (__main__.TestCuda) ... skipped 'no CUDA'",
        " 4/12 Test  #4: gpu.no_device ................   Passed    0.22 sec",
        "[ RUN      ] Layers.relu, where GetParam() = OCV/CPU\n[       OK ] Layers.relu (4 ms)\n",
        "[ RUN      ] Layers.relu, where GetParam() = CUDA/CUDA\n[  FAILED  ] Layers.relu\n",
    ],
)
def test_a_test_without_a_device_shows_nothing(pasted: str):
    assert shown(pasted) == []

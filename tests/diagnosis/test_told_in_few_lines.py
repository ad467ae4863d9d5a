"""What a few lines tell: a card in a sentence, a program that is not started, one process."""

from __future__ import annotations

import pytest

from support.cases import ruled

NOTHING = "unknown", "healthy"
MESHROOM = (
    "[error]   This program needs a CUDA-Enabled GPU (with at least compute capability 2.0).\n"
)


def test_a_card_of_amds_in_a_sentence():
    assert ruled("Meshroom on Win10, Ryzen 3600 and a single RX 5700 XT.\n" + MESHROOM) == (
        "no-nvidia-gpu"
    )


@pytest.mark.parametrize(
    "told",
    [
        "Meshroom on Win10 with a RX 5700 XT and a GTX 1070.\n",
        "Meshroom on Win10. Should I have an RX 5700 XT instead?\n",
        "I would like it to run on AMD if I use a RX 5700 XT.\n",
    ],
)
def test_another_card_or_none_that_is_there(told: str):
    assert ruled(told + MESHROOM) != "no-nvidia-gpu"


def test_a_program_that_calls_nvcc():
    error = "pytools.prefork.ExecError: error invoking 'nvcc --version': [Errno 2] "
    error += "No such file or directory: '{}'\n"
    machine = "pycuda 2021.1, RTX 3070, driver 510.47\n"
    assert ruled(machine + error.format("nvcc")) == "toolkit-missing"
    assert ruled(machine + error.format("cl.exe")) != "toolkit-missing"


XGBOOST = (
    "xgboost.core.XGBoostError: XGBoost Library (xgboost.dll) could not be loaded.\n"
    "Likely causes:\n  * OpenMP runtime is not installed (vcomp140.dll or libgomp-1.dll)\n"
)
WHERE = "C:\\>where {}\nINFO: Could not find files for the given pattern(s).\n"


def test_openmp_of_the_visual_c_run_time():
    assert ruled(XGBOOST + WHERE.format("vcomp140.dll")) == "msvc-runtime-missing"
    assert ruled(XGBOOST + WHERE.format("MSVCP140.DLL")) == "msvc-runtime-missing"
    assert ruled(XGBOOST + WHERE.format("git.exe")) != "msvc-runtime-missing"
    assert ruled(WHERE.format("vcomp140.dll")) in NOTHING


OLD_TORCH = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 50.00 MiB (GPU 0; 23.70 "
    "GiB total capacity; 418.22 MiB already allocated; 31.56 MiB free; 440.00 MiB reserved in "
    "total by PyTorch)\n"
)


def test_jax_and_torch_in_one_process():
    told = "the environment is jax 0.4.4 and the policy torch 1.13.1, {}\n"
    assert ruled(told.format("same process") + OLD_TORCH) == "oom-preallocation"
    assert ruled(told.format("each in its own") + OLD_TORCH) == "oom-other-process"
    assert ruled("torch 1.13.1, always the same process\n" + OLD_TORCH) == "oom-other-process"


CODE = (
    "want to train on card 2 but it always lands on the first one\n\nimport os, torch\n"
    "print(torch.cuda.mem_get_info())\n"
    'os.environ["CUDA_VISIBLE_DEVICES"] = "{gpu}"\ntrain()\n\nnvidia-smi:\n'
    "|    0   N/A  N/A    918273      C   python    6121MiB |\n(GPU 2: 3MiB / 24564MiB, 0%)\n"
)


def test_memory_is_no_name_of_a_gpu():
    assert ruled(CODE.format(gpu="2")) == "visible-devices-too-late"
    assert ruled(CODE.format(gpu="0")) in NOTHING

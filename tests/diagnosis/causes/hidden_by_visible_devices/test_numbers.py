"""Numbers of GPUs that are not there, or that a variable has numbered anew."""

from __future__ import annotations

import pytest

from support.cases import ruled

NONE = "RuntimeError: No CUDA GPUs are available\n"
AMD = "export ROCR_VISIBLE_DEVICES={}\nexport HIP_VISIBLE_DEVICES={}\n\n>>> import torch\n"
SEES_NONE = ">>> torch.cuda.is_available()\nFalse\n"
ONE = "I have only one GPU.\n\n"
PYTHON = 'os.environ["CUDA_VISIBLE_DEVICES"] = "{}"\nmodel.to("cuda:{}")\n'
VOID = (
    'slurmstepd: pyxis: running "enroot start" ...\n$ export NVIDIA_VISIBLE_DEVICES=void\n\n'
    "The second shell cannot access the GPU.\n"
)
HIDDEN = "hidden-by-visible-devices"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (AMD.format("2", "2") + SEES_NONE, HIDDEN),
        (AMD.format("2,3", "2,3") + SEES_NONE, HIDDEN),
        (ONE + "$ python train.py --gpu 1\n" + NONE, HIDDEN),
        ("The machine with one GPU of mine; GPU_ID=2 in the script.\n" + NONE, HIDDEN),
        (PYTHON.format("2,5", 5), HIDDEN),
        (PYTHON.format("3", 1), HIDDEN),
        (VOID, HIDDEN),
        ("ray.get_gpu_ids() returns an empty list\n" + NONE, HIDDEN),
    ],
)
def test_the_number_is_not_there(text: str, cause: str) -> None:
    """Each variable begins at 0 with what the one before it has left."""
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        AMD.format("2,3", "0,1") + SEES_NONE,
        ONE + "$ python train.py --gpu 0\n" + NONE,
        "I have four GPUs.\n\n$ python train.py --gpu 1\n" + NONE,
        PYTHON.format("2,5", 1),
        ONE + "$ python train.py --gpu 1\nEpoch 1: loss 0.3\n",
    ],
)
def test_a_number_that_is_there_hides_nothing(text: str) -> None:
    """Nor one of a machine with several GPUs, of which nobody knows."""
    assert ruled(text) != HIDDEN

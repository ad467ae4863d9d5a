"""Notebooks and containers without a GPU, and the ways in which people repeat torch's answer."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import told

COLAB = "I run the notebook in colab.\n"
ON_HOST = "On our node nvidia-smi says NVIDIA-SMI 550.120, Driver Version: 550.120\n"
NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (COLAB + "RuntimeError: No CUDA GPUs are available", "no-nvidia-gpu"),
        (COLAB + "AssertionError: CUDA is not available", "no-nvidia-gpu"),
        (ON_HOST + "I made a singularity container of it.\n" + NO_DEVICE, "container-no-gpu"),
        ("GpuArrayException: No CUDA devices avaiable\nUsed the cpu", "driver-not-loaded"),
    ],
)
def test_cause_is_named(text: str, cause: str) -> None:
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "see colab.research.google.com\nRuntimeError: No CUDA GPUs are available",
            "no-nvidia-gpu",
        ),
        (COLAB + "AssertionError: the tokenizer is not available", "no-nvidia-gpu"),
        (ON_HOST + "I made a singularity container of it.\n", "container-no-gpu"),
        ("GpuArrayException: out of range", "driver-not-loaded"),
    ],
)
def test_words_near_those_name_another_cause_or_none(text: str, cause: str) -> None:
    assert ruled(text) != cause


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("torch.cuda.is_available() is returning False", False),
        ("torch.cuda.is_available() keeps returning False", False),
        ("torch.cuda.is_available() is still False", False),
        ("torch.cuda.is_available() always False", False),
        ("GPU available           Yes", True),
        ("GPU available           No: torch.cuda.is_available() == False", False),
    ],
)
def test_answer_is_read_in_whatever_words(sentence: str, answer: bool) -> None:
    assert told(sentence)["framework.torch.sees_gpu"] is answer


@pytest.mark.parametrize(
    "sentence",
    [
        "torch.cuda.is_available() should be returning True",
        "check whether torch.cuda.is_available() is still False",
        "torch.cuda.is_available() is a function, False",
    ],
)
def test_wishes_and_questions_are_no_answer(sentence: str) -> None:
    assert "framework.torch.sees_gpu" not in told(sentence)

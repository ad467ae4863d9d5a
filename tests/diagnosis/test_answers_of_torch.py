"""What PyTorch answers when it is asked for the GPU, in people's words."""

from __future__ import annotations

import pytest

from support.pasted import told


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

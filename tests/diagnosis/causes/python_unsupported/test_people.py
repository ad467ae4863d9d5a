"""A Python that is older than a package takes, as people tell of both."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding

HERE = "My environment is python3.7 + cuda11.6."


@pytest.mark.parametrize(
    ("told", "here", "cause"),
    [
        ("I want cuml, and the site only offers commands for above python3.9.", HERE, True),
        ("The wheels of vllm are for Python 3.9 and later only.", HERE, False),
        ("vllm requires Python 3.9 or later.", HERE, True),
        ("cupy needs python >= 3.10", "I have Python 3.9 here.", True),
        ("cupy needs python >= 3.10", "I have Python 3.12 here.", False),
        ("The tool only works from Python 3.9 on.", HERE, False),  # of no package for GPUs
        ("Does vllm require Python 3.9 or later?", HERE, False),
        ("If torch requires Python 3.9 or later, I cannot use it.", HERE, False),
    ],
)
def test_a_package_is_offered_for_later_pythons_alone(told: str, here: str, *, cause: bool):
    assert (ruled(f"{told}\n{here}\n") == "python-unsupported") is cause


def test_the_last_rapids_for_a_python_is_named() -> None:
    text = f"cuml requires Python 3.9 or later.\n{HERE}\n"
    assert finding(text).title.endswith("this is 3.7: RAPIDS 22.02 was the last for it")

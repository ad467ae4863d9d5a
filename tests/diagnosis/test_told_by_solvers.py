"""What pip, uv and conda say where a package has no build for a Python, or for the torch there."""

from __future__ import annotations

import pytest

from support.cases import explained

SATISFY = "Because the current Python version (3.8.10) does not satisfy Python>=3.9 and {}"
DEPENDS = "{}==2.5.0 depends on Python>=3.9, we can conclude that {}==2.5.0 cannot be used."
PLATFORM = (
    "error: Distribution `{}==2.6.0+cu124 @ registry+https://host/whl` can't be installed"
    " because it doesn't have a source distribution or wheel for the current platform"
)
WITHIN = "- package {}-1.12.1-py3.10 requires python >=3.10,<3.11.0a0, but none of the providers"
CONDA = "Your python: python=3.11\n  - {} -> python[version='3.5.*|3.6.*']"
PINNED = "{} 0.16.0 requires torch=={}, but you have torch 2.3.1 which is incompatible."


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (SATISFY.format(DEPENDS.format("torch", "torch")), "python-unsupported"),
        (PLATFORM.format("torch"), "python-unsupported"),
        (WITHIN.format("pytorch"), "python-unsupported"),
        (CONDA.format("tensorflow-gpu"), "python-unsupported"),
        (PINNED.format("torchvision", "2.1.0"), "extension-mismatch"),
        ("ImportError: numpy.core.umath failed to import", "numpy-abi"),
        ("undefined symbol: torch::autograd::Node::name() const (./_C.so)", "extension-mismatch"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert explained(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        SATISFY.format(DEPENDS.format("django", "django")),
        PLATFORM.format("psycopg2"),
        WITHIN.format("django"),
        CONDA.format("spyder"),
        PINNED.format("torchvision", "2.3.1"),
        "undefined symbol: boost::thread::join()",
    ],
)
def test_other_packages_are_left_alone(pasted: str) -> None:
    assert explained(pasted) == "unknown"

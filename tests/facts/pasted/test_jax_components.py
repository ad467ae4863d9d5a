"""JAX tells of each library that is older than it takes in some lines."""

from __future__ import annotations

import pytest

from gpuprobe.facts.pasted.failures import jax_components
from gpuprobe.facts.pasted.text import Text

OUTDATED = """Outdated {} installation found.
Version JAX was built against: 8907
Minimum supported: 9100
Installed version: 8907
The local installation version must be no lower than 9100.
"""


def told(pasted: str) -> list[object]:
    return [getattr(fact, "value", None) for _, fact in jax_components.read(Text(pasted))]


@pytest.mark.parametrize("library", ["cuDNN", "cuSPARSE"])
def test_library_found_and_needed(library: str) -> None:
    assert told(OUTDATED.format(library)) == [f"{library} 8907 9100"]


def test_behind_the_sign_that_pytest_prints() -> None:
    pasted = "".join(f"E   {line}\n" for line in OUTDATED.format("cuDNN").splitlines())
    assert told(pasted) == ["cuDNN 8907 9100"]


def test_without_the_numbers_the_library_is_told() -> None:
    assert told("It goes on with the CPU: Outdated cuBLAS installation\n") == ["cuBLAS"]


@pytest.mark.parametrize(
    "pasted",
    [
        "Outdated cuDNN installation found.\n",
        "An outdated cuBLAS installation is there.\n",
        "Outdated pip installation found.\nInstalled version: 20.1\n",
        "Outdated cuDNN\nMinimum supported: 9100\nInstalled version: 8907\n",
    ],
)
def test_half_of_it_says_nothing(pasted: str) -> None:
    assert told(pasted) == []

"""A message that complains of two versions states both as facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.pasted.runs import stated
from gpuprobe.facts.pasted.text import Text


def facts(pasted: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, fact in stated.read(Text(pasted)):
        found.setdefault(key.name, str(getattr(fact, "value", None)))
    return found


@pytest.mark.parametrize(
    ("pasted", "expected"),
    [
        (
            "The NVIDIA driver on your system is too old (found version 11040). Please update",
            {"driver.cuda": "11.4"},
        ),
        (
            (
                "The NVIDIA driver's CUDA version is 12.2 which is older than the ptxas CUDA "
                "version (12.3.107). Because"
            ),
            {"driver.cuda": "12.2", "toolkit.ptxas_version": "12.3.107"},
        ),
        (
            "driver interface version 590.48.01 don't match with driver version 580.126.09.",
            {"fabric_manager.version": "590.48.01", "driver.version": "580.126.09"},
        ),
        (
            (
                "cuDNN version incompatibility: PyTorch was compiled  against (9, 1, 0) but found "
                "runtime version (8, 9, 2)."
            ),
            {"cudnn.built_with": "9.1.0", "cudnn.version": "8.9.2"},
        ),
        (
            "Found cuDNN version 8600, but JAX was built against version 8904, which is newer.",
            {"cudnn.built_with": "8.9.4", "cudnn.version": "8.6.0"},
        ),
        (
            (
                "The detected CUDA version (11.4) mismatches the version that was used to compile\n"
                "      PyTorch (12.1). Please make sure to use the same CUDA versions."
            ),
            {
                "toolkit.version": "11.4",
                "package.torch.cuda": "12.1",
                "package.torch.build": "cuda",
            },
        ),
        (
            (
                "The detected CUDA version (11.4) mismatches the version that was used to compile\n"
                "  warnings.warn(message)\nPyTorch (12.1)"
            ),
            {},
        ),
        (
            "cuDNN compiled (7102) and runtime (7005) versions mismatch",
            {"cudnn.built_with": "7.1.2", "cudnn.version": "7.0.5"},
        ),
        ("compiled (7102) and runtime (7005) versions of the file", {}),
        (
            (
                "The detected CUDA version (11.4) mismatches the version that was used to compile "
                "PyTorch (12.1)."
            ),
            {
                "toolkit.version": "11.4",
                "package.torch.cuda": "12.1",
                "package.torch.build": "cuda",
            },
        ),
        (
            "    Fabric\n        State                             : In Progress",
            {"fabric_manager.state": "In Progress"},
        ),
        ("    Fabric\n        State      : N/A", {}),
        (
            "nvidia-fabricmanager.service - NVIDIA\n   Loaded: x\n   Active: inactive (dead)",
            {"fabric_manager.state": "inactive (dead)"},
        ),
        ("is too old (found version 3.10)", {}),
        ("fabric of time\nState : Completed", {}),
    ],
)
def test_both_versions_become_facts(pasted: str, expected: dict[str, str]) -> None:
    assert facts(pasted) == expected


@given(st.text(alphabet="0123456789.,() ", max_size=100))
def test_no_text_breaks_the_reader(noise: str) -> None:
    facts(f"is too old (found version {noise})\nmatch with driver version {noise}")
    facts(f"detected CUDA version ({noise}) compile PyTorch ({noise})")
    facts(f"Found cuDNN version {noise}, but JAX was built against version {noise}")

"""A driver that was updated is of the later one of two releases."""

from __future__ import annotations

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.pasted import read
from gpuprobe.facts.version import Version


@pytest.mark.parametrize(
    ("line", "release"),
    [
        ("The system's image of today (nvidia 610.43.02 -> 610.43.03) starts.", "610.43.03"),
        ("[ALPM] upgraded nvidia-utils (550.78-1 -> 555.42.02-1)", "555.42.02"),
        ("  nvidia-driver 3:550.54.14-1.fc39 \u2192 3:555.42.02-1.fc39", "555.42.02"),
        ("The host's driver was updated from 580.159.04 to 580.178.04 yesterday", "580.178.04"),
        ("nvidia 550.78 -> 555.42\nnvidia 555.42 -> 560.35.03", "560.35.03"),
        # another package, a question, an advice
        ("nvidia-container-toolkit 550.78 -> 555.42", None),
        ("Is it the driver, from 580.159.04 to 580.178.04?", None),
        ("Please update the nvidia driver from 550.78 to 555.42", None),
        ("the driver took it from 12.30 to 12.50", None),
    ],
)
def test_the_former_release_is_gone(line: str, release: str | None) -> None:
    told = read(line).known(names.DRIVER_VERSION)
    assert told == (None if release is None else Version(release))


def test_what_a_tool_prints_is_surer() -> None:
    text = "nvidia (550.78 -> 555.42)\n| NVIDIA-SMI 550.78    Driver Version: 550.78 |\n"
    assert read(text).known(names.DRIVER_VERSION) == Version("550.78")

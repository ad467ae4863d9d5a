"""NVIDIA's own boards, by their name or by the system that only such boards run (L4T, JetPack)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_BOARD = regex(
    r"(?ai)\bjetson[ -]"
    r"((?:(?:agx|xavier|orin|nano|thor)[ -])*(?:orin|xavier|nano|thor|nx|tx[12]))\b"
    r"|\b(agx[ -](?:xavier|orin|thor))\b"  # NVIDIA gives that name to its boards alone
)
#: /etc/nv_tegra_release, a release that somebody types, the kernel's name.
_SYSTEM = regex(
    r"(?ai)\A\s*# R\d{2} \(release\), REVISION:|\b(?:l4t|jetson linux)\b[^\n\d]{0,24}?\d{2}\.\d"
    r"|\bjetpack\b[^\n\d]{0,24}?[3-9]\.\d|\b\d+\.\d+\.\d+(?:-\w+)?-tegra\b"
)


def read(text: Text) -> Statements:
    """What names a board comes before what only its system tells."""
    for line, match in text.matching(_BOARD, "jetson", "agx"):
        yield say(names.TEGRA_MODEL, f"Jetson {match[1] or match[2]}", line)
    for line, _ in text.matching(_SYSTEM, "revision", "l4t", "jetson linux", "jetpack", "-tegra"):
        yield say(names.TEGRA_MODEL, "Tegra", line)

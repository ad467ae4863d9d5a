"""Which builds of the frameworks serve a GPU that is not NVIDIA's."""

from __future__ import annotations

from dataclasses import dataclass

from .tables import load


@dataclass(frozen=True, slots=True)
class Build:
    """A framework's build for the GPUs of one vendor, in words: ``the ROCm build of PyTorch``."""

    framework: str
    text: str
    verified: bool
    source: str


def builds_for(vendor: str, system: str) -> tuple[Build, ...]:
    """What serves `vendor` (``amd``) on `system` (``Linux``); empty: the table names nothing."""
    return tuple(
        Build(row.text("framework"), row.text("build"), row.verified, row.source)
        for row in load("other_gpus").section("builds")
        if row.text("vendor") == vendor and row.text("system") == system
    )

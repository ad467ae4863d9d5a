"""Packages that are compiled for one framework (torchvision) or a range of GPUs (RAPIDS)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .tables import Unstated, load, release_number

if TYPE_CHECKING:
    from ..facts.version import Version

_CUDA_SUFFIX = re.compile(r"-cu\d+\Z")


@dataclass(frozen=True, slots=True)
class Floor:
    """The smallest capability that a release of RAPIDS serves."""

    capability: Version
    verified: bool
    source: str


def torchvision_for(torch: str) -> Version | Unstated:
    """The minor release of torchvision that is compiled for a version of torch."""
    asked = release_number(torch)
    for row in load("companions").section("torchvision"):
        listed = row.version("torch")
        if asked is not None and (asked.major, asked.minor) == (listed.major, listed.minor):
            return row.version("torchvision")
    return Unstated(f"the table names no torchvision for torch {torch}")


def is_rapids(package: str) -> bool:
    """Whether `package` (``cuml``, ``cudf-cu12``) is one of RAPIDS."""
    name = _CUDA_SUFFIX.sub("", package)
    return any(row.text("package") == name for row in load("companions").section("rapids_packages"))


def rapids_floor(version: str, cuda_major: int | None = None) -> Floor | Unstated:
    """The smallest capability that release `version`, built with a CUDA major, serves."""
    asked = release_number(version)
    for row in load("companions").section("rapids"):
        built_with = row.integer_or_none("cuda_major")
        if asked is not None and row.spans(asked) and built_with in (None, cuda_major):
            return Floor(row.version("minimum_capability"), row.verified, row.source)
    return Unstated(f"RAPIDS {version} is not in the table")

"""Numba: toolkits of the CUDA target inside Numba, and numba-cuda, which takes its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .tables import Record, Unstated, load, release_number

if TYPE_CHECKING:
    from ..facts.version import Version


@dataclass(frozen=True, slots=True)
class Release:
    """A Numba release and the toolkits of its own CUDA target; None: the table does not say."""

    first: Version
    python_min: Version
    python_max: Version
    toolkit_min: Version | None
    toolkit_newest_listed: Version | None
    minimum_capability: Version
    source: str


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The capabilities that a target compiles for."""

    least: Version
    most: Version
    source: str


def release(version: str) -> Release | None:
    """The release that a version of numba belongs to; None: the table does not list it."""
    asked = release_number(version)
    for row in load("numba").section("releases"):
        if asked is not None and row.spans(asked):
            return _release(row)
    return None


def _release(row: Record) -> Release:
    return Release(
        row.version("from"),
        row.version("python_min"),
        row.version("python_max"),
        row.version_or_none("toolkit_min"),
        row.version_or_none("toolkit_newest_listed"),
        row.version("minimum_capability"),
        row.source,
    )


def takes_toolkit(version: str, toolkit: Version) -> bool | Unstated:
    """Whether the CUDA target inside Numba works with a toolkit.

    Newer minors of a listed major are not in its list but were not refused either: unstated.
    """
    found = release(version)
    if found is None or found.toolkit_min is None:
        return Unstated(f"the table states no toolkits for Numba {version}")
    if toolkit < found.toolkit_min:
        return False
    newest = found.toolkit_newest_listed
    if newest is None or (toolkit > newest and toolkit.major == newest.major):
        return Unstated(f"the table does not say whether Numba {version} takes CUDA {toolkit}")
    return toolkit <= newest


def requirement(cuda_major: int) -> str | None:
    """What to ask pip for with a CUDA major (``numba-cuda[cu12]``); None: there is nothing."""
    for row in load("numba").section("install"):
        if row.integer("cuda_major") == cuda_major:
            return row.text("requirement")
    return None


def capabilities(cuda_major: int) -> Capabilities | None:
    """The capabilities of numba-cuda with a CUDA major; None: the table does not say."""
    for row in load("numba").section("install"):
        if row.integer("cuda_major") == cuda_major:
            least, most = row.version("capability_min"), row.version("capability_max")
            return Capabilities(least, most, row.source)
    return None

"""The file names of the CUDA libraries, and which CUDA releases bring a file of that name."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .tables import load

if TYPE_CHECKING:
    from ..facts.version import Version


@dataclass(frozen=True, slots=True)
class Origin:
    """The CUDA releases that a file belongs to; `last` None: up to the newest."""

    stem: str
    soname: str
    first: Version
    last: Version | None
    verified: bool
    source: str

    @property
    def span(self) -> str:
        """The releases in words: ``CUDA 11.1 to 12.9``, ``CUDA 12``, ``CUDA 10.1``."""
        if self.last is None:
            return f"CUDA {self.first} or later"
        if self.first == self.last:
            return f"CUDA {self.first}"
        if self.first.minor == 0 and self.first.major == self.last.major:
            return f"CUDA {self.first.major}"
        return f"CUDA {self.first} to {self.last}"

    def holds(self, cuda: Version) -> bool:
        """Whether `cuda` is among the releases; a bare major (``12``) asks for any of it."""
        if len(cuda.parts) == 1:
            return self.first.major <= cuda.major and (
                self.last is None or cuda.major <= self.last.major
            )
        return self.first <= cuda and (self.last is None or not _beyond(cuda, self.last))

    def meets(self, other: Origin) -> bool:
        """Whether one CUDA release can have brought both files."""
        return (self.last is None or other.first <= self.last) and (
            other.last is None or self.first <= other.last
        )


def _beyond(cuda: Version, last: Version) -> bool:
    return (cuda.major, cuda.minor) > (last.major, last.minor)


@functools.cache
def origins() -> tuple[Origin, ...]:
    """Every file of the table."""
    return tuple(
        Origin(
            row.text("stem"),
            row.text("soname"),
            row.version("from"),
            row.version_or_none("to"),
            row.verified,
            row.source,
        )
        for row in load("cuda_libraries").section("libraries")
    )


@functools.cache
def _by_name() -> dict[str, Origin]:
    rows = load("cuda_libraries").section("libraries")
    named = zip(rows, origins(), strict=True)
    return {
        name.lower(): origin
        for row, origin in named
        for name in (row.text("soname"), row.text("dll"))
    }


#: The parts of NPP, which all have the number of its core.
_OF_NPP = re.compile(r"(?:(?<=\Alib)|\A)npp[a-z]{1,6}(?=64_|\.so)")


def origin(file: str) -> Origin | None:
    """The releases that a file or path belongs to; None: no CUDA library, or no version in it.

    ``/usr/lib/libcublas.so.12.1.3.1`` is ``libcublas.so.12``.
    """
    name = file.replace("\\", "/").rpartition("/")[2].strip().lower()
    name = _OF_NPP.sub("nppc", name)
    while name:
        found = _by_name().get(name)
        if found is not None:
            return found
        name = name.rpartition(".")[0]
    return None


def file_for(stem: str, cuda: Version, *, windows: bool) -> str | None:
    """The name under which one CUDA release brings a library; None: the table does not tell."""
    for row, each in zip(load("cuda_libraries").section("libraries"), origins(), strict=True):
        if each.stem == stem and each.holds(cuda):
            return row.text("dll") if windows else each.soname
    return None


def pip_package(stem: str, major: int) -> str | None:
    """The pip package that brings a library for one CUDA; None: there is none.

    Libraries of the toolkit carry ``-cuNN`` up to CUDA 12, those that are released apart always.
    """
    for row in load("cuda_libraries").section("pip"):
        if row.text("stem") == stem:
            if major < row.version("first").major:
                return None
            last = row.version_or_none("suffixed_to")
            name = row.text("package")
            return name if last is not None and major > last.major else f"{name}-cu{major}"
    return None


def cuda_of_release(stem: str, release: Version) -> Version | None:
    """The CUDA that a release of pip's package belongs to, or an earlier one; None: not told."""
    rows = (row for row in load("cuda_libraries").section("packages") if row.text("stem") == stem)
    found = [row.version("cuda") for row in rows if row.version("release") <= release]
    return max(found, default=None)

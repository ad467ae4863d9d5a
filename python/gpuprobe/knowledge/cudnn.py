"""cuDNN: CUDA packages and capability floor of a release, its libraries, its version numbers."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from ..facts.version import Version
from .tables import Record, Unstated, load

#: From version 9 on a number is major * 10000 + minor * 100 + patch; before it was * 1000.
_FIRST_FIVE_DIGITS = 10000


@dataclass(frozen=True, slots=True)
class Package:
    """One release for one CUDA: `cuda` with a major alone (``12``) serves that whole major."""

    cudnn: Version
    cuda: Version
    minimum_capability: Version
    verified: bool
    note: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Library:
    """One file of cuDNN; `windows` is None where the name was not seen."""

    major: int
    soname: str
    windows: str | None
    main: bool
    role: str | None
    verified: bool
    source: str


def from_number(number: int) -> Version:
    """What cudnnGetVersion and CUDNN_VERSION encode: 91002 is 9.10.2, 8907 is 8.9.7."""
    major, rest = divmod(number, 10000 if number >= _FIRST_FIVE_DIGITS else 1000)
    return Version.of(major, *divmod(rest, 100))


@functools.cache
def packages() -> tuple[Package, ...]:
    """All packages in the table, newest cuDNN first."""
    return tuple(_package(row) for row in load("cudnn").section("packages"))


def _package(row: Record) -> Package:
    return Package(
        row.version("cudnn"),
        row.version("cuda"),
        row.version("minimum_capability"),
        row.verified and not row.flag("minimum_capability_unverified"),
        row.text_or_none("note"),
        row.source,
    )


def packages_of(version: Version) -> tuple[Package, ...]:
    """The packages of ``9.10.2`` or ``9.10.2.21``; () where the table does not list it."""
    asked = version.parts
    return tuple(each for each in packages() if each.cudnn.parts[: len(asked)] == asked)


def capability_floor(version: Version, cuda: Version | None = None) -> Package | Unstated:
    """The package that tells the smallest capability of a release, listed or not.

    A release that is not listed takes the floor of its listed neighbours where both agree.
    """
    exact = [each for each in packages_of(version) if _serves(each, cuda)]
    if exact:
        return min(exact, key=lambda each: each.minimum_capability)
    older = [each for each in packages() if each.cudnn < version and _serves(each, cuda)]
    newer = [each for each in packages() if each.cudnn > version and _serves(each, cuda)]
    if older and newer and older[0].minimum_capability == newer[-1].minimum_capability:
        return older[0]
    return Unstated(f"the table does not say which GPUs cuDNN {version} serves")


def _serves(package: Package, cuda: Version | None) -> bool:
    return cuda is None or cuda.parts[: len(package.cuda.parts)] == package.cuda.parts


def libraries(major: int) -> tuple[Library, ...]:
    """The files of a cuDNN major, the main library first; () for a major not in the table."""
    rows = load("cudnn").section("libraries")
    return tuple(_library(row) for row in rows if row.integer("major") == major)


def _library(row: Record) -> Library:
    return Library(
        row.integer("major"),
        row.text("soname"),
        row.text_or_none("windows"),
        row.flag("main"),
        row.text_or_none("role"),
        row.verified,
        row.source,
    )


def pip_packages(major: int, cuda_major: int) -> tuple[str, ...]:
    """The pip packages that bring a cuDNN major for a CUDA major; () where there is none."""
    return tuple(
        row.text("package")
        for row in load("cudnn").section("pip_packages")
        if row.integer("major") == major and row.integer("cuda_major") == cuda_major
    )

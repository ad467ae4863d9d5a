"""CuPy: which package serves which CUDA, and what a release supports."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from ..facts.version import Version
from . import driver_cuda
from .gpu_and_driver import unknown_to_driver
from .tables import Record, Unstated, load, release_number


@dataclass(frozen=True, slots=True)
class Package:
    """A CuPy package and the CUDA it is built for; one environment takes one of them only."""

    package: str
    cuda_min: Version
    minimum_capability: Version | None
    source: str


@dataclass(frozen=True, slots=True)
class Release:
    """A span of releases: the CUDA toolkits, Pythons and packages it supports."""

    first: Version
    last: Version
    cuda: tuple[Version, ...]
    python: tuple[Version, ...]
    packages: tuple[str, ...]
    note: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Install:
    """What to install: a requirement for pip, and why this package."""

    requirement: str
    package: Package
    reason: str
    source: str


def _package(row: Record) -> Package:
    return Package(
        row.text("package"),
        row.version("cuda_min"),
        row.version_or_none("minimum_capability"),
        row.source,
    )


def package(name: str) -> Package | None:
    """The package ``cupy-cuda12x`` and the like; None: no CuPy package of the table."""
    wanted = name.lower().replace("_", "-")
    rows = load("cupy").section("packages")
    return next((_package(row) for row in rows if row.text("package") == wanted), None)


@functools.cache
def releases() -> tuple[Release, ...]:
    """The spans of releases in the table, newest first."""
    return tuple(_release(row) for row in load("cupy").section("releases"))


def _release(row: Record) -> Release:
    return Release(
        row.version("from"),
        row.version("to"),
        row.versions("cuda"),
        row.versions("python"),
        row.texts("wheels"),
        row.text_or_none("note"),
        row.source,
    )


def release(version: str) -> Release | None:
    """The span that a version lies in; None: the table does not list it."""
    asked = release_number(version)
    rows = load("cupy").section("releases")
    return next((_release(row) for row in rows if asked is not None and row.spans(asked)), None)


def advise(
    capability: Version,
    *,
    python: Version,
    driver: Version | None = None,
    driver_cuda_version: Version | None = None,
    system: driver_cuda.System = "linux",
) -> Install | Unstated:
    """The newest release and its package that this GPU, driver and Python can use.

    CuPy compiles its kernels on the machine, so that the package follows the driver.
    """
    strange = unknown_to_driver(capability, driver)
    if strange is not None:
        return strange
    unasked = driver is None and driver_cuda_version is None
    for span in releases():
        if Version.of(python.major, python.minor) not in span.python:
            continue
        for candidate in _fitting(span, capability):
            judged = driver_cuda.serves(
                candidate.cuda_min, driver=driver, driver_cuda=driver_cuda_version, system=system
            )
            if unasked or driver_cuda.starts(judged):
                requirement = f"{candidate.package}=={span.last}"
                return Install(requirement, candidate, judged.reason, span.source)
    return Unstated(
        f"no CuPy in the table fits capability {capability}, Python {python} and "
        f"this driver ({driver or driver_cuda_version or 'not known'})"
    )


def package_for(driver_cuda_version: Version, capability: Version | None) -> Package | None:
    """The newest package of the newest release, by the CUDA's major that a driver serves."""
    served = driver_cuda_version.major
    found = _fitting(releases()[0], capability)
    return next((each for each in found if each.cuda_min.major <= served), None)


def _fitting(span: Release, capability: Version | None) -> list[Package]:
    """The packages of a span for a capability, newest CUDA first; None: for whichever."""
    majors = {cuda.major for cuda in span.cuda}
    found = [each for each in map(package, span.packages) if each is not None]
    return sorted(
        (
            each
            for each in found
            if each.cuda_min.major in majors
            and each.minimum_capability is not None
            and (capability is None or capability >= each.minimum_capability)
        ),
        key=lambda each: each.cuda_min,
        reverse=True,
    )

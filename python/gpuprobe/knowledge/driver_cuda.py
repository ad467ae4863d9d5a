"""Which CUDA a driver serves, which driver a CUDA needs, and which GPUs a driver still knows.

Three different versions are called "CUDA version"; here `driver_cuda` is the highest CUDA that a
driver serves (header of nvidia-smi, cuDriverGetVersion), `runtime` the CUDA that a program, wheel
or toolkit was built with. Under WSL 2 the driver is the Windows host's: ask for "windows".
"""

from __future__ import annotations

import enum
import functools
from dataclasses import dataclass
from typing import Literal

from ..facts.version import Version
from .tables import Record, Unstated, load

System = Literal["linux", "windows"]

#: Windows numbers run on inside a branch (537.13 belongs to 535); since 410 branches have been
#: at least five numbers apart, so beyond that a number may belong to a branch not listed yet.
_WINDOWS_SPAN = 5

#: The first CUDA major with minor-version compatibility.
_FIRST_FAMILY = 11


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The highest CUDA of a driver: `cuda` at least and `at_most` at most (None: open).

    The two differ where the driver's branch is not in the table but lies between two that are.
    """

    driver: Version
    cuda: Version
    at_most: Version | None
    note: str | None
    verified: bool
    source: str

    @property
    def exact(self) -> bool:
        """Whether the table knows the driver's branch."""
        return self.at_most == self.cuda


@dataclass(frozen=True, slots=True)
class Floor:
    """The smallest driver that does something for a CUDA version."""

    cuda: Version
    driver: Version
    note: str | None
    verified: bool
    source: str


@dataclass(frozen=True, slots=True)
class Toolkit:
    """A toolkit release: what its own driver is; None where the release notes state none."""

    toolkit: Version
    name: str
    linux: Version | None
    windows: Version | None
    note: str | None
    source: str


class Service(enum.Enum):
    """Whether a driver serves a CUDA run time."""

    YES = "yes"
    MINOR_VERSION = "yes, by minor-version compatibility"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a driver serves `runtime`, and why; `needed` is the smallest driver that does."""

    service: Service
    runtime: Version
    driver_cuda: Version | None
    needed: Version | None
    reason: str
    verified: bool
    source: str


@dataclass(frozen=True, slots=True)
class LastBranch:
    """The last driver branch for a capability; None: the newest branch still serves it."""

    capability: Version
    architecture: str
    branch: int | None
    source: str


@functools.cache
def _branches() -> tuple[tuple[int, Record], ...]:
    """Branch number and record, oldest first."""
    rows = load("driver_cuda").section("branches")
    return tuple(sorted(((row.integer("branch"), row) for row in rows), key=lambda pair: pair[0]))


def highest_cuda(driver: Version, system: System = "linux") -> Ceiling | Unstated:
    """The highest CUDA that `driver` serves without compat libraries."""
    older = [row for branch, row in _branches() if branch <= driver.major]
    if not older:
        first = _branches()[0][0]
        return Unstated(f"driver {driver} is older than branch {first}, the first in the table")
    row, cuda = older[-1], older[-1].version("cuda")
    newer = _branches()[len(older)][1].version("cuda") if len(older) < len(_branches()) else None
    at_most: Version | None = cuda
    note = row.text_or_none("note")
    if not _in_branch(driver, row.integer("branch"), newer is not None, system):
        at_most = newer
        before = row.integer("branch")
        note = f"branch {driver.major} is not in the table; the one before it is {before}"
    if len(older) > 1 and _is_before_its_cuda(driver, cuda, system):
        note = f"driver {driver} is older than the first that NVIDIA names for CUDA {cuda}"
        cuda = older[-2].version("cuda")
        return Ceiling(driver, cuda, cuda, note, False, row.source)
    listed = _windows_record(driver, cuda) if system == "windows" else None
    stated = row if listed is None or not listed.verified else listed
    return Ceiling(driver, cuda, at_most, note, stated.verified, stated.source)


def _in_branch(driver: Version, branch: int, followed: bool, system: System) -> bool:
    if system == "linux":
        return driver.major == branch
    return followed or driver.major < branch + _WINDOWS_SPAN


def _is_before_its_cuda(driver: Version, cuda: Version, system: System) -> bool:
    """Whether it is an early release of a branch, which the toolkit of that branch came after."""
    floor = toolkit_driver(cuda, system)
    if isinstance(floor, Unstated) or len(driver.parts) == 1:
        return False
    return driver.major == floor.driver.major and driver < floor.driver


def _windows_record(driver: Version, cuda: Version) -> Record | None:
    """The line of the Windows list that gives `driver` this very CUDA, if there is one."""
    for row in load("driver_cuda").section("windows"):
        if row.version("first") <= driver:
            return row if row.version("cuda") == cuda else None
    return None


def toolkits() -> tuple[Toolkit, ...]:
    """All toolkit releases in the table, newest first."""
    return tuple(_toolkit(row) for row in load("driver_cuda").section("toolkits"))


def _toolkit(row: Record) -> Toolkit:
    return Toolkit(
        row.version("toolkit"),
        row.text("name"),
        row.version_or_none("linux"),
        row.version_or_none("windows"),
        row.text_or_none("note"),
        row.source,
    )


@functools.lru_cache(maxsize=64)
def toolkit_driver(cuda: Version, system: System = "linux") -> Floor | Unstated:
    """The driver that belongs to toolkit `cuda`: the smallest that serves all of it, PTX included.

    ``12.4`` means the first 12.4 release, ``12.4.1`` that very update.
    """
    found: Floor | Unstated = Unstated(f"the table states no {system} driver for CUDA {cuda}")
    for row in load("driver_cuda").section("toolkits"):
        toolkit, driver = row.version("toolkit"), row.version_or_none(system)
        if driver is None or toolkit.parts[: len(cuda.parts)] != cuda.parts:
            continue
        found = Floor(toolkit, driver, row.text_or_none("note"), row.verified, row.source)
    return found


@functools.cache
def family_driver(cuda_major: int, system: System = "linux") -> Floor | Unstated:
    """The smallest driver for every toolkit of a major, under minor-version compatibility."""
    for row in load("driver_cuda").section("families"):
        driver = row.version_or_none(system)
        if row.integer("major") == cuda_major and driver is not None:
            note = row.text_or_none("disagreement") or row.text_or_none("note")
            return Floor(Version.of(cuda_major), driver, note, row.verified, row.source)
    if cuda_major < _FIRST_FAMILY:
        return Unstated("before CUDA 11 there is no minor-version compatibility")
    return Unstated(f"CUDA {cuda_major} is not in the table")


def smallest_driver(runtime: Version, system: System = "linux") -> Floor | Unstated:
    """The smallest driver on which a program built with `runtime` starts."""
    family = family_driver(runtime.major, system)
    if isinstance(family, Floor) or runtime.major >= _FIRST_FAMILY:
        return family
    return toolkit_driver(Version.of(runtime.major, runtime.minor), system)


def serves(
    runtime: Version,
    *,
    driver: Version | None = None,
    driver_cuda: Version | None = None,
    system: System = "linux",
) -> Judgement:
    """Whether a driver serves CUDA `runtime`, from the driver's version, its CUDA, or both.

    `driver_cuda`, where somebody measured or printed it, is believed more than the table: compat
    libraries raise it. `MINOR_VERSION` means: starts, but PTX of that toolkit is refused (error
    222) and functions newer than the driver answer 36.
    """
    wanted = Version.of(runtime.major, runtime.minor)
    floor = smallest_driver(wanted, system)
    needed = None if isinstance(floor, Unstated) else floor.driver
    if driver_cuda is not None:
        ceiling = Ceiling(
            driver or driver_cuda, driver_cuda, driver_cuda, None, True, "the driver itself"
        )
    elif driver is not None:
        known = highest_cuda(driver, system)
        if isinstance(known, Unstated):
            too_old = needed is not None and driver < needed
            service = Service.NO if too_old else Service.UNKNOWN
            return Judgement(service, runtime, None, needed, known.reason, True, "")
        ceiling = known
    else:
        reason = "neither the driver's version nor its CUDA is known"
        return Judgement(Service.UNKNOWN, runtime, None, needed, reason, True, "")
    service, reason = _judge(wanted, driver, ceiling, floor)
    sources = [ceiling.source]
    if service in (Service.MINOR_VERSION, Service.NO) and isinstance(floor, Floor):
        sources.append(floor.source)
    return Judgement(
        service, runtime, ceiling.cuda, needed, reason, ceiling.verified, "; ".join(sources)
    )


def _judge(
    wanted: Version, driver: Version | None, ceiling: Ceiling, floor: Floor | Unstated
) -> tuple[Service, str]:
    if wanted <= ceiling.cuda:
        return Service.YES, f"the driver serves CUDA up to {ceiling.cuda}, which includes {wanted}"
    offers = f"the driver serves CUDA up to {ceiling.cuda}, {wanted} is asked for"
    if isinstance(floor, Floor) and wanted.major >= _FIRST_FAMILY:
        if driver is not None and _reaches(driver, floor.driver):
            why = f"{offers}; from {floor.driver} on every {floor.cuda}.x starts"
            return Service.MINOR_VERSION, why
        if driver is None and ceiling.cuda.major == wanted.major:
            if _above_family_floor(ceiling.cuda):
                return Service.MINOR_VERSION, f"{offers}; it starts, the major being the same"
            return Service.UNKNOWN, f"{offers}; whether it starts depends on the driver's version"
    if ceiling.at_most is None or wanted <= ceiling.at_most:
        return Service.UNKNOWN, f"{ceiling.note} (CUDA {ceiling.cuda}); {wanted} is asked for"
    return Service.NO, offers


def starts(judged: Judgement, *, needs_jit: bool = False) -> bool:
    """Whether the program is known to start; PTX needs a driver as new as the toolkit."""
    if needs_jit:
        return judged.service is Service.YES
    return judged.service in (Service.YES, Service.MINOR_VERSION)


def _reaches(driver: Version, floor: Version) -> bool:
    """Whether it is new enough; one of which only the branch is told has the later releases."""
    only_branch = len(driver.parts) == 1
    return driver >= floor or (only_branch and driver.major == floor.major)


def _above_family_floor(driver_cuda: Version) -> bool:
    """Whether every driver with this CUDA is new enough for minor-version compatibility."""
    if driver_cuda.minor > 0:
        return True
    # CUDA 11.0 came with drivers below the floor of its own family; 12.0 and 13.0 did not.
    first, floor = toolkit_driver(driver_cuda), family_driver(driver_cuda.major)
    return isinstance(first, Floor) and isinstance(floor, Floor) and first.driver >= floor.driver


def last_branch(capability: Version) -> LastBranch | Unstated:
    """The last driver branch that serves GPUs of `capability`."""
    for row in load("driver_cuda").section("last_branches"):
        start = row.version_or_none("from_capability")
        later = start is not None and capability >= start
        if later or capability in row.versions("capabilities"):
            branch = row.integer_or_none("last_branch")
            return LastBranch(capability, row.text("architecture"), branch, row.source)
    return Unstated(f"the table of driver branches does not list capability {capability}")

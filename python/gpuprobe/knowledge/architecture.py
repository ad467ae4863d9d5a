"""Compute capability to architecture, toolkits and drivers; which code runs on which device."""

from __future__ import annotations

import enum
import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..facts.version import Version
from . import driver_cuda
from .tables import Record, Unstated, load

if TYPE_CHECKING:
    from collections.abc import Iterable

_TARGET = re.compile(r"(sm|compute|lto)_(\d{1,2})(\d)([af]?)")
_DOTTED = re.compile(r"(\d{1,2})\.(\d)([af]?)(\+PTX)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Architecture:
    """One compute capability; `last_toolkit` None: the newest toolkit still compiles for it."""

    capability: Version
    name: str
    first_toolkit: Version | None
    last_toolkit: Version | None
    tegra: bool
    note: str | None
    source: str


@dataclass(frozen=True, slots=True)
class ToolkitTargets:
    """What one toolkit compiles for, and the newest host gcc that it accepts."""

    toolkit: Version
    capabilities: tuple[Version, ...]
    newest_gcc: int | None
    source: str


@dataclass(frozen=True, slots=True)
class Target:
    """One architecture that a binary holds code for: a cubin, or PTX that the driver compiles."""

    kind: Literal["cubin", "ptx"]
    capability: Version
    suffix: str = ""


class Coverage(enum.Enum):
    """Whether a binary has code for a device."""

    NATIVE = "native"
    PTX = "by PTX, compiled by the driver at the first use"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Kernels:
    """Whether a build has code for a GPU; `ptx_driver`: the driver that compiling PTX needs."""

    coverage: Coverage
    compiled: tuple[str, ...]
    ptx_driver: Version | None
    reason: str
    verified: bool
    source: str


@functools.cache
def _records() -> dict[Version, Record]:
    rows = load("architectures").section("architectures")
    return {row.version("capability"): row for row in rows}


@functools.lru_cache(maxsize=256)
def architecture(capability: Version) -> Architecture | None:
    """The architecture of a capability; None: the table does not list it."""
    row = _records().get(capability)
    if row is None:
        return None
    return Architecture(
        row.version("capability"),
        row.text("architecture"),
        row.version_or_none("first_toolkit"),
        row.version_or_none("last_toolkit"),
        row.flag("tegra"),
        row.text_or_none("disagreement") or row.text_or_none("note"),
        row.source,
    )


def capabilities() -> tuple[Version, ...]:
    """All capabilities in the table, highest first."""
    return tuple(_records())


@functools.lru_cache(maxsize=256)
def toolkit_targets(toolkit: Version) -> ToolkitTargets | None:
    """What toolkit ``12.4`` (or ``12.4.1``) compiles for; None: the table does not list it."""
    for row in load("architectures").section("toolkits"):
        if row.version("toolkit").parts == (toolkit.major, toolkit.minor):
            return ToolkitTargets(
                row.version("toolkit"),
                row.versions("capabilities"),
                row.integer_or_none("newest_gcc"),
                row.source,
            )
    return None


def first_with(number_type: str) -> Version:
    """The capability from which GPUs compute in ``bfloat16`` or ``float16``."""
    rows = load("architectures").section("number_types")
    (row,) = (each for each in rows if each.text("type") == number_type)
    return row.version("minimum_capability")


def toolkit_of_ptx(isa: Version) -> Version | None:
    """The first toolkit that writes PTX of version `isa`: 11.5 for 7.5."""
    rows = load("architectures").section("toolkits")
    found = [row.version("toolkit") for row in rows if row.version("ptx_isa") == isa]
    return min(found, default=None)


def first_branch(capability: Version) -> driver_cuda.Floor | Unstated:
    """The first driver branch that can know GPUs of `capability`.

    Not verified: it is read off the first toolkit for the capability, as no table of first
    drivers is published.
    """
    found = architecture(capability)
    if found is None or found.first_toolkit is None:
        return Unstated(f"the table names no first toolkit for capability {capability}")
    for row in reversed(load("driver_cuda").section("branches")):
        if row.version("cuda") >= found.first_toolkit:
            branch = Version.of(row.integer("branch"))
            note = f"toolkit {found.first_toolkit} is the first for capability {capability}"
            return driver_cuda.Floor(row.version("cuda"), branch, note, False, found.source)
    return Unstated(f"no driver branch in the table serves CUDA {found.first_toolkit}")


@functools.lru_cache(maxsize=1024)
def parse_target(text: str) -> tuple[Target, ...]:
    """The targets that ``sm_86``, ``compute_90a``, ``8.6`` or ``8.6+PTX`` name; () for others."""
    named = _TARGET.fullmatch(text.strip())
    if named is not None:
        kind, major, minor, suffix = named.groups()
        capability = Version.of(int(major), int(minor))
        return (Target("cubin" if kind == "sm" else "ptx", capability, suffix),)
    dotted = _DOTTED.fullmatch(text.strip())
    if dotted is None:
        return ()
    major, minor, suffix, ptx = dotted.groups()
    capability = Version.of(int(major), int(minor))
    cubin = Target("cubin", capability, suffix.lower())
    return (cubin, Target("ptx", capability, suffix.lower())) if ptx else (cubin,)


def coverage(targets: Iterable[Target], capability: Version) -> Coverage:
    """Whether code for `targets` runs on a device of `capability`.

    `PTX` needs a driver whose CUDA is not older than the toolkit that made the PTX.
    """
    held = tuple(targets)
    if not held:
        return Coverage.UNKNOWN
    if any(target.kind == "cubin" and _cubin_runs(target, capability) for target in held):
        return Coverage.NATIVE
    if any(target.kind == "ptx" and _ptx_runs(target, capability) for target in held):
        return Coverage.PTX
    return Coverage.NO


def kernels(
    build: str,
    compiled: tuple[str, ...],
    cuda: Version,
    capability: Version,
    *,
    system: driver_cuda.System = "linux",
    verified: bool = True,
    source: str,
) -> Kernels:
    """Whether `build`, compiled by toolkit `cuda`, has code for GPUs of `capability`."""
    targets = [target for name in compiled for target in parse_target(name)]
    found = coverage(targets, capability)
    own = driver_cuda.toolkit_driver(Version.of(cuda.major, cuda.minor), system)
    ptx = own.driver if found is Coverage.PTX and isinstance(own, driver_cuda.Floor) else None
    reason = (
        f"{build} is compiled for {' '.join(compiled)}; "
        f"the GPU is sm_{capability.major}{capability.minor}: {found.value}"
    )
    return Kernels(found, compiled, ptx, reason, verified, source)


def _cubin_runs(target: Target, capability: Version) -> bool:
    if target.capability == capability:
        return True
    if target.suffix == "a" or is_tegra(capability) or is_tegra(target.capability):
        return False
    return target.capability.major == capability.major and target.capability < capability


def _ptx_runs(target: Target, capability: Version) -> bool:
    if target.suffix == "a":
        return target.capability == capability
    if target.suffix == "f" and target.capability.major != capability.major:
        return False
    return target.capability <= capability


def is_tegra(capability: Version) -> bool:
    """Whether only NVIDIA's boards have this capability: code for others does not run there."""
    row = _records().get(capability)
    return row is not None and row.flag("tegra")

"""JAX: the CUDA extras and plugins of a release, and what they ask of driver and cuDNN."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from ..facts.version import Version
from . import architecture, driver_cuda
from .architecture import Coverage, Kernels
from .gpu_and_driver import unknown_to_driver
from .tables import Record, Unstated, load, release_number


@dataclass(frozen=True, slots=True)
class Release:
    """A span of releases with the same needs; extras as pip spells them.

    `python_max` is the last Python that the newest of them has files for; None: not stated.
    """

    first: Version
    last: Version
    python_min: Version
    python_max: Version | None
    extras: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Wheel:
    """The CUDA build behind one extra; None where the table does not say.

    `cuda` is the version of the release, `cuda_min` the smallest that it runs with.
    """

    extra: str
    cuda_major: int | None
    cuda: Version | None
    cuda_min: Version | None
    cudnn_min: Version | None
    linux_driver: Version | None
    compiled: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Plugin:
    """The packages that bring CUDA to JAX since the CUDA jaxlib ended."""

    cuda_major: int
    packages: tuple[str, ...]
    minimum_capability: Version
    linux_driver: Version
    source: str


@dataclass(frozen=True, slots=True)
class Install:
    """What to install: a requirement for pip."""

    requirement: str
    wheel: Wheel
    kernels: Kernels
    reason: str
    source: str


@functools.cache
def releases() -> tuple[Release, ...]:
    """The spans of releases in the table, newest first."""
    return tuple(_release(row) for row in load("jax").section("releases"))


def _release(row: Record) -> Release:
    return Release(
        row.version("from"),
        row.version("to"),
        row.version("python_min"),
        row.version_or_none("python_max"),
        row.texts("extras"),
        row.source,
    )


def release(version: str) -> Release | None:
    """The span that a version of jax or jaxlib lies in; None: the table does not list it."""
    asked = release_number(version)
    if asked is None:
        return None
    rows = load("jax").section("releases")
    return next((_release(row) for row in rows if row.spans(asked)), None)


def wheels(version: str) -> tuple[Wheel, ...]:
    """The CUDA builds of a release, newest CUDA first; () where the table lists none."""
    asked = release_number(version)
    rows = load("jax").section("wheels")
    found = (_wheel(row) for row in rows if asked is not None and row.spans(asked))
    return tuple(sorted(found, key=lambda wheel: wheel.cuda_major or 0, reverse=True))


def _wheel(row: Record) -> Wheel:
    cuda = row.version_or_none("cuda") or row.version_or_none("built_with")
    return Wheel(
        row.text("extra"),
        row.integer_or_none("cuda_major"),
        cuda,
        row.version_or_none("cuda_min"),
        row.version_or_none("cudnn_min"),
        row.version_or_none("linux_driver"),
        row.texts("compiled"),
        row.source,
    )


def plugin(cuda_major: int) -> Plugin | None:
    """The plugin packages for a CUDA major; None: there are none."""
    for row in load("jax").section("plugins"):
        if row.integer("cuda_major") == cuda_major:
            return Plugin(
                cuda_major,
                row.texts("packages"),
                row.version("minimum_capability"),
                row.version("linux_driver"),
                row.source,
            )
    return None


def gpu_platform(platform: str) -> bool | None:
    """Whether JAX has CUDA packages for ``linux_x86_64``, ``windows`` …; None: not stated."""
    for row in load("jax").section("platforms"):
        if row.text("platform") == platform:
            return row.text("gpu") != "no"
    return None


def kernels(wheel: Wheel, capability: Version) -> Kernels | Unstated:
    """Whether a CUDA build of JAX has code for GPUs of `capability`."""
    cuda = wheel.cuda or wheel.cuda_min
    if not wheel.compiled or cuda is None:
        return Unstated(f"the table does not say what the extra {wheel.extra} was compiled for")
    name = f"the {wheel.extra} build of JAX"
    return architecture.kernels(name, wheel.compiled, cuda, capability, source=wheel.source)


def advise(
    capability: Version,
    *,
    python: Version,
    driver: Version | None = None,
    driver_cuda_version: Version | None = None,
) -> Install | Unstated:
    """The newest release with a plugin that this GPU, driver and Python can use, on Linux."""
    strange = unknown_to_driver(capability, driver)
    if strange is not None:
        return strange
    unasked = driver is None and driver_cuda_version is None
    for span in releases():
        if not takes_python(span, python):
            continue
        for wheel in wheels(str(span.last)):
            found = _plugin_kernels(wheel, capability)
            if found is None or wheel.cuda is None:
                continue
            judged = driver_cuda.serves(wheel.cuda, driver=driver, driver_cuda=driver_cuda_version)
            if unasked or driver_cuda.starts(judged, needs_jit=found.coverage is Coverage.PTX):
                requirement = f"jax[{wheel.extra}]=={span.last}"
                reason = f"{found.reason}; {judged.reason}"
                return Install(requirement, wheel, found, reason, wheel.source)
    return Unstated(
        f"no JAX with plugins in the table fits capability {capability}, Python {python} and "
        f"this driver ({driver or driver_cuda_version or 'not known'})"
    )


def takes_python(span: Release, python: Version) -> bool:
    """Whether a release has files for a Python."""
    minor = Version.of(python.major, python.minor)
    return span.python_min <= minor and (span.python_max is None or minor <= span.python_max)


def _plugin_kernels(wheel: Wheel, capability: Version) -> Kernels | None:
    """The kernels of a build that pip can install as a plugin; None where it does not serve."""
    packages = plugin(wheel.cuda_major) if wheel.cuda_major is not None else None
    if packages is None or wheel.extra != f"cuda{packages.cuda_major}":
        return None
    found = kernels(wheel, capability)
    if isinstance(found, Unstated) or found.coverage in (Coverage.NO, Coverage.UNKNOWN):
        return None
    return found if capability >= packages.minimum_capability else None

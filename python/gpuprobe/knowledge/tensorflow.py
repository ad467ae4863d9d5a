"""TensorFlow: what a release needs, which GPUs it has kernels for, where it uses a GPU at all."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal

from ..facts.version import Version
from . import architecture, driver_cuda
from .architecture import Coverage, Kernels
from .gpu_and_driver import unknown_to_driver
from .tables import Record, Unstated, load, release_number

Platform = Literal["linux_x86_64", "linux_aarch64", "windows", "macos"]


@dataclass(frozen=True, slots=True)
class Release:
    """One release: CUDA and cuDNN of its tested build, Python range, and how CUDA gets there.

    `windows_cuda` and `windows_cudnn` are None where native Windows has no GPU support;
    `and_cuda`: the extra of that name installs the CUDA libraries.
    """

    tensorflow: Version
    package: str
    python_min: Version
    python_max: Version
    cuda: Version
    cudnn: Version
    windows_cuda: Version | None
    windows_cudnn: Version | None
    minimum_capability: Version | None
    and_cuda: bool
    note: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Libraries:
    """The libraries that a release opens at start-up, by file name."""

    names: tuple[str, ...]
    verified: bool
    source: str


@dataclass(frozen=True, slots=True)
class Install:
    """What to install; `cuda` and `cudnn` are None where pip brings them along."""

    requirement: str
    cuda: Version | None
    cudnn: Version | None
    kernels: Kernels
    reason: str
    source: str


@functools.cache
def _records() -> tuple[tuple[Version, Record], ...]:
    """Release number and record, newest first."""
    rows = load("tensorflow").section("releases")
    return tuple((row.version("tensorflow"), row) for row in rows)


def _release(row: Record) -> Release:
    return Release(
        row.version("tensorflow"),
        row.text("package"),
        row.version("python_min"),
        row.version("python_max"),
        row.version("cuda"),
        row.version("cudnn"),
        row.version_or_none("windows_cuda"),
        row.version_or_none("windows_cudnn"),
        row.version_or_none("minimum_capability"),
        row.flag("and_cuda"),
        row.text_or_none("note"),
        row.source,
    )


@functools.cache
def releases() -> tuple[Release, ...]:
    """All releases in the table, newest first."""
    return tuple(_release(row) for _, row in _records())


def _record(version: str) -> Record | None:
    asked = release_number(version)
    if asked is None:
        return None
    for listed, row in _records():
        if (listed.major, listed.minor) == (asked.major, asked.minor):
            return row
    return None


def release(version: str) -> Release | None:
    """The release of ``2.16.2`` (that of 2.16); None: the table does not list it."""
    row = _record(version)
    return None if row is None else _release(row)


def cuda_of_js(version: str) -> Version | None:
    """The CUDA that a release of tfjs-node-gpu takes from the system."""
    asked = release_number(version)
    rows = load("tensorflow").section("js")
    return next((row.version("cuda") for row in rows if asked and row.spans(asked)), None)


def first_with_cuda(cuda: Version) -> Version | None:
    """The first release that was built with this CUDA or a later one."""
    found = (row.version("tensorflow") for _, row in _records() if row.version("cuda") >= cuda)
    return min(found, default=None)


def kernels(version: str, capability: Version) -> Kernels | Unstated:
    """Whether the wheels of a release have code for GPUs of `capability`."""
    row = _record(version)
    if row is None:
        return Unstated(f"TensorFlow {version} is not in the table")
    name = f"TensorFlow {row.text('tensorflow')}"
    compiled, verified = row.texts("compiled"), not row.flag("compiled_unverified")
    if compiled:
        cuda = row.version("cuda")
        return architecture.kernels(
            name, compiled, cuda, capability, verified=verified, source=row.source
        )
    minimum = row.version("minimum_capability")
    if capability < minimum:
        reason = f"{name} needs capability {minimum}, the GPU has {capability}"
        return Kernels(Coverage.NO, (), None, reason, False, row.source)
    return Unstated(f"the table does not say what {name} was compiled for beyond {minimum}")


def libraries(version: str, platform: Platform = "linux_x86_64") -> Libraries | Unstated:
    """The library names that a release looks for; `Unstated` where it looks for none."""
    row = _record(version)
    if row is None:
        return Unstated(f"TensorFlow {version} is not in the table")
    names = row.texts("windows_dlls" if platform == "windows" else "sonames")
    if not names:
        return Unstated(f"TensorFlow {version} has no GPU libraries on {platform}")
    return Libraries(names, not row.flag("sonames_unverified"), row.source)


def newest_for_python(python: Version, platform: Platform = "linux_x86_64") -> Release | None:
    """The newest release for a Python; on Windows the newest that uses a GPU there."""
    for found in releases():
        if _takes_python(found, python, platform):
            return found
    return None


def _takes_python(found: Release, python: Version, platform: Platform) -> bool:
    if platform == "windows":
        row = _record(str(found.tensorflow))
        first = row.version_or_none("windows_python_min") if row is not None else None
        last = row.version_or_none("windows_python_max") if row is not None else None
        if first is None or last is None:
            return False
    else:
        first, last = found.python_min, found.python_max
    return first <= Version.of(python.major, python.minor) <= last


def advise(
    capability: Version,
    *,
    python: Version,
    driver: Version | None = None,
    driver_cuda_version: Version | None = None,
    platform: Platform = "linux_x86_64",
) -> Install | Unstated:
    """The newest release that uses a GPU with this Python, driver and platform."""
    if platform not in ("linux_x86_64", "windows"):
        return Unstated(f"TensorFlow has no packages with CUDA for {platform.replace('_', ' ')}")
    strange = unknown_to_driver(capability, driver)
    if strange is not None:
        return strange
    system: driver_cuda.System = "windows" if platform == "windows" else "linux"
    unasked = driver is None and driver_cuda_version is None
    for found in releases():
        if not _takes_python(found, python, platform):
            continue
        code = kernels(str(found.tensorflow), capability)
        cuda = found.windows_cuda if platform == "windows" else found.cuda
        if isinstance(code, Unstated) or cuda is None or code.coverage is Coverage.NO:
            continue
        judged = driver_cuda.serves(
            cuda, driver=driver, driver_cuda=driver_cuda_version, system=system
        )
        if unasked or driver_cuda.starts(judged, needs_jit=code.coverage is Coverage.PTX):
            return _install(found, code, platform, judged.reason)
    return Unstated(
        f"no TensorFlow in the table fits capability {capability}, Python {python} and "
        f"this driver ({driver or driver_cuda_version or 'not known'}) on {platform}"
    )


def _install(found: Release, code: Kernels, platform: Platform, why: str) -> Install:
    series = f"{found.tensorflow.major}.{found.tensorflow.minor}.*"
    reason = f"{code.reason}; {why}"
    if platform == "windows":
        requirement = f"{found.package}=={series}"
        cuda, cudnn = found.windows_cuda, found.windows_cudnn
        return Install(requirement, cuda, cudnn, code, reason, found.source)
    if found.and_cuda:
        requirement = f"{found.package}[and-cuda]=={series}"
        return Install(requirement, None, None, code, reason, found.source)
    requirement = f"{found.package}=={series}"
    return Install(requirement, found.cuda, found.cudnn, code, reason, found.source)

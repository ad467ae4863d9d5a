"""Which PyTorch build to install for a GPU, a driver, a Python and a platform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..facts.version import Version
from . import driver_cuda
from .architecture import Coverage, Kernels, architecture
from .gpu_and_driver import unknown_to_driver
from .pytorch import Build, Platform, Release, builds, kernels, releases
from .tables import Unstated

if TYPE_CHECKING:
    from .driver_cuda import Service


@dataclass(frozen=True, slots=True)
class Install:
    """A build that fits a machine.

    `requirement` is for pip; `index_path` is the path on PyTorch's own wheel index, None where
    plain pip installs this very variant.
    """

    torch: Version
    variant: str
    requirement: str
    index_path: str | None
    kernels: Kernels
    service: Service
    reason: str
    source: str


def advise(
    capability: Version,
    *,
    python: Version | None = None,
    driver: Version | None = None,
    driver_cuda_version: Version | None = None,
    platform: Platform = "linux_x86_64",
) -> Install | Unstated:
    """The newest build with kernels for a GPU that this driver and this Python can use.

    What is not given is not judged; a driver that does not know the GPU has no build. In a
    release stable builds come before experimental ones, then the one that plain pip installs,
    then the highest CUDA.
    """
    strange = unknown_to_driver(capability, driver)
    if strange is not None:
        return strange
    unasked = driver is None and driver_cuda_version is None
    for candidate in releases():
        if python is not None and not _takes_python(candidate, python):
            continue
        for build_ in _in_order_of_advice(candidate, platform):
            found = kernels(build_, capability, platform)
            if isinstance(found, Unstated) or found.coverage in (Coverage.NO, Coverage.UNKNOWN):
                continue
            judged = _judge(build_, driver, driver_cuda_version, platform)
            if unasked or driver_cuda.starts(judged, needs_jit=found.coverage is Coverage.PTX):
                return _install(candidate, build_, found, judged, platform)
    wanted = [f"capability {capability}", platform.replace("_", " ")]
    wanted += [f"Python {python}"] if python is not None else []
    wanted += [f"driver {driver or driver_cuda_version}"] if driver or driver_cuda_version else []
    return Unstated(f"no build in the table fits {', '.join(wanted)}")


#: Drivers since 525 serve CUDA 12, and nearly every GPU has code in some build for it.
_COMMON_CUDA = 12
#: With it or a later one each release since 1.10 was built, for GPUs from 3.7 to 8.6 and more.
_WIDE = Version("11.3")


def of_release(
    torch: Version,
    capabilities: tuple[Version, ...] = (),
    *,
    driver: Version | None = None,
    driver_cuda_version: Version | None = None,
    platform: Platform = "linux_x86_64",
) -> Build | None:
    """The build of one release: the highest CUDA that a known driver serves, else a low one.

    The driver's own CUDA or an older one comes before what it serves by minor-version
    compatibility alone. A low one is served by older drivers, too. What is not known is not judged.
    """
    unasked = driver is None and driver_cuda_version is None
    fitting, own = [], []
    for found in builds(torch):
        codes = [_code(found, each, platform) for each in capabilities]
        judged = _judge(found, driver, driver_cuda_version, platform)
        jit = Coverage.PTX in codes
        if Coverage.NO in codes or not (unasked or driver_cuda.starts(judged, needs_jit=jit)):
            continue
        fitting.append(found)
        own += [found] if judged.service is driver_cuda.Service.YES else []
    if not fitting:
        return None
    return _lowest(fitting) if unasked else (own or fitting)[-1]


def by_compatibility(
    found: Build,
    driver: Version | None,
    driver_cuda_version: Version | None,
    platform: Platform = "linux_x86_64",
) -> bool:
    """Whether the driver is of an older CUDA, and serves a build of the same major all the same."""
    judged = _judge(found, driver, driver_cuda_version, platform)
    return judged.service is driver_cuda.Service.MINOR_VERSION


def _lowest(fitting: list[Build]) -> Build:
    """The lowest CUDA with code for most GPUs; drivers for 11.0 serve all of CUDA 11."""
    return next((each for each in fitting if each.cuda >= _WIDE), fitting[-1])


def of_any_release(
    capabilities: tuple[Version, ...] = (),
    *,
    python: Version | None = None,
    driver: Version | None = None,
    driver_cuda_version: Version | None = None,
    platform: Platform = "linux_x86_64",
) -> Build | None:
    """The newest such build; without a driver one for a CUDA that nearly all drivers serve."""
    known = [architecture(each) for each in capabilities]
    first = [each.first_toolkit.major for each in known if each and each.first_toolkit]
    most = max((_COMMON_CUDA, *first))
    unasked = driver is None and driver_cuda_version is None
    for candidate in releases():
        if python is not None and not _takes_python(candidate, python):
            continue
        found = of_release(
            candidate.torch, capabilities,
            driver=driver, driver_cuda_version=driver_cuda_version, platform=platform,
        )  # fmt: skip
        if found is None or found.level != "stable":
            continue
        codes = [_code(found, each, platform) for each in capabilities]
        if None not in codes and (not unasked or found.cuda.major <= most):
            return found
    return None


def never_for(capability: Version) -> bool:
    """Whether no build that the table lists has code for a GPU."""
    known = architecture(capability)
    last = None if known is None else known.last_toolkit
    return all(
        _code(found, capability, "linux_x86_64") is Coverage.NO
        or (last is not None and found.cuda > last)
        for candidate in releases()
        for found in builds(candidate.torch)
    )


def _code(found: Build, capability: Version, platform: Platform) -> Coverage | None:
    """Whether a build has code for a GPU; where the platform's list is not known, by Linux'."""
    for each in (platform, "linux_x86_64"):
        code = kernels(found, capability, each)
        if not isinstance(code, Unstated):
            return code.coverage
    return None


def _takes_python(candidate: Release, python: Version) -> bool:
    minor = Version.of(python.major, python.minor)
    return candidate.python_min <= minor <= candidate.python_max


def _in_order_of_advice(candidate: Release, platform: Platform) -> list[Build]:
    def preference(found: Build) -> tuple[bool, bool, Version]:
        return found.level == "stable", found.variant == _plain(candidate, platform), found.cuda

    return sorted(builds(candidate.torch), key=preference, reverse=True)


def _plain(candidate: Release, platform: Platform) -> str | None:
    """What plain pip installs, where the table says so."""
    plain = {"linux_x86_64": candidate.pypi_linux, "windows": candidate.pypi_windows}
    return plain.get(platform)


def _judge(
    found: Build, driver: Version | None, driver_cuda_version: Version | None, platform: Platform
) -> driver_cuda.Judgement:
    return driver_cuda.serves(
        found.cuda,
        driver=driver,
        driver_cuda=driver_cuda_version,
        system="windows" if platform == "windows" else "linux",
    )


def _install(
    candidate: Release,
    found: Build,
    code: Kernels,
    judged: driver_cuda.Judgement,
    platform: Platform,
) -> Install:
    plain = found.variant == _plain(candidate, platform)
    return Install(
        found.torch,
        found.variant,
        f"torch=={found.torch}.*",
        None if plain else f"whl/{found.variant}",
        code,
        judged.service,
        f"{code.reason}; {judged.reason}",
        "; ".join(source for source in (found.source, judged.source) if source),
    )

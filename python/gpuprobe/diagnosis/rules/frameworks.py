"""Were the installed frameworks built for a GPU, and for a CUDA that the driver serves?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ...facts.model import Absent, NotThere
from ...facts.said import FRAMEWORK_SEES_GPU
from ..driver_state import only_with_gpu
from ..fixes.driver import install_driver
from ..model import Confidence, Finding, Link, Severity, cite, rule
from ..packages import framework_packages, unknown_build
from ..place import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts
    from ...facts.version import Version
    from ..packages import Package
    from ..place import Place

_INSUFFICIENT_DRIVER = 35


@rule("GP203", "driver-too-old", cause="driver-too-old", link=Link.RUNTIME, since="0.1")
def driver_too_old(facts: Facts) -> Iterator[Finding]:
    """The driver serves an older CUDA than an installed framework was built with."""
    builds = _cuda_builds(facts)
    if any(cuda is not None for _, cuda in builds):
        from ..service import judge_builds

        yield from judge_builds(facts, builds)
    elif facts.known(names.CUDA_CODE) == _INSUFFICIENT_DRIVER:
        yield _said_by_code(facts)
    elif not builds:
        raise NotThere("package.*.cuda")
    else:
        facts.need(names.PACKAGE_CUDA(builds[0][0].name))


def _cuda_builds(facts: Facts) -> list[tuple[Package, Version | None]]:
    """The CUDA builds among the frameworks, with their CUDA as far as it is known."""
    return [
        (package, facts.known(names.PACKAGE_CUDA(package.name)))
        for package in framework_packages(facts)
        if package.build == "cuda"
        and not isinstance(facts.fact(names.PACKAGE_CUDA(package.name)), Absent)
        and not facts.known(FRAMEWORK_SEES_GPU(package.name))  # then the driver serves it
    ]


def _said_by_code(facts: Facts) -> Finding:
    return Finding(
        "The driver serves an older CUDA than the program was built with (error 35)",
        cite(facts, names.CUDA_CALL, names.CUDA_CODE, names.DRIVER_VERSION, names.DRIVER_CUDA),
        install_driver(place_of(facts)),
        confidence=Confidence.LIKELY,
    )


#: The first TensorFlow without GPU support on native Windows.
_TENSORFLOW_WITHOUT_WINDOWS = (2, 11)


@rule("GP601", "cpu-only-build", cause="cpu-only-build", link=Link.FRAMEWORK, since="0.1")
def cpu_only_build(facts: Facts) -> Iterator[Finding]:
    """A framework is installed as a build without CUDA, though there is an NVIDIA GPU."""
    packages = framework_packages(facts)
    if not packages:
        raise NotThere("package.*.build")
    only_with_gpu(facts)
    place = place_of(facts)
    for_cpu = [package for package in packages if _is_for_cpu(package, place)]
    others = [package for package in packages if package not in for_cpu]
    served = {package.framework for package in others}
    told = set(served)
    for package in for_cpu:
        if package.framework in told:
            continue
        told.add(package.framework)
        yield _cpu_only(facts, place, package, works_in_part=bool(served))
    unknown = next((package for package in others if package.build is None), None)
    if unknown is not None:
        raise unknown_build(facts, unknown)


def _is_for_cpu(package: Package, place: Place) -> bool:
    return package.build == "cpu" or _left_windows(package, place)


def _left_windows(package: Package, place: Place) -> bool:
    if place.system != "Windows" or package.framework != "TensorFlow":
        return False
    major, _, minor = package.version.partition(".")
    minor = minor.partition(".")[0]
    if not (major.isdigit() and minor.isdigit()):
        return False
    return (int(major), int(minor)) >= _TENSORFLOW_WITHOUT_WINDOWS


def _cpu_only(facts: Facts, place: Place, package: Package, *, works_in_part: bool) -> Finding:
    from ..fixes.framework import ground_of, install_gpu_build

    if _left_windows(package, place):
        title = f"{package.title} has no GPU support on Windows: 2.10 was the last that had"
    else:
        title = f"{package.title} is a build without CUDA, so it never uses the GPU"
    key = package.name
    return Finding(
        title,
        cite(facts, names.PACKAGE_VERSION(key), names.PACKAGE_BUILD(key), names.PACKAGE_PATH(key)),
        install_gpu_build(package, ground_of(facts)),
        severity=Severity.WARNING if works_in_part else Severity.ERROR,
        subject=package.subject,
        stands_alone=True,
    )

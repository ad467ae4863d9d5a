"""Were the installed frameworks built for a GPU, and for a CUDA that the driver serves?"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ...facts import names
from ...facts.model import Absent, Missing, NotThere
from ...knowledge.driver_cuda import Service, last_branch, serves, toolkit_driver
from ...knowledge.tables import Unstated
from ..driver_state import only_with_gpu
from ..fixes.driver import install_driver
from ..fixes.framework import ground_of, install_gpu_build, older_build, other_build
from ..model import Confidence, Evidence, Finding, Fix, Link, Severity, cite, rule
from ..packages import framework_packages, unknown_build
from ..place import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts
    from ...facts.version import Version
    from ...knowledge.driver_cuda import Judgement
    from ..packages import Package
    from ..place import Place

_INSUFFICIENT_DRIVER = 35


@rule("GP203", "driver-too-old", cause="driver-too-old", link=Link.RUNTIME, since="0.1")
def driver_too_old(facts: Facts) -> Iterator[Finding]:
    """The driver serves an older CUDA than an installed framework was built with."""
    builds = _cuda_builds(facts)
    judged = [(package, _judge(facts, cuda)) for package, cuda in builds if cuda is not None]
    served = len(judged) < len(builds) or any(
        judgement.service is not Service.NO for _, judgement in judged
    )
    for package, judgement in judged:
        if judgement.service is Service.NO:
            yield _too_old(facts, package, judgement, works_in_part=served)
        elif judgement.service is Service.MINOR_VERSION:
            yield _without_ptx(facts, package, judgement)
    if facts.known(names.CUDA_CODE) == _INSUFFICIENT_DRIVER and not judged:
        yield _said_by_code(facts)
    if not builds and facts.known(names.CUDA_CODE) != _INSUFFICIENT_DRIVER:
        raise NotThere("package.*.cuda")
    for package, cuda in builds:
        if cuda is None:
            facts.need(names.PACKAGE_CUDA(package.name))
    for _, judgement in judged:
        if judgement.service is Service.UNKNOWN:
            raise Missing(names.DRIVER_CUDA.name, judgement.reason, names.DRIVER_CUDA.how)


def _cuda_builds(facts: Facts) -> list[tuple[Package, Version | None]]:
    """The CUDA builds among the frameworks, with their CUDA as far as it is known."""
    return [
        (package, facts.known(names.PACKAGE_CUDA(package.name)))
        for package in framework_packages(facts)
        if package.build == "cuda"
        and not isinstance(facts.fact(names.PACKAGE_CUDA(package.name)), Absent)
    ]


def _judge(facts: Facts, cuda: Version) -> Judgement:
    driver, driver_cuda = facts.known(names.DRIVER_VERSION), facts.known(names.DRIVER_CUDA)
    if driver is None and driver_cuda is None:
        facts.need(names.DRIVER_VERSION)  # absent: there is no driver to be too old
    system = place_of(facts).driver_system
    return serves(cuda, driver=driver, driver_cuda=driver_cuda, system=system)


def _evidence(facts: Facts, package: Package, judgement: Judgement) -> tuple[Evidence, ...]:
    cited = cite(
        facts,
        names.DRIVER_VERSION,
        names.DRIVER_CUDA,
        names.PACKAGE_VERSION(package.name),
        names.PACKAGE_CUDA(package.name),
    )
    if judgement.needed is None:
        return cited
    needed = Evidence("needed driver", str(judgement.needed), judgement.source)
    return (*cited, needed)


def _too_old(
    facts: Facts, package: Package, judgement: Judgement, *, works_in_part: bool
) -> Finding:
    driver = facts.known(names.DRIVER_VERSION)
    who = "the driver" if driver is None else f"driver {driver}"
    title = (
        f"{who[0].upper()}{who[1:]} serves CUDA up to {judgement.driver_cuda}, "
        f"{package.title} needs {judgement.runtime}"
    )
    return Finding(
        title,
        _evidence(facts, package, judgement),
        _newer_driver_or_older_build(facts, package, judgement),
        severity=Severity.WARNING if works_in_part else Severity.ERROR,
        confidence=Confidence.CERTAIN if judgement.verified else Confidence.LIKELY,
        subject=package.subject,
        stands_alone=True,
    )


def _newer_driver_or_older_build(facts: Facts, package: Package, judgement: Judgement) -> Fix:
    """Update the driver, unless the card is too old for the one that would be needed."""
    needed = judgement.needed
    for gpu in facts.subjects(names.GPU_CAPABILITY):
        capability = facts.known(names.GPU_CAPABILITY(gpu))
        last = None if capability is None else last_branch(capability)
        if last is None or isinstance(last, Unstated) or last.branch is None or needed is None:
            continue
        if last.branch < needed.major:
            return older_build(package, ground_of(facts), last)
    fix = install_driver(place_of(facts), needed)
    return replace(fix, text=fix.text + other_build(package, ground_of(facts)))


def _without_ptx(facts: Facts, package: Package, judgement: Judgement) -> Finding:
    own = toolkit_driver(judgement.runtime, place_of(facts).driver_system)
    newer = "a newer driver" if isinstance(own, Unstated) else f"driver {own.driver}"
    return Finding(
        f"{package.title} (CUDA {judgement.runtime}) runs on a driver for CUDA "
        f"{judgement.driver_cuda} by minor-version compatibility",
        _evidence(facts, package, judgement),
        Fix(
            "Nothing has to be done for what the package brings along. Only code that is compiled "
            f"to PTX at run time with CUDA {judgement.runtime} needs {newer}."
        ),
        severity=Severity.NOTE,
        subject=package.subject,
    )


def _said_by_code(facts: Facts) -> Finding:
    return Finding(
        "The driver serves an older CUDA than the program was built with (error 35)",
        cite(facts, names.CUDA_CALL, names.CUDA_CODE, names.DRIVER_VERSION, names.DRIVER_CUDA),
        install_driver(place_of(facts)),
        confidence=Confidence.LIKELY,
    )


#: The first TensorFlow without GPU support on native Windows.
_TENSORFLOW_WITHOUT_WINDOWS = (2, 11)
_RELEASE = re.compile(r"(\d+)\.(\d+)")


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
    release = _RELEASE.match(package.version)
    if place.system != "Windows" or package.framework != "TensorFlow" or release is None:
        return False
    return (int(release[1]), int(release[2])) >= _TENSORFLOW_WITHOUT_WINDOWS


def _cpu_only(facts: Facts, place: Place, package: Package, *, works_in_part: bool) -> Finding:
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

"""Were the installed frameworks built for a GPU, and for a CUDA that the driver serves?"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ...facts import names
from ...facts.model import Absent, Facts, Missing, NotThere
from ...facts.said import FRAMEWORK_SEES_GPU
from ..fixes.driver import update_driver
from ..model import Confidence, Finding, Findings, Link, Severity, cite, rule
from ..questions.packages.frameworks import Package, framework_packages
from ..questions.place import place_of
from ..questions.source import looked_at

if TYPE_CHECKING:
    from ...facts.version import Version

_INSUFFICIENT_DRIVER = 35


@rule("GP203", "driver-too-old", cause="driver-too-old", link=Link.RUNTIME, since="0.1")
def driver_too_old(facts: Facts) -> Findings:
    """The driver serves an older CUDA than an installed framework was built with."""
    if not looked_at(facts):
        yield from _told(facts)
        return
    builds = _cuda_builds(facts)
    if any(cuda is not None for _, cuda in builds):
        from ..questions.driver.service import judge_builds

        yield from judge_builds(facts, builds)
    elif facts.known(names.CUDA_CODE) == _INSUFFICIENT_DRIVER:
        yield _said_by_code(facts)
    elif not builds:
        facts.need(names.PACKAGE_FOLDERS)  # there may be one where nobody could look
        raise NotThere("package.*.cuda")
    else:
        facts.need(names.PACKAGE_CUDA(builds[0][0].name))


def _told(facts: Facts) -> Findings:
    """What a text tells: two versions through the tables, else what a program says of them."""
    from ..questions.driver.age import builds_by_table, slower_compilation, told_too_old
    from ..questions.driver.service import judge_builds, older_than_toolkit
    from ..questions.unreached.first_cause import unreached

    slower = slower_compilation(facts)
    if slower is not None:
        yield slower
    if unreached(facts) is not None:
        return  # a driver that is not reached is no old one
    told = told_too_old(facts) or older_than_toolkit(facts)
    stated = _cuda_builds(facts)
    builds = stated if any(cuda is not None for _, cuda in stated) else builds_by_table(facts)
    by_versions = tuple(_as_far_as_told(judge_builds(facts, builds or stated)))
    judged = [each for each in by_versions if each.severity is not Severity.NOTE]
    if judged or told is None:
        yield from by_versions
    else:
        yield told


def _as_far_as_told(findings: Findings) -> Findings:
    """What could be judged of a text; that it leaves some build open leaves no finding out."""
    with suppress(Missing, NotThere):
        yield from findings


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
        update_driver(place_of(facts), facts.known(names.DRIVER_VERSION)),
        confidence=Confidence.LIKELY,
    )

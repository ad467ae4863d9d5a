"""Whether the driver serves the CUDA that each installed framework was built with.

Apart from the rule, because only machines with such frameworks pay for the tables' import.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ....facts import names
from ....facts.model import Facts, Key, Missing
from ....knowledge.architecture import Coverage
from ....knowledge.driver_cuda import Judgement, LastBranch, Service, serves, toolkit_driver
from ....knowledge.tables import Unstated
from ...fixes.driver import update_driver
from ...fixes.framework import older_build, other_build
from ...fixes.ground import ground_of
from ...model import Confidence, Evidence, Finding, Findings, Fix, Severity, cite
from ..place import place_of
from ..statements import errors, no_gpu_seen, statements
from .end import last_branch_here

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....facts.version import Version
    from ..packages.frameworks import Package


def judge_builds(facts: Facts, builds: Sequence[tuple[Package, Version | None]]) -> Findings:
    """A finding for each build that the driver does not serve, and notes on half-served ones.

    It is an error where the driver serves none of them. A build whose CUDA nobody knows (None)
    may be served.

    Raises:
        Missing: At the end, where a build could not be judged.
    """
    judged = [(package, _judge(facts, cuda)) for package, cuda in builds if cuda is not None]
    served = len(judged) < len(builds) or any(
        judgement.service is not Service.NO for _, judgement in judged
    )
    for package, judgement in judged:
        if judgement.service is Service.NO:
            yield _too_old(facts, package, judgement, works_in_part=served)
        elif judgement.service is Service.MINOR_VERSION:
            yield _without_ptx(facts, package, judgement)
    for package, cuda in builds:
        if cuda is None:
            facts.need(names.PACKAGE_CUDA(package.name))
    for _, judgement in judged:
        if judgement.service is Service.UNKNOWN:
            raise Missing(names.DRIVER_CUDA.name, judgement.reason, names.DRIVER_CUDA.how)


#: Frameworks whose builds take the toolkit that is installed, so that they are of its release.
_OF_SYSTEM = ("paddle", "mxnet", "cupy", "chainer")


def older_than_toolkit(facts: Facts) -> Finding | None:
    """A driver that cannot serve the toolkit, where a framework that takes that sees no GPU."""
    toolkit, driver = facts.known(names.TOOLKIT_VERSION), facts.known(names.DRIVER_VERSION)
    unseen = (key for each in _OF_SYSTEM for key in no_gpu_seen(facts, each))
    failing = (*statements(facts, "paddle-no-device"), *unseen, *_of_libgpuarray(facts))
    if toolkit is None or driver is None or not failing:
        return None
    judgement = _judge(facts, toolkit)
    if judgement.service is not Service.NO:
        return None
    return Finding(
        f"Driver {driver} serves CUDA up to {judgement.driver_cuda}; the toolkit that the program"
        f" takes is {toolkit}",
        cite(facts, names.DRIVER_VERSION, names.TOOLKIT_VERSION, *failing),
        update_driver(place_of(facts), driver, judgement.needed),
        confidence=Confidence.LIKELY,
        stands_alone=True,
    )


def _of_libgpuarray(facts: Facts) -> tuple[Key[str], ...]:
    """The toolkit's cuBLAS, which Theano's library takes, does not start."""
    keys = errors(facts, "CUBLAS_STATUS_NOT_INITIALIZED")
    return tuple(key for key in keys if "(cublas)" in (facts.known(key) or ""))


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
    needed = Evidence("driver.needed", str(judgement.needed), judgement.source)
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
    last = _last_driver(facts, judgement)
    return Finding(
        title,
        _evidence(facts, package, judgement),
        _newer_driver_or_older_build(facts, package, judgement, last),
        cause=None if last is None else "gpu-too-old",
        severity=Severity.WARNING if works_in_part else Severity.ERROR,
        confidence=Confidence.CERTAIN if judgement.verified else Confidence.LIKELY,
        subject=package.subject,
        stands_alone=True,
    )


def _last_driver(facts: Facts, judgement: Judgement) -> LastBranch | None:
    """The last branch for the GPUs, where it is older than the one that would be needed."""
    last = last_branch_here(facts)
    if last is None or last.branch is None or judgement.needed is None:
        return None
    return last if last.branch < judgement.needed.major else None


def _newer_driver_or_older_build(
    facts: Facts, package: Package, judgement: Judgement, last: LastBranch | None
) -> Fix:
    """Update the driver, unless the card is too old for the one that would be needed."""
    if last is not None:
        return older_build(package, ground_of(facts), last)
    driver = facts.known(names.DRIVER_VERSION)
    fix = update_driver(place_of(facts), driver, judgement.needed)
    return replace(fix, text=fix.text + other_build(package, ground_of(facts)))


def _without_ptx(facts: Facts, package: Package, judgement: Judgement) -> Finding:
    own = toolkit_driver(judgement.runtime, place_of(facts).driver_system)
    newer = "a newer driver" if isinstance(own, Unstated) else f"driver {own.driver}"
    advice = (
        "Nothing has to be done for what the package brings along. Only code that is compiled "
        f"to PTX at run time with CUDA {judgement.runtime} needs {newer}."
    )
    if _has_only_ptx(facts, package):
        advice = (
            f"The build has its code for this GPU as PTX. Where that is of CUDA "
            f"{judgement.runtime}, it needs {newer}: a kernel that fails with 222 "
            "CUDA_ERROR_UNSUPPORTED_PTX_VERSION says so."
        )
    return Finding(
        f"{package.title} (CUDA {judgement.runtime}) runs on a driver for CUDA "
        f"{judgement.driver_cuda} by minor-version compatibility",
        _evidence(facts, package, judgement),
        Fix(advice),
        severity=Severity.NOTE,
        subject=package.subject,
    )


def _has_only_ptx(facts: Facts, package: Package) -> bool:
    """Whether the driver has to compile the package's code for a GPU that is here."""
    from ..builds.for_gpu import kernels_for  # which loads the tables of all frameworks

    found = (kernels_for(facts, package.name, each) for each in ground_of(facts).capabilities)
    return any(each is not None and each.coverage is Coverage.PTX for each in found)

"""Is a framework installed as a build without CUDA?"""

from __future__ import annotations

from ...facts import said
from ...facts.model import Facts, Missing, NotThere
from ..model import Confidence, Finding, Findings, Severity, cite
from ..questions.applicable import only_with_gpu
from ..questions.builds.cpu import CpuBuild, for_cpu, stated
from ..questions.builds.cpu_suspected import suspected
from ..questions.driver.state import on_board
from ..questions.packages.frameworks import framework_of, framework_packages, unknown_build
from ..questions.packages.python_faults import refused_for_python
from ..questions.source import looked_at
from ..questions.statements import no_gpu_seen, value_words

#: What conda splits TensorFlow into: it is no other framework that would serve the GPU.
_PARTS = ("base", "estimator")


def cpu_only_build(facts: Facts) -> Findings:
    """What GP601 finds."""
    packages = framework_packages(facts)
    said_so = stated(facts)
    if not packages and not said_so and not suspected(facts):
        raise NotThere("package.*.build")
    sure = _gpu_is_there(facts)
    found = (*for_cpu(facts), *said_so, *suspected(facts))
    cpu_names = {each.package for each in found}
    cpu_names |= {f"{each}-{part}" for each in cpu_names for part in _PARTS}
    if "tensorflow-base" in cpu_names:
        cpu_names.add("tensorflow-gpu")  # conda's is a name for what lies in the base
    others = [package for package in packages if package.name not in cpu_names]
    served = {package.framework for package in others} | _installed_beside(facts)
    told = set(served)
    for each in found:
        if each.framework in told and not each.stated:
            continue
        if each.framework in told - served:
            continue
        told.add(each.framework)
        partly = bool(served) and not each.stated
        yield _finding(facts, each, _severity(facts, each, works_in_part=partly), sure=sure)
    unknown = next((package for package in others if package.build is None), None)
    if unknown is not None:
        raise unknown_build(facts, unknown)


def _installed_beside(facts: Facts) -> set[str]:
    """Frameworks of which somebody installed the package for GPUs as well (GP606)."""
    told = value_words(facts, "two-packages-told")
    return {name for word in told if "-gpu" in word and (name := framework_of(word.strip("`'\"")))}


def _gpu_is_there(facts: Facts) -> bool:
    """Whether an NVIDIA GPU is known to be there.

    Raises:
        NotThere: There is none.
        Missing: Nobody could look. A text need not tell: who shows it wants a GPU.
    """
    try:
        only_with_gpu(facts)
    except Missing:
        if looked_at(facts):
            raise
        return False
    return True


def _severity(facts: Facts, build: CpuBuild, *, works_in_part: bool) -> Severity:
    """A text that lists a CPU package beside a GPU build lists a dependency, unless it fails."""
    if build.package in refused_for_python(facts) and on_board(facts):
        return Severity.WARNING  # GP605: with CUDA there is the maker's own build alone
    if not works_in_part:
        return Severity.ERROR
    failed = no_gpu_seen(facts, build.package)
    return Severity.WARNING if looked_at(facts) or failed else Severity.NOTE


def _finding(facts: Facts, build: CpuBuild, severity: Severity, *, sure: bool) -> Finding:
    from ..fixes.framework import install_gpu_build
    from ..fixes.ground import ground_of

    return Finding(
        build.title,
        cite(facts, *build.keys),
        install_gpu_build(build.as_package(facts), ground_of(facts)),
        severity=severity,
        confidence=_confidence(facts, build, sure=sure),
        subject=f"package:{build.package}",
        stands_alone=True,
    )


def _confidence(facts: Facts, build: CpuBuild, *, sure: bool) -> Confidence:
    """A package that only stands in a list is not what an import of something else failed for."""
    failure = (facts.known(said.FAILURE) or "").lower()
    imports_other = "importerror: " in failure and build.package not in failure
    if build.doubted or (imports_other and not build.stated):
        return Confidence.POSSIBLE
    return Confidence.CERTAIN if sure and not build.guessed else Confidence.LIKELY

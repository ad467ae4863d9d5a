"""Where a machine differs from the lock of the GPU stack."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ...facts import locked, names
from ...facts.model import Fact, Facts, Key, Keys, Known, Missing, Unknown
from ..model import Finding, Findings, Fix, Severity, cite
from ..questions.demands import is_newer, meets, same_minor

if TYPE_CHECKING:
    from collections.abc import Collection


def driver(facts: Facts) -> Findings:
    """GP210. A newer driver than the one version that is locked serves the same: a warning."""
    for demand_key, key, what in (
        (locked.DRIVER, names.DRIVER_VERSION, "driver"),
        (locked.CUDA, names.DRIVER_CUDA, "highest CUDA of the driver"),
    ):
        demand = facts.known(demand_key)
        found = None if demand is None else facts.look(key)
        if demand is None or (found is not None and meets(demand, str(found))):
            continue
        newer = found is not None and is_newer(demand, str(found))
        yield _finding(
            f"The {what} is {found or 'missing'}; the lock demands {demand}",
            facts,
            (demand_key, key),
            Severity.WARNING if newer else Severity.ERROR,
        )


def gpus(facts: Facts, lost: Collection[str]) -> Findings:
    """GP105. Too few of a kind are an error; more than an exact number a warning.

    Those that are `lost` compute nothing, and nobody may be able to read of what kind they are.
    """
    for entry in facts.subjects(locked.GPU_COUNT):
        demand = facts.known(locked.GPU_COUNT(entry)) or ">=1"
        wanted = _kind(facts, entry)
        found = sum(_fits(facts, gpu, entry) for gpu in _listed(facts) if gpu not in lost)
        if meets(demand, str(found)):
            continue
        keys: Keys = (
            *(locked.GPU_NAME(entry), locked.GPU_CAPABILITY(entry), locked.GPU_COUNT(entry)),
            *facts.keys_of(names.GPU_NAME),
            *map(names.GPU_FAILURE, lost),
        )
        severity = Severity.WARNING if is_newer(demand, str(found)) else Severity.ERROR
        title = f"The lock demands {demand} of {wanted}; this machine has {found}"
        title += f", and {len(lost)} that failed" if lost else ""
        yield _finding(title, facts, keys, severity)


def _kind(facts: Facts, entry: str) -> str:
    name = facts.known(locked.GPU_NAME(entry))
    capability = facts.known(locked.GPU_CAPABILITY(entry))
    parts = (name or "a GPU", f"with compute capability {capability}" if capability else "")
    return " ".join(part for part in parts if part)


def _listed(facts: Facts) -> tuple[str, ...]:
    """The GPUs that are known; raises `Missing` where nobody can say that there is none."""
    found = facts.subjects(names.GPU_NAME)
    counts = (names.NVML_COUNT, names.CUDA_COUNT, names.PCI_NVIDIA_COUNT)
    if not found and not any(facts.known(key) == 0 for key in counts):
        raise Missing(names.NVML_COUNT.name, "no GPU could be listed", names.NVML_COUNT.how)
    return found


def _fits(facts: Facts, gpu: str, entry: str) -> bool:
    name = facts.known(locked.GPU_NAME(entry))
    if name is not None:
        found = facts.look(names.GPU_NAME(gpu))
        pattern = name.lower().replace("[", "[[]")  # only * and ? stand for others
        if found is None or not fnmatchcase(found.lower(), pattern):
            return False
    demand = facts.known(locked.GPU_CAPABILITY(entry))
    if demand is None:
        return True
    capability = facts.look(names.GPU_CAPABILITY(gpu))
    return capability is not None and meets(demand, str(capability))


def software(facts: Facts) -> Findings:
    """GP610. Another patch release of a package is a warning; all else is an error."""
    yield from _system(facts)
    for package in facts.subjects(locked.PACKAGE_VERSION):
        yield from _package(facts, package)
    for library in facts.subjects(locked.LIBRARY):
        key = names.LIBRARY_VERSION(library)
        found = facts.look(key)
        demand = facts.known(locked.LIBRARY(library)) or ""
        if found is None or not meets(demand, str(found)):
            title = f"{library} is {found or 'missing'}; the lock demands {demand}"
            yield _finding(
                title, facts, (locked.LIBRARY(library), key), subject=f"library:{library}"
            )


def _system(facts: Facts) -> Findings:
    demand = facts.known(locked.SYSTEM)
    if demand is not None:
        system = facts.need(names.OS_SYSTEM)
        found = f"{system} {facts.need(names.OS_MACHINE)}"
        if demand.lower() not in (found.lower(), system.lower()):
            title = f"This is {found}; the lock is for {demand}"
            yield _finding(title, facts, (locked.SYSTEM, names.OS_SYSTEM, names.OS_MACHINE))
    demand = facts.known(locked.PYTHON)
    if demand is not None:
        python = str(facts.need(names.PYTHON_VERSION))
        if not meets(demand, python):
            title = f"Python is {python}; the lock demands {demand}"
            yield _finding(title, facts, (locked.PYTHON, names.PYTHON_VERSION))


def _package(facts: Facts, package: str) -> Findings:
    subject = f"package:{package}"
    demand_key, key = locked.PACKAGE_VERSION(package), names.PACKAGE_VERSION(package)
    demand, version = facts.known(demand_key) or "", _installed(facts, key)
    if not isinstance(version, Known):
        title = f"{package} is not installed; the lock demands {demand}"
        yield _finding(title, facts, (demand_key, key), subject=subject)
        return
    if not meets(demand, version.value):
        title = f"{package} is {version.value}; the lock demands {demand}"
        near = same_minor(demand, version.value)
        severity = Severity.WARNING if near else Severity.ERROR
        yield _finding(title, facts, (demand_key, key), severity, subject)
    build = facts.known(locked.PACKAGE_BUILD(package))
    found = None if build is None else facts.look(names.PACKAGE_BUILD(package))
    if build is not None and found != build:
        title = f"{package} is a build for {found}; the lock demands one for {build}"
        built = (locked.PACKAGE_BUILD(package), names.PACKAGE_BUILD(package))
        yield _finding(title, facts, built, subject=subject)
        return
    cuda = facts.known(locked.PACKAGE_CUDA(package))
    made_for = None if cuda is None else facts.look(names.PACKAGE_CUDA(package))
    if cuda is not None and (made_for is None or not meets(cuda, str(made_for))):
        title = f"{package} is made for CUDA {made_for or 'none'}; the lock demands {cuda}"
        keys = (locked.PACKAGE_CUDA(package), names.PACKAGE_CUDA(package))
        yield _finding(title, facts, keys, subject=subject)


def _installed(facts: Facts, key: Key[str]) -> Fact[str]:
    """The version; that it is not installed can be said where the folders were searched."""
    fact = facts.fact(key)
    if isinstance(fact, Unknown) and key.name in facts:
        raise Missing(key.name, fact.reason, key.how)
    if isinstance(fact, Unknown):
        facts.need(names.PACKAGE_FOLDERS)
    return fact


def _finding(
    title: str,
    facts: Facts,
    keys: Keys,
    severity: Severity = Severity.ERROR,
    subject: str = "machine",
) -> Finding:
    return Finding(
        title,
        cite(facts, *keys),
        Fix(
            "Bring this machine to what the lock demands. Where the change is meant, write the "
            "lock anew (or a range into it), look at its diff, and commit it.",
            ("gpuprobe lock",),
        ),
        severity=severity,
        subject=subject,
        stands_alone=True,
    )

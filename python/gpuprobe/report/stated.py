"""The chain as a pasted text states it: only the links of which it says something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnosis.model import Link, Severity
from ..facts import names, said
from ..facts.model import Facts, Known
from .links import TITLES, Row, faults, see
from .marks import Mark
from .units import bytes_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .model import Report

_FEW = 4


def stated(report: Report) -> tuple[Row, ...]:
    """The links that the text speaks of, in their order."""
    rows = (
        Row(link, title, _mark(report, link), "; ".join(_details(report, link)))
        for link, title in TITLES.items()
    )
    return tuple(row for row in rows if row.detail)


def _details(report: Report, link: Link) -> Iterator[str]:
    """What is stated of a link, then the findings that break it."""
    if link in _WORDS:
        yield from _WORDS[link](report.facts)
    if pointer := see(report.diagnosis, link):
        yield pointer


def _mark(report: Report, link: Link) -> Mark:
    """A link is broken by a finding, or works by the proof; a text tells no more."""
    diagnosis = report.diagnosis
    found = faults(diagnosis, link)
    if any(p.finding.severity is Severity.ERROR for p in found):
        return Mark.BROKEN
    if found:
        return Mark.IN_PART
    lacking = link is Link.LIBRARIES and any(report.facts.subjects(names.LIBRARY_MISSING))
    works = diagnosis.proof is not None and link <= diagnosis.proof.link and not lacking
    return Mark.WORKS if works else Mark.OPEN


def _hardware(facts: Facts) -> Iterator[str]:
    gpus: dict[str, int] = {}
    for gpu in facts.subjects(names.GPU_NAME):
        name = facts.known(names.GPU_NAME(gpu)) or "unnamed"
        memory = facts.known(names.GPU_MEMORY(gpu))
        words = name if memory is None else f"{name}, {bytes_in_words(memory)}"
        gpus[words] = gpus.get(words, 0) + 1
    yield from (words if n == 1 else f"{n} x {words}" for words, n in gpus.items())


def _module(facts: Facts) -> Iterator[str]:
    version = facts.known(names.MODULE_VERSION)
    if version is not None:
        yield f"NVIDIA {version}"
    if facts.known(names.MODULE_NOUVEAU):
        yield "nouveau is loaded"


def _driver(facts: Facts) -> Iterator[str]:
    version = facts.known(names.DRIVER_VERSION) or facts.known(names.NVML_VERSION)
    if version is not None:
        yield f"driver {version}"
    library = facts.known(names.LIBCUDA_VERSION)
    if library is not None and library != version:
        yield f"libcuda {library}"


def _container(facts: Facts) -> Iterator[str]:
    wsl, kind = facts.known(names.WSL_VERSION), facts.known(names.CONTAINER_KIND)
    if wsl is not None:
        yield f"Windows Subsystem for Linux {wsl}"
    if kind is not None:
        yield kind


def _visible(facts: Facts) -> Iterator[str]:
    fact = facts.fact(names.ENV("CUDA_VISIBLE_DEVICES"))
    if isinstance(fact, Known):
        yield f"CUDA_VISIBLE_DEVICES={fact.value or '(empty)'}"


def _runtime(facts: Facts) -> Iterator[str]:
    driver, toolkit = facts.known(names.DRIVER_CUDA), facts.known(names.TOOLKIT_VERSION)
    if driver is not None:
        yield f"the driver serves CUDA up to {driver}"
    if toolkit is not None:
        yield f"toolkit {toolkit}"


def _libraries(facts: Facts) -> Iterator[str]:
    cudnn = facts.known(said.CUDNN_VERSION)
    if cudnn is not None:
        yield f"cuDNN {cudnn}"
    for library in facts.subjects(names.LIBRARY_MISSING):
        broken = facts.known(said.LIBRARY_BROKEN(library)) is not None  # there, and of no use
        what = "does not load" if broken else "is not found"
        yield f"{facts.known(names.LIBRARY_MISSING(library)) or library} {what}"


def _framework(facts: Facts) -> Iterator[str]:
    """Packages whose build is known; where there are none, the first few that are named."""
    named = facts.subjects(names.PACKAGE_BUILD) or facts.subjects(names.PACKAGE_VERSION)
    yield from (_package(facts, package) for package in named[:_FEW])
    if len(named) > _FEW:
        yield f"and {len(named) - _FEW} more"
    for framework in facts.subjects(said.FRAMEWORK_SEES_GPU):
        sees = facts.known(said.FRAMEWORK_SEES_GPU(framework))
        yield f"{framework} sees {'the' if sees else 'no'} GPU"


def _package(facts: Facts, package: str) -> str:
    version = facts.known(names.PACKAGE_VERSION(package)) or ""
    cuda = facts.known(names.PACKAGE_CUDA(package))
    build = facts.known(names.PACKAGE_BUILD(package))
    made_for = f"CUDA {cuda}" if cuda is not None else build
    name = f"{package} {version}".strip()
    return f"{name} ({made_for})" if made_for else name


def _work(facts: Facts) -> Iterator[str]:
    for framework in facts.subjects(said.FRAMEWORK_COMPUTED):
        if facts.known(said.FRAMEWORK_COMPUTED(framework)):
            yield f"{framework} computed on the GPU"
    yield from facts.subjects(said.ERROR)[:_FEW]
    yield from (f"Xid {number}" for number in facts.subjects(names.XID)[:_FEW])


_WORDS: dict[Link, Callable[[Facts], Iterator[str]]] = {
    Link.HARDWARE: _hardware,
    Link.KERNEL_MODULE: _module,
    Link.USER_DRIVER: _driver,
    Link.CONTAINER: _container,
    Link.VISIBLE_DEVICES: _visible,
    Link.RUNTIME: _runtime,
    Link.LIBRARIES: _libraries,
    Link.FRAMEWORK: _framework,
    Link.WORK: _work,
}

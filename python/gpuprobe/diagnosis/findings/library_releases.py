"""Which CUDA libraries of a machine do not go together, by their releases and search paths."""

from __future__ import annotations

from ...facts import names
from ...facts.model import Facts, Known
from ..fixes.one_release import as_asked
from ..fixes.search_order import one_cudnn_in, without_folder
from ..model import Confidence, Evidence, Finding, Findings, Fix, Severity, cite
from ..questions.applicable import not_without_gpu
from ..questions.libraries.faults import title_of
from ..questions.libraries.releases import (
    CUDNN,
    Behind,
    Shadowed,
    behind_torch,
    breaks_at_once,
    mixed_parts,
    shadowed,
)
from ..questions.place import place_of


def path_conflict(facts: Facts) -> Findings:
    """GP403: LD_LIBRARY_PATH gives a framework another release than it brought."""
    not_without_gpu(facts)
    found = shadowed(facts)
    if found:
        yield _taken(facts, found)


def _taken(facts: Facts, found: tuple[Shadowed, ...]) -> Finding:
    worst = found[0]
    return Finding(
        f"{', '.join(worst.takers)} gets {title_of(worst.stem)} {worst.first} by LD_LIBRARY_PATH, "
        f"not its own {worst.own}{_and_others(found)}",
        _cited(facts, found),
        _without(facts, found),
        severity=Severity.ERROR if breaks_at_once(worst.stem) else Severity.WARNING,
        confidence=Confidence.LIKELY,
    )


def _without(facts: Facts, found: tuple[Shadowed, ...]) -> Fix:
    paths = (facts.known(names.LIBRARY_PATH(each.stem)) or "" for each in found)
    folders = dict.fromkeys(path.rpartition("/")[0] for path in paths)
    listed = facts.known(names.ENV("LD_LIBRARY_PATH"))
    library = title_of(found[0].stem)
    return without_folder(place_of(facts), library, tuple(filter(None, folders)), listed)


def _and_others(found: tuple[Shadowed, ...]) -> str:
    others = ", ".join(title_of(each.stem) for each in found[1:])
    return f" (likewise {others})" if others else ""


def _cited(facts: Facts, found: tuple[Shadowed, ...]) -> tuple[Evidence, ...]:
    keys = [
        key(each.stem)
        for each in found
        for key in (
            names.LIBRARY_PATH,
            names.LIBRARY_VERSION,
            names.LIBRARY_OWN_VERSION,
            names.LIBRARY_TAKEN_BY,
        )
    ]
    return cite(facts, *keys, names.ENV("LD_LIBRARY_PATH"))


def libraries_mismatch(facts: Facts) -> Findings:
    """GP404: pip has an older release of a library than the installed torch was built with."""
    not_without_gpu(facts)
    for each in behind_torch(facts):
        if not each.package.startswith(CUDNN):
            yield _behind(facts, each)


def cudnn_mismatch(facts: Facts) -> Findings:
    """GP502: parts of several releases in one folder, or a cuDNN older than torch's."""
    not_without_gpu(facts)
    parts = mixed_parts(facts)
    if parts is not None:
        stem, version, main = parts
        path = facts.known(names.LIBRARY_PATH("cudnn")) or ""
        yield Finding(
            f"The libraries of cuDNN are of different versions: {stem} {version}, cudnn {main}",
            cite(
                facts,
                *(names.LIBRARY_VERSION("cudnn"), names.LIBRARY_VERSION(stem)),
                *(names.LIBRARY_PATH("cudnn"), names.LIBRARY_PATH(stem)),
            ),
            one_cudnn_in(place_of(facts), path.rpartition("/")[0]),
            confidence=Confidence.LIKELY,
        )
    for each in behind_torch(facts):
        if each.package.startswith(CUDNN):
            yield _behind(facts, each)


def _behind(facts: Facts, each: Behind) -> Finding:
    keys = (names.PACKAGE_VERSION(each.package), names.PACKAGE_ASKED_BY_TORCH(each.package))
    fact = facts.fact(names.PACKAGE_VERSION("torch"))
    torch = f"torch {fact.value}" if isinstance(fact, Known) else "torch"
    return Finding(
        f"{torch} was built with {each.package} {each.wanted}, installed is {each.have}",
        cite(facts, *keys, names.PACKAGE_VERSION("torch")),
        as_asked(each.package, each.wanted, each.have),
        severity=Severity.ERROR if breaks_at_once(each.stem) else Severity.WARNING,
        confidence=Confidence.LIKELY,
        subject=f"package:{each.package}",
    )

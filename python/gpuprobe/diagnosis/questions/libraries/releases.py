"""Which releases of CUDA libraries do not go together, of what a look at a machine found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names
from ....facts.version import Version
from ..statements import where_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts

CUDNN = "nvidia-cudnn"
#: The parts of cuDNN, which refuse each other unless they are of one release.
_PART = "cudnn_"
#: Since CUDA 11 libraries of one major take each other's place, but for two: the symbols of
#: nvJitLink carry the release, and cuDNN compares releases when it starts.
_STRICT = ("nvjitlink", "cudnn")


class Shadowed(NamedTuple):
    """A library of which LD_LIBRARY_PATH names another release than a framework brought.

    `takers` are the frameworks that get the other.
    """

    stem: str
    first: Version
    own: Version
    takers: tuple[str, ...]


class Behind(NamedTuple):
    """A package of a library that is older than the release that torch asks for."""

    package: str
    stem: str
    have: str
    wanted: Version


def doubtful(facts: Facts) -> bool:
    """Whether a collector saw another release before a framework's own."""
    return bool(facts.subjects(names.LIBRARY_OWN_VERSION))


def asked_otherwise(facts: Facts) -> bool:
    """Whether pip has another release of some library than torch asks for."""
    return bool(facts.subjects(names.PACKAGE_ASKED_BY_TORCH))


def shadowed(facts: Facts) -> tuple[Shadowed, ...]:
    """The libraries of which a framework gets a release that does not serve.

    Those that keep it from starting come first. Where cuDNN itself is another, its parts are not
    told as well.

    Raises:
        Missing: Nobody could look into the frameworks' files, and it matters.
    """
    found = tuple(_shadowed(facts))
    whole = any(each.stem == "cudnn" for each in found)
    kept = (each for each in found if not (whole and each.stem.startswith(_PART)))
    return tuple(sorted(kept, key=lambda each: not breaks_at_once(each.stem)))


def _shadowed(facts: Facts) -> Iterator[Shadowed]:
    for stem in facts.subjects(names.LIBRARY_OWN_VERSION):
        first = facts.look(names.LIBRARY_VERSION(stem))
        own = facts.look(names.LIBRARY_OWN_VERSION(stem))
        if first is None or own is None or _serves(stem, first, _made_for(facts, stem, own)):
            continue
        takers = facts.need(names.LIBRARY_TAKEN_BY(stem))
        if takers:
            yield Shadowed(stem, first, own, takers)


def _made_for(facts: Facts, stem: str, own: Version) -> Version:
    """The release that a library has to fit: of a part of cuDNN that of the cuDNN in use."""
    main = "cudnn"
    if not stem.startswith(_PART) or names.LIBRARY_OWN_VERSION(main).name not in facts:
        return own
    taken = facts.need(names.LIBRARY_TAKEN_BY(main))
    return (facts.look(names.LIBRARY_VERSION(main)) if taken else None) or own


def _serves(stem: str, have: Version, made_for: Version) -> bool:
    """Whether a release may stand in for another: of one major, and not an older minor."""
    if stem.startswith(_PART):
        return have == made_for
    return have.major == made_for.major and have.minor >= made_for.minor


def breaks_at_once(stem: str) -> bool:
    """Whether an older release of a library keeps a framework from starting."""
    return stem.startswith(_STRICT)


def behind_torch(facts: Facts) -> Iterator[Behind]:
    """The packages whose installed release is too old for the installed torch."""
    for package in facts.subjects(names.PACKAGE_ASKED_BY_TORCH):
        wanted = facts.look(names.PACKAGE_ASKED_BY_TORCH(package))
        text = facts.look(names.PACKAGE_VERSION(package))
        have = None if text is None else Version.parse(text)
        stem = package.removeprefix("nvidia-").partition("-cu1")[0]
        if wanted is not None and have is not None and not _serves(stem, have, wanted):
            yield Behind(package, stem, str(have), wanted)


def mixed_parts(facts: Facts) -> tuple[str, Version, Version] | None:
    """A part of cuDNN that lies beside the main library and is of another release of its major.

    The part, its release, and that of the main library.
    """
    main = where_known(facts, names.LIBRARY_VERSION("cudnn"))
    if main is None:
        return None
    folder = _folder(facts, "cudnn")
    for stem in facts.subjects(names.LIBRARY_VERSION):
        version = facts.look(names.LIBRARY_VERSION(stem)) if stem.startswith(_PART) else None
        if version is None or _folder(facts, stem) != folder:
            continue
        if version.major == main.major and version != main:
            return stem, version, main
    return None


def _folder(facts: Facts, stem: str) -> str:
    path = (where_known(facts, names.LIBRARY_PATH(stem)) or "").replace("\\", "/")
    return path.rpartition("/")[0]

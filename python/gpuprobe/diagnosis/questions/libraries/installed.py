"""Which CUDA a program would find on this machine, as far as the facts tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ....facts.model import Facts, Key, Known
from ....facts.regex import regex
from ..once import asked_once
from ..statements import where_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.version import Version
    from ....knowledge.cuda_libraries import Origin

#: Libraries whose names tell the release well enough; libcurand.so.10 has been so since 10.1.
_TELLING = ("cudart", "cublas", "cublaslt")
_PIP_RUNTIME = regex(r"nvidia-(?:cuda-runtime|cublas)(?:-cu\d+)?")
_FOLDER = regex(r"cuda[-/\\]v?(\d{1,2}\.\d)\b", re.IGNORECASE)
_PLACES = ("LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "PATH")


class Installed(NamedTuple):
    """A CUDA that is there, and the fact that shows it."""

    cuda: Version
    key: Key[object]


def installed_cuda(facts: Facts) -> tuple[Installed, ...]:
    """Each CUDA that the facts show: toolkit, folders of a search path, pip's libraries."""
    return tuple({found.cuda: found for found in _shown(facts)}.values())


def installed_or_named(facts: Facts) -> tuple[Installed, ...]:
    """The same; where nothing shows any, and none was loaded, what the text calls CUDA counts."""
    return installed_cuda(facts) or (() if loaded_origins(facts) else _named(facts))


def _shown(facts: Facts) -> Iterator[Installed]:
    toolkit = facts.known(names.TOOLKIT_VERSION)
    if toolkit is not None:
        yield Installed(toolkit, names.TOOLKIT_VERSION)
    cudart = where_known(facts, names.LIBRARY_VERSION("cudart"))
    if cudart is not None:
        yield Installed(_version(f"{cudart.major}.{cudart.minor}"), names.LIBRARY_VERSION("cudart"))
    yield from _listed(facts)
    for place in _PLACES:
        for found in _FOLDER.findall(facts.known(names.ENV(place)) or ""):
            yield Installed(_version(found), names.ENV(place))
    for package in facts.subjects(names.PACKAGE_VERSION):
        key = names.PACKAGE_CUDA(package)
        cuda = facts.known(key)
        if cuda is not None and _PIP_RUNTIME.fullmatch(package):
            yield Installed(cuda, key)


#: Files of these are named after the release of CUDA itself: libcudart.so.12.1.105.
_BY_RELEASE = ("cudart", "nvrtc")


def _listed(facts: Facts) -> Iterator[Installed]:
    """The releases of listed files, as exactly as their names tell them."""
    from ....knowledge.cuda_libraries import origin

    for stem in (*_TELLING, "nvrtc"):
        key = said.LIBRARY_LISTED(stem)
        for file in facts.known(key) or ():
            numbers = file.partition(".so.")[2].split(".")
            brought_by = origin(file)
            if stem in _BY_RELEASE and len(numbers) > 2:  # noqa: PLR2004
                yield Installed(_version(".".join(numbers[:2])), key)
            elif brought_by is not None:
                yield Installed(_version(str(brought_by.first.major)), key)


def _version(text: str) -> Version:
    from ....facts.version import Version

    return Version(text)


def _named(facts: Facts) -> tuple[Installed, ...]:
    """The releases that a text names, whoever does, but for those that programs need."""
    named = facts.known(said.CUDA_NAMED) or ()
    return tuple(Installed(_version(each), said.CUDA_NAMED) for each in named)


@asked_once
def loaded_origins(facts: Facts) -> tuple[tuple[Key[object], Origin], ...]:
    """The CUDA releases of the libraries that a program did load."""
    from ....knowledge.cuda_libraries import origin

    loaded = ((said.LIBRARY_LOADED(stem), stem) for stem in _TELLING)
    files = ((key, facts.fact(key)) for key, _ in loaded)
    found = ((key, origin(fact.value)) for key, fact in files if isinstance(fact, Known))
    return tuple((key, each) for key, each in found if each is not None)


def lies_elsewhere(facts: Facts, wanted: Origin) -> tuple[Installed, ...]:
    """The installed CUDA where none of it is of the releases that `wanted` belongs to.

    Empty where one is, and where nobody knows what is installed. Where nothing shows it, what the
    text calls CUDA counts.
    """
    found = installed_cuda(facts) or _named(facts)
    if any(wanted.holds(each.cuda) for each in found):
        return ()
    if not found and any(each.meets(wanted) for _, each in loaded_origins(facts)):
        return ()
    return found

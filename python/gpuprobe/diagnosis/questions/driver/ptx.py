"""Code that the driver's own compiler does not take, as it is of a later CUDA than the driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..gpus.known import gpus
from ..statements import errors, statements, value, value_words
from .end import served_cuda

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Key, Keys

_INVALID = "CUDA_ERROR_INVALID_PTX"
_CODES = ("CUDA_ERROR_UNSUPPORTED_PTX_VERSION", _INVALID)
#: How the compiler inside the driver names what it was given; the toolkit's names a file.
DRIVERS_PTXAS = "ptxas application"
#: From this CUDA on a driver has a code of its own for PTX that is too new for it.
_TELLS_IT = 11
#: Programs that compile for the GPU where they run, LuxCore and OpenMM: it is wrong for no GPU.
_COMPILES_THERE = regex(r"(?i)\b(?:luxrays|luxcore)\b|\bError loading CUDA module: ")


def ptx_refused(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """By the versions that the compiler names, by the driver's age, by what a program supposes."""
    codes = errors(facts, *_CODES)
    versions = value_words(facts, "ptx-version-unsupported")
    if versions and value(facts, "ptxas-fatal").startswith(DRIVERS_PTXAS):
        title = f"The driver's compiler takes PTX up to {versions[-1]}, the program's is newer"
        keys = statements(facts, "ptx-version-unsupported", "ptxas-fatal")
        yield (*keys, *codes), title, Confidence.LIKELY
    if codes and (told := statements(facts, "program-ptx-newer-than-driver")):
        title = "The program's PTX is newer than the driver, as it says itself"
        yield (*told, *codes), title, Confidence.LIKELY
    yield from _before_its_code(facts)
    without = statements(facts, "mumax-no-code")
    if without and not all_old(facts):
        title = "The program's code is of a newer CUDA than the driver's, as it supposes itself"
        yield without, title, Confidence.POSSIBLE


def _before_its_code(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """Old drivers call PTX invalid that is too new for them."""
    serves, toolkit = served_cuda(facts), facts.known(names.TOOLKIT_VERSION)
    codes = errors(facts, _INVALID)
    if not codes or (serves is not None and serves.major >= _TELLS_IT):
        return
    if any(compiled_there(facts, code) for code in codes):
        title = "The driver is older than the compiler that the program calls where it runs"
        yield codes, title, Confidence.LIKELY
    elif serves is not None and toolkit is not None:
        made = Version.of(toolkit.major, toolkit.minor)
        if serves < made:
            title = f"The driver serves CUDA up to {serves}, and takes no PTX of CUDA {made}"
            yield (*codes, names.TOOLKIT_VERSION), title, Confidence.LIKELY


def compiled_there(facts: Facts, code: Key[str]) -> bool:
    """Whether the program that met this code compiled for the GPU where it runs."""
    of_ptx = code == said.ERROR(_INVALID)
    return of_ptx and _COMPILES_THERE.search(facts.known(code) or "") is not None


#: The last major that mumax3's makers, as most of others, still build for older GPUs with.
_STILL_BUILT_WITH = 12


def all_old(facts: Facts) -> bool:
    """Whether GPUs are named, and none that the toolkits of today's programs compile for."""
    from ....knowledge.architecture import architecture

    known = [architecture(gpu.capability) for gpu in gpus(facts)]
    last = [row.last_toolkit for row in known if row is not None]
    return bool(last) and all(each and each.major < _STILL_BUILT_WITH for each in last)

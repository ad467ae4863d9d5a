"""Does a program get the copy of a CUDA library that it was made for?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ..fixes.library import own_copy_first
from ..model import Confidence, Finding, cite
from ..questions.cudnn_faults import SHADOWED, cudnn_fault
from ..questions.driver_state import not_without_gpu
from ..questions.library_faults import library_faults, title_of
from ..questions.place import place_of
from ..questions.search_path import bound_elsewhere, foreign_folder, loose_symbols, older_than_built
from ..questions.statements import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts


def library_path_conflict(facts: Facts) -> Iterator[Finding]:
    """What GP403 finds."""
    not_without_gpu(facts)
    place = place_of(facts)
    for symbol in loose_symbols(facts):
        copy = bound_elsewhere(facts, symbol)
        if copy is not None:
            yield Finding(
                f"{short(symbol.wanted_by)} gets {symbol.library} from {copy}, not its own",
                cite(facts, symbol.key, *symbol.copies),
                own_copy_first(place, symbol.library),
            )
            return
    fault = cudnn_fault(facts)
    if fault is not None and fault.cause == SHADOWED:
        yield Finding(
            fault.title,
            cite(facts, *fault.keys),
            own_copy_first(place, "cuDNN"),
            confidence=fault.confidence,
        )
    for missed in library_faults(facts):
        if missed.cause == SHADOWED:
            library = title_of(missed.stem)
            yield Finding(
                f"JAX brings {library} along and does not load it: another copy is found first",
                cite(facts, *missed.keys, names.ENV("LD_LIBRARY_PATH")),
                own_copy_first(place, library),
                confidence=Confidence.LIKELY,
            )
            return
    older, folder = older_than_built(facts), foreign_folder(facts)
    if older is not None and folder is not None:
        yield Finding(
            f"{older.title}; {folder} is searched first",
            cite(facts, said.SIGN(older.sign), names.ENV("LD_LIBRARY_PATH")),
            own_copy_first(place, older.library),
            confidence=Confidence.LIKELY,
        )

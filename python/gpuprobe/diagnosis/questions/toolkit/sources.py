"""Code that was written for another CUDA than the one that compiles or runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ..statements import short, value

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys
    from ....facts.version import Version
    from ....knowledge.driver_functions import Change


def source_of_earlier(facts: Facts) -> Change | None:
    """What the compiler refuses was right until a CUDA that the tables know."""
    refused = value(facts, "cuda-source-of-earlier")
    if not refused:
        return None
    from ....knowledge.driver_functions import changed

    toolkit, found = facts.known(names.TOOLKIT_VERSION), changed(refused)
    before = found is not None and toolkit is not None and toolkit.major < found.cuda.major
    return None if before else found


def source_of_later(facts: Facts) -> tuple[str, Version] | None:
    """What the compiler does not know came with a later CUDA than its own."""
    from ....knowledge.driver_functions import arrived

    toolkit, name = facts.known(names.TOOLKIT_VERSION), value(facts, "cuda-source-of-later")
    found = arrived(name) if name else None
    if found is None or (toolkit is None and not found.alone):
        return None
    return (name, found.cuda) if toolkit is None or toolkit < found.cuda else None


def newer_than_runtime(facts: Facts) -> tuple[str, Keys] | None:
    """Code that a newer nvcc compiled, which asks the run time for what it does not have yet."""
    from ....knowledge.driver_functions import first_runtime

    ours = (facts.known(names.TOOLKIT_VERSION), facts.known(names.PACKAGE_CUDA("torch")))
    oldest = min((each for each in ours if each is not None), default=None)
    for symbol in facts.subjects(said.SYMBOL_WANTED_BY) if oldest is not None else ():
        first, key = first_runtime(symbol), said.SYMBOL_WANTED_BY(symbol)
        if first is not None and oldest is not None and oldest < first:
            file = short(facts.known(key) or "a program")
            title = f"The code of {file} is of CUDA {first} or later, the run time here is older"
            return title, (key, names.TOOLKIT_VERSION, names.PACKAGE_CUDA("torch"))
    return None

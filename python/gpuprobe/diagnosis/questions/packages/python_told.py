"""A package that is offered for later Pythons alone, as people tell of it and of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ....facts.version import Version
from ...fixes.python import other_environment
from ...model import Confidence, Draft
from ..statements import statements, value_words

if TYPE_CHECKING:
    from ....facts.model import Facts


def offered_later(facts: Facts) -> Draft | None:
    """The first Python that somebody found the package offered for, and the older one there."""
    from ....knowledge.companions import is_rapids, last_rapids_for

    told, python = value_words(facts, "python-floor-told"), facts.known(names.PYTHON_VERSION)
    if len(told) < 2 or python is None or python >= (first := Version(told[1])):  # noqa: PLR2004
        return None
    name = told[0]
    title = f"{name} is offered for Python {first} and later, and this is {python}"
    last = last_rapids_for(python) if is_rapids(name) else None
    if last is not None:
        title += f": RAPIDS {last} was the last for it"
    keys = (*statements(facts, "python-floor-told"), names.PYTHON_VERSION)
    return Draft(title, keys, other_environment(first, name), Confidence.LIKELY)

"""Installed packages that were compiled for NumPy 1, beside NumPy 2: by their versions alone.

Asked of machines only: in a pasted list of packages the one that matters is told by what failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...facts import names
from .driver_state import looked_at
from .statements import where_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts, Key


class CompiledForOne(NamedTuple):
    """A package, and whether its import fails or only the exchange of arrays."""

    package: str
    title: str
    keys: tuple[Key[object], ...]
    fails: bool


def compiled_for_numpy_1(facts: Facts) -> Iterator[CompiledForOne]:
    """Those that do not load with the NumPy 2 beside them, or cannot exchange arrays with it.

    Raises:
        Missing: Nobody could tell the version of NumPy or of one of them.
    """
    numpy = where_known(facts, names.PACKAGE_VERSION("numpy")) if looked_at(facts) else None
    if numpy is None or numpy.startswith(("0.", "1.")):
        return
    from ...knowledge.companions import numpy_2_since
    from ...knowledge.tables import Unstated, release_number

    for package in facts.subjects(names.PACKAGE_VERSION):
        first = numpy_2_since(package, facts.known(names.OS_SYSTEM) or "Linux")
        if isinstance(first, Unstated):
            continue
        key = names.PACKAGE_VERSION(package)
        have = facts.need(key)
        release = release_number(have)
        if release is not None and release < first.since:
            effect = "they cannot exchange arrays" if first.works_without else "its import fails"
            title = f"{package} {have} was compiled for NumPy 1, and NumPy is {numpy}: {effect}"
            keys = (key, names.PACKAGE_VERSION("numpy"))
            yield CompiledForOne(package, title, keys, not first.works_without)

"""Names of machines as batch systems write them: ``node[001-003,017]``."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBERED = re.compile(r"(.*?)(\d{1,15})(\D*)", re.DOTALL)


def folded(names: Iterable[str]) -> str:
    """Each name once; those that differ in their last number are one entry.

    Slurm reads the result (``srun -w``), where the names are those of its nodes.
    """
    families: dict[tuple[str, str], set[str]] = {}
    entries = set()
    for name in names:
        match = _NUMBERED.fullmatch(name)
        if match is None:
            entries.add(name)
        else:
            before, number, after = match.groups()
            families.setdefault((before, after), set()).add(number)
    entries.update(_family(*ends, numbers) for ends, numbers in families.items())
    return ",".join(sorted(entries))


def _family(before: str, after: str, numbers: set[str]) -> str:
    if len(numbers) == 1:
        return f"{before}{numbers.pop()}{after}"
    in_order = sorted(numbers, key=lambda each: (len(each), each))
    places = {number: place for place, number in enumerate(in_order)}
    runs = groupby(in_order, lambda each: (len(each), int(each) - places[each]))
    return f"{before}[{','.join(_run([*run]) for _, run in runs)}]{after}"


def _run(numbers: list[str]) -> str:
    return numbers[0] if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"

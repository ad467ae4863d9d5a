"""``nvidia-smi dmon``: a row per GPU and moment, under a header that names the columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...model import Family
    from ..text import Line, Text

    Moment = tuple[Line, dict[str, float]]

_HEADER = regex(r"\A\s*#\s{0,4}gpu\s{1,8}[a-z][a-z0-9\s]{3,120}\Z")
_CELLS = regex(r"\A\s*\d{1,3}(?:\s{1,8}(?:-|[\d.]{1,8})){2,30}\s*\Z")
#: More rows than a person pastes of it.
_ROWS = 400
#: A GPU that works as much as this is held down by what the row tells; an idle one rests.
_BUSY = 50
#: A clock below such a share of what it was has fallen; by choice it does at no such temperature.
_FALLEN, _HOT = 0.6, 80
_AS_MUCH = 0.8
_NUMBERS: tuple[tuple[str, Family[int]], ...] = (
    ("sm", names.GPU_UTILIZATION),
    ("gtemp", names.GPU_TEMPERATURE),
    ("temp", names.GPU_TEMPERATURE),
    ("pclk", names.GPU_CLOCK_SM),
    ("mclk", names.GPU_CLOCK_MEMORY),
)
#: Columns of the option ``-s v``: the share of time, or a flag, in which a limit was violated.
_VIOLATED = (("tviol", "SW Thermal Slowdown"), ("pviol", "SW Power Cap"))


def read(text: Text) -> Statements:
    """What the busiest row of each GPU tells."""
    read_to = 0
    for header in text.having("# gpu"):
        if header.number <= read_to or not _HEADER.match(header.text):
            continue  # it is repeated among the rows below the first one
        columns = header.text.replace("#", " ").split()
        rows = tuple(_rows(columns, text, header))
        read_to = header.number + len(rows)
        yield from _listed(text, _by_gpu(columns, rows))
        for gpu, moments in _by_gpu(columns, rows).items():
            yield from _row(gpu, *max(moments, key=_work))
            yield from _clock_fall(gpu, moments)
            yield from _at_rest(gpu, moments)


#: Who asks for some of them learns nothing of the others.
_SOME = regex(r"\bdmon\b[^\n]{0,80}\s(?:-i|--id)\b")


def _listed(text: Text, by_gpu: dict[str, list[Moment]]) -> Statements:
    """How many GPUs the driver lists, where one is at work and none does it at a fallen clock."""
    at_work = [each for rows in by_gpu.values() for each in rows if _work(each) >= _BUSY]
    crawling = any(_crawls(rows) for rows in by_gpu.values())
    if at_work and not crawling and not text.shows(_SOME, "dmon"):
        yield say(names.NVML_COUNT, len(by_gpu), at_work[0][0])


def _crawls(moments: list[Moment]) -> bool:
    most = max(row.get("pclk", 0) for _, row in moments)
    busy = [row for line, row in moments if _work((line, row)) >= _BUSY]
    return any(row.get("pclk", most) < _FALLEN * most for row in busy)


def _rows(columns: list[str], text: Text, header: Line) -> Iterator[Line]:
    """The lines of the table, with its units and its header where it is repeated."""
    line = header
    for _ in range(_ROWS):
        below = text.after(line, 1)
        if not below:
            return
        line = below[0]
        if line.text.lstrip().startswith("#"):
            if _HEADER.match(line.text) and line.text.replace("#", " ").split() != columns:
                return
        elif not _CELLS.match(line.text) or len(line.text.split()) != len(columns):
            return
        yield line


def _by_gpu(columns: list[str], lines: tuple[Line, ...]) -> dict[str, list[Moment]]:
    """What each row tells, by its GPU and in its order."""
    found: dict[str, list[Moment]] = {}
    for line in lines:
        if line.text.lstrip().startswith("#"):
            continue  # the units, and the header again
        cells = line.text.split()
        told = zip(columns, cells, strict=True)
        row = {name: _number(cell) for name, cell in told if cell != "-"}
        found.setdefault(cells[0], []).append((line, row))
    return found


def _work(moment: Moment) -> float:
    return moment[1].get("sm", 0)


def _clock_fall(gpu: str, moments: list[Moment]) -> Statements:
    """A clock that falls far while the GPU gets hot and has no less work."""
    busy = [each for each in moments if _work(each) >= _BUSY and "pclk" in each[1]]
    if not busy:
        return
    first, last = busy[0][1], busy[-1][1]
    if last.get("sm", 0) < _AS_MUCH * first.get("sm", 0):
        return  # the program ends
    heat, before = (row.get("gtemp", row.get("temp", 0)) for row in (last, first))
    if last["pclk"] < _FALLEN * first["pclk"] and heat >= _HOT and heat > before:
        told = f"{first['pclk']:.0f} to {last['pclk']:.0f} MHz at {heat:.0f} °C"
        yield say(said.GPU_CLOCK_FALL(gpu), told, busy[-1][0])


#: The clock of a GPU that has nothing to do, as a share of what it is at work; and so many rows
#: of full work at that clock are no start.
_REST, _WORKS, _SEVERAL = 0.3, 95, 3


def _at_rest(gpu: str, moments: list[Moment]) -> Statements:
    """The clock of a GPU that stays where it rests, though it is fully at work."""
    most = max(row.get("pclk", 0) for _, row in moments)
    slow = [each for each in moments if 0 < each[1].get("pclk", 0) < _REST * most]
    working = [(line, row["pclk"]) for line, row in slow if _work((line, row)) >= _WORKS]
    if len(working) >= _SEVERAL:
        line, clock = working[-1]
        told = f"GPU {gpu} at {clock:.0f} MHz, and at {most:.0f} before"
        yield say(said.SIGN("told-slow-state"), told, line)


def _number(cell: str) -> float:
    return float(cell) if re.fullmatch(r"\d+(?:\.\d+)?", cell) else 0.0


def _row(gpu: str, line: Line, row: dict[str, float]) -> Statements:
    for column, family in _NUMBERS:
        if column in row:
            yield say(family(gpu), int(row[column]), line)
    if "pwr" in row:
        yield say(names.GPU_POWER(gpu), row["pwr"], line)
    held = tuple(reason for column, reason in _VIOLATED if row.get(column))
    if held and row.get("sm", 0) >= _BUSY:
        yield say(names.GPU_THROTTLE(gpu), held, line)

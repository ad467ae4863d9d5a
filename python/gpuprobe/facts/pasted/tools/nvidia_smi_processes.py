"""nvidia-smi's processes, in its table of old and new form and in its answers to a query.

And in the table that nvidia-htop puts in the place of nvidia-smi's, with users and their share of
the CPU.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ... import names
from ...regex import regex
from ..prompts import answer, command_of
from ..statement import Statements, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

ROW = regex(
    r"(?a)\|\s{1,6}(?P<gpu>\d{1,3})\s{1,8}(?:(?:N/A|\d{1,2})\s+(?:N/A|\d{1,2})\s+)?"
    r"(?P<pid>\d{1,9})\s{1,8}(?P<type>C\+G|[CG]|M\+C)\s{1,8}(?P<name>\S[^|]{0,200}?)"
    r"\s{1,80}(?P<memory>\d+)\s?MiB\s*\|"
)
#: nvidia-htop: GPU, PID, user, memory, %CPU and %MEM, time (in days as well), command.
_HTOP = regex(
    r"(?a)\|\s{1,6}(?P<gpu>\d{1,3})\s{1,8}(?P<pid>\d{1,9})\s{1,12}[^\s|]{1,32}\s{1,12}"
    r"(?P<memory>\d{1,7})MiB(?:\s{1,8}[\d.]{1,6}){2}\s{1,10}(?:\d{1,4} days?|[\d:-]{4,12})"
    r"\s{1,4}(?P<name>\S[^|]{0,400})\|"
)
MIB = 1 << 20
_QUERY = regex(r"--query-compute-apps[= ]\s?([a-z_,]{3,120})")
_HELD = regex(r"(?a)(\d{1,7})(?: MiB)?\Z")
#: How a query names the columns of old releases and of new ones.
_MEMORY, _NAME = ("used_memory", "used_gpu_memory"), ("name", "process_name")
_PLACE = "gpu_bus_id", "gpu_uuid", "gpu_serial"
#: Typed without a prompt, and no sentence about it.
_TYPED = regex(r"\A\W*(?:sudo )?(?:\S{1,80}/)?nvidia-smi(?:\.exe)? ")
#: Where a GPU's place on the bus stands beside its number in the table; queries have it in rows.
_PLACED = r"(?ai)\|\s{{1,4}}(\d{{1,2}})\s.{{1,60}}{bus}"
_NUMBERED = "--query-gpu=index", "--query-gpu index", "index, pci.bus_id", "index, gpu_bus_id"
#: More processes than are listed by hand.
_LONGEST = 64


class Process(NamedTuple):
    """A row; `gpu` is empty where a query does not tell it, `held` is in MiB.

    `place` is what a query tells of a GPU in the place of its number: on the bus, or its UUID.
    """

    gpu: str
    pid: str
    name: str
    held: int
    line: Line
    place: str = ""


def processes(text: Text) -> tuple[Process, ...]:
    """All that are listed, with what each holds."""
    return (*_of_table(text), *_of_htop(text), *_of_query(text))


def listed(text: Text) -> tuple[str, ...]:
    """The numbers of the processes that compute."""
    rows = (match for _, match in text.matching(ROW, "mib"))
    return tuple(dict.fromkeys(row["pid"] for row in rows if "C" in row["type"]))


def read(text: Text) -> Statements:
    """For each GPU the processes with their memory, and of the table, which has all, the sum."""
    of_table = _by_gpu(_of_table(text)) or _by_gpu(_of_htop(text))
    for gpu, found in (of_table or _by_gpu(_of_query(text))).items():
        told = tuple(f"{each.name} (process {each.pid}): {each.held} MiB" for each in found)
        yield say(names.GPU_PROCESSES(gpu), told, found[0].line)
        if of_table:
            total = sum(each.held for each in found) * MIB
            yield say(names.GPU_PROCESS_BYTES(gpu), total, found[0].line)


def _by_gpu(found: Iterator[Process]) -> dict[str, list[Process]]:
    rows: dict[str, list[Process]] = {}
    for each in found:
        if each.gpu:
            rows.setdefault(each.gpu, []).append(each)
    return rows


def _of_table(text: Text) -> Iterator[Process]:
    for line, row in text.matching(ROW, "mib"):
        yield Process(row["gpu"], row["pid"], row["name"].strip(), int(row["memory"]), line)


def _of_htop(text: Text) -> Iterator[Process]:
    for line, row in text.matching(_HTOP, "mib"):
        yield Process(row["gpu"], row["pid"], row["name"].strip(), int(row["memory"]), line)


def _of_query(text: Text) -> Iterator[Process]:
    """``--query-compute-apps``: the command names the columns, of which a header may tell, too."""
    numbers = _numbered(text) if "--query-compute-apps" in text else {}
    for asked in islice(text.having("--query-compute-apps"), _LONGEST):
        is_typed = command_of(asked) is not None or _TYPED.match(asked.text)
        query = _QUERY.search(asked.text) if is_typed else None
        columns = query[1].split(",") if query else []
        for line in answer(text, asked)[:_LONGEST]:
            cells = [cell.strip() for cell in line.text.split(",")]
            if len(cells) != len(columns):
                break
            row = dict(zip(columns, cells, strict=True))
            held = _HELD.match(_first(row, _MEMORY))
            if held and row.get("pid", "").isdecimal():
                bus, place = row.get("gpu_bus_id", ""), _first(row, _PLACE)
                if bus not in numbers:  # searched for once: a log may hold thousands of rows
                    numbers[bus] = _number_of(text, bus) or numbers.get(bus.lower(), "")
                name = _first(row, _NAME)
                yield Process(numbers[bus], row["pid"], name, int(held[1]), line, place)


def _first(row: dict[str, str], columns: tuple[str, ...]) -> str:
    return next((row[each] for each in columns if each in row), "")


def _number_of(text: Text, bus: str) -> str:
    """The number of the GPU at a place on the bus, where the table tells it."""
    placed = re.compile(_PLACED.format(bus=re.escape(bus)))
    for _, match in text.matching(placed, bus.lower()) if bus else ():
        return match[1]
    return ""


def _numbered(text: Text) -> dict[str, str]:
    """By the place on the bus the number of each GPU, as queries answer it."""
    found: dict[str, str] = {}
    for asked in islice(text.having(*_NUMBERED), _LONGEST):
        for line in answer(text, asked)[:_LONGEST]:
            number, *cells = (cell.strip() for cell in line.text.lower().split(","))
            if number.isdecimal():
                found |= {cell: number for cell in cells if ":" in cell and cell not in found}
    return found

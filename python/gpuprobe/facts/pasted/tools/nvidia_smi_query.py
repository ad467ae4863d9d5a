"""``nvidia-smi -q`` and ``nvidia-smi --query-gpu=… --format=csv``."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ... import names
from ...gpus.clock_reasons import BRAKES
from ...regex import regex
from ..prompts import answer
from ..statement import Statements, say
from .nvidia_smi_fields import COLUMNS, SECTION_FIELDS, of_memory

if TYPE_CHECKING:
    from ..text import Line, Text

_FIELD = regex(r"\A(\s*)([A-Z][\w ./()&-]{1,60}?)\s*(?::\s?(.*))?\Z")
_HEADER = regex(r"(?a)\AGPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d)\s*\Z")
_ATTACHED = regex(r"(?a)\A\s*Attached GPUs\s{1,40}: (\d{1,3})\s*\Z")
QUERY = regex(r"--query-gpu[= ]\s?([\w.,]+)")
#: Headings that stand further in belong to the one above them.
_SECTION_INDENT = 8
#: A report of `-q` for one GPU has about 250 lines.
_LONGEST = 400
#: And a part of it that stands alone no more than this.
_SHORT = 24
_BROKEN = ("unknown error", "gpu is lost", "gpu requires reset", "[unknown error]")


def read(text: Text) -> Statements:
    """Each GPU's section of `-q`, then each row of a query."""
    yield from _attached(text)
    yield from _sections(text)
    yield from _loose(text)
    yield from _table(text)


def _attached(text: Text) -> Statements:
    """How many GPUs NVML lists."""
    for line, match in text.matching(_ATTACHED, "attached gpus"):
        yield say(names.NVML_COUNT, int(match[1]), line)


#: Headings of `-q` that people paste without that of the GPU above them.
_PARTS = ("remapped rows", "retired pages", "ecc errors", "power readings", "gpu power readings")


def _sections(text: Text) -> Statements:
    number = -1
    for start in text.having("gpu 0"):
        header = _HEADER.match(start.text)
        if header is None:
            continue
        number += 1
        gpu = str(number)
        domain, _, rest = header[1].lower().partition(":")
        yield say(names.GPU_PCI(gpu), f"{domain[-4:]}:{rest}", start)
        yield from _section(gpu, text.after(start, _LONGEST))
    for start in text.having(*_PARTS) if number < 0 else ():
        if start.text.strip().lower() in _PARTS:
            yield from _section("0", (start, *text.after(start, _SHORT)))


def _section(gpu: str, lines: tuple[Line, ...]) -> Statements:
    """One GPU's fields; a field belongs to the heading above it that is indented less."""
    heading, braking = "", []
    last = None
    for line in lines:
        if _HEADER.match(line.text):
            break
        field = _FIELD.match(line.text)
        if field is None:
            continue
        indent, name, value = len(field[1]), field[2], field[3]
        if value is None or not value.strip():
            heading = name if indent <= _SECTION_INDENT or not heading else f"{heading}/{name}"
            continue
        value = value.strip()
        last = line
        if name in BRAKES and value == "Active":
            braking.append(name)
        yield from _field(gpu, heading, name, value, line)
    if last is not None and braking:
        yield say(names.GPU_THROTTLE(gpu), tuple(dict.fromkeys(braking)), last)


def _field(gpu: str, heading: str, name: str, value: str, line: Line) -> Statements:
    if any(word in value.lower() for word in _BROKEN):
        yield say(names.GPU_FAILURE(gpu), f"{name}: {value}", line)
        return
    first, _, rest = heading.partition("/")
    near = rest.rpartition("/")[2] or first
    shown = (name, f"{first}/{name}", f"{near}/{name}")
    column = next((SECTION_FIELDS[each] for each in shown if each in SECTION_FIELDS), None)
    if column is not None:
        yield from COLUMNS[column](gpu, value, line)
    yield from of_memory(gpu, heading, name, value, line)
    if heading.endswith("Fabric") and name == "State":
        yield say(names.FABRIC_STATE, value, line)
    if name in ("Reset Required", "Drain and Reset Recommended") and value == "Yes":
        yield say(names.GPU_FAILURE(gpu), f"{name}: Yes", line)


#: Of the GPU itself, and from which one on it slows down.
_TEMPERATURES = "gpu current temp", "gpu slowdown temp"


def _loose(text: Text) -> Statements:
    """Fields of `-q` that were pasted without their GPU's heading, as grep leaves them."""
    counts: dict[str, int] = {}
    limits = "sw power cap", "slowdown", "power limit", *_TEMPERATURES
    for line in text.having("product name", *limits):
        field = _FIELD.match(line.text)
        if field is None or not field[3]:
            continue
        name, value = field[2], field[3].strip()
        if name == "Product Name":
            gpu = counts.get(name, 0)
            counts[name] = gpu + 1
            yield say(names.GPU_NAME(gpu), value, line)
        elif name in BRAKES and value == "Active":
            yield say(names.GPU_THROTTLE(0), (name,), line)
        elif name.endswith("Power Limit"):
            yield from _field("0", "GPU Power Readings", name, value, line)
        elif name.lower() in _TEMPERATURES:
            yield from _field("0", "Temperature", name, value, line)


def _table(text: Text) -> Statements:
    """The rows below a header of column names; without one, the command names the columns."""
    for line in text.having("--query-gpu"):
        query = QUERY.search(line.text)
        if query:
            rows = _once(answer(text, line), line)
            columns = query[1].strip(",").split(",")
            parted = len(columns) == 1 and _XARGS.search(line.text) is not None
            yield from _below_query(columns, _parted(rows) if parted else rows)
    for line in text.having(
        "name,", "uuid,", "index,", "driver_version,", "compute_cap,", ", name"
    ):
        columns = _columns(line)
        if len(columns) > 1 and all(re.fullmatch(r"[a-z_.]+", column) for column in columns):
            yield from _rows(columns, text.after(line, 64))


#: What puts the rows of a single column into one line.
_XARGS = regex(r"\|\s?xargs\s*\Z")
_PERCENT = regex(r"(?a)(?<!\S)\d{1,3} %(?!\S)")


def _parted(rows: tuple[Line, ...]) -> tuple[Line, ...]:
    """The percentages of the first line, each as the row that it was."""
    return tuple(replace(row, text=each) for row in rows[:1] for each in _PERCENT.findall(row.text))


#: The options by which it prints the same again and again, and a number of a row.
_AGAIN = regex(r"(?:\s-l(?:ms)?[ =]?\d*|\s--loop(?:-ms)?[ =]\d+)(?:\s|\Z)")
_WHICH = frozenset(("index", "uuid", "gpu_uuid", "gpu_bus_id", "pci.bus_id"))
_NUMBER = regex(r"(?a)-?\d{1,7}(?:\.\d{1,4})?(?: (?:%|MiB|MHz|W|C))?|GPU-[\da-f-]{8,40}")


def _once(rows: tuple[Line, ...], asked: Line) -> tuple[Line, ...]:
    """Without the rows that tell of the first GPU again, where no column tells which it is."""
    again = _AGAIN.search(asked.text) and "index" not in asked.text and "uuid" not in asked.text
    return rows[:1] if again else rows


def _below_query(columns: list[str], lines: tuple[Line, ...]) -> Statements:
    """The rows of a query whose command names the columns; the header may be left out."""
    headed = bool(lines) and not set(columns).isdisjoint(_columns(lines[0]))
    yield from _rows(columns, lines[1:] if headed else lines)


_MIB = regex(r"(?a)(\d{1,9})(?: MiB)?\Z")


def _columns(line: Line) -> list[str]:
    """The names in a header, which has their units behind them: "memory.total [MiB]"."""
    return [cell.strip().partition(" ")[0] for cell in line.text.split(",")]


#: Who asks for none of these looks for one thing, such as which GPU is which, or how fast it is.
_OF_DRIVER = frozenset(("name", "gpu_name", "driver_version", "memory.used", "memory.total"))


def _rows(columns: list[str], lines: tuple[Line, ...]) -> Statements:
    seen: dict[str, Line] = {}
    if "timestamp" in columns and "utilization.gpu" in columns:
        yield from _busiest(columns, lines)
    for number, line in enumerate(lines):
        cells = [cell.strip() for cell in line.text.split(",")]
        if len(cells) != len(columns) or not all(cells):
            break  # a shell's "… or external command," is no row
        row = _with_free(dict(zip(columns, cells, strict=True)))
        index = row.get("index", str(number))
        gpu = index if index.isascii() and index.isdigit() else str(number)
        if not any(word in cell.lower() for cell in cells for word in _BROKEN):
            seen[gpu] = line
        yield from _cells(gpu, row, line)
    told = not _OF_DRIVER.isdisjoint(columns) or _answered(columns, seen)
    if seen and told and "timestamp" not in columns:
        yield say(names.NVML_COUNT, len(seen), next(iter(seen.values())))


def _busiest(columns: list[str], lines: tuple[Line, ...]) -> Statements:
    """Of a log with times, how busy each GPU was at most: before and after work it is idle."""
    most: dict[str, tuple[int, Line]] = {}
    at = columns.index("utilization.gpu")
    which = columns.index("index") if "index" in columns else None
    for line in lines:
        cells = [cell.strip() for cell in line.text.split(",")]
        if len(cells) != len(columns) or not (share := _SHARE.fullmatch(cells[at])):
            break
        gpu = "0" if which is None else cells[which]
        if int(share[1]) > most.get(gpu, (0, line))[0]:
            most[gpu] = int(share[1]), line
    for gpu, (busy, line) in most.items():
        if gpu.isdecimal():
            yield say(names.GPU_UTILIZATION(gpu), busy, line)


_SHARE = regex(r"(?a)(\d{1,3})(?: ?%)?")


def _answered(columns: list[str], seen: dict[str, Line]) -> bool:
    """Whether every row holds a number or an id, as none does of a GPU that does not answer.

    Who asks for the index and an id alone looks for which GPU is which, and who asks for a limit
    for what holds one back.
    """
    if any("limit" in name for name in columns) or ("index" in columns and {*columns} <= _WHICH):
        return False
    rows = ([cell.strip() for cell in line.text.split(",")] for line in seen.values())
    told = (zip(columns, row, strict=True) for row in rows)
    return all(
        any(name != "index" and _NUMBER.fullmatch(cell) for name, cell in row) for row in told
    )


def _cells(gpu: str, row: dict[str, str], line: Line) -> Statements:
    for column, value in row.items():
        if any(word in value.lower() for word in _BROKEN):
            yield say(names.GPU_FAILURE(gpu), f"{column}: {value}", line)
        elif column in COLUMNS and value not in ("[N/A]", "N/A", "[Not Supported]"):
            yield from COLUMNS[column](gpu, value, line)


def _with_free(row: dict[str, str]) -> dict[str, str]:
    """The row with the memory that is free, where it tells what is in use of how much.

    A row with its time is of a log that runs beside the program, and may count its own memory.
    """
    used, total = (_MIB.match(row.get(f"memory.{each}", "")) for each in ("used", "total"))
    if "memory.free" in row or "timestamp" in row or not used or not total:
        return row
    return {**row, "memory.free": str(max(int(total[1]) - int(used[1]), 0))}

"""nvidia-smi: the banner, the table of GPUs in its old and new forms, MIG rows, ``-L``.

And that a shell only misses it on its PATH.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ...version import Version
from ..languages import not_found
from ..prompts import answer, command_of, head_of
from ..statement import Statements, say
from .nvidia_smi_processes import ROW
from .nvidia_smi_query import QUERY

if TYPE_CHECKING:
    from ..text import Line, Text

# Since driver 610 the banner says "KMD Version" and "CUDA UMD Version".
_DRIVER = regex(r"(?a)\b(?:Driver|KMD) Version\s{0,4}:\s{0,4}(\d+(?:\.\d+)+)")
_CUDA = regex(r"(?a)\bCUDA (?:UMD )?(?:Driver )?Version\s{0,4}:\s{0,4}(\d{1,2}\.\d+)")
_TOOL = regex(r"(?a)NVIDIA-SMI\s+(?:version\s*:\s*)?(\d+(?:\.\d+)+)")
_ROW = regex(
    r"(?a)\|\s{1,8}(?P<index>\d{1,3})\s{1,8}(?P<name>[A-Z][^|]{0,80}?)\s{1,24}"
    r"(?P<persistence>On|Off|WDDM|TCC|MCDM|N/A|ERR!|Disabled|Enabled)\s*\|\s*"
    r"(?P<pci>[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d|N/A)"
)
#: The cell right of the address counts errors that ECC could not mend; "N/A" and "Off" count none.
_ECC = regex(r"(?a)\.\d\s+(?:On|Off|N/A)\s*\|\s*(\d{1,9})\s*\|")
#: Of a GPU that MIG splits the cell tells no number, only that ECC is on.
_ECC_OF_SPLIT = regex(r"(?a)\.\d\s+(?:On|Off|N/A)\s*\|\s*On\s*\|")
_MEMORY = regex(r"(?a)(?<!\d)(\d+)\s?MiB\s*/\s*(\d+)\s?MiB")
#: The share of the time in which the GPU works, in the cell behind that of the memory.
_BUSY = regex(r"(?a)MiB\s*\|\s*(\d{1,3})%")
#: As far as the columns of old tables left of them.
_MODES = (
    ("Default", "default"),
    ("E. Process", "exclusive process"),
    ("Exclusive_Process", "exclusive process"),
    ("E. Thread", "exclusive thread"),
    ("Prohibited", "prohibited"),
)
#: The second line of a row, which tells of one GPU where the first was cut or left out.
_STATE = regex(
    r"(?a)\|[^|\n]{0,24}\bP\d{1,2}\b[^|\n]{0,40}\|\s{0,16}\d+\s?MiB\s{0,4}/\s{0,8}\d+\s?MiB\s{0,4}\|"
)
#: Folding@home begins such a line with the bus.
_LISTED = regex(
    r"(?a)\bGPU (\d{1,3}): (?!Bus:\d|\d+ ?MiB|[a-z])([^(\n]{1,100}?)"
    r"(?: \(UUID: ([^)\s]{1,80})\))?\s*$"
)
_MIG_LISTED = regex(r"(?a)\bMIG \S+\s+(?:[A-Z]\w+\s+){0,2}Device\s+\d+: \(UUID: MIG-[^)\s]+\)")
_MIG_ROW = regex(r"(?a)\|\s*(\d{1,3})\s+(\d{1,2}|N/A)\s+(\d{1,2}|N/A)\s+\d{1,3}\s*\|\s*\d+\s?MiB")
_MIG_MODE = regex(r"\|\s*(Enabled|Disabled)(\*?)\s*\|\s*$")
_MIB = 1 << 20
#: A row of the table is two or three lines: name and address, state and memory, MIG mode.
_ROW_LINES = 3


def read(text: Text) -> Statements:
    """Driver and CUDA ceiling, then each GPU."""
    yield from _banner(text)
    yield from _table(text)
    yield from _list(text)
    yield from _mig_devices(text)
    yield from _off_the_path(text)
    yield from _missed_by_program(text)
    for line in text.having("segmentation fault"):
        if any("nvidia-smi" in before.text for before in text.before(line, 1)):
            yield say(said.SIGN("smi-without-answer"), line.text.strip(), line)


def _banner(text: Text) -> Statements:
    for line in text.having("driver version", "kmd version"):
        tool = _TOOL.search(line.text)
        if match := _DRIVER.search(line.text):
            yield say(names.DRIVER_VERSION, Version(match[1]), line)
            if tool:
                yield say(names.NVML_VERSION, Version(tool[1]), line)
            # The long report and some copies have the next field on the next line.
            for each in (line, *text.after(line, 1)):
                if match := _CUDA.search(each.text):
                    yield say(names.DRIVER_CUDA, Version(match[1]), each)


def _table(text: Text) -> Statements:
    rows: dict[str, Line] = {}
    for line in text.having("|"):
        match = _ROW.search(line.text)
        if match is None:
            continue
        gpu = match["index"]
        rows.setdefault(gpu, line)
        yield say(names.GPU_NAME(gpu), match["name"], line)
        if ":" in match["pci"]:
            yield say(names.GPU_PCI(gpu), _address(match["pci"]), line)
        if match["persistence"] in ("On", "Off"):
            yield say(names.GPU_PERSISTENCE(gpu), match["persistence"] == "On", line)
        if ecc := _ECC.search(line.text):
            yield say(names.GPU_ECC(gpu), True, line)
            yield say(names.GPU_ECC_UNCORRECTED(gpu), int(ecc[1]), line)
        yield from _state(gpu, (line, *text.after(line, _ROW_LINES)))
        if _ECC_OF_SPLIT.search(line.text):  # below the cell of the mode itself in trust
            yield say(names.GPU_MIG(gpu), True, line)
    yield from _count(rows) if rows else _cut(text)


def _cut(text: Text) -> Statements:
    """What is left of a table: the lines of state, one a GPU, with its banner or its processes."""
    processes = text.shows(ROW, "mib")
    if "nvidia-smi" not in text or not ("driver version" in text or processes):
        return
    rows: dict[str, Line] = {}
    for number, (line, _) in enumerate(text.matching(_STATE, "mib")):
        rows[str(number)] = line
        yield from _state(str(number), (line,))
    yield from _count(rows)


def _count(listed: dict[str, Line]) -> Statements:
    """How many GPUs the tool lists: NVML gave it each of them."""
    if listed:
        yield say(names.NVML_COUNT, len(listed), next(iter(listed.values())))


def _state(gpu: str, lines: tuple[Line, ...]) -> Statements:
    """The lines of one row; the next row or the table's end stops it."""
    for number, line in enumerate(lines):
        if number and (_ROW.search(line.text) or line.text.lstrip().startswith("+")):
            return
        if trouble := _trouble(line.text):
            yield say(names.GPU_FAILURE(gpu), trouble, line)
        if match := _MEMORY.search(line.text):
            used, total = (int(figure) * _MIB for figure in match.groups())
            yield say(names.GPU_MEMORY(gpu), total, line)
            yield say(names.GPU_MEMORY_FREE(gpu), total - used, line)
        if match and (busy := _BUSY.search(line.text)):
            yield say(names.GPU_UTILIZATION(gpu), int(busy[1]), line)
        if "%" in line.text or match:
            for shown, mode in _MODES:
                if shown in line.text:
                    yield say(names.GPU_COMPUTE_MODE(gpu), mode, line)
        if match := _MIG_MODE.search(line.text):
            yield say(names.GPU_MIG(gpu), match[1] == "Enabled", line)


def _trouble(text: str) -> str | None:
    """What a cell says of a GPU that cannot be read.

    "ERR!" in the last columns alone is an old tool's way to print what it does not know (the MIG
    mode under another driver), so the cells of fan, temperature, state and power decide; but not
    the limit of power, which laptops' drivers do not know either.
    """
    cells = text.split("|")
    first = cells[1] if len(cells) > 1 else text
    if "ERR!" in first.replace("N/A / ERR!", ""):
        return "nvidia-smi shows ERR!"
    if "Unknown Error" in text:
        return "nvidia-smi shows Unknown Error"
    if "GPU is lost" in text or "requires reset" in text.lower():
        return text.strip(" |")
    return None


def _address(shown: str) -> str:
    """As sysfs writes it, with four digits of the domain: ``0000:01:00.0``."""
    domain, _, rest = shown.lower().partition(":")
    return f"{domain[-4:]}:{rest}"


def _list(text: Text) -> Statements:
    """``nvidia-smi -L``; the instances of a GPU follow it, indented."""
    listed: dict[str, Line] = {}
    for line, match in text.matching(_LISTED, "gpu "):
        gpu, instances = match[1], 0
        yield say(names.GPU_NAME(gpu), match[2].strip(), line)
        if match[3] or "nvidia-smi" in text:  # people write "GPU 0: RTX 3090" into forms
            listed.setdefault(gpu, line)
        if match[3]:
            yield say(names.GPU_UUID(gpu), match[3], line)
            for below in text.after(line, 16):
                if not _MIG_LISTED.search(below.text):
                    break
                instances += 1
        if instances:
            yield say(names.GPU_MIG(gpu), True, line)
            yield say(names.GPU_MIG_INSTANCES(gpu), instances, line)
    yield from _count(listed)


def _mig_devices(text: Text) -> Statements:
    """The table "MIG devices"; "No MIG devices found" where the mode is on and nothing is made."""
    for start in text.having("mig devices:"):
        counts: dict[str, int] = {}
        for line in text.after(start, 128):
            if match := _MIG_ROW.search(line.text):
                counts[match[1]] = counts.get(match[1], 0) + 1
            elif "no mig devices found" in line.text.lower():
                yield from _without_instances(text, line)
                break
            elif "processes:" in line.text.lower():
                break
        for gpu, count in counts.items():
            yield say(names.GPU_MIG(gpu), True, start)
            yield say(names.GPU_MIG_INSTANCES(gpu), count, start)


def _without_instances(text: Text, line: Line) -> Statements:
    """Zero for each GPU of the table above: those without MIG have none either."""
    for row in text.before(line, 200):
        if match := _ROW.search(row.text):
            yield say(names.GPU_MIG_INSTANCES(match["index"]), 0, line)


#: The tool as a command, by its folder, and what its table and a shell say.
_BY_FOLDER = regex(r"\A(?:sudo )?/\S{1,120}/nvidia-smi\b")
_BANNER, _MISSED = "driver version", "not found"
#: The tool as the shell finds it, and what a program says that does not.
_BY_NAME = regex(r"(?:sudo )?nvidia-smi(?:\.exe)?(?: |\Z)")
_MISSED_BY_PROGRAM = regex(rf"(?i){not_found('nvidia-smi')}")
#: Farther above it may have been another shell.
_SAME_SHELL = 24


def _off_the_path(text: Text) -> Statements:
    """A shell does not find it, and gets its table by its folder: nobody else calls it by PATH."""
    for line in text.having("/nvidia-smi"):
        command = command_of(line)
        if command is None or not _BY_FOLDER.match(command) or not _says(text, line, _BANNER):
            continue
        for above in text.before(line, _SAME_SHELL):
            same = command_of(above) == "nvidia-smi" and head_of(above) == head_of(line)
            if same and _says(text, above, _MISSED):
                yield say(said.SIGN("smi-off-the-path"), command, line)


def _missed_by_program(text: Text) -> Statements:
    """A program says that there is none, and the shell that began it runs it by its name."""
    for line in text.having("nvidia-smi"):
        command = command_of(line)
        if command is None or not _BY_NAME.match(command) or not _lists(text, line, command):
            continue
        for above in text.before(line, _SAME_SHELL):
            program = command_of(above)
            if not program or "nvidia-smi" in program or head_of(above) != head_of(line):
                continue
            if any(_MISSED_BY_PROGRAM.search(each.text) for each in answer(text, above)):
                yield say(said.SIGN("smi-off-the-path"), command, line)


def _lists(text: Text, line: Line, command: str) -> bool:
    """Whether it answered by its table, or by a row with as many cells as were asked for."""
    asked = QUERY.search(command)
    if asked is None:
        return _says(text, line, _BANNER)
    rows = (each.text.split(",") for each in answer(text, line)[:1])
    cells = asked[1].strip(",").count(",") + 1
    return any(len(row) == cells > 1 and all(cell.strip() for cell in row) for row in rows)


def _says(text: Text, line: Line, words: str) -> bool:
    return any(words in each.text.lower() for each in answer(text, line))

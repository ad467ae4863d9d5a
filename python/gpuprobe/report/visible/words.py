"""The sentences that all forms share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...knowledge.visible_devices.model import Fate
from ...knowledge.visible_devices.words import remark, why
from ..marks import Mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...knowledge.visible_devices.model import Entry, Target
    from ...knowledge.visible_devices.opinion import Opinion
    from ...visible.explanation import Explanation, Row

HEADINGS = ("shown", "CUDA", "NVML", "minor", "PCI", "UUID")

_MARKS = {Fate.VISIBLE: Mark.WORKS, Fate.UNREAD: Mark.OPEN, Fate.UNCHECKED: Mark.OPEN}


class Line(NamedTuple):
    """One entry: as it stands in the value, and what became of it."""

    text: str
    mark: Mark
    words: str


def assignment(explanation: Explanation) -> str:
    """The variable with its value."""
    if explanation.value is None:
        return "CUDA_VISIBLE_DEVICES is not set"
    return f'CUDA_VISIBLE_DEVICES="{explanation.value}"'


def headline(explanation: Explanation) -> str:
    """What the value does, in one sentence."""
    joined = ": " if explanation.value is None else " "
    return f"{assignment(explanation)}{joined}{_does(explanation)}"


def _does(explanation: Explanation) -> str:
    devices, there = explanation.devices, explanation.gpu_count
    if devices is None and explanation.value is None:
        return "every device is shown"
    if devices is None:
        return "shows devices that are not known here"
    if devices:
        count = "1 device" if len(devices) == 1 else f"{len(devices)} devices"
        which = _all_or(len(devices), there) if there else count
        return f"{which} shown" if explanation.value is None else f"shows {which}"
    if explanation.value is None:
        return "there is no device to show"
    return f"hides {_all(there)}" if there else "shows no device"


def _all(count: int) -> str:
    return {1: "the only device", 2: "both devices"}.get(count, f"all {count} devices")


def _all_or(shown: int, there: int) -> str:
    return _all(there) if shown == there else f"{shown} of {there} devices"


def mark_of(explanation: Explanation) -> Mark:
    """Whether the value does what it says."""
    if explanation.is_sound is None:
        return Mark.OPEN
    if explanation.is_sound:
        return Mark.WORKS
    return Mark.IN_PART if explanation.devices else Mark.BROKEN


def entries(explanation: Explanation) -> tuple[Line, ...]:
    """Every entry, in order."""
    rows = dict(zip(explanation.targets, explanation.rows, strict=False))
    return tuple(
        Line(entry.text, _MARKS.get(entry.fate, Mark.BROKEN), _entry(explanation, entry, rows))
        for entry in explanation.prediction.entries
    )


def _entry(explanation: Explanation, entry: Entry, rows: dict[Target, Row]) -> str:
    if entry.fate is Fate.VISIBLE and entry.target is not None:
        row = rows.get(entry.target)
        named = device(row) if row else f"number {entry.target.gpu} of CUDA's own order"
        words = f"CUDA device {entry.ordinal}: {named}"
    else:
        words = why(entry, explanation.gpu_count or None)
        if entry.fate.ends and entry.fate is not Fate.DUPLICATE:
            words += "; the list ends here"
    aside = remark(entry)
    return f"{words} ({aside})" if aside else words


def device(row: Row) -> str:
    """A device by its name, and by its number in nvidia-smi."""
    name = row.name or "a device without a name"
    if row.nvml_index is None:
        return name
    part = "an instance of " if is_instance(row) else ""
    return f"{name}, {part}GPU {row.nvml_index} of nvidia-smi"


def is_instance(row: Row) -> bool:
    """Whether it is a MIG instance."""
    return (row.uuid or "").startswith("MIG-")


def statements(explanation: Explanation) -> Iterator[tuple[Mark, str]]:
    """What stands below the entries: the driver's word, what is open, what may surprise."""
    yield from _judge(explanation)
    for doubt in explanation.prediction.doubts:
        yield Mark.OPEN, f"No document says {doubt.value}{_settled(explanation)}."
    if explanation.orders_differ:
        yield Mark.IN_PART, _orders(explanation)
    if explanation.unknown:
        yield Mark.OPEN, _sentence(explanation.unknown)
    yield from _process(explanation)
    for each in explanation.remarks:
        yield Mark.IN_PART, f"{each.variable}: {each.text}"


def _judge(explanation: Explanation) -> Iterator[tuple[Mark, str]]:
    """What the driver shows, held against what was foretold."""
    if explanation.seen is None:
        reason = f" ({explanation.unseen})" if explanation.unseen else ""
        said = f"The driver could not be asked{reason}: this is by the written rules alone."
        yield Mark.OPEN, said
        return
    shows = _count(explanation.seen)
    if explanation.agrees is None:
        yield Mark.WORKS, f"The driver shows {shows} to a new process."
    elif explanation.agrees:
        yield Mark.WORKS, f"The driver says the same: a new process sees {shows}."
    else:
        foretold = len(explanation.prediction.devices or ())
        said = f"The driver shows {shows} to a new process; the written rules foretell {foretold}."
        yield Mark.BROKEN, f"{said} The driver decides; please report this."


def _count(uuids: tuple[str | None, ...]) -> str:
    if not uuids:
        return "no device"
    return "1 device" if len(uuids) == 1 else f"{len(uuids)} devices"


def _settled(explanation: Explanation) -> str:
    return "" if explanation.seen is None else "; this driver's answer stands above"


def _orders(explanation: Explanation) -> str:
    told = "A number means one GPU here and another one in nvidia-smi"
    if explanation.order == "PCI_BUS_ID":
        return f"{told}: see the table. Name GPUs by UUID."
    if _as_on_the_bus(explanation.rows):
        return f"{told} (CUDA leaves some out): see the table. Name GPUs by UUID."
    return (
        f"{told} (CUDA: the fastest first): see the table. Name GPUs by UUID, or set "
        "CUDA_DEVICE_ORDER=PCI_BUS_ID."
    )


def _as_on_the_bus(rows: tuple[Row, ...]) -> bool:
    """Whether CUDA has its devices in NVML's order, so that one that it lacks moves the others."""
    pairs = ((row.cuda, row.nvml_index) for row in rows)
    found = [(cuda, nvml) for cuda, nvml in pairs if cuda is not None and nvml is not None]
    nvml = [number for _, number in sorted(found)]
    return nvml == sorted(nvml)


_LOST = (
    "A parent process had started CUDA: this fork of it can neither use CUDA nor start it. Start "
    'processes by "spawn".'
)
_IN_TIME = "Set the variable before torch, tensorflow or jax use a GPU, or start anew."


def _process(explanation: Explanation) -> Iterator[tuple[Mark, str]]:
    """What the value is to the process that asks."""
    process = explanation.process
    if process is None:
        return
    if process.state == "lost in a fork":
        yield Mark.BROKEN, _LOST
    elif explanation.too_late:
        has = _count(process.devices or ())
        said = f"Too late for this process: CUDA had started here and has {has}. {_IN_TIME}"
        yield Mark.BROKEN, said
    elif process.devices is not None and explanation.too_late is None:
        yield Mark.OPEN, "CUDA has started in this process; with which devices, nobody can tell."
    elif process.devices is not None:
        yield Mark.WORKS, "CUDA has started in this process, with these devices."
    if process.set_inside:
        was = "it was not set" if process.at_start is None else f'it was "{process.at_start}"'
        yield Mark.OPEN, f"The variable was changed inside this process: {was} when it began."
    if process.read_by_c != process.read_by_python:
        python = "not set" if process.read_by_python is None else f'"{process.read_by_python}"'
        said = f"os.environ says {python}; C libraries, CUDA among them, read what is said here."
        yield Mark.IN_PART, said


OTHERS = "The same text to others"


def others(explanation: Explanation, *, everything: bool) -> tuple[str, ...]:
    """What others make of it: who reads this variable, or everybody who reads such lists."""
    shown = (each for each in explanation.opinions if everything or not each.elsewhere)
    return tuple(map(_otherwise, shown))


def _otherwise(opinion: Opinion) -> str:
    if opinion.numbers is None:
        return f"{opinion.reader}: {opinion.note}."
    numbers = ", ".join(map(str, opinion.numbers)) or "no device"
    return f"{opinion.reader}: {numbers} ({opinion.note})."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def cells(row: Row) -> tuple[str, ...]:
    """The cells of a row under `HEADINGS`."""
    numbers = (row.ordinal, row.cuda, row.nvml_index, row.minor)
    return (
        *("-" if each is None else str(each) for each in numbers),
        row.pci or "-",
        row.uuid or "-",
    )

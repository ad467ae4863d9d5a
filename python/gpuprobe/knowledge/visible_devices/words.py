"""What became of an entry, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..uuids import head_of, is_redacted
from . import container, entries
from .model import Fate, Kind

if TYPE_CHECKING:
    from .model import Entry

_REASONS = {
    Fate.EMPTY: "an empty entry names no GPU",
    Fate.NEGATIVE: "a negative number names no GPU",
    Fate.QUOTED: "the quotes are part of the value",
    Fate.NOT_UNIQUE: "more than one UUID begins so",
    Fate.NO_INSTANCE: "this GPU is in MIG mode and has no instance",
    Fate.DUPLICATE: "a device that is named twice empties the whole list",
    Fate.EMPTIED: "lost, because a later entry names a device twice",
    Fate.UNREAD: "not read: the list ended before it",
    Fate.LEFT_OUT: "passed over",
    Fate.HELD_BACK: "held back: a program gets one MIG instance, from driver 570 on one of each "
    "GPU instance",
}


def why(entry: Entry, count: int | None = None) -> str:
    """Why an entry names no device, or is not shown; `count` is the number of GPUs there are."""
    if entry.fate is Fate.OUT_OF_RANGE:
        return _out_of_range(entry, count)
    if entry.fate is Fate.UNKNOWN_UUID:
        what = "MIG instance has this name" if entry.kind is Kind.MIG else "GPU has this UUID"
        return f"no {what} here{_of_redacted(entry.text)}"
    if entry.fate is Fate.WORD or (entry.fate is Fate.OTHER_KIND and _is_word(entry)):
        return _word(entry.text)
    if entry.fate is Fate.OTHER_KIND:
        return f"a {entry.kind.value} may not stand in a list that began with another kind"
    if entry.fate is Fate.UNCHECKED:
        return "well written; which devices there are is not known"
    return _REASONS.get(entry.fate, "visible")


def _is_word(entry: Entry) -> bool:
    return entry.kind is Kind.NUMBER and entry.number is None and bool(entry.text.strip())


def _of_redacted(uuid: str) -> str:
    """What somebody copied from a report names no GPU."""
    if not is_redacted(uuid):
        return ""
    return f"; a redacted report keeps only its beginning, {head_of(uuid)}"


def _out_of_range(entry: Entry, count: int | None) -> str:
    number = entry.text.strip() if (entry.number or 0) >= entries.TOO_LARGE else entry.number
    if not count:
        return f"there is no GPU {number}"
    there = "0 is the only number" if count == 1 else f"the numbers end at {count - 1}"
    return f"there is no GPU {number}: {there}"


def _word(text: str) -> str:
    bare = entries.without_blanks(text)
    if bare != text:
        return "a blank stands before the UUID"
    if entries.in_usual_case(text) != text:
        return "GPU- and MIG- are written in capital letters"
    text = text.strip()
    if text in container.KEYWORDS:
        return f'"{text}" is a word of NVIDIA_VISIBLE_DEVICES, not of CUDA'
    if text == "NoDevFiles":
        return "Slurm writes NoDevFiles where a job gets no GPU"
    if text.lower().startswith("cuda:"):
        return "cuda:N is a name that frameworks use; here the number stands alone"
    return "neither a number nor a UUID (GPU-…, MIG-…)"


def remark(entry: Entry) -> str | None:
    """What may surprise about an entry that names a device."""
    if entry.kind is not Kind.NUMBER or entry.number is None or entry.fate.ends:
        return None
    tail = entries.tail(entry.text).strip()
    if tail.startswith("-") and tail[1:2].isdigit():
        return f"CUDA knows no ranges: {tail} is not read"
    if tail[:1] in (";", ":", ".", " ") or " " in tail:
        return f'only a comma separates: "{tail}" is not read'
    return f'"{tail}" after the number is not read' if tail else None

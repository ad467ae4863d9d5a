"""What goes into a prediction, and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Instance:
    """A MIG instance, which CUDA lists in place of its GPU."""

    uuid: str | None = None  # MIG-…
    gpu_instance: int | None = None
    compute_instance: int | None = None


@dataclass(frozen=True, slots=True)
class Gpu:
    """A GPU. `uuid` is None where nobody knows it; `instances` count where `mig` is on."""

    uuid: str | None = None  # GPU-…
    mig: bool = False
    instances: tuple[Instance, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A device of CUDA: number `gpu` of the list of GPUs, or its instance number `instance`."""

    gpu: int
    instance: int | None = None
    uuid: str | None = None


class Kind(Enum):
    """What an entry is by its looks."""

    NUMBER = "number"
    GPU = "GPU UUID"
    MIG = "MIG instance"


class Fate(Enum):
    """What becomes of an entry."""

    VISIBLE = "visible"
    UNCHECKED = "not checked"  # well written; which devices there are is not known
    # These end the list. What stands before them stays.
    EMPTY = "empty"
    NEGATIVE = "negative"
    WORD = "not a number"
    QUOTED = "in quotes"
    OUT_OF_RANGE = "no such number"
    UNKNOWN_UUID = "no such UUID"
    NOT_UNIQUE = "not unique"
    NO_INSTANCE = "without an instance"
    OTHER_KIND = "of another kind"
    # This one empties the whole list.
    DUPLICATE = "a repetition"
    # These are passed over.
    HELD_BACK = "held back"  # a rule of MIG lets another instance through
    EMPTIED = "lost to a repetition"  # well named, and gone with the whole list
    UNREAD = "not read"  # the list ended before it
    LEFT_OUT = "left out"  # only in another reading of an open question

    @property
    def ends(self) -> bool:
        """Whether nothing after such an entry is read."""
        return self not in _GOES_ON


_GOES_ON = frozenset(
    {Fate.VISIBLE, Fate.UNCHECKED, Fate.HELD_BACK, Fate.EMPTIED, Fate.UNREAD, Fate.LEFT_OUT}
)


class Doubt(Enum):
    """A question that no document answers; the prediction takes the likelier answer."""

    BASE = "whether 0x1 and 010 are read as hexadecimal and octal numbers"
    BLANKS = "whether blanks around a UUID are passed over"
    CASE = "whether small and capital letters of a UUID are the same"
    EMPTY_ENTRY = "whether an empty entry ends the list or is passed over"
    DUPLICATE = "whether a repeated device still empties the list on drivers after 525"
    SHORT_MIG = "whether the name of a MIG instance may be abbreviated"
    OLD_MIG_NAME = "whether drivers from 470 on take MIG-GPU-<UUID>/<GPU instance>/<instance>"
    MIG_NUMBERS = "whether numbers count MIG instances or the GPUs that have some"
    MIG_ORDER = "whether MIG instances stand in the place of their GPU or after all other GPUs"
    MIG_PARENT = "whether the UUID of a GPU in MIG mode stands for its first instance"
    MIG_BESIDE = "whether drivers before 570 show a whole GPU while another one has instances"
    MIG_MIXED = "whether GPUs and MIG instances may stand in one list"
    MIG_LIMIT = "whether a program gets several MIG instances: the driver's age is not known"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the list.

    Attributes:
        text: As it stands between the commas, blanks included.
        kind: What it looks like.
        fate: What becomes of it.
        number: What a number is read as; None for other kinds and without digits.
        target: The device that it names, also where that is not shown in the end.
        ordinal: The device's number in CUDA; None where it is not shown.
    """

    text: str
    kind: Kind
    fate: Fate
    number: int | None = None
    target: Target | None = None
    ordinal: int | None = None

    @property
    def is_about_mig(self) -> bool:
        """Whether it names a MIG instance, or a GPU that has none."""
        return self.kind is Kind.MIG or self.fate is Fate.NO_INSTANCE


@dataclass(frozen=True, slots=True)
class Prediction:
    """What CUDA makes of a value.

    Attributes:
        value: The value; None where the variable is not set, which is not the empty value.
        entries: Its entries in order; none where it is not set.
        devices: The visible devices, CUDA's number 0 first. None where that depends on devices
            that nobody knows.
        doubts: The open questions that the list of devices hangs on.
        others: The other lists that there may be in place of `devices`, one for each other way
            to answer the doubts.
    """

    value: str | None
    entries: tuple[Entry, ...]
    devices: tuple[Target, ...] | None
    doubts: tuple[Doubt, ...] = ()
    others: tuple[tuple[Target, ...] | None, ...] = ()

    @property
    def hides_all(self) -> bool:
        """Whether it is foreseen that no device is visible."""
        return self.devices == ()

    @property
    def culprit(self) -> Entry | None:
        """The entry that ends or empties the list."""
        return next((entry for entry in self.entries if entry.fate.ends), None)

"""What is known of a value: foretold, seen by the driver, and what others make of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..diagnosis.questions.visible.devices import as_foreseen
from ..knowledge.visible_devices.model import Fate
from ..report.notebook import Shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..knowledge.visible_devices.model import Prediction, Target
    from ..knowledge.visible_devices.opinion import Opinion
    from ..knowledge.visible_devices.surroundings import Remark


@dataclass(frozen=True, slots=True)
class Row:
    """One device in all its numberings. What is None is not known, or does not apply.

    Attributes:
        ordinal: CUDA's number under the value; None: it is not shown.
        cuda: CUDA's number where the variable is not set.
        nvml_index: NVML's, which nvidia-smi prints; of a MIG instance its GPU's.
        minor: The number of its file, ``/dev/nvidia0``.
        pci: ``0000:01:00.0``.
        uuid: ``GPU-…``, or ``MIG-…`` of an instance.
        name: As the driver prints it.
    """

    ordinal: int | None = None
    cuda: int | None = None
    nvml_index: int | None = None
    minor: int | None = None
    pci: str | None = None
    uuid: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Process:
    """CUDA in the process that asks.

    Attributes:
        state: ``not loaded``, ``not started``, ``started``, ``refuses``, ``lost in a fork``; None
            where gpuprobe has no C core to ask.
        devices: The UUIDs of its devices where it has started, its number 0 first; None for one
            that its driver does not tell.
        at_start: The variable when the program began; None where it was not set then.
        at_start_known: Whether that could be read (Linux).
        read_by_c: The variable as C libraries read it, which is what counts; None: not set.
        read_by_python: The same in os.environ.
    """

    state: str | None = None
    devices: tuple[str | None, ...] | None = None
    at_start: str | None = None
    at_start_known: bool = False
    read_by_c: str | None = None
    read_by_python: str | None = None

    @property
    def set_inside(self) -> bool:
        """Whether the variable was changed since the program began."""
        return self.at_start_known and self.at_start != self.read_by_c


@dataclass(frozen=True, slots=True)
class Explanation(Shown):
    """What CUDA makes of a value of CUDA_VISIBLE_DEVICES on this machine, and why.

    Prints as text, and as HTML in a notebook.

    Attributes:
        value: The value; None: the variable is not set, which shows all devices.
        prediction: What the documented rules make of it, entry by entry.
        rows: The devices in all numberings; empty where none is known.
        targets: The device of each row as the prediction names it.
        unknown: Why the devices, or their order, are not known; empty where they are.
        seen: UUIDs of the devices that the driver shows under the value, its number 0 first.
            None: it could not be asked, see `unseen`.
        unseen: Why the driver could not be asked.
        order: CUDA_DEVICE_ORDER as it is in force: FASTEST_FIRST or PCI_BUS_ID.
        opinions: What others make of the same text, where it is something else.
        remarks: What variables beside it say.
        process: CUDA in this process; None where another value than its own is explained.
    """

    value: str | None
    prediction: Prediction
    rows: tuple[Row, ...] = ()
    targets: tuple[Target, ...] = ()
    unknown: str = ""
    seen: tuple[str | None, ...] | None = None
    unseen: str = ""
    order: str = "FASTEST_FIRST"
    opinions: tuple[Opinion, ...] = ()
    remarks: tuple[Remark, ...] = ()
    process: Process | None = None

    @property
    def gpu_count(self) -> int:
        """How many devices there are, MIG instances counted in place of their GPUs."""
        return len(self.rows)

    @property
    def devices(self) -> tuple[str | None, ...] | None:
        """UUIDs of the visible devices: what the driver shows, else what is foretold.

        None where neither is known.
        """
        if self.seen is not None:
            return self.seen
        foretold = self.prediction.devices
        return None if foretold is None else tuple(each.uuid for each in foretold)

    @property
    def agrees(self) -> bool | None:
        """Whether the driver shows what was foretold; None where one of the two is not known."""
        return None if self.seen is None else as_foreseen(self.prediction, self.seen)

    @property
    def too_late(self) -> bool | None:
        """Whether CUDA runs in this process with other devices than the value shows now.

        False where CUDA has not started here: the value counts when it does. None: not known.
        """
        process = self.process
        if process is None or process.state is None:
            return None
        if process.state == "lost in a fork":
            return True
        if process.devices is None:
            return False
        now = self.devices
        if now is None or (len(now) == len(process.devices) and None in (*now, *process.devices)):
            return None
        return process.devices != now

    @property
    def orders_differ(self) -> bool | None:
        """Whether CUDA and nvidia-smi number the GPUs differently; None: of none both are known."""
        pairs = [(row.cuda, row.nvml_index) for row in self.rows if (row.uuid or "")[:4] != "MIG-"]
        known = [pair for pair in pairs if None not in pair]
        return any(cuda != nvml for cuda, nvml in known) if known else None

    @property
    def is_sound(self) -> bool | None:
        """Whether every entry names a visible device; None where that cannot be told."""
        fates = {entry.fate for entry in self.prediction.entries}
        if self.devices == () or fates - {Fate.VISIBLE, Fate.UNCHECKED}:
            return False
        return None if self.devices is None else True

    def redacted(self, hide: Callable[[str], str]) -> Explanation:
        """The same with `hide` applied to the reasons, which may name somebody's folders."""
        return replace(self, unknown=hide(self.unknown), unseen=hide(self.unseen))

    def to_dict(self) -> dict[str, object]:
        """Plain values: docs/schema/visible-1.schema.json."""
        from .plain import plain

        return plain(self)

    def __str__(self) -> str:
        from ..report.terminal import Style
        from ..report.visible.text import text

        return text(self, Style())

    def _fragment(self) -> str:
        from ..report.visible.html import fragment

        return fragment(self)

"""Which devices a program gets: always inside the caller's own list, never a guess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..knowledge.visible_devices import entries
from ..knowledge.visible_devices.model import Fate
from ..knowledge.visible_devices.predictor import predict
from ..report.terminal import printable
from ..report.units import bytes_in_words, shown
from .sight import MASK

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..knowledge.visible_devices.model import Prediction
    from .candidates import Candidate
    from .sight import Sight


class NotChosenError(Exception):
    """No choice that fulfils the wish; the text names each device and what speaks against it."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the caller asks for; what is None is not asked for.

    Attributes:
        visible: A value of CUDA_VISIBLE_DEVICES, read as CUDA would read it.
        idle: So many devices on which nobody holds memory.
        min_free_bytes: Each device has at least so much free memory.
    """

    visible: str | None = None
    idle: int | None = None
    min_free_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The devices in CUDA's new order, and the variable that makes it so."""

    devices: tuple[Candidate, ...]

    @property
    def value(self) -> str:
        """The value of CUDA_VISIBLE_DEVICES: whole UUIDs."""
        return ",".join(device.uuid or "" for device in self.devices) or entries.HIDE_ALL

    @property
    def variables(self) -> dict[str, str]:
        """What has to be set before the program starts."""
        return {MASK: self.value}


def needs_cuda(wish: Wish, sight: Sight) -> bool:
    """Whether NVML's answer is not enough: it lists nothing, or numbers have to be read."""
    values = [value for value in (sight.mask, wish.visible) if value is not None]
    return not sight.candidates or (not sight.counts and any(map(_has_numbers, values)))


def choose(wish: Wish, sight: Sight) -> Choice:
    """The devices for `wish` among those that the caller has.

    Raises:
        NotChosenError: The list is faulty, can be read in several ways or goes beyond the
            caller's, or too few devices qualify.
    """
    allowed = _allowed(sight)
    if wish.visible is not None:
        choice = Choice(_named(wish.visible, allowed, sight))
        reasons = [_reason(device, wish) for device in choice.devices]
        if any(reasons):
            raise NotChosenError(_told(f"--visible {wish.visible}", choice.devices, reasons))
    elif sight.candidates and not allowed:
        raise NotChosenError(f"{MASK}={shown(sight.mask or '')} leaves no device to choose from")
    else:
        choice = Choice(_picked(wish, allowed))
    _check(choice, sight)
    return choice


# -- the caller's own list ----------------------------------------------------------------------


def _allowed(sight: Sight) -> tuple[Candidate, ...]:
    """What the caller may give away: in every way in which its own list can be read."""
    if sight.mask is None:
        return sight.candidates
    read = _prediction(sight.mask, sight)
    lists = [read.devices, *read.others]
    if read.devices is None or None in lists:
        raise NotChosenError(f"which devices {MASK}={shown(sight.mask)} shows is not certain")
    return tuple(
        sight.candidate(target)
        for target in read.devices
        if all(target in (other or ()) for other in lists)
    )


def _prediction(value: str, sight: Sight) -> Prediction:
    if not sight.counts and _has_numbers(value):
        raise NotChosenError(
            f"{MASK}={value} counts GPUs as CUDA does, and CUDA's order is not known here: name "
            "them by UUID, set CUDA_DEVICE_ORDER=PCI_BUS_ID, or let CUDA be asked (--level normal)"
        )
    return predict(value, sight.gpus, sight.driver)


def _has_numbers(value: str) -> bool:
    """Whether an entry counts GPUs; a negative one names none."""
    numbers = map(entries.number, value.split(","))
    return any(number is not None and number >= 0 for number in numbers)


# -- a list that was given ----------------------------------------------------------------------


def _named(value: str, allowed: Sequence[Candidate], sight: Sight) -> tuple[Candidate, ...]:
    read = _prediction(value, sight)
    if len(read.entries) == 1 and read.entries[0].fate in (Fate.EMPTY, Fate.NEGATIVE):
        return ()  # to hide all is a wish, too
    if not sight.candidates:
        raise NotChosenError(_told(f"--visible {value}", (), ()))
    for entry in read.entries:
        if entry.fate is not Fate.VISIBLE:
            raise NotChosenError(
                f"--visible {value}: the entry {entry.text!r} is {entry.fate.value}; CUDA would "
                "not show all that is named"
            )
    if read.devices is None or read.doubts:
        doubts = ", ".join(doubt.value for doubt in read.doubts)
        raise NotChosenError(f"--visible {value} can be read in several ways: {doubts}")
    chosen = tuple(sight.candidate(target) for target in read.devices)
    beyond = [device.label for device in chosen if device not in allowed]
    if beyond:
        raise NotChosenError(
            f"--visible {value} goes beyond {MASK}={shown(sight.mask or '')}, which does not show "
            f"{', '.join(beyond)}; a program gets devices of the caller's list only"
        )
    return chosen


# -- a choice by what they do -------------------------------------------------------------------


def _picked(wish: Wish, allowed: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Those that qualify, the least used first, in the caller's order."""
    reasons = [_reason(device, wish) for device in allowed]
    fit = [device for device, reason in zip(allowed, reasons, strict=True) if not reason]
    wanted = 1 if wish.idle is None else wish.idle
    if len(fit) < wanted:
        raise NotChosenError(_told(_asked(wish), allowed, reasons))
    if wish.idle is None:
        return tuple(fit)
    # Sorting is stable: equal ones stay in the caller's order.
    best = sorted(fit, key=lambda device: (device.used_bytes is None, device.used_bytes or 0))
    chosen = best[:wanted]
    return tuple(device for device in fit if device in chosen)


def _asked(wish: Wish) -> str:
    parts = (
        "" if wish.idle is None else f"{wish.idle} idle",
        "" if wish.min_free_bytes is None else f"{bytes_in_words(wish.min_free_bytes)} free",
    )
    return " with ".join(part for part in parts if part)


def _reason(device: Candidate, wish: Wish) -> str:
    """Why a device does not qualify; empty: it does."""
    if device.unusable:
        return device.unusable
    in_use = "" if wish.idle is None else _in_use(device)
    if in_use or wish.min_free_bytes is None:
        return in_use
    return _too_full(device, wish.min_free_bytes)


def _in_use(device: Candidate) -> str:
    if device.busy_unknown:
        return f"whether it is idle is not known: {device.busy_unknown}"
    return f"not idle: {device.busy}" if device.busy else ""


def _too_full(device: Candidate, least: int) -> str:
    if device.free_bytes is None:
        return f"its free memory is not known: {device.free_unknown}"
    if device.free_bytes >= least:
        return ""
    holders = f"; held by {device.busy}" if device.busy else ""
    return f"{bytes_in_words(device.free_bytes)} free{holders}"


def _told(asked: str, devices: Iterable[Candidate], reasons: Sequence[str]) -> str:
    """What was asked for, and each device that does not do. A process's name is its owner's."""
    faults = [
        f"{device.label}: {reason}"
        for device, reason in zip(devices, reasons, strict=True)
        if reason
    ]
    fit = len(reasons) - len(faults)
    there = (
        f"{fit} of {len(reasons)} devices qualify"
        if reasons
        else "no GPU is known here, and `gpuprobe doctor` tells why"
    )
    return printable(". ".join([f"asked for {asked}: {there}", *faults]))


def _check(choice: Choice, sight: Sight) -> None:
    """MIG has rules on what stands together: the value must show what was chosen."""
    if not choice.devices:
        return
    read = predict(choice.value, sight.gpus, sight.driver)
    shown_ = tuple(sight.candidate(target) for target in read.devices or ())
    if shown_ != choice.devices:
        labels = ", ".join(device.label for device in choice.devices)
        raise NotChosenError(
            f"the driver would not show these together: {labels}; before release 570 a program "
            "gets one MIG instance, and since then one of each GPU instance"
        )

"""Set CUDA_VISIBLE_DEVICES in time, or say that it is too late.

The environment belongs to the whole process: set it before threads are started, as C code that
reads it in another thread at that moment may crash (getenv and setenv do not lock each other).
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..diagnosis.questions.visible.devices import foreseen
from ..facts import process
from ..facts.machine import Machine
from ..facts.model import Absent, Known
from ..knowledge.visible_devices.model import Fate
from ..knowledge.visible_devices.words import why
from .look import VARIABLE, facts_here
from .selection import Selection, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..facts.model import Facts
    from ..knowledge.visible_devices.model import Prediction, Target

    _Devices = tuple[Target, ...] | None


class NotVisibleError(ValueError):
    """The value names what is not there, or what this process was not given."""


class TooLateError(RuntimeError):
    """CUDA has started in this process, and read the variable."""


def set(selection: Selection | None, *, check: bool = True) -> str | None:  # noqa: A001
    """Set CUDA_VISIBLE_DEVICES for this process and the programs that it starts.

    Args:
        selection: A value, or what it is to name: a number, a UUID, a `Device`, a list of these.
            ``-1`` and an empty list hide every device. None takes the variable away, as far as
            the process was started without it.
        check: Whether to ask the driver, in a child process, that every entry names a device
            which this process was given when it began.

    Returns:
        What was written; None: the variable was taken away.

    Raises:
        TooLateError: CUDA has started in this process, with other devices.
        NotVisibleError: An entry names no device, names one twice, can be read in several ways,
            or names one beyond the list that the process was given. It is a `ValueError`, which
            is raised for a device without a UUID and a NUL, too.
        TypeError: `selection` is none of these.
    """
    value = None if selection is None else value_of(selection)
    facts = facts_here() if check else None
    if facts is not None:
        _check_names(value, facts)
    _check_time(value, facts)
    _write(value)
    return value


@contextmanager
def only(selection: Selection | None, *, check: bool = True) -> Iterator[str | None]:
    """Set the variable for a while: for programs that are started inside the block.

    Afterwards it is as before, also after an exception; blocks can be nested. For this process
    itself the first start of CUDA counts, wherever it happens: what CUDA has read stays. Other
    threads see the change, too.

    Args and errors are those of `set`, but it is never too late for programs yet to start.
    """
    value = None if selection is None else value_of(selection)
    if check:
        _check_names(value, facts_here())
    before = process.in_force()
    _write(value)
    try:
        yield value
    finally:
        _write(before)


# -- is the value sound -------------------------------------------------------------------------


def _check_names(value: str | None, facts: Facts) -> None:
    foretold = foreseen(facts, value)
    culprit = foretold.culprit
    if culprit is not None and not _hides_on_purpose(foretold):
        raise NotVisibleError(_refusal(f'"{culprit.text}": {why(culprit)}', value))
    if foretold.doubts:
        doubts = "; ".join(doubt.value for doubt in foretold.doubts)
        raise NotVisibleError(_refusal(f"it can be read in several ways ({doubts})", value))
    given = _given()
    beyond = _beyond(foretold.devices, foreseen(facts, given).devices)
    if beyond:
        names = ", ".join(each.uuid or f"GPU {each.gpu}" for each in beyond)
        reason = f'this process was given {VARIABLE}="{given}", which leaves out {names}'
        raise NotVisibleError(_refusal(reason, value))


def _hides_on_purpose(foretold: Prediction) -> bool:
    return len(foretold.entries) == 1 and foretold.entries[0].fate in (Fate.NEGATIVE, Fate.EMPTY)


def _beyond(wanted: _Devices, given: _Devices) -> tuple[Target, ...]:
    """What was not given. Numbers cannot be held against UUIDs where CUDA's order is unknown."""
    if wanted is None or given is None:
        return ()
    if len({each.uuid is None for each in (*wanted, *given)}) > 1:
        return ()
    return tuple(each for each in wanted if each not in given)


def _refusal(reason: str, value: str | None) -> str:
    shown = "not set" if value is None else f'"{value}"'
    return f"{VARIABLE} is not changed to {shown}: {reason}"


_before_us: list[str | None] = []


def _given() -> str | None:
    """The list that this process was given: at its start, else before it was first changed here."""
    start = process.at_start(Machine.here())
    if isinstance(start, Known):
        return start.value
    if isinstance(start, Absent):
        return None
    if not _before_us:
        _before_us.append(process.in_force())
    return _before_us[0]


# -- is it in time ------------------------------------------------------------------------------


def _check_time(value: str | None, facts: Facts | None) -> None:
    """Writing what is in force already is never too late."""
    found = process.look()
    state = process.state(Machine.here(), found)
    if found is None or not isinstance(state, Known):
        return
    if state.value == "lost in a fork":
        raise TooLateError(
            f"{state.source}, and a fork of it can neither use CUDA nor start it; start processes "
            'by "spawn" (multiprocessing.set_start_method), and set the variable there'
        )
    if state.value == "started" and not _is_in_force(value, facts, found.uuids):
        raise TooLateError(
            f"CUDA has started in this process, with {_count(found.uuids)}, and has read "
            f"{VARIABLE}. Set it at the top of the program, before torch, tensorflow or jax use a "
            "GPU, or start the program anew"
        )


def _count(uuids: tuple[str | None, ...]) -> str:
    return "1 device" if len(uuids) == 1 else f"{len(uuids)} devices"


def _is_in_force(value: str | None, facts: Facts | None, has: tuple[str | None, ...]) -> bool:
    if facts is None:
        return value == process.in_force()
    devices = foreseen(facts, value).devices
    return devices is not None and tuple(each.uuid for each in devices) == has


def _write(value: str | None) -> None:
    """Through os.environ, which passes it on to C, where CUDA reads it."""
    _given()  # remembered before it is overwritten
    if value is None:
        os.environ.pop(VARIABLE, None)
        os.unsetenv(VARIABLE)  # os.environ does not know what C code has set
    else:
        os.environ[VARIABLE] = value
    now = process.in_force()
    if now != value:
        raise OSError(f"{VARIABLE} was set to {value!r}, but C libraries read {now!r}")

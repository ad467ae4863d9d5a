"""Ask the driver, in child processes, and put together what is known of a value."""

from __future__ import annotations

import os
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from ..diagnosis.questions.visible.devices import foreseen
from ..facts import driver, names, outcomes, process
from ..facts.gpus import devices
from ..facts.machine import Machine
from ..facts.model import Absent, Fact, Facts, Known, Unknown, entry
from ..facts.probe import Probe, Silent
from ..knowledge.visible_devices import order
from ..knowledge.visible_devices.surroundings import remarks
from .explanation import Explanation, Process
from .others import opinions
from .rows import table_of
from .selection import value_of

if TYPE_CHECKING:
    from ..facts.answers import Answer
    from .selection import Selection

VARIABLE, ORDER = "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"


#: What the loader says behind the name of a library that nobody has installed.
_NO_FILE = ": cannot open shared object file: No such file or directory"


class Own(Enum):
    """Stands for the value that this process has."""

    VALUE = "the value of this process"


OWN = Own.VALUE


def explain(value: Selection | Own | None = OWN) -> Explanation:
    """Tell what CUDA makes of a value here, and hold it against what the driver shows.

    The driver is asked in child processes that have never touched CUDA, as a program would be
    that starts now. In this process nothing is started. Without a driver the value is judged by
    how it is written.

    Args:
        value: A value of CUDA_VISIBLE_DEVICES, or what it is to name: a number, a UUID, a
            `Device`, a list of these. None: the variable is not set. By default the value of
            this process; then the explanation also tells whether it came too late for CUDA here.

    Raises:
        TypeError: `value` is none of these.
        ValueError: A device without a UUID cannot be named, nor can a variable hold a NUL.
    """
    if value is None or isinstance(value, Own):
        return explain_text(value)
    return explain_text(value_of(value))


def explain_text(value: str | Own | None) -> Explanation:
    """The same for a text, the empty one included, as a variable would hold it."""
    machine = Machine.here()
    here = _process(machine) if isinstance(value, Own) else None
    text = process.in_force() if isinstance(value, Own) else value
    answers = _ask(machine, text)
    facts = _facts(machine, answers)
    prediction = foreseen(facts, text)
    found = table_of(facts, prediction, _uuids(answers.under), _reason(answers.nvml))
    return Explanation(
        text,
        prediction,
        rows=found.rows,
        targets=found.targets,
        unknown=found.unknown,
        seen=_uuids(answers.under),
        unseen=_reason(answers.under),
        order=order.in_force(machine.environ.get(ORDER)),
        opinions=opinions(facts, prediction),
        remarks=remarks(text, machine.environ),
        process=here,
    )


def facts_here() -> Facts:
    """The devices of this machine as CUDA shows them where the variable is not set."""
    machine = Machine.here()
    return _facts(machine, _ask(machine, None))


class _Answers(NamedTuple):
    """What the driver says: NVML, CUDA without the variable, and CUDA under the value."""

    nvml: Answer | Silent
    bare: Answer | Silent
    under: Answer | Silent


def _ask(machine: Machine, text: str | None) -> _Answers:
    """All three at once; two where the value is "not set"."""
    rest = {name: value for name, value in machine.environ.items() if name != VARIABLE}
    bare = Probe(rest, machine.tell)
    under = bare if text is None else Probe({**rest, VARIABLE: text}, machine.tell)
    try:
        bare.start("nvml", "cuda")
        if under is not bare:
            under.start("cuda")
        return _Answers(bare.answer("nvml"), bare.answer("cuda"), under.answer("cuda"))
    finally:
        bare.stop()
        under.stop()


def _facts(machine: Machine, answers: _Answers) -> Facts:
    """The facts that name the devices, as on a machine where the variable is not set."""
    set_order = machine.environ.get(ORDER)
    in_order: Fact[str] = Absent("not set") if set_order is None else Known(set_order, ORDER)
    return Facts(
        dict(
            (
                entry(names.ENV(VARIABLE), Absent("left out")),
                entry(names.ENV(ORDER), in_order),
                entry(names.NVML_COUNT, outcomes.count(answers.nvml)),
                entry(names.CUDA_COUNT, outcomes.count(answers.bare)),
                entry(names.CUDA_COUNT_UNMASKED, outcomes.count(answers.bare)),
                *driver.collect(machine, answers.bare, answers.nvml),
                *devices.collect(machine, answers.bare, answers.nvml),
            )
        )
    )


def _uuids(answer: Answer | Silent) -> tuple[str | None, ...] | None:
    """The devices that the driver shows; None where it could not be asked."""
    if outcomes.sees_no_device(answer):
        return ()
    if isinstance(answer, Silent) or answer.failed is not None:
        return None
    return tuple(device.uuid for device in answer.devices)


def _reason(answer: Answer | Silent) -> str:
    if isinstance(answer, Silent):
        return answer.reason
    if answer.failed is None or outcomes.sees_no_device(answer):
        return ""
    error = answer.library.error or str(answer.failed)
    return error.removesuffix(_NO_FILE) + " is not found" if error.endswith(_NO_FILE) else error


def _process(machine: Machine) -> Process:
    found = process.look()
    state = process.state(machine, found)
    start = process.at_start(machine)
    return Process(
        state.value if isinstance(state, Known) else None,
        found.uuids if found is not None and found.state == "started" else None,
        start.value if isinstance(start, Known) else None,
        not isinstance(start, Unknown),
        process.in_force(),
        os.environ.get(VARIABLE),
    )

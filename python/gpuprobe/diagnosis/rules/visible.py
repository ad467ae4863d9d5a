"""CUDA_VISIBLE_DEVICES where CUDA works: what it hides, and whether it names what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ...facts.model import Facts, NotThere
from ..fixes.access import name_by_uuid, show_all_gpus, unset_variable
from ..model import Finding, Findings, Fix, Link, Severity, cite, rule
from ..questions.driver.state import works
from ..questions.gpus.mig import any_mig
from ..questions.place import place_of
from ..questions.source import looked_at
from ..questions.visible.values import VISIBLE, shortened

if TYPE_CHECKING:
    from ...knowledge.visible_devices.model import Prediction

_ORDER = names.ENV("CUDA_DEVICE_ORDER")


def _set_value(facts: Facts) -> str:
    """The variable, where CUDA works under it. Of pasted texts too little is known."""
    value = facts.need(VISIBLE)
    if not looked_at(facts) or not works(facts):
        raise NotThere(names.CUDA_COUNT.name)
    return value


@rule(
    "GP308",
    "visible-devices-hide-some",
    cause="hidden-by-visible-devices",
    link=Link.VISIBLE_DEVICES,
    since="0.1",
)
def visible_devices_hide_some(facts: Facts) -> Findings:
    """CUDA_VISIBLE_DEVICES leaves some of the GPUs to CUDA."""
    value = _set_value(facts)
    seen, there = facts.need(names.CUDA_COUNT), facts.need(names.NVML_COUNT)
    if seen >= there or any_mig(facts):
        return
    from ..questions.visible.devices import foreseen

    cut = _cut_short(foreseen(facts, value), there)
    mend = unset_variable if cut else show_all_gpus
    yield Finding(
        f'CUDA_VISIBLE_DEVICES="{shortened(value)}" shows {seen} of {there} GPUs{cut}',
        cite(facts, VISIBLE, names.CUDA_COUNT, names.NVML_COUNT),
        mend(place_of(facts), "CUDA_VISIBLE_DEVICES"),
        severity=Severity.NOTE,
    )


def _cut_short(foretold: Prediction, there: int) -> str:
    """The entry that ends the list, unless it is the last one and was only meant to end it."""
    culprit = foretold.culprit
    if culprit is None:
        return ""
    from ...knowledge.visible_devices.words import why

    return f': "{culprit.text.strip()}" ends the list, {why(culprit, there)}'


@rule(
    "GP309",
    "device-order-differs",
    cause="hidden-by-visible-devices",
    link=Link.VISIBLE_DEVICES,
    since="0.1",
)
def device_order_differs(facts: Facts) -> Findings:
    """CUDA_VISIBLE_DEVICES counts the GPUs in another order than nvidia-smi does."""
    value = _set_value(facts)
    if any_mig(facts):
        return
    from ..questions.visible.devices import foreseen

    numbers = {each.ordinal: each.number for each in foreseen(facts, value).entries}
    for gpu in facts.subjects(names.GPU_ORDINAL):
        number = numbers.get(facts.known(names.GPU_ORDINAL(gpu)))
        index = facts.known(names.GPU_NVML_INDEX(gpu))
        if number is None or index is None or number == index:
            continue
        yield Finding(
            f"The {number} in CUDA_VISIBLE_DEVICES is GPU {index} of nvidia-smi: "
            f"{_ways_to_count(facts)}",
            cite(
                facts,
                *(VISIBLE, _ORDER),
                *(names.GPU_ORDINAL(gpu), names.GPU_NVML_INDEX(gpu), names.GPU_NAME(gpu)),
            ),
            name_by_uuid(place_of(facts), facts.known(names.GPU_UUID(gpu))),
            severity=Severity.NOTE,
        )
        return


def _ways_to_count(facts: Facts) -> str:
    by_bus = facts.known(_ORDER) == "PCI_BUS_ID"
    return "the two count in different orders" if by_bus else "CUDA counts the fastest first"


@rule(
    "GP310",
    "visible-devices-unforeseen",
    cause="hidden-by-visible-devices",
    link=Link.VISIBLE_DEVICES,
    since="0.1",
)
def visible_devices_unforeseen(facts: Facts) -> Findings:
    """CUDA makes something else of CUDA_VISIBLE_DEVICES than its documented rules foretell."""
    value = _set_value(facts)
    from ..questions.visible.devices import as_foreseen, foreseen, shown

    foretold, seen = foreseen(facts, value), shown(facts)
    if seen is None or foretold.devices is None or as_foreseen(foretold, seen) is not False:
        return
    yield Finding(
        f'CUDA_VISIBLE_DEVICES="{shortened(value)}" shows '
        f"{_in_words(len(seen), len(foretold.devices))}",
        cite(facts, VISIBLE, _ORDER, names.CUDA_COUNT, names.NVML_COUNT, names.DRIVER_VERSION),
        Fix(
            "Believe the driver. This says that gpuprobe's own reading of the value is wrong, or "
            "that something else hides or adds devices; please report it with the value.",
            ("gpuprobe visible --format json",),
        ),
        severity=Severity.NOTE,
    )


def _in_words(seen: int, foretold: int) -> str:
    if seen == foretold:
        return "other devices than its rules foretell"
    return f"{seen} {'device' if seen == 1 else 'devices'}, where its rules foretell {foretold}"

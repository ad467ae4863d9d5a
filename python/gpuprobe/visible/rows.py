"""The index table: each device under its numbers in CUDA, in nvidia-smi and in /dev."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..diagnosis.questions.visible.devices import cuda_order, gpus, instances_of, listed
from ..facts import names
from ..knowledge.visible_devices.listing import Listing
from .explanation import Row

if TYPE_CHECKING:
    from ..facts.model import Facts
    from ..knowledge.visible_devices.model import Prediction, Target

_NO_ORDER = "in which order CUDA counts the GPUs is not known, as CUDA does not tell it here"


class Table(NamedTuple):
    """The rows, the device of each as a prediction names it, and what is not known."""

    rows: tuple[Row, ...]
    targets: tuple[Target, ...]
    unknown: str


def table_of(
    facts: Facts, foretold: Prediction, seen: tuple[str | None, ...] | None, silence: str
) -> Table:
    """The devices in CUDA's order, or in NVML's where that is not known.

    `silence` is why NVML lists none, where it could not be asked.
    """
    ordered = cuda_order(facts)
    subjects = listed(facts) if ordered is None else ordered
    if not subjects:
        because = f"no GPU is known here: {silence}" if silence else "the driver lists no GPU"
        return Table((), (), because)
    targets = Listing(gpus(facts, None) or ()).targets(instances_last=False)
    visible = _numbers(foretold, targets, seen)
    rows = tuple(
        _row(facts, subjects[target.gpu], target, None if ordered is None else place, number)
        for place, (target, number) in enumerate(zip(targets, visible, strict=True))
    )
    return Table(rows, targets, _NO_ORDER if ordered is None else "")


def _numbers(
    foretold: Prediction, targets: tuple[Target, ...], seen: tuple[str | None, ...] | None
) -> list[int | None]:
    """CUDA's number of each device under the value: as the driver shows it, else as foretold."""
    uuids = seen
    if uuids is None:
        uuids = tuple(each.uuid for each in foretold.devices or ())
    return [
        uuids.index(each.uuid) if each.uuid in uuids and each.uuid else None for each in targets
    ]


def _row(facts: Facts, subject: str, target: Target, place: int | None, visible: int | None) -> Row:
    """The GPU's numbers; of an instance its own name and UUID."""
    ordinal, name = names.GPU_ORDINAL(subject), names.GPU_NAME(subject)
    if target.instance is not None:
        number = instances_of(facts, subject)[target.instance]
        ordinal, name = names.MIG_ORDINAL(number), names.MIG_NAME(number)
    # Where CUDA could not be asked, its order may still follow from CUDA_DEVICE_ORDER.
    asked = facts.known(names.CUDA_COUNT) is not None
    return Row(
        visible,
        facts.known(ordinal) if asked else place,
        facts.known(names.GPU_NVML_INDEX(subject)),
        facts.known(names.GPU_MINOR(subject)),
        facts.known(names.GPU_PCI(subject)),
        target.uuid,
        facts.known(name),
    )

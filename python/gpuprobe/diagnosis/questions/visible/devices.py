"""The GPUs of these facts as CUDA_VISIBLE_DEVICES names them, and those that CUDA shows."""

from __future__ import annotations

from ....facts import names
from ....facts.model import Absent, Facts, Family
from ....knowledge.visible_devices import entries, order
from ....knowledge.visible_devices.model import Gpu, Instance, Prediction
from ....knowledge.visible_devices.predictor import predict

_VISIBLE = names.ENV("CUDA_VISIBLE_DEVICES")
_ORDER = names.ENV("CUDA_DEVICE_ORDER")
_LAST = 1 << 30  # the place of a GPU in MIG mode that CUDA passes over


def foreseen(facts: Facts, value: str | None) -> Prediction:
    """What CUDA makes of `value` on this machine."""
    return predict(value, gpus(facts, value), facts.known(names.DRIVER_VERSION))


def gpus(facts: Facts, value: str | None) -> tuple[Gpu, ...] | None:
    """All GPUs, in CUDA's order where it can be told; None where nobody counted them.

    Where the order cannot be told, a value of numbers gets GPUs without their UUIDs: how many
    there are is known, and not which is which. For UUIDs the order does not matter.
    """
    subjects = cuda_order(facts)
    if subjects is None and not _counts(value):
        subjects = listed(facts)
    if subjects:
        return tuple(_gpu(facts, subject) for subject in subjects)
    count = len(listed(facts)) or facts.known(names.CUDA_COUNT_UNMASKED)
    count = facts.known(names.NVML_COUNT) if count is None else count
    return None if count is None else (Gpu(),) * count


def _counts(value: str | None) -> bool:
    return value is not None and entries.number(value) is not None


def listed(facts: Facts) -> tuple[str, ...]:
    """The GPUs that NVML lists, or that a text tells of; a GPU that has failed is left out."""
    subjects = dict.fromkeys(
        (*facts.subjects(names.GPU_NVML_INDEX), *facts.subjects(names.GPU_UUID))
    )
    return tuple(
        subject
        for subject in subjects
        if not isinstance(facts.fact(names.GPU_NVML_INDEX(subject)), Absent)
        and not (facts.known(names.GPU_UUID(subject)) or "").startswith("MIG-")
        and facts.known(names.GPU_FAILURE(subject)) is None
    )


def cuda_order(facts: Facts) -> tuple[str, ...] | None:
    """The GPUs in CUDA's own order, as far as no variable hides any; None: it cannot be told."""
    subjects = listed(facts)
    ordinals = {subject: _first_ordinal(facts, subject) for subject in subjects}
    if isinstance(facts.fact(_VISIBLE), Absent) and None not in ordinals.values():
        return tuple(sorted(subjects, key=lambda subject: ordinals[subject] or 0))
    places = order.foreseen(
        [facts.known(names.GPU_PCI(subject)) for subject in subjects],
        [facts.known(names.GPU_NAME(subject)) for subject in subjects],
        facts.known(_ORDER),
    )
    return None if places is None else tuple(subjects[place] for place in places)


def _first_ordinal(facts: Facts, subject: str) -> int | None:
    """CUDA's number of a GPU or of its first instance; one without an instance has no number."""
    own = facts.known(names.GPU_ORDINAL(subject))
    instances = instances_of(facts, subject)
    if own is not None or not facts.known(names.GPU_MIG(subject)):
        return own
    numbers = [facts.known(names.MIG_ORDINAL(each)) for each in instances]
    return min((number for number in numbers if number is not None), default=_LAST)


def instances_of(facts: Facts, subject: str) -> tuple[str, ...]:
    """The MIG instances of a GPU."""
    gpu = int(subject)
    numbers = facts.subjects(names.MIG_GPU)
    return tuple(each for each in numbers if facts.known(names.MIG_GPU(each)) == gpu)


def _gpu(facts: Facts, subject: str) -> Gpu:
    instances = tuple(
        Instance(
            facts.known(names.MIG_UUID(number)),
            facts.known(names.MIG_GPU_INSTANCE(number)),
            facts.known(names.MIG_COMPUTE_INSTANCE(number)),
        )
        for number in instances_of(facts, subject)
    )
    return Gpu(
        facts.known(names.GPU_UUID(subject)),
        mig=facts.known(names.GPU_MIG(subject)) is True,
        instances=instances,
    )


def shown(facts: Facts) -> tuple[str | None, ...] | None:
    """The UUIDs of the devices that CUDA lists, its number 0 first; None where it did not say."""
    count = facts.known(names.CUDA_COUNT)
    if count is None:
        return None
    found = _by_ordinal(facts, names.GPU_ORDINAL, names.GPU_UUID)
    found |= _by_ordinal(facts, names.MIG_ORDINAL, names.MIG_UUID)
    return tuple(found.get(ordinal) for ordinal in range(count))


def _by_ordinal(facts: Facts, ordinal: Family[int], uuid: Family[str]) -> dict[int, str | None]:
    found: dict[int, str | None] = {}
    for subject in facts.subjects(ordinal):
        number = facts.known(ordinal(subject))
        if number is not None:
            found[number] = facts.known(uuid(subject))
    return found


def of_a_new_process(facts: Facts, value: str | None) -> tuple[str, ...]:
    """The UUIDs that CUDA shows to a process that starts now: seen, or else foreseen.

    Raises:
        Missing: Nobody knows them.
    """
    found = shown(facts)
    if found is None:
        foretold = foreseen(facts, value)
        if value is None or foretold.devices is None or foretold.doubts:
            facts.need(names.CUDA_COUNT)
        found = tuple(each.uuid for each in foretold.devices or ())
    for subject in listed(facts) if None in found else ():
        facts.look(names.GPU_ORDINAL(subject))
        facts.look(names.GPU_UUID(subject))
    return tuple(uuid or "unknown" for uuid in found)


def unforeseeable(facts: Facts) -> None:
    """Ask for what a prediction would have needed.

    Raises:
        Missing: That is not known.
    """
    for subject in listed(facts):
        facts.look(names.GPU_UUID(subject))
    facts.look(names.NVML_COUNT)


def as_foreseen(prediction: Prediction, seen: tuple[str | None, ...]) -> bool | None:
    """Whether CUDA shows what was foreseen, or what an open question leaves room for.

    None where that cannot be told: what nobody knows contradicts nothing.
    """
    if prediction.devices is None:
        return None
    foreseen_lists = (prediction.devices, *prediction.others)
    for devices in foreseen_lists:
        if devices is None:
            return None
        pairs = zip((each.uuid for each in devices), seen, strict=False)
        if len(devices) == len(seen) and all(None in pair or pair[0] == pair[1] for pair in pairs):
            return True
    return False

"""What others make of the same text on this machine, where that is something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnosis.questions.visible.devices import cuda_order, listed
from ..facts import names
from ..knowledge.visible_devices import amd, lists
from ..knowledge.visible_devices.nvitop import nvitop
from ..knowledge.visible_devices.pytorch import torch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..facts.model import Facts
    from ..knowledge.visible_devices.model import Prediction
    from ..knowledge.visible_devices.opinion import Opinion


def opinions(facts: Facts, foretold: Prediction) -> tuple[Opinion, ...]:
    """Each reader that takes other devices than CUDA; none where CUDA's are not known."""
    ordered, devices = cuda_order(facts), foretold.devices
    if not ordered or devices is None or any(each.instance is not None for each in devices):
        return ()
    by_nvml = listed(facts)
    ours = tuple(each.gpu for each in devices)
    nvml_numbers = tuple(by_nvml.index(ordered[number]) for number in ours)
    uuids = [facts.known(names.GPU_UUID(subject)) for subject in by_nvml]
    counters = (torch(foretold.value, uuids), nvitop(foretold.value, uuids))
    return (
        *(each for each in counters if each.differs_from(nvml_numbers)),
        *(each for each in _elsewhere(facts, ordered, foretold) if each.differs_from(ours)),
    )


def _elsewhere(facts: Facts, ordered: tuple[str, ...], foretold: Prediction) -> Iterator[Opinion]:
    """The same text in variables and settings that count after it, or for AMD's GPUs."""
    if foretold.value is None:
        return
    uuids = [facts.known(names.GPU_UUID(subject)) or "" for subject in ordered]
    yield lists.tensorflow(foretold.value, len(ordered))
    yield lists.jax(foretold.value, len(ordered))
    yield amd.hip(None, foretold.value, uuids)
    yield amd.rocr(foretold.value, uuids)

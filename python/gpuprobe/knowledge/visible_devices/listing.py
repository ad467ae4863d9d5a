"""The devices of a machine as CUDA lists them, and what names them: numbers and UUIDs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .entries import is_whole
from .model import Fate, Gpu, Target

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Listing:
    """GPUs in the order in which numbers count. What names none of them is a `Fate`."""

    gpus: tuple[Gpu, ...]

    @property
    def has_mig(self) -> bool:
        """Whether a GPU is in MIG mode."""
        return any(gpu.mig for gpu in self.gpus)

    def targets(self, *, instances_last: bool) -> tuple[Target, ...]:
        """Every device. Instances stand in the place of their GPU, or after all whole GPUs."""
        every = tuple(target for number in range(len(self.gpus)) for target in self.of(number))
        if not instances_last:
            return every
        return tuple(sorted(every, key=lambda target: target.instance is not None))

    def of(self, number: int) -> Iterator[Target]:
        """What CUDA could list for one GPU: itself, or its instances."""
        gpu = self.gpus[number]
        if not gpu.mig:
            yield Target(number, None, gpu.uuid)
            return
        for place, instance in enumerate(gpu.instances):
            yield Target(number, place, instance.uuid)

    @property
    def is_mixed(self) -> bool:
        """Whether there are whole GPUs beside MIG instances."""
        return len({target.instance is None for target in self.targets(instances_last=False)}) > 1

    def without_whole_gpus(self) -> Listing:
        """The same where CUDA passes over every GPU that is not split."""
        return Listing(tuple(gpu if gpu.mig else Gpu(gpu.uuid, mig=True) for gpu in self.gpus))

    def by_number(
        self, number: int, *, counts_instances: bool, instances_last: bool
    ) -> Target | Fate:
        """The device with this number. A GPU that counts once stands for its first instance."""
        listed = self.targets(instances_last=instances_last)
        if not counts_instances:
            firsts: dict[int, Target] = {}
            for target in listed:
                firsts.setdefault(target.gpu, target)
            listed = tuple(firsts.values())
        return listed[number] if number < len(listed) else Fate.OUT_OF_RANGE

    def by_uuid(self, prefix: str) -> Target | Fate:
        """The GPU whose UUID begins so; one in MIG mode stands for its first instance."""
        found = _matching([gpu.uuid for gpu in self.gpus], prefix)
        return found if isinstance(found, Fate) else next(self.of(found), Fate.NO_INSTANCE)

    def by_instance_uuid(self, prefix: str) -> Target | Fate:
        """The MIG instance whose own UUID begins so."""
        every = [each for each in self.targets(instances_last=False) if each.instance is not None]
        found = _matching([each.uuid for each in every], prefix)
        if not isinstance(found, Fate):
            return every[found]
        # A GPU of which not even the UUID is known may have instances that nobody listed.
        unknown = not every and any(gpu.uuid is None for gpu in self.gpus)
        return Fate.UNCHECKED if unknown else found

    def by_old_name(self, uuid: str, gpu_instance: int, compute_instance: int) -> Target | Fate:
        """The MIG instance by its GPU and its two numbers."""
        found = _matching([gpu.uuid for gpu in self.gpus], uuid)
        if isinstance(found, Fate):
            return found
        numbers = (gpu_instance, compute_instance)
        for place, each in enumerate(self.gpus[found].instances):
            if (each.gpu_instance, each.compute_instance) == numbers:
                return Target(found, place, each.uuid)
        return Fate.UNKNOWN_UUID


def _matching(uuids: Sequence[str | None], prefix: str) -> int | Fate:
    """Which one begins with `prefix`; an unknown one may be it, too, unless `prefix` is whole."""
    found = [
        place for place, uuid in enumerate(uuids) if uuid is not None and uuid.startswith(prefix)
    ]
    if len(found) > 1:
        return Fate.NOT_UNIQUE
    if None in uuids and not (found and is_whole(prefix)):
        return Fate.UNCHECKED
    return found[0] if found else Fate.UNKNOWN_UUID

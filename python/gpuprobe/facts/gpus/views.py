"""One GPU as NVML and CUDA show it, and what is said where neither tells a thing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..answers import Answer, Device
from ..model import Absent, Fact, Known, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..nvml_details import Details
    from ..probe import Silent

T = TypeVar("T")


class Gpu(NamedTuple):
    """One GPU in both views; None where a view does not show it."""

    nvml: Device | None
    cuda: Device | None

    def views(self) -> Iterator[tuple[str, Device]]:
        """The views that show it, NVML's first."""
        if self.nvml is not None:
            yield f"NVML device {self.nvml.number}", self.nvml
        if self.cuda is not None:
            yield f"CUDA device {self.cuda.number}", self.cuda

    @property
    def is_kept_back(self) -> bool:
        """CUDA shows it, and NVML tells this user nothing of it."""
        failed = self.nvml.failed if self.nvml is not None else None
        code = failed.code if failed is not None and failed.kind == "nvml" else None
        return code == _NO_PERMISSION and self.cuda is not None and self.cuda.failed is None

    @property
    def details(self) -> Details | None:
        """What NVML alone tells."""
        return None if self.nvml is None else self.nvml.details

    def first(self, field: str, read: Callable[[Device], T | None]) -> Fact[T]:
        """The field from the first view that has it; else the reasons of all views."""
        reasons = []
        for source, device in self.views():
            value = read(device)
            if value is not None:
                return Known(value, source)
            reasons.append(_not_said(source, device.unread.get(field)))
        return Unknown(", ".join(reasons))

    def told(self, field: str, value: T | None) -> Fact[T]:
        """What NVML tells in this field of its answer; else why it does not."""
        if self.nvml is None:
            return Unknown("NVML does not list it")
        return told(f"NVML device {self.nvml.number}", value, self.nvml.unread.get(field))

    def part(self, field: str, value: T | None) -> Fact[T]:
        """The same of what not every product has: "not supported" says that it is not there."""
        if self.nvml is not None and self.nvml.unread.get(field) == _NOT_SUPPORTED:
            return Absent(f"NVML device {self.nvml.number}: not supported")
        return self.told(field, value)


def told(source: str, value: T | None, code: int | None) -> Fact[T]:
    """The value that `source` gave; else that it does not say, and by which code."""
    return Unknown(_not_said(source, code)) if value is None else Known(value, source)


_NOT_SUPPORTED = 3
_NO_PERMISSION = 4
#: What NVML answers most often in place of a value.
_MEANINGS = {
    _NOT_SUPPORTED: "not supported",
    _NO_PERMISSION: "no permission",
    15: "the GPU is lost",
    999: "unknown error",
}


def _not_said(source: str, code: int | None) -> str:
    if not code:
        return f"{source} does not say"
    meaning = _MEANINGS.get(code) if "NVML" in source else None
    return f"{source} does not say (code {code}{f', {meaning}' if meaning else ''})"


def number_of(device: Device | None, answer: Answer | Silent) -> Fact[int]:
    """The library's own number of a device; `Absent` where it answers and does not list it."""
    if device is not None:
        return Known(device.number, f"the probe {answer.step!r}")
    if not isinstance(answer, Answer):
        return Unknown(answer.reason)
    if answer.failed is not None:
        return Unknown(str(answer.failed))
    return Absent(f"the list of the probe {answer.step!r}")


def join(nvml: tuple[Device, ...], cuda: tuple[Device, ...]) -> tuple[Gpu, ...]:
    """Pair the two lists by UUID, else by PCI address; CUDA's MIG instances are left out.

    NVML lists instances below their GPU: whoever wants them finds them there. It counts every GPU
    of the machine, those too that it tells nothing of: where one alone is left on either side, the
    two are one GPU.
    """
    instances = {uuid for device in nvml for uuid in mig_uuids(device)}
    left = [device for device in cuda if (device.uuid or "").lower() not in instances]
    gpus = []
    for device in nvml:
        twin = next((each for each in left if _same(device, each)), None)
        if twin is not None:
            left.remove(twin)
        gpus.append(Gpu(device, twin))
    nameless = [device for device in nvml if not (device.uuid or device.pci)]
    whole = [device for device in left if (device.uuid or "").startswith("GPU-")]
    if len(nameless) == len(left) == len(whole) == 1:
        gpus[nvml.index(nameless[0])] = Gpu(nameless[0], left.pop())
    return (*gpus, *(Gpu(None, device) for device in left))


def mig_uuids(device: Device) -> Iterator[str]:
    """The UUIDs of the instances below a GPU of NVML's, in small letters."""
    migs = device.details.migs if device.details is not None else None
    return (mig.uuid.lower() for mig in migs or () if mig.uuid)


def _same(nvml: Device, cuda: Device) -> bool:
    """A MIG instance has its parent's PCI address, so the UUID decides where both have one."""
    if nvml.uuid and cuda.uuid:
        return nvml.uuid.lower() == cuda.uuid.lower()
    return bool(nvml.pci and cuda.pci and nvml.pci.lower() == cuda.pci.lower())

"""Where it is computed, and by what: what is asked for, and what to raise where it is not there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..report.model import Report

AUTO, CPU = "auto", "cpu"
#: What computes on a GPU, by the call; the best first. The files py_gpu_*.c have a row for each.
BACKENDS: dict[str, tuple[str, ...]] = {
    "matmul": ("cublas", "native"),
    "conv2d": ("cudnn", "native"),
}

_UUIDS = ("GPU-", "MIG-")
_PLACES = 'use None, CUDA\'s number, a UUID ("GPU-…", "MIG-…") or a gpuprobe.Device'


class GpuUnavailable(RuntimeError):  # noqa: N818  (a state of the machine, as people name it)
    """There is no GPU to compute on; the text is the doctor's finding and its fix.

    Attributes:
        report: What the doctor found.
    """

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report

    def __reduce__(self) -> tuple[type[GpuUnavailable], tuple[str, Report]]:
        return type(self), (str(self), self.report)


@dataclass(frozen=True, slots=True)
class Place:
    """Where to compute, and by what.

    Attributes:
        device: CUDA's ordinal; None: the one of the arrays, else the current one. "cpu".
        backends: To be tried in this order.
    """

    device: int | str | None
    backends: tuple[str, ...]

    @property
    def is_cpu(self) -> bool:
        """It is computed by the plain reference."""
        return self.device == CPU


def no_name(call: str, backend: object, compute: object) -> TypeError:
    """What to raise where one of the two, which are chosen by name, is something else."""
    option, value = ("compute", compute) if isinstance(backend, str) else ("backend", backend)
    return TypeError(f"{call}: {option}={value!r}: expected a name, got {type(value)!r}")


def place_of(call: str, device: int | str | None, backend: str) -> Place:
    """Where and by what, of a device that `device_of` has understood.

    Raises:
        ValueError: There is no such back end, or the two do not go together.
    """
    offered = BACKENDS[call]
    if backend not in (AUTO, CPU, *offered):
        known = ", ".join(map(repr, (AUTO, *offered)))
        raise ValueError(f"{call}: backend={backend!r}: there are {known} and {CPU!r}")
    if device == CPU and backend in offered:
        raise ValueError(f"{call}: backend={backend!r} computes on a GPU, and device is {CPU!r}")
    if backend == CPU and device not in (None, CPU):
        raise ValueError(f"{call}: backend={CPU!r} computes on the CPU, and device is {device!r}")
    if CPU in (backend, device):
        return Place(CPU, (CPU,))
    return Place(device, offered if backend == AUTO else (backend,))


def device_of(call: str, device: object) -> int | str:
    """CUDA's number of what is named, or "cpu". Starts no CUDA, and raises as `gpu_of`."""
    return CPU if isinstance(device, str) and device == CPU else gpu_of(call, device)


def gpu_of(call: str, device: object) -> int:
    """CUDA's number of the GPU that is named. Starts no CUDA.

    Raises:
        GpuUnavailable: A UUID is named, and there is no GPU at all.
        TypeError: It names no GPU.
        ValueError: There is no such GPU.
    """
    from ..device.named import ordinal_of

    if isinstance(device, str):
        return _with_uuid(call, device)
    return ordinal_of(call, device, _places(call))


def _with_uuid(call: str, uuid: str) -> int:
    from ..device import devices
    from ..device.here import ordinal_here

    if not uuid.startswith(_UUIDS):
        raise ValueError(f"{call}: device is {uuid!r}: {_places(call)}")
    gpus = devices()
    if not gpus:
        raise unavailable("No fault was found, yet no GPU was seen.", way_out(call))
    parts = [part for gpu in gpus for part in gpu.mig.instances]
    numbers = {each.uuid: each.ordinal for each in gpus} | {
        each.uuid: each.ordinal for each in parts
    }
    ordinal = ordinal_here(uuid, numbers.get(uuid))
    if ordinal is not None:
        return ordinal
    raise ValueError(f"{call}: CUDA shows no GPU {uuid} to this process")


def _places(call: str) -> str:
    """What may be named. Only what computes can do without a GPU."""
    return f'{_PLACES}, or "cpu"' if call in BACKENDS else _PLACES


def way_out(call: str) -> str:
    """What helps where there is no GPU."""
    if call not in BACKENDS:
        return f"gpuprobe.{call} needs a GPU."
    return f'gpuprobe.{call}(…, device="cpu") runs the reference.'


def unavailable(healthy: str, way_out: str) -> GpuUnavailable:
    """What to raise: the doctor's finding, or `healthy` where it has none; then `way_out`."""
    from ..diagnosis.model import Verdict
    from ..examine import judge, machine_facts
    from ..report.words import headline

    report = judge(machine_facts())
    root, verdict = report.diagnosis.root, report.diagnosis.verdict
    if verdict in (Verdict.HEALTHY, Verdict.DEGRADED):
        found = healthy
    elif root is None:
        found = "No GPU was seen to work, and no fault was found; `gpuprobe` says what is unknown."
    else:
        fix = root.finding.fix
        found = "\n".join((headline(root), fix.text, *(f"    {each}" for each in fix.commands)))
    return GpuUnavailable(f"{found}\n{way_out}", report)

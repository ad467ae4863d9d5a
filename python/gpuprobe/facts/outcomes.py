"""How the steps of the probe ended: NVML, cuInit, and the kernel whose result is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import names
from .answers import Answer, Failure
from .model import Absent, Entry, Fact, Key, Known, Unknown, entry
from .probe import Silent

if TYPE_CHECKING:
    from collections.abc import Iterator

WRITES = (
    *(names.NVML_OUTCOME, names.NVML_CODE, names.NVML_CALL, names.NVML_COUNT),
    *(names.CUDA_OUTCOME, names.CUDA_CODE, names.CUDA_CALL, names.CUDA_INIT_MS),
    *(names.CUDA_COUNT, names.CUDA_COUNT_UNMASKED),
    *(names.KERNEL_OUTCOME, names.KERNEL_CODE, names.KERNEL_CALL),
    *(names.KERNEL_WHY, names.KERNEL_IMAGE),
)

#: CUDA_ERROR_NO_DEVICE: cuInit's way to say that it sees none.
NO_DEVICE = 100
_NUMBERED = ("cuda", "nvml")


def collect(
    nvml: Answer | Silent,
    cuda: Answer | Silent,
    kernel: Answer | Silent,
    unmasked: Answer | Silent,
) -> Iterator[Entry]:
    """Outcome, code and call of each step, and how many devices each library counts."""
    yield from _init(nvml, names.NVML_OUTCOME, names.NVML_CODE, names.NVML_CALL)
    yield entry(names.NVML_COUNT, count(nvml))
    yield from _init(cuda, names.CUDA_OUTCOME, names.CUDA_CODE, names.CUDA_CALL)
    yield entry(names.CUDA_INIT_MS, _init_ms(cuda))
    yield entry(names.CUDA_COUNT, count(cuda))
    yield entry(names.CUDA_COUNT_UNMASKED, count(unmasked))
    yield from computed(kernel)


def computed(kernel: Answer | Silent) -> Iterator[Entry]:
    """What came of the kernel, on whichever GPU it was run."""
    yield entry(names.KERNEL_OUTCOME, _kernel_outcome(kernel))
    yield entry(names.KERNEL_CODE, _code(kernel))
    yield entry(names.KERNEL_CALL, _call(kernel))
    yield from _kernel(kernel)


def _init(
    answer: Answer | Silent, outcome: Key[str], code: Key[int], call: Key[str]
) -> Iterator[Entry]:
    yield entry(outcome, _outcome(answer))
    yield entry(code, _code(answer))
    yield entry(call, _call(answer))


def sees_no_device(answer: Answer | Silent) -> bool:
    """Whether cuInit said "no device", which may be the work of CUDA_VISIBLE_DEVICES."""
    failed = answer.failed if isinstance(answer, Answer) else None
    return failed is not None and failed.kind == "cuda" and failed.code == NO_DEVICE


def count(answer: Answer | Silent) -> Fact[int]:
    """How many devices a library lists."""
    if isinstance(answer, Silent):
        return Unknown(answer.reason)
    if sees_no_device(answer):
        return Known(0, str(answer.failed))
    if answer.failed is not None:
        return Unknown(str(answer.failed))
    return Known(len(answer.devices), f"the probe {answer.step!r}")


def _outcome(answer: Answer | Silent) -> Fact[str]:
    if isinstance(answer, Silent):
        if answer.outcome == "not run":
            return Unknown(answer.reason)
        return Known(answer.outcome, answer.reason)
    if answer.failed is None:
        return Known("ok", f"the probe {answer.step!r}")
    return Known("not loaded" if answer.failed.kind == "library" else "failed", str(answer.failed))


def _code(answer: Answer | Silent) -> Fact[int]:
    """The library's own number; 0 is success. A crash and a missing library have none."""
    if isinstance(answer, Silent):
        return Unknown(answer.reason)
    if answer.failed is None:
        return Known(0, f"the probe {answer.step!r}")
    if answer.failed.kind in _NUMBERED:
        return Known(answer.failed.code, str(answer.failed))
    return Absent(str(answer.failed))


def _call(answer: Answer | Silent) -> Fact[str]:
    """The call that failed, or in which the probe hung or crashed."""
    failed: Failure | None = None
    if isinstance(answer, Answer):
        failed = answer.failed
    elif answer.call is not None and answer.outcome != "not run":
        return Known(answer.call, answer.reason)
    else:
        return Unknown(answer.reason)
    return Known(failed.call, str(failed)) if failed else Absent(f"the probe {answer.step!r}")


def _init_ms(cuda: Answer | Silent) -> Fact[float]:
    if isinstance(cuda, Silent):
        return Unknown(cuda.reason)
    if "init" not in cuda.times_ms:
        return Unknown("cuInit was not reached")
    return Known(cuda.times_ms["init"], "the probe 'cuda'")


def _kernel_outcome(kernel: Answer | Silent) -> Fact[str]:
    """Say right or wrong where it ran, not run where it was left out, else as for cuInit."""
    if isinstance(kernel, Silent) or kernel.kernel is None:
        return _outcome(kernel)
    if _has_no_program(kernel):
        return Known("not run", str(kernel.failed))
    if kernel.failed is not None and kernel.failed.kind != "wrong-result":
        return _outcome(kernel)
    return Known(kernel.kernel.result, "the probe 'kernel'")


def _has_no_program(kernel: Answer) -> bool:
    """Whether nothing was asked of the driver: our kernels serve no GPU before Maxwell."""
    return kernel.failed is not None and kernel.failed.kind == "no-image"


def _kernel(kernel: Answer | Silent) -> Iterator[Entry]:
    if isinstance(kernel, Silent):
        yield entry(names.KERNEL_WHY, Unknown(kernel.reason))
        yield entry(names.KERNEL_IMAGE, Unknown(kernel.reason))
        return
    source = "the probe 'kernel'"
    why = kernel.kernel.why if kernel.kernel else None
    if _has_no_program(kernel):
        why = "gpuprobe has no program for this GPU and driver"
    image = kernel.kernel.image if kernel.kernel else None
    yield entry(names.KERNEL_WHY, Known(why, source) if why else Absent(source))
    yield entry(names.KERNEL_IMAGE, Known(image, source) if image else Absent(source))

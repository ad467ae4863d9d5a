"""What ran: back end, device, arithmetic, times."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class RunInfo:
    """How a result was computed.

    What was not measured is None. To measure the kernel the host waits for it.

    Attributes:
        backend: "cublas", "cudnn": NVIDIA's. "native": our own kernels. "cpu": plain C, one thread,
            in the order of the text books; it is slow on purpose.
        device: CUDA's ordinal, or "cpu".
        compute: The arithmetic: "float32", "tf32", "int32" …
        dtype: The type of the result.
        seconds: Wall time of all of it, once the inputs were checked.
        submit_seconds: The host's time until the work was queued; the first call also loads what
            computes.
        kernel_seconds: The device's time, from event to event: all kernels of the call.
        transfer_seconds: The copies of NumPy's arrays there and back, with the waiting for them.
        passed_over: The better back ends that "auto" could not use, each with the reason.
        algorithm: Which of its ways cuBLAS or cuDNN took, by the library's own numbers; None where
            a back end has one alone.
    """

    backend: str
    device: int | str
    compute: str
    dtype: str
    seconds: float
    submit_seconds: float | None = None
    kernel_seconds: float | None = None
    transfer_seconds: float | None = None
    passed_over: tuple[str, ...] = ()
    algorithm: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Plain values under the names of the attributes."""
        return asdict(self)

    def __str__(self) -> str:
        place = self.device if isinstance(self.device, str) else f"GPU {self.device}"
        parts = {
            "submit": self.submit_seconds,
            "kernel": self.kernel_seconds,
            "transfer": self.transfer_seconds,
        }
        told = ", ".join(f"{name} {s:.3g} s" for name, s in parts.items() if s is not None)
        return (
            f"{self.backend} back end on {place}, {self.compute} arithmetic"
            f"{f' ({self.algorithm})' if self.algorithm else ''}, "
            f"{self.dtype} result, {self.seconds:.3g} s" + (f" ({told})" if told else "")
        )

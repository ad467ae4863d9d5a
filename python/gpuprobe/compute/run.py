"""What ran: back end, device, arithmetic, time."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class RunInfo:
    """How a result was computed.

    Attributes:
        backend: "cpu": plain C, one thread, in the order of the text books. It is slow on purpose.
        device: "cpu".
        compute: The arithmetic: "float32", "tf32", "int32" …
        dtype: The type of the result.
        seconds: Wall time of the computation, checks of the input included.
    """

    backend: str
    device: str
    compute: str
    dtype: str
    seconds: float

    def to_dict(self) -> dict[str, object]:
        """Plain values under the names of the attributes."""
        return asdict(self)

    def __str__(self) -> str:
        return (
            f"{self.backend} back end on {self.device}, {self.compute} arithmetic, "
            f"{self.dtype} result, {self.seconds:.3g} s"
        )

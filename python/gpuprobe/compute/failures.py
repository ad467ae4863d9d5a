"""What to say where a back end did not compute: it cannot, or something failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..memory.errors import DriverError, failure_in_words
from ..report.units import bytes_in_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._core import ArenaError

#: What starts a library on a GPU: where it fails, others may still compute.
_STARTS = ("cublasLtCreate", "cudnnCreate")


def reason_to_pass(error: ArenaError, backend: str) -> str | None:
    """Why another back end may do what this one cannot; None: something has failed."""
    kind, call, _, _, text, lacking = error.args
    missing = {
        "library": text or f"{call} finds no library",
        "symbol": f"its library has no {call}",
        "no-image": "gpuprobe was built without kernels for this GPU",
    }
    if kind == "unsupported":  # the reason names who cannot
        return call
    if lacking is not None:
        size = bytes_in_words(lacking["asked"])
        return f"{backend}: there is no memory for its workspace of {size}"
    if call in _STARTS:
        return f"{backend}: {failure_in_words(error)}"
    return f"{backend}: {missing[kind]}" if kind in missing else None


def is_for_good(error: ArenaError) -> bool:
    """Whether the back end lacks what it would be opened with: in this process it stays so.

    A library that did not start may have lacked memory. The core knows when to try it again.
    """
    return error.args[0] in ("library", "symbol", "no-image")


def failed(error: ArenaError, call: str, backend: str, device: int) -> DriverError:
    """A launch that failed, or a library."""
    what = f"gpuprobe.{call}, {backend} back end, GPU {device}"
    return DriverError(f"{what}: {failure_in_words(error)}", error.args[1])


class Unsupported(ValueError):  # noqa: N818  (it is no error of the back end)
    """No back end that was asked for can do it.

    Attributes:
        reasons: Of each of them.
    """

    def __init__(self, call: str, passed_over: Sequence[str]) -> None:
        self.reasons = "; ".join(passed_over)
        other = 'backend="auto" goes on to another, and ' if len(passed_over) == 1 else ""
        way_out = f'gpuprobe.{call}(…, device="cpu") computes with NumPy\'s arrays'
        super().__init__(f"{call}: {self.reasons}. {other}{way_out}")
        self._given = call, tuple(passed_over)

    def __reduce__(self) -> tuple[type[Unsupported], tuple[str, tuple[str, ...]]]:
        return type(self), self._given

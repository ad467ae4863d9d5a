"""The GPU that somebody names, in the ways in which torch lets them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ..compute.place import unavailable
from ..device.here import count
from ..device.model import Device
from ..device.named import ordinal_in_cuda
from ..facts.model import Missing
from ..memory.chosen import current

if TYPE_CHECKING:
    #: CUDA's ordinal, "cuda", "cuda:1", a `gpuprobe.Device`; None and "cuda": the current one.
    #: A `torch.device` prints as such a string, and is read as one.
    Named: TypeAlias = int | str | Device | None


def ordinal_of(device: Named) -> int | None:
    """CUDA's number of what is named; None: the current one is meant. Nothing is looked up.

    Raises:
        ValueError: It names no GPU, or one that CUDA does not show.
    """
    if device is None or isinstance(device, int):
        return device
    if isinstance(device, Device):
        return ordinal_in_cuda("gpuprobe.cuda", device)
    kind, colon, number = str(device).partition(":")
    if kind != "cuda":
        raise ValueError(f"Expected a cuda device, but got: {device}")
    if colon and not (number.isascii() and number.isdecimal()):
        raise ValueError(f"Invalid device string: '{device}'")
    return int(number) if colon else None


def number_of(device: Named) -> int:
    """The same, with the current one's number for None. Nothing is looked up."""
    named = ordinal_of(device)
    return current() if named is None else named


def how_many(call: str) -> int:
    """How many GPUs CUDA gives to this process: at least one.

    Raises:
        GpuUnavailable: There is none; the text is the doctor's finding.
    """
    way_out = f"gpuprobe.cuda.{call}() needs a GPU."
    try:
        known = count()
    except Missing as error:
        raise unavailable(f"No fault was found, yet {error}.", way_out) from error
    if known == 0:
        raise unavailable("No fault was found, yet CUDA shows no GPU to this process.", way_out)
    return known


def is_beyond(ordinal: int, call: str) -> str | None:
    """Why there is no such GPU; None: there is.

    Raises:
        GpuUnavailable: There is none at all.
    """
    known = how_many(call)
    if 0 <= ordinal < known:
        return None
    return f"device is {ordinal}; CUDA shows {known} to this process, counted from 0"

"""How the elements of an array lie in memory."""

from __future__ import annotations

from typing import NamedTuple

#: Every device takes rows that are less far apart.
_MOST_PITCH = 1 << 31


class Rows(NamedTuple):
    """`number` pieces of `width` bytes in each of some planes.

    In a plane their beginnings are `pitch` bytes apart; from one plane to the next it is `height`
    times as far.
    """

    planes: int
    number: int
    width: int
    pitch: int
    height: int

    @property
    def are_one(self) -> bool:
        """A single piece."""
        return self.planes == self.number == 1


def rows_of(shape: tuple[int, ...], strides: tuple[int, ...], size: int) -> Rows | None:
    """The rows that an array with elements consists of, in its order; None: they are none."""
    axes = _merged(shape, strides)
    width = size
    if axes and axes[-1][1] == size:
        width *= axes.pop()[0]
    number, pitch = axes.pop() if axes else (1, width)
    planes, step = axes.pop() if axes else (1, number * pitch)
    if axes or not width <= pitch < _MOST_PITCH:
        return None
    height, rest = divmod(step, pitch)
    return Rows(planes, number, width, pitch, height) if number <= height and not rest else None


def reach_of(shape: tuple[int, ...], strides: tuple[int, ...], size: int) -> tuple[int, int]:
    """Bytes that an array with elements goes back from its first one, and forward of its start."""
    steps = [(n - 1) * step for n, step in zip(shape, strides, strict=True)]
    return -sum(min(step, 0) for step in steps), sum(max(step, 0) for step in steps) + size


def _merged(shape: tuple[int, ...], strides: tuple[int, ...]) -> list[tuple[int, int]]:
    """Extents and strides; axes over which memory goes on evenly are one, those of 1 are none."""
    merged: list[tuple[int, int]] = []
    for extent, step in zip(shape, strides, strict=True):
        if merged and merged[-1][1] == extent * step:
            merged[-1] = (merged[-1][0] * extent, step)
        elif extent != 1:
            merged.append((extent, step))
    return merged

"""How the elements of an array lie in memory."""

from __future__ import annotations

from dataclasses import dataclass

#: Every device takes rows that are less far apart.
_MOST_PITCH = 1 << 31


@dataclass(frozen=True, slots=True)
class Rows:
    """`count` pieces of `width` bytes whose beginnings are `pitch` bytes apart."""

    count: int
    width: int
    pitch: int


def rows_of(shape: tuple[int, ...], strides: tuple[int, ...], size: int) -> Rows | None:
    """The rows that an array with elements consists of, in its order; None: they are none."""
    axes = _merged(shape, strides)
    width = size
    if axes and axes[-1][1] == size:
        width *= axes.pop()[0]
    if not axes:
        return Rows(1, width, width)
    [(count, pitch), *others] = axes
    fits = width <= pitch < _MOST_PITCH
    return Rows(count, width, pitch) if fits and not others else None


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

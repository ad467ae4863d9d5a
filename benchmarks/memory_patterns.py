"""Orders in which memory is taken and given back; each is a list of steps.

- one size: 1 MiB, taken and given back, again and again;
- step: a training step of ResNet-50 in float16: the results of all layers are kept, then given back
  from the last to the first, each beside a gradient of its size;
- growing: as a cache of keys and values, each block a little larger than the one that it replaces;
- streams: blocks of 8 streams, taken in turn and given back a turn later.

All take a divisor of the sizes, for machines that have little memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from .resnet50 import layers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MIB = 1 << 20
STREAMS = 8
_IMAGES = 32
_FLOAT16_BYTES = 2


@dataclass(frozen=True, slots=True)
class Take:
    """Memory under a name, for the work of one of the streams; 0 is the default one."""

    name: int
    size_bytes: int
    stream: int = 0


@dataclass(frozen=True, slots=True)
class Give:
    """That of this name goes back."""

    name: int


def one_size(scale: int) -> Iterator[Take | Give]:
    """A size, again and again."""
    for name in range(200):
        yield Take(name, MIB // scale)
        yield Give(name)


def training_step(scale: int) -> Iterator[Take | Give]:
    """Forwards all results stay, backwards each goes with the gradient that came to it."""
    sizes = [
        max(1, _IMAGES * each.filters * each.result_size**2 * _FLOAT16_BYTES // scale)
        for each in layers()
    ]
    for name, size in enumerate(sizes):
        yield Take(name, size)
    gradients = count(len(sizes))
    gradient = next(gradients)
    yield Take(gradient, sizes[-1])
    for name in reversed(range(len(sizes))):
        before = next(gradients)
        yield Take(before, sizes[max(0, name - 1)])
        yield Give(gradient)
        yield Give(name)
        gradient = before
    yield Give(gradient)


def growing(scale: int) -> Iterator[Take | Give]:
    """Each block is a little larger than the one before, which goes when it is there."""
    size = 4 * MIB // scale
    yield Take(0, size)
    for name in range(1, 150):
        size += size // 50
        yield Take(name, size)
        yield Give(name - 1)
    yield Give(149)


def many_streams(scale: int) -> Iterator[Take | Give]:
    """Each stream takes some; what it took a turn ago goes back."""
    each_takes, turns = 8, 6
    for turn in range(turns):
        for stream in range(1, STREAMS + 1):
            for number in range(each_takes):
                name = (turn * STREAMS + stream) * each_takes + number
                yield Take(name, (1 + number) * MIB // scale, stream)
                if turn > 0:
                    yield Give(name - STREAMS * each_takes)
    last = turns - 1
    for name in range((last * STREAMS + 1) * each_takes, (turns * STREAMS + 1) * each_takes):
        yield Give(name)


PATTERNS = {
    "one size": one_size,
    "step": training_step,
    "growing": growing,
    "streams": many_streams,
}


def peak_of(steps: Sequence[Take | Give]) -> int:
    """The most bytes that are held at once."""
    held: dict[int, int] = {}
    most = now = 0
    for step in steps:
        if isinstance(step, Take):
            held[step.name] = step.size_bytes
            now += step.size_bytes
        else:
            now -= held.pop(step.name)
        most = max(most, now)
    return most

"""The convolutions of ResNet-50 v1.5 for images of 224 x 224: 53, of which 23 are distinct.

The source is the architecture: He and others, "Deep Residual Learning for Image Recognition"
(arXiv 1512.03385), table 1; in version 1.5, as torchvision and NVIDIA build it, the stride of a
stage stands in the 3 x 3 of its first block, not in the 1 x 1 before it. `layers` walks through
it, so that no list has to be believed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Blocks of each stage, and the channels within them; four times as many leave a block.
_STAGES = ((3, 64), (4, 128), (6, 256), (3, 512))
_WIDER = 4
_IMAGE = 224


@dataclass(frozen=True, slots=True)
class Layer:
    """A convolution of square images with square filters; `size` is that of the image."""

    channels: int
    size: int
    filters: int
    taps: int
    stride: int

    @property
    def padding(self) -> int:
        """As much as keeps the size where the stride is 1."""
        return self.taps // 2

    @property
    def result_size(self) -> int:
        """Of the image that leaves it."""
        return (self.size + 2 * self.padding - self.taps) // self.stride + 1

    def flop(self, images: int) -> int:
        """Multiplications and additions, those with the zeros around an image among them."""
        places = images * self.filters * self.result_size**2
        return 2 * places * self.channels * self.taps**2

    def __str__(self) -> str:
        place = f"{self.channels}x{self.size}^2"
        return f"{place} {self.filters}x{self.taps}^2 /{self.stride}"


def layers() -> Iterator[Layer]:
    """All of them, in the order of a forward pass; a projection behind its block's others."""
    stem = Layer(3, _IMAGE, 64, 7, 2)
    yield stem
    channels, size = stem.filters, stem.result_size // 2  # a pooling of stride 2
    for number, (blocks, width) in enumerate(_STAGES):
        for block in range(blocks):
            stride = 2 if number > 0 and block == 0 else 1
            yield Layer(channels, size, width, 1, 1)
            yield (middle := Layer(width, size, width, 3, stride))
            yield Layer(width, middle.result_size, width * _WIDER, 1, 1)
            if block == 0:
                yield Layer(channels, size, width * _WIDER, 1, stride)
            channels, size = width * _WIDER, middle.result_size


def distinct() -> dict[Layer, int]:
    """Each once, and how often it stands in the network."""
    return dict(Counter(layers()))

"""What a reader other than the CUDA driver makes of the same text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Opinion:
    """One reader's answer.

    Attributes:
        reader: Who reads it, and when: ``torch, before it starts CUDA``.
        numbers: The devices that it takes, in order and in its own numbers. None where it gives
            none: it asks CUDA instead, or raises an error.
        note: What is different about its way to read, in one sentence.
        elsewhere: Whether it reads the text in a setting of its own, not in CUDA_VISIBLE_DEVICES.
        source: Where that was read.
    """

    reader: str
    numbers: tuple[int, ...] | None
    note: str
    source: str
    elsewhere: bool = False

    def differs_from(self, numbers: tuple[int, ...] | None) -> bool:
        """Whether somebody who expects `numbers` would be surprised."""
        return self.numbers != numbers

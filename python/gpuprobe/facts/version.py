"""Release numbers of drivers, toolkits and libraries: dotted integers, kept as they were printed.

Python packages have richer versions (``2.4.1+cu121``, ``1.0rc1``); those are compared with
`packaging.version` where a rule needs it.
"""

from __future__ import annotations

import functools


@functools.total_ordering
class Version:
    """A dotted release number such as ``535.104.05``; compares by its integers.

    ``12.4`` and ``12.4.0`` are equal; the text is kept, because ``450.80.02`` printed as
    ``450.80.2`` would be found in no release note.
    """

    __slots__ = ("parts", "text")

    parts: tuple[int, ...]
    text: str

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        numbers = self.text.split(".")
        if not all(number.isascii() and number.isdigit() for number in numbers):
            raise ValueError(f"not a dotted release number: {text!r}")
        self.parts = tuple(int(number) for number in numbers)

    @classmethod
    def parse(cls, text: str) -> Version | None:
        """The version that `text` states, or None where it states none."""
        try:
            return cls(text)
        except ValueError:
            return None

    @classmethod
    def of(cls, *parts: int) -> Version:
        """The version made of these integers: ``Version.of(12, 4)``."""
        return cls(".".join(str(part) for part in parts))

    @classmethod
    def from_cuda_number(cls, number: int) -> Version:
        """What cuDriverGetVersion and CUDA_VERSION encode: 1000 * major + 10 * minor."""
        return cls.of(number // 1000, number % 1000 // 10)

    @property
    def major(self) -> int:
        """The first number."""
        return self.parts[0]

    @property
    def minor(self) -> int:
        """The second number; 0 where there is none."""
        return self.parts[1] if len(self.parts) > 1 else 0

    def _significant(self) -> tuple[int, ...]:
        parts = self.parts
        while len(parts) > 1 and parts[-1] == 0:
            parts = parts[:-1]
        return parts

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Version):
            return NotImplemented
        return self._significant() == other._significant()

    def __lt__(self, other: Version) -> bool:
        return self._significant() < other._significant()

    def __hash__(self) -> int:
        return hash(self._significant())

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Version({self.text!r})"

"""What one line states about one fact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from ..model import Absent, Fact, Key, Known, Value

if TYPE_CHECKING:
    from .text import Line, Text

T = TypeVar("T", bound=Value)
Statement = tuple[Key[Value], Fact[Value]]
Statements = Iterator[Statement]


class Reader(Protocol):
    """A module with one function."""

    def read(self, text: Text) -> Statements:
        """What this format states in `text`; the first statement about a fact counts."""


def say(key: Key[T], value: T, line: Line) -> Statement:
    """The statement that `line` makes."""
    return cast("Statement", (key, Known(value, line.source)))


def deny(key: Key[T], line: Line) -> Statement:
    """The statement that what `key` names is not there."""
    return cast("Statement", (key, Absent(line.source)))

"""How far a long work is: one line of a terminal that changes, and is gone at the end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TextIO

from .terminal import is_terminal, printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Self

_CLEAR = "\r\x1b[K"


class Progress:
    """Elsewhere than on a terminal there is a line for a step that takes long, and no other.

    Nor does a dumb terminal clear a line. `stream` None, or closed: nobody is told of anything.
    """

    def __init__(self, stream: TextIO | None, variables: Mapping[str, str] = os.environ) -> None:
        self._stream = None if getattr(stream, "closed", False) else stream
        can_clear = variables.get("TERM") != "dumb"
        self._is_terminal = stream is not None and is_terminal(stream) and can_clear

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_terminal:
            self._write(_CLEAR)

    def begins(self, name: str) -> None:
        """A step begins."""
        if self._is_terminal:
            self._write(f"{_CLEAR}gpuprobe: {printable(name)}")

    def waits(self, words: str) -> None:
        """A step takes long; the words say which, and how long it may take."""
        self._write(f"{_CLEAR}gpuprobe: {words}" if self._is_terminal else f"gpuprobe: {words}\n")

    def _write(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(text)
            self._stream.flush()

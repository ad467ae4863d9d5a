"""How far a long work is: one line of a terminal that changes, and is gone at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from typing_extensions import Self

_CLEAR = "\r\x1b[K"


class Progress:
    """Elsewhere than on a terminal there is a line for a step that takes long, and no other."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_terminal = stream.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_terminal:
            self._write(_CLEAR)

    def begins(self, name: str) -> None:
        """A step begins."""
        if self._is_terminal:
            self._write(f"{_CLEAR}gpuprobe: {name}")

    def waits(self, words: str) -> None:
        """A step takes long; the words say which, and how long it may take."""
        self._write(f"{_CLEAR}gpuprobe: {words}" if self._is_terminal else f"gpuprobe: {words}\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

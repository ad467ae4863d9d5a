"""What a stream can show: its width, its colours, its characters."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TextIO

if TYPE_CHECKING:
    from collections.abc import Mapping

ColourChoice = Literal["auto", "always", "never"]

#: Longer lines are hard to read; a wide terminal is no reason to write them.
WIDEST = 100
NARROWEST = 20

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}

#: What our own texts use beyond ASCII, for streams that cannot show it.
_PLAIN = str.maketrans(
    {
        "✓": "+",
        "✗": "x",
        "·": "-",
        "—": "-",
        "…": "...",
        "→": "->",
        "≥": ">=",
        "≤": "<=",
        "│": "|",
        "└": "+",
        "█": "#",
        "░": ".",
        "°": "",
        "“": '"',
        "”": '"',
    }
)


@dataclass(frozen=True, slots=True)
class Style:
    """How a text is to be written; `home` is shown as ``~`` where a path begins with it."""

    width: int = 80
    colour: bool = False
    ascii: bool = False
    home: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", max(NARROWEST, min(self.width, WIDEST)))

    def paint(self, text: str, *names: str) -> str:
        """`text` in colours, where the stream shows any."""
        if not self.colour or not names or not text:
            return text
        codes = ";".join(_CODES[name] for name in names)
        return f"\x1b[{codes}m{text}\x1b[0m"

    def plain(self, text: str) -> str:
        """`text` in characters that can be shown, and without those that steer a terminal.

        Values come from variables, files and pasted logs: an escape sequence in one of them
        must not reach the reader's terminal.
        """
        if self.home and self.home in text:  # not /mnt/root where it is /root
            text = re.sub(rf"(?<![\w.~-]){re.escape(self.home)}(?=/)", "~", text)
        text = printable(text)
        if self.ascii and not text.isascii():
            text = text.translate(_PLAIN).encode("ascii", "backslashreplace").decode("ascii")
        return text


def printable(text: str) -> str:
    """`text` without characters that steer a terminal: they are spelt out."""
    return text if text.isprintable() else "".join(map(_printable, text))


def _printable(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char in "\n\t\r" else char.encode("unicode_escape").decode("ascii")


def style_of(
    stream: TextIO, choice: ColourChoice = "auto", variables: Mapping[str, str] = os.environ
) -> Style:
    """The style that fits `stream`, after the conventions that `variables` state."""
    return Style(
        width=_width(stream, variables),
        colour=_colour(stream, choice, variables),
        ascii=not _can_show(stream, "✓✗·—…█░"),
        home=_home(variables),
    )


def _colour(stream: TextIO, choice: ColourChoice, variables: Mapping[str, str]) -> bool:
    """NO_COLOR and FORCE_COLOR count when they are not empty; NO_COLOR is the stronger one."""
    if choice != "auto":
        return choice == "always"
    if variables.get("NO_COLOR"):
        return False
    if variables.get("FORCE_COLOR"):
        return True
    return is_terminal(stream) and variables.get("TERM") != "dumb"


#: What is longer is no width, and int() refuses texts of some thousand digits.
_MOST_DIGITS = 9


def _width(stream: TextIO, variables: Mapping[str, str]) -> int:
    columns = variables.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and len(columns) <= _MOST_DIGITS and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):  # no terminal, or a stream without a file
        return 80


def is_terminal(stream: TextIO) -> bool:
    """Whether a person looks at `stream`; one that writes a log may be no whole stream."""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # ValueError: it is closed
        return False


def _can_show(stream: TextIO, characters: str) -> bool:
    try:
        characters.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _home(variables: Mapping[str, str]) -> str | None:
    home = variables.get("HOME") or variables.get("USERPROFILE") or ""
    home = home.rstrip("/\\")
    return home if len(home) > 1 else None


def cells(text: str) -> int:
    """How many columns `text` takes: East Asian wide characters take two."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    wide = sum(east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(combining(char) > 0 for char in text)


def margin(line: str, indent: int, width: int) -> str:
    """The blanks before a line of `wrap`; fewer where it is too wide for all of them."""
    return " " * max(0, min(indent, width - cells(line)))


def wrap(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` columns, broken at spaces where there are any.

    A UUID that is wider stands on a line of its own.
    """
    width = max(width, 1)
    lines: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if cells(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        *full, line = _pieces(word, width)
        lines.extend(full)
    return [*lines, line] if line or not lines else lines


#: A UUID, with the marks beside it: what is there to be copied stays whole, as commands do.
_UUID = re.compile(
    r"""["'(]?(?:MIG-)?(?:GPU|MIG)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}["'),.;:]{0,3}"""
)
_LONGEST = 48


def _pieces(word: str, width: int) -> list[str]:
    """A long word cut up, after a slash or a comma where there is one, and in no UUID."""
    pieces = []
    while cells(word) > width:
        cut = width
        while cells(word[:cut]) > width:
            cut -= 1
        cut = max(cut, 1)
        after = max(word.rfind(mark, 0, cut) for mark in "/\\,=:") + 1
        cut = after if after > cut // 2 else cut
        for uuid in _UUID.finditer(word, max(0, cut - _LONGEST), cut + _LONGEST):
            if uuid.start() < cut < uuid.end():
                cut = uuid.start() or uuid.end()
        pieces.append(word[:cut])
        word = word[cut:]
    return [*pieces, word] if word else pieces

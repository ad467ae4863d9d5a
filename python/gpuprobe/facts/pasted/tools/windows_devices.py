"""What Windows' Device Manager says of an NVIDIA GPU: the number of its problem, in any language.

The sentence around the number is translated and changes with each release; the number does not.
It counts where the lines before it, or its own, name the GPU: other devices have problems too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say
from ..text import cues

if TYPE_CHECKING:
    from ..text import Line, Text

_NUMBERED = regex(
    r"(?i)\((?:code|código|codice|kod|kód|код|代码|代碼|コード|코드)[ :]{0,2}(\d{1,2})\)"
)
_CUES = cues("(code|(código|(codice|(kod|(kód|(код|(代码|(代碼|(コード|(코드")
#: The card's sound and its USB-C socket are devices of their own.
_OF_NVIDIA = regex(
    r"(?i)\A(?!.*(?:audio|usb|ucsi)).*(?:nvidia|geforce|quadro|\b[rg]tx\b|\btesla [a-z]\d)"
)
#: The device's name is the line before, or the head of its sheet: maker, place, state.
_SHEET = 7
_BEFORE = 2

_NO_DRIVER = "windows-device-without-driver"
_NOT_LOADED = "windows-driver-not-loaded"
_FAILED = "windows-device-failed"
#: The numbers that say which it is; those that are missing here say nothing of the kind.
_MEANS = {
    **dict.fromkeys((1, 28), _NO_DRIVER),
    **dict.fromkeys((19, 31, 32, 37, 39, 40, 41, 48, 52), _NOT_LOADED),
    **dict.fromkeys((10, 12, 43, 45, 54), _FAILED),
}
_LIMIT = 200
#: What Windows drives a card with for which it has no driver; a second adapter may be one, too.
_BASIC = regex(
    r"(?i)\A(?!.*\b(?:before|when|if|until|after)\b).*\b(?:lists?|listed|shows?|shown|appears?|seen"
    r"|detected|recogni[sz]ed)(?: it| up)?(?: only)? as (?:an? |the )?[\"']?Microsoft Basic"
    r" Display Adapter"
)


def read(text: Text) -> Statements:
    """One statement for each kind of problem, then a card that Windows knows no better."""
    for line in text.having("nvidia-smi.exe", "nvdebugdump.exe", "dxdiag"):
        yield say(said.WINDOWS_TOOLS, True, line)
    for line, match in text.matching(_NUMBERED, *_CUES):
        sign = _MEANS.get(int(match[1]))
        if sign is not None and _is_of_nvidia(text, line):
            yield say(said.SIGN(sign), f"Code {match[1]}: {line.text.strip()}"[:_LIMIT], line)
    yield from _basic(text)


def _basic(text: Text) -> Statements:
    """A card of NVIDIA's that somebody found under the name of Windows' own driver."""
    for line, _ in text.matching(_BASIC, "microsoft basic display adapter"):
        if _OF_NVIDIA.search(line.text):
            yield say(said.SIGN(_NO_DRIVER), line.text.strip()[:_LIMIT], line)


def _is_of_nvidia(text: Text, line: Line) -> bool:
    sheet = text.before(line, _SHEET)
    filled = [each.text for each in sheet if each.text.strip()][-_BEFORE:]
    makers = [each.text for each in sheet if "manufacturer" in each.text.lower()]
    return any(map(_OF_NVIDIA.search, (line.text, *filled, *makers)))

"""Tensors that a program printed before and after it copied them from one GPU to another.

Where peer access does not work, the copy has the right shape, and nothing but zeros in it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ... import said
from ...excerpt import excerpt
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

_CUE = "device='cuda:"
_DEVICE = regex(r"(?a)device='cuda:(\d{1,2})'")
#: A printed tensor may take so many lines; the copy follows within some more.
_TALL, _NEAR = 24, 40
_BEGINS = "tensor("
_NUMBER = regex(r"(?a)(?<![\w.])-?\d+\.?\d*(?:e[+-]\d+)?")
_COPIES = (".to(", ".cuda(", ".copy_(")
#: Then they are what the program asked for.
_MADE_OF_ZEROS = "zeros("


class _Printed(NamedTuple):
    device: str
    only_zeros: bool
    line: Line


def read(text: Text) -> Statements:
    """That zeros stand on one GPU where another has other numbers, in a text that copies."""
    if _MADE_OF_ZEROS in text or not any(copy in text for copy in _COPIES):
        return
    printed = tuple(_printed(text))
    for one, other in pairwise(printed):
        near = other.line.number - one.line.number <= _NEAR
        if near and one.device != other.device and other.only_zeros and not one.only_zeros:
            yield say(said.SIGN("peer-copy-zeros"), excerpt(other.line.text), other.line)
            return


def _printed(text: Text) -> Iterator[_Printed]:
    """The tensors on GPUs that the text shows, with numbers, in order."""
    for line in text.having(_CUE):
        device = _DEVICE.search(line.text)
        shown = _shown(text, line)
        numbers = _NUMBER.findall(shown)
        if device is not None and numbers:
            yield _Printed(device[1], all(float(each) == 0 for each in numbers), line)


def _shown(text: Text, last: Line) -> str:
    """What a tensor holds as it is printed, without the device behind it."""
    own = last.text.partition("device=")[0]
    if _BEGINS in own:
        return own.partition(_BEGINS)[2]
    lines = [own]
    for line in reversed(text.before(last, _TALL)):
        if _CUE in line.text:
            break
        lines.append(line.text.partition(_BEGINS)[2] if _BEGINS in line.text else line.text)
        if _BEGINS in line.text:
            return " ".join(lines)
    return ""

"""Small things that stand in every format: releases, sizes, answers of yes and no."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..regex import regex
from ..version import Version

if TYPE_CHECKING:
    from .text import Line

_RELEASE = regex(r"(?a)(?<![\w.])[vV]?(\d{1,5}(?:\.\d{1,6}){1,4})(?!\d)")
_MAJOR = regex(r"(?a)\A\s*(?:[vV=]{1,2}\s*)?(\d{1,3})(?![\w.])")
_UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_YES = frozenset({"yes", "true", "available", "1", "on", "enabled"})
_NO = frozenset({"no", "false", "unavailable", "not available", "0", "zero", "off", "disabled"})
#: Below it, the digits of a wheel's tag are a major version; "75" was CUDA 7.5.
_LEAST_WITH_MINOR = 70


def release(text: str) -> Version | None:
    """The first release number in `text`: ``12.4`` of "release 12.4, V12.4.131"."""
    found = _RELEASE.search(text)
    return Version(found[1]) if found else None


def release_or_major(text: str) -> Version | None:
    """The same, and ``12`` where `text` begins with a bare number."""
    found = _MAJOR.match(text)
    return Version(found[1]) if found else release(text)


def cuda_digits(digits: str) -> Version | None:
    """As wheels write it: 12 is 12, 121 is 12.1, 92 is 9.2, 130 is 13.0, 1201 is 12.1.

    With the last part, as PyCUDA's for Windows, 8061 is 8.0.61 and 92148 is 9.2.148.
    """
    if not (digits.isascii() and digits.isdigit()):
        return None
    if len(digits) in (len("8061"), len("92148")) and digits[0] in "6789":
        return Version.of(int(digits[0]), int(digits[1]))
    if len(digits) > len("1201"):
        return None
    if int(digits) < _LEAST_WITH_MINOR:
        return Version.of(int(digits)) if int(digits) else None
    if len(digits) == len("1201"):
        return Version.of(int(digits[:2]), int(digits[2:]))
    return Version.of(int(digits[:-1]), int(digits[-1]))


def cuda_number(text: str) -> Version | None:
    """What the CUDA libraries return: ``12040`` is 12.4."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) not in (4, 5):
        return None
    return Version.from_cuda_number(int(digits))


_OF_CLOCK = regex(r"(?i)\d\s?[MG]Hz")


def capability(text: str) -> Version | None:
    """A compute capability: ``8.6``, ``86``, ``sm_86``, ``(8, 6)``; no clock's ``135 MHz``."""
    if _OF_CLOCK.search(text):
        return None
    found = re.search(r"(?a)(?<!\d)(1?\d)\s*[.,]\s*(\d)(?!\d)", text)
    if found:
        return Version.of(int(found[1]), int(found[2]))
    found = re.search(r"(?a)(?<!\d)(1?\d)(\d)a?(?![\d.])", text)
    return Version.of(int(found[1]), int(found[2])) if found else None


def size_bytes(number: str, unit: str) -> int:
    """``24576`` and ``MiB`` as bytes; the decimal units of old tools meant the binary ones."""
    return int(float(number) * _UNITS.get(unit[:1].lower(), 1))


def truth(text: str) -> bool | None:
    """Yes or no; None for anything else."""
    word = text.strip().strip("'\"`.,;").strip().lower()
    return True if word in _YES else False if word in _NO else None


def after_colon(line: Line) -> str:
    """What follows the first colon."""
    return line.text.partition(":")[2].strip()

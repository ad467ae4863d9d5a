"""Texts that no tool prints: real ones cut, mixed, repeated and filled with other characters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

#: What readers look for, and what breaks naive ones: cues, digits, brackets, odd characters.
_PIECES = (
    *("CUDA", "Version:", "error", "GPU 0:", "MiB /", "|", "==", "libcudnn.so.", "sm_", "+cu"),
    *("9" * 40, "-1", "0", "1e999", "12.4.", "..", "0x", "NaN", "\u0661\u0662"),
    *("\x00", "\x1b[31m", "\x1b]", "\r", "\u2028", "\ud83d", "\ufeff", "é", "驱动程序", "\t", "  "),
    *("(" * 30, "[" * 30, '{"schema": 1, "facts": {', "'", '"', "\\", "`", "> ", "$ ", ">>> "),
)
#: What people and tools write where others write a plain release: pins, builds, ends of sentences.
RELEASES = (
    *("12.", "12.*", "12.x", "12.4.*", "12.4.1-0", "12.4rc1", "12.0.0_0", "12.4.1.post1", "v12.1."),
    *(
        "2.6.0.dev20241112+cu",
        "1!2.0",
        "12..4",
        "12,4",
        "0",
        "0.0",
        "01.02",
        "9" * 12,
        "1.2.3.4.5.6.7",
    ),
)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)*")


def corrupted(seeds: Sequence[str], dice: random.Random) -> str:
    """One of `seeds` after a few random accidents."""
    text = dice.choice(seeds)
    for _ in range(dice.randint(1, 8)):
        text = dice.choice(_ACCIDENTS)(text, seeds, dice)
    return text


def _cut(text: str, _: Sequence[str], dice: random.Random) -> str:
    start, end = sorted(dice.randrange(len(text) + 1) for _ in range(2))
    return text[:start] + text[end:]


def _insert(text: str, _: Sequence[str], dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(_PIECES) + text[at:]


def _replace(text: str, _: Sequence[str], dice: random.Random) -> str:
    """Digits become others: versions, codes and sizes that there are not."""
    old = dice.choice("0123456789.:=|")
    return text.replace(old, dice.choice(_PIECES), dice.randint(1, 20))


def _releases(text: str, _: Sequence[str], dice: random.Random) -> str:
    """Some numbers become what is no plain release."""
    share = dice.choice((0.05, 0.2, 0.5))

    def other(number: re.Match[str]) -> str:
        return dice.choice(RELEASES) if dice.random() < share else number[0]

    return _NUMBER.sub(other, text)


def _repeat(text: str, _: Sequence[str], dice: random.Random) -> str:
    lines = text.split("\n")
    at = dice.randrange(len(lines))
    return "\n".join([*lines[:at], *[lines[at]] * dice.randint(2, 50), *lines[at:]])


def _join(text: str, seeds: Sequence[str], dice: random.Random) -> str:
    other = dice.choice(seeds)
    at = dice.randrange(len(other) + 1)
    return other[:at] + text + other[at:]


def _glue(text: str, _: Sequence[str], dice: random.Random) -> str:
    return text.replace("\n", dice.choice(("", " ", "\r", "\t")), dice.randint(1, 30))


_ACCIDENTS = (_cut, _insert, _insert, _replace, _releases, _repeat, _join, _glue)

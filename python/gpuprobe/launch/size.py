"""Sizes as people write them."""

from __future__ import annotations

import re

_BINARY = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
_DECIMAL = {"kB": 1000, "KB": 1000, "MB": 1000**2, "GB": 1000**3, "TB": 1000**4}
_FORM = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?) ?([A-Za-z]+)")


def bytes_of(text: str) -> int:
    """``10GiB``, ``1.5 GB``, ``512MiB`` in bytes. A bare ``10G`` could be either.

    Raises:
        ValueError: It is no number with a unit, or one beyond every memory.
    """
    parts = _FORM.fullmatch(text)
    factor = (_BINARY | _DECIMAL).get(parts[2]) if parts else None
    if parts is None or factor is None:
        raise ValueError(f"{text!r} is no size with a unit, as 10GiB or 10GB are")
    return round(float(parts[1]) * factor)

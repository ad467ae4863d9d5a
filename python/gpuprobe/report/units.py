"""Values for people."""

from __future__ import annotations

_STEP = 1024


def bytes_in_words(size: int) -> str:
    """``80.0 GiB``: binary units, named as such."""
    value = float(size)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < _STEP:
            return f"{size} B" if unit == "B" else f"{value:.1f} {unit}"
        value /= _STEP
    return f"{value:.1f} TiB"


def shown(text: str) -> str:
    """`text`, or a word where there is none: an empty value is easily overlooked."""
    return text or "(empty)"


def shown_of(fact: str, value: str) -> str:
    """The value that a fact of this name has, which tells whether it is a size in bytes."""
    is_size = fact.endswith("_bytes") and value.isdecimal()
    return bytes_in_words(int(value)) if is_size else shown(value)

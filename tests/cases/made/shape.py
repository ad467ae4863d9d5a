"""The shape of a made text: a cause, the text, and other causes that count as right."""

from __future__ import annotations

Made = tuple[str, ...]


def joined(*parts: str) -> str:
    """Parts of a paste, one below the other."""
    return "\n\n".join(part for part in parts if part) + "\n"

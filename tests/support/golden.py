"""Whole outputs as files. ``UPDATE_GOLDEN=1 pytest`` rewrites them; read the difference then."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def check(path: Path, text: str) -> None:
    """`text` is what the file at `path` holds."""
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text + "\n", encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text + "\n", f"{path.name}: see {__name__}"

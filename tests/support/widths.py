"""Whether a text fits a terminal."""

from __future__ import annotations

import re

from gpuprobe.report.terminal import cells

_UUID = re.compile(r"(?:GPU|MIG)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def too_wide(text: str, width: int) -> list[str]:
    """The lines that do not fit; a UUID, which is never broken, may stand alone from the margin."""
    wide = [line for line in text.splitlines() if cells(line) > width]
    return [line for line in wide if not _UUID.fullmatch(line)]

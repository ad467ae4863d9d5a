"""What is in compiled files, by nm."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

#: `nm --format=sysv`: name | value | class | type | size | line | section
_WRITABLE = re.compile(r"^(\w[^\s|]*)\s*\|.*\|\s*OBJECT\|.*\|\.(?:data|bss)(?:\.\S+)?\s*$")


def writable_globals(*files: Path) -> set[str]:
    """The names of the variables, static ones too, that these objects or archives can change."""
    command = ("nm", "--format=sysv", *map(str, files))
    rows = subprocess.check_output(command, text=True).splitlines()
    found = (_WRITABLE.match(row) for row in rows)
    # Constants with addresses in them are written once, by the loader, and then protected.
    return {match[1] for match in found if match and ".data.rel.ro" not in match[0]}

"""Which copies of CUDA libraries a running process has mapped: /proc/PID/maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Absent, Fact, Known, Unknown
from . import file_names as library_names

if TYPE_CHECKING:
    from ..machine import Machine

#: A large program maps some thousand pieces, of some hundred characters each.
LIMIT = 16 << 20
#: The columns before the path: addresses, permissions, offset, device, inode.
_BEFORE_PATH = 5
_GONE = " (deleted)"


def mapped(machine: Machine, process: str = "self") -> Fact[dict[str, tuple[str, ...]]]:
    """The mapped files by stem, each once, in the order of the addresses."""
    maps = machine.read_bytes(f"/proc/{process}/maps", limit=LIMIT)
    if not isinstance(maps, Known):
        return Absent(maps.source) if isinstance(maps, Absent) else Unknown(maps.reason)
    return Known(files_of(maps.value), maps.source)


def files_of(maps: bytes) -> dict[str, tuple[str, ...]]:
    """The CUDA libraries in the text of a file of maps; a line that is none of its kind is left."""
    found: dict[str, dict[str, None]] = {}
    if not any(each.encode() in maps for each in library_names.BEGINNINGS):
        return {}
    for line in maps.split(b"\n"):
        columns = line.split(None, _BEFORE_PATH)
        if len(columns) <= _BEFORE_PATH or not columns[_BEFORE_PATH].startswith(b"/"):
            continue
        path = columns[_BEFORE_PATH].decode("utf-8", "surrogateescape")
        name = library_names.parse(path.removesuffix(_GONE).rpartition("/")[2])
        if name is not None:
            found.setdefault(name.stem, {})[path] = None
    return {stem: tuple(files) for stem, files in found.items()}

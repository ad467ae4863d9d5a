"""What the loader's configuration names and its cache does not have: ldconfig was not run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Known
from . import ldcache
from .copies import asked_for
from .places import LOADER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine
    from .copies import Inventory

CONFIG = "/etc/ld.so.conf"
#: Files that include each other have an end.
MAX_FILES = 200


def left_out(machine: Machine, inventory: Inventory) -> Iterator[str]:
    """Each folder of the configuration whose CUDA libraries are missing in the cache."""
    if not machine.is_there(ldcache.PATH):
        return
    reached = {copy.real for copy in inventory.copies if copy.way in LOADER}
    for folder, file in folders(machine):
        names = machine.list_dir(folder)
        for name in sorted(asked_for(names.value)) if isinstance(names, Known) else ():
            real = machine.real_path(f"{folder}/{name}")
            if not isinstance(real, Known) or not machine.is_file(real.value):
                continue
            if real.value not in reached:
                yield f"{file} names {folder}, and the loader's cache has no {name}: run ldconfig"
                break


def folders(machine: Machine) -> Iterator[tuple[str, str]]:
    """Each folder that the configuration names, and the file that names it."""
    waiting: list[str] = [CONFIG]
    seen: set[str] = set()
    while waiting and len(seen) < MAX_FILES:
        file = waiting.pop(0)
        text = machine.read_text(file)
        if file in seen or not isinstance(text, Known):
            continue
        seen.add(file)
        for raw in text.value.splitlines():
            line = raw.partition("#")[0].strip()
            if line.startswith("include"):
                waiting += _included(machine, line.removeprefix("include").strip())
            elif line.startswith("/"):
                yield line.rstrip("/"), file


def _included(machine: Machine, pattern: str) -> list[str]:
    """The files of ``ld.so.conf.d/*.conf``; patterns of another form are not in use."""
    path = pattern if pattern.startswith("/") else f"/etc/{pattern}"
    folder, _, name = path.rpartition("/")
    if "*" not in name:
        return [path]
    head, _, tail = name.partition("*")
    names = machine.list_dir(folder)
    found = names.value if isinstance(names, Known) else ()
    return [f"{folder}/{each}" for each in found if each.startswith(head) and each.endswith(tail)]

"""Which file the dynamic loader of Linux takes for a name, as ld.so(8) and glibc have it.

The order: what is loaded under that name already; DT_RPATH of the asking file and of those that
loaded it, unless the asking file has a DT_RUNPATH; LD_LIBRARY_PATH; DT_RUNPATH of the asking file
alone; /etc/ld.so.cache; the default folders. So LD_LIBRARY_PATH comes before a RUNPATH and after
an RPATH, and whoever loads a library first decides for the whole process.

Nothing is loaded here: the files are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..host import machine_name
from ..model import Known, Unknown
from . import elf, ldcache
from . import file_names as library_names
from .places import CACHE, DEFAULT, LD_PATH, default_folders, library_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine
    from .elf import Dynamic

RPATH, RUNPATH, NAMED, OWN_WAY = "RPATH", "RUNPATH", "its path", "its own search"
#: No framework has so many libraries; a chain of files that ask for each other has an end.
MAX_FILES = 500


class Opened(NamedTuple):
    """A name, the file that is taken for it (None: there is none), and the way to it.

    `asker` is the file that asks for the name.
    """

    file: str
    path: str | None
    way: str
    asker: str


class Node(NamedTuple):
    """A loaded file: where it lies, what it asks for, and which file loaded it.

    `origin` is what $ORIGIN in it stands for: the folder in which the loader found it. Behind a
    link to a file it does not look, so it is not always the folder of the real file.
    """

    path: str
    origin: str
    dynamic: Dynamic
    loader: Node | None


class Process:
    """The libraries of one process, as far as they are CUDA's or lie in the folders `own`.

    `program` is the executable, whose RPATH serves everybody. `first` are folders from which the
    framework itself loads what its files need, before the loader is asked. `opened` holds every
    answer in the order of the loading, `unread` why a file could not be looked into.
    """

    def __init__(
        self,
        machine: Machine,
        program: str | None = None,
        own: tuple[str, ...] = (),
        first: tuple[str, ...] = (),
    ) -> None:
        self._machine = machine
        self._own = tuple(dict.fromkeys((*own, *(_real(machine, folder) for folder in own))))
        self._first = first
        self._library_path = library_path(machine)
        self._cache = _cache(machine)
        self._loaded: dict[str, str] = {}
        self._nodes: dict[str, Node] = {}
        self.opened: list[Opened] = []
        self.unread: list[str] = []
        # The kernel names the program itself, behind all links.
        self._program = None if program is None else self._read(_real(machine, program), None)

    def load(self, path: str) -> Node | None:
        """Load a file by its path, with all that it needs; None where it cannot be read."""
        node = self._read(path, self._program)
        if node is not None:
            self._loaded.setdefault(node.dynamic.soname or path.rpartition("/")[2], path)
            self._load_needed(node)
        return node

    def ask(self, file: str, asker: Node) -> Opened:
        """What dlopen(`file`) in the code of `asker` gives."""
        opened, node = self._open(file, asker)
        if node is not None:
            self._load_needed(node)
        return opened

    def found(self, stem: str) -> Node | None:
        """The loaded copy of a CUDA library, by its stem; None: none was asked for, or read."""
        for each in self.opened:
            name = library_names.parse(each.file)
            if name is not None and name.stem == stem and each.path is not None:
                return self._nodes.get(each.path)
        return None

    def _load_needed(self, first: Node) -> None:
        """What a file needs, then what those need: the order in which the loader goes."""
        waiting = [first]
        for node in waiting:
            for file in node.dynamic.needed:
                if len(self._nodes) > MAX_FILES:
                    return
                if self._matters(file, node):
                    _, found = self._open(file, node)
                    if found is not None:
                        waiting.append(found)

    def _matters(self, file: str, asker: Node) -> bool:
        """Whether a file is CUDA's or the framework's own: the rest of a system is left out."""
        if library_names.parse(file) is not None:
            return True
        folder = asker.path.rpartition("/")[0]
        return folder.startswith(self._own) and self._machine.is_there(f"{folder}/{file}")

    def _open(self, file: str, asker: Node) -> tuple[Opened, Node | None]:
        """The answer, and the file where it was loaded just now."""
        path, way = self._find(file, asker)
        opened = Opened(file, path, way, asker.path)
        new = path is not None and file not in self._loaded
        if new or path is None:
            self.opened.append(opened)
        if path is None or not new:
            return opened, None
        self._loaded[file] = path
        node = self._read(path, asker)
        if node is not None and node.dynamic.soname:
            self._loaded.setdefault(node.dynamic.soname, path)
        return opened, node

    def _find(self, file: str, asker: Node) -> tuple[str | None, str]:
        if "/" in file:
            return (file, NAMED) if self._machine.is_there(file) else (None, NAMED)
        if file in self._loaded:
            return self._loaded[file], "loaded before"
        for way, path in self._paths(file, asker):
            if self._machine.is_there(path):
                return path, way
        return None, "nowhere"

    def _paths(self, file: str, asker: Node) -> Iterator[tuple[str, str]]:
        """Every path that the loader tries, in its order."""
        if asker.path.startswith(self._own):
            yield from ((OWN_WAY, f"{folder}/{file}") for folder in self._first)
        if asker.dynamic.runpath is None:
            for node in _chain(asker):
                if node.dynamic.runpath is None:
                    yield from ((RPATH, path) for path in _in(node, node.dynamic.rpath, file))
        yield from ((LD_PATH, f"{folder}/{file}") for folder in self._library_path)
        yield from ((RUNPATH, path) for path in _in(asker, asker.dynamic.runpath, file))
        yield from ((CACHE, path) for path in self._cached(file))
        yield from ((DEFAULT, f"{folder}/{file}") for folder in default_folders(self._machine))

    def _cached(self, file: str) -> tuple[str, ...]:
        try:
            return tuple(ldcache.lookup(self._cache, file, machine_name(self._machine)))
        except ldcache.CacheError as error:
            self._note(f"{ldcache.PATH}: {error}")
            return ()

    def _read(self, path: str, loader: Node | None) -> Node | None:
        if path in self._nodes:
            return self._nodes[path]
        dynamic = elf.read_dynamic(self._machine, path)
        if not isinstance(dynamic, Known):
            reason = dynamic.reason if isinstance(dynamic, Unknown) else f"no {dynamic.source}"
            self._note(reason)
            return None
        origin = _real(self._machine, path.rpartition("/")[0])
        self._nodes[path] = Node(path, origin, dynamic.value, loader)
        return self._nodes[path]

    def _note(self, reason: str) -> None:
        if reason not in self.unread:
            self.unread.append(reason)


def _real(machine: Machine, path: str) -> str:
    """A path behind all its links; itself where it is not there."""
    found = machine.real_path(path)
    return found.value if isinstance(found, Known) else path


def _chain(node: Node | None) -> Iterator[Node]:
    while node is not None:
        yield node
        node = node.loader


def _in(node: Node, folders: tuple[str, ...] | None, file: str) -> Iterator[str]:
    """The paths of `file` in folders that are written into a file."""
    for folder in folders or ():
        place = folder.replace("${ORIGIN}", node.origin).replace("$ORIGIN", node.origin)
        yield _plain(f"{place}/{file}")


def _plain(path: str) -> str:
    """A path without ``..``, as people write it; a link among its folders is not looked at."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] not in ("", ".."):
            parts.pop()
        elif part != "." and (part or not parts):
            parts.append(part)
    return "/".join(parts)


def _cache(machine: Machine) -> bytes:
    """The loader's cache; where there is none, one without an entry."""
    cache = machine.read_bytes(ldcache.PATH, limit=ldcache.LIMIT)
    return cache.value if isinstance(cache, Known) else ldcache.EMPTY

# ruff: noqa: PTH100, PTH114, PTH115, PTH116, PTH117, PTH118
"""The one door to the machine: its files, its environment, the probe program.

Every other module of the package asks a `Machine`, so a test can show it another machine: a
folder that stands for ``/``, and a mapping that stands for the environment. What cannot be read
is a reason, never an exception. Paths are strings here: pathlib would cost us 3 ms of each start.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from typing import TYPE_CHECKING, TypeVar

from .model import Absent, Fact, Known, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

T = TypeVar("T")

KIB, MIB = 1 << 10, 1 << 20
#: A folder with more names than this is no folder that we look for.
MAX_NAMES = 100_000
#: Links followed inside a root before it is called an endless loop; the kernel's own number.
MAX_LINKS = 40
#: Characters of a path that is followed by hand; the kernel's own number.
MAX_PATH = 4096

_NOT_THERE = (FileNotFoundError, NotADirectoryError)
_NOT_PERMITTED = (errno.EACCES, errno.EPERM)
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe in the place of a file must not stop us
    | getattr(os, "O_BINARY", 0)
)


def _tell(line: str) -> None:
    print(f"gpuprobe: {line}", file=sys.stderr, flush=True)


class Machine:
    """The machine that is looked at.

    `root` stands before every path (GPUPROBE_ROOT); a path that is already inside it is used as
    it is. Links inside a root are followed as after a chroot: none leads out of it. `search_path`
    is where Python looks for packages. `tell` gets a line when something is waited for.
    """

    __slots__ = ("environ", "root", "search_path", "system", "tell")

    def __init__(
        self,
        root: str = "/",
        environ: Mapping[str, str] | None = None,
        *,
        system: str = "Linux",
        search_path: Sequence[str] = (),
        tell: Callable[[str], None] = _tell,
    ) -> None:
        self.root = root if root == "/" else os.path.abspath(root)
        self.environ: Mapping[str, str] = {} if environ is None else environ
        self.system = system
        self.search_path = tuple(search_path)
        self.tell = tell

    @classmethod
    def here(cls) -> Machine:
        """This machine, or the tree that GPUPROBE_ROOT names."""
        environ = dict(os.environ)
        root = environ.get("GPUPROBE_ROOT") or "/"
        return cls(root, environ, system=_system(), search_path=sys.path)

    # -- files ------------------------------------------------------------------------------

    def read_bytes(self, path: str, limit: int = 64 * KIB) -> Fact[bytes]:
        """The bytes of a regular file of at most `limit` bytes."""
        return self._look(path, lambda place: _read(place, limit))

    def read_text(self, path: str, limit: int = 64 * KIB) -> Fact[str]:
        """The text of a regular file of at most `limit` bytes, which is UTF-8."""
        return self._look(path, lambda place: _read(place, limit).decode())

    def list_dir(self, path: str) -> Fact[tuple[str, ...]]:
        """The names in a folder, sorted."""
        return self._look(path, _names)

    def link_target(self, path: str) -> Fact[str]:
        """What a symbolic link says; `Unknown` where it is something else."""
        return self._look(path, os.readlink, follow=False)

    def real_path(self, path: str) -> Fact[str]:
        """The path of an existing file once all links are followed."""
        return self._look(path, self._existing)

    def size(self, path: str) -> Fact[int]:
        """The size of a file in bytes."""
        return self._look(path, lambda place: os.stat(place).st_size)

    def is_there(self, path: str) -> bool:
        """Whether something is seen under `path`; False also where nobody could look."""
        return isinstance(self.size(path), Known)

    def node(self, path: str) -> Fact[str]:
        """A device node: "usable" or "not permitted", by its permissions.

        It is not opened: that can wake a GPU up, which takes seconds, or never return. In a tree
        a plain file stands for a node.
        """
        return self._look(path, _node_state)

    def _look(self, path: str, read: Callable[[str], T], *, follow: bool = True) -> Fact[T]:
        """What `read` finds at the place of `path`, with every failure as a reason."""
        shown = self.shown(path)
        try:
            return Known(read(self._place(path, follow=follow)), shown)
        except _NOT_THERE:
            return Absent(shown)
        except _TooLargeError as error:
            return Unknown(f"{shown}: {error}")
        except UnicodeDecodeError as error:
            return Unknown(f"{shown}: byte {error.start} is not UTF-8")
        except OSError as error:
            return Unknown(f"{shown}: {error.strerror or error}")
        except ValueError as error:  # a NUL in the path
            return Unknown(f"{shown!r}: {error}")

    # -- paths ------------------------------------------------------------------------------

    def shown(self, path: str) -> str:
        """`path` as the machine that is looked at would write it."""
        if self.root == "/" or not _within(path, self.root):
            return path
        return path[len(self.root) :] or "/"

    def _place(self, path: str, *, follow: bool = True) -> str:
        """Where `path` lies for the calls of the operating system."""
        if self.root == "/":
            return path
        if len(path) > MAX_PATH:
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
        here: list[str] = []
        links = 0
        pending = _parts(self.shown(path))
        while pending:
            part = pending.pop()
            place = os.path.join(self.root, *here, part)
            if part == "..":
                del here[-1:]
            elif (pending or follow) and os.path.islink(place):
                links += 1
                if links > MAX_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
                target = self.shown(os.readlink(place))
                here = [] if os.path.isabs(target) else here
                pending += _parts(target)
            else:
                here.append(part)
        return os.path.join(self.root, *here)

    def _existing(self, place: str) -> str:
        os.stat(place)
        return self.shown(os.path.realpath(place) if self.root == "/" else place)


class _TooLargeError(Exception):
    """Something is larger than what we look for can be."""


def _system() -> str:
    """As `platform.system()` says it, without importing that module."""
    if hasattr(os, "uname"):
        return os.uname().sysname
    return "Windows" if os.name == "nt" else sys.platform


def _within(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _parts(path: str) -> list[str]:
    """The components of a path, the last one first."""
    relative = os.path.splitdrive(path)[1].replace(os.sep, "/")
    return [part for part in reversed(relative.split("/")) if part not in ("", ".")]


def _read(place: str, limit: int) -> bytes:
    descriptor = os.open(place, _OPEN_FLAGS)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "not a regular file")
        # The size of a file in /proc is 0, so only reading tells where it ends.
        chunks, length = [], 0
        while chunk := os.read(descriptor, min(limit + 1 - length, 64 * KIB)):
            chunks.append(chunk)
            length += len(chunk)
            if length > limit:
                raise _TooLargeError(f"more than {limit} bytes")
        return b"".join(chunks)
    finally:
        os.close(descriptor)


def _names(place: str) -> tuple[str, ...]:
    names = []
    with os.scandir(place) as entries:
        for entry in entries:
            names.append(entry.name)
            if len(names) > MAX_NAMES:
                raise _TooLargeError(f"more than {MAX_NAMES} names")
    return tuple(sorted(names))


def _node_state(place: str) -> str:
    os.stat(place)
    effective = os.access in os.supports_effective_ids  # not on Windows
    allowed = os.access(place, os.R_OK | os.W_OK, effective_ids=effective)
    return "usable" if allowed else "not permitted"

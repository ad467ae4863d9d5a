# ruff: noqa: PTH100, PTH112, PTH115, PTH116, PTH117, PTH120
"""The one door to the machine: its files, its environment, its registry.

Every other module of the package asks a `Machine`, so a test can show it another machine: a
folder that stands for ``/``, and a mapping that stands for the environment. What cannot be read
is a reason, never an exception. Paths are strings here: pathlib would cost us 3 ms of each start.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from functools import cache
from typing import IO, TYPE_CHECKING, TypeVar

from .model import Absent, Fact, Known, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .registry import RegistryKey

T = TypeVar("T")

KIB, MIB = 1 << 10, 1 << 20
#: A folder with more names than this is no folder that we look for; some thousands are usual.
MAX_NAMES = 20_000
#: Of a device without end; the kernel's log has some megabytes on a machine with hundreds of CPUs.
MAX_RECORDS = 64 * MIB
#: Links followed inside a root before it is called an endless loop; the kernel's own number.
MAX_LINKS = 40
#: Characters of a path that is followed by hand; the kernel's own number.
MAX_PATH = 4096

_NOT_THERE = (FileNotFoundError, NotADirectoryError)
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe in the place of a file must not stop us
    | getattr(os, "O_BINARY", 0)
)


def _tell(line: str) -> None:
    """A window's program has no standard error, and a service may have closed it."""
    if sys.stderr is not None and not getattr(sys.stderr, "closed", False):
        print(f"gpuprobe: {line}", file=sys.stderr, flush=True)


@cache
def _check_root(root: str) -> None:
    """A mistyped name is told once: that nothing is found below it would look like a fault."""
    if not os.path.isdir(root):
        _tell(f"GPUPROBE_ROOT={root} is no folder, so nothing of a machine can be read below it")


class Machine:
    """The machine that is looked at.

    `root` stands before every path (GPUPROBE_ROOT); a path that is already inside it is used as
    it is. Links inside a root are followed as after a chroot: none leads out of it. `search_path`
    is where Python looks for packages. `tell` gets a line when something is waited for.
    """

    __slots__ = ("_export", "environ", "root", "search_path", "system", "tell")

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
        self._export: Fact[Mapping[str, RegistryKey]] | None = None

    @classmethod
    def here(cls) -> Machine:
        """This machine, or the tree that GPUPROBE_ROOT names."""
        environ = dict(os.environ)
        root = environ.get("GPUPROBE_ROOT") or "/"
        _check_root(root)
        return cls(root, environ, system=_system(), search_path=_folders_of(sys.path))

    # -- files ------------------------------------------------------------------------------

    def read_bytes(self, path: str, limit: int = 64 * KIB) -> Fact[bytes]:
        """The bytes of a regular file of at most `limit` bytes."""
        return self._look(path, lambda place: _read(place, limit))

    def parse_file(self, path: str, parse: Callable[[IO[bytes]], T]) -> Fact[T]:
        """What `parse` makes of a regular file; its ValueError is the reason that nobody knows."""
        return self._look(path, lambda place: _parsed(place, parse))

    def read_text(self, path: str, limit: int = 64 * KIB) -> Fact[str]:
        """The text of a regular file of at most `limit` bytes, which is UTF-8."""
        return self._look(path, lambda place: _read(place, limit).decode())

    def read_tail(self, path: str, length: int) -> Fact[str]:
        """The last `length` bytes of a regular file, from the first whole line on.

        For logs: what in them is not UTF-8 is replaced.
        """
        return self._look(path, lambda place: _read_tail(place, length))

    def read_records(self, path: str, limit: int) -> Fact[str]:
        """What a device such as /dev/kmsg holds now, without waiting for more.

        Of more than `limit` bytes the last ones. In a tree a plain file stands for the device.
        """
        return self._look(path, lambda place: _read_records(place, limit))

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

    def is_file(self, path: str) -> bool:
        """Whether a regular file lies there, which is not opened; False where nobody could look."""
        found = self._look(path, lambda place: stat.S_ISREG(os.stat(place).st_mode))
        return isinstance(found, Known) and found.value

    def node(self, path: str) -> Fact[str]:
        """A device node: "usable", "not permitted", or "refused" though its permissions allow it.

        A control group's rules refuse so, or SELinux. It is not opened: that can wake a GPU up,
        which takes seconds, or never return. In a tree a plain file stands for a node; elsewhere
        it is none: LXC and Docker leave a file or a folder where the host had no node to mount.
        """
        kinds = (stat.S_IFCHR,) if self.root == "/" else (stat.S_IFCHR, stat.S_IFREG)
        kind = self._look(path, lambda place: stat.S_IFMT(os.stat(place).st_mode))
        if isinstance(kind, Known) and kind.value not in kinds:
            return Absent(f"{kind.source}, which is no device file")
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

    # -- the registry -----------------------------------------------------------------------

    def registry(self, path: str) -> Fact[RegistryKey]:
        """A key below HKEY_LOCAL_MACHINE, its values and the names of its subkeys.

        In a tree the file `registry.reg` stands for the registry.
        """
        from .registry import ask_windows

        shown = f"HKLM\\{path}"
        if self.root != "/":
            return self._exported(path, shown)
        try:
            return Known(ask_windows(path), shown)
        except FileNotFoundError:
            return Absent(shown)
        except (OSError, ImportError) as error:
            return Unknown(f"{shown}: {error}")

    def _exported(self, path: str, shown: str) -> Fact[RegistryKey]:
        if self._export is None:
            self._export = self._read_export()
        if not isinstance(self._export, Known):
            return self._export
        found = self._export.value.get(path.lower())
        return Absent(shown) if found is None else Known(found, shown)

    def _read_export(self) -> Fact[Mapping[str, RegistryKey]]:
        from .registry import EXPORT, EXPORT_LIMIT, ExportError, read_export

        content = self.read_bytes(EXPORT, EXPORT_LIMIT)
        if isinstance(content, Absent):
            return Unknown(f"this tree has no {content.source}")
        if isinstance(content, Unknown):
            return content
        try:
            return Known(read_export(content.value), content.source)
        except ExportError as error:
            return Unknown(f"{content.source} is no export of a registry: {error}")

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
        place = self.root
        links = 0
        pending = _parts(self.shown(path), windows=self.system == "Windows")
        while pending:
            part = pending.pop()
            if part == "..":
                place = place if place == self.root else os.path.dirname(place)
                continue
            step = place + os.sep + part
            if (pending or follow) and stat.S_ISLNK(os.lstat(step).st_mode):
                links += 1
                if links > MAX_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
                target = self.shown(os.readlink(step))
                place = self.root if os.path.isabs(target) else place
                pending += _parts(target, windows=self.system == "Windows")
            else:
                place = step
        return place

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


def _folders_of(search_path: Sequence[object]) -> tuple[str, ...]:
    """Without a Path that somebody appended, say: Python's import passes over it as well."""
    return tuple(entry for entry in search_path if isinstance(entry, str))


def _within(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _parts(path: str, *, windows: bool) -> list[str]:
    """The components of a path, the last one first; a tree holds all drives of Windows in one."""
    relative = path.replace(os.sep, "/")
    if windows:
        relative = relative.replace("\\", "/")
        relative = relative[2:] if relative[1:2] == ":" else relative
    return [part for part in reversed(relative.split("/")) if part not in ("", ".")]


def _open(place: str) -> int:
    """A descriptor of a regular file."""
    descriptor = os.open(place, _OPEN_FLAGS)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    raise OSError(errno.EINVAL, "not a regular file")


def _read(place: str, limit: int) -> bytes:
    descriptor = _open(place)
    try:
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


def _parsed(place: str, parse: Callable[[IO[bytes]], T]) -> T:
    with os.fdopen(_open(place), "rb") as file:
        return parse(file)


def _read_tail(place: str, length: int) -> str:
    descriptor = _open(place)
    try:
        start = max(os.fstat(descriptor).st_size - length, 0)
        os.lseek(descriptor, start, os.SEEK_SET)
        text = os.read(descriptor, length).decode(errors="replace")
        return text.partition("\n")[2] if start else text
    finally:
        os.close(descriptor)


def _read_records(place: str, limit: int) -> str:
    descriptor = os.open(place, _OPEN_FLAGS)
    try:
        kept, length = bytearray(), 0
        while length < MAX_RECORDS:
            try:
                chunk = os.read(descriptor, 8 * KIB)  # of /dev/kmsg: one record a call
            except BlockingIOError:  # nothing more is there now
                break
            except BrokenPipeError:  # the record was overwritten meanwhile: the next one follows
                continue
            if not chunk:
                break
            kept += chunk
            length += len(chunk)
            del kept[:-limit]
        return kept.decode(errors="replace")
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


_FOR_ALL = stat.S_IROTH | stat.S_IWOTH


def _node_state(place: str) -> str:
    mode = os.stat(place).st_mode
    effective = os.access in os.supports_effective_ids  # not on Windows
    if os.access(place, os.R_OK | os.W_OK, effective_ids=effective):
        return "usable"
    return "refused" if mode & _FOR_ALL == _FOR_ALL else "not permitted"

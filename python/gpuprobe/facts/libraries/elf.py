"""What a library asks the loader for: its name, what it needs, and its own search path.

Read with pyelftools, which is optional: without it a library's own search path is unknown, and
that is all. Importing it takes longer than a whole look at a machine, so it is done only where a
file has to be read.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, NamedTuple, cast

from ..model import Fact, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from elftools.elf.dynamic import DynamicTag
    from elftools.elf.sections import Section

    from ..machine import Machine

#: What is read of one file at most: the tables of a framework's library have some 100 KB.
MAX_BYTES, MAX_READS = 32 << 20, 200_000
#: A file that names more libraries or folders than this is garbage.
MAX_TAGS = 4096
_TAGS = {"DT_SONAME": "soname", "DT_NEEDED": "needed", "DT_RPATH": "rpath",
         "DT_RUNPATH": "runpath"}  # fmt: skip
NOT_INSTALLED = "pyelftools is not installed (pip install pyelftools)"


class Dynamic(NamedTuple):
    """The dynamic section of a file, as far as the search for libraries goes.

    `rpath` and `runpath` are folders with ``$ORIGIN`` as it is written; None: it has no such tag,
    which is another thing than an empty one.
    """

    soname: str | None
    needed: tuple[str, ...]
    rpath: tuple[str, ...] | None
    runpath: tuple[str, ...] | None


def read_dynamic(machine: Machine, path: str) -> Fact[Dynamic]:
    """The dynamic section of the file `path`."""
    try:
        import elftools.elf.elffile  # noqa: F401
    except ImportError:
        return Unknown(NOT_INSTALLED)
    return machine.parse_file(path, dynamic_of)


def dynamic_of(stream: IO[bytes]) -> Dynamic:
    """The dynamic section of an open file. Raises `ValueError` where it has none."""
    from elftools.common.exceptions import ELFError
    from elftools.construct import ConstructError

    # pyelftools trusts its input: on a broken file it fails in the ways that Python fails.
    failures = (ELFError, ConstructError, ArithmeticError, AssertionError, AttributeError,
                LookupError, RecursionError, TypeError, StopIteration)  # fmt: skip
    try:
        tags = _tags(cast("IO[bytes]", _Bounded(stream)))
    except failures as error:
        raise ValueError(f"not a library that can be read: {type(error).__name__}") from error
    return Dynamic(
        next(iter(tags["soname"]), None),
        tuple(tags["needed"]),
        _folders(tags["rpath"]),
        _folders(tags["runpath"]),
    )


def _tags(stream: IO[bytes]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {name: [] for name in _TAGS.values()}
    for count, tag in enumerate(_entries(stream)):
        if count > MAX_TAGS:
            raise ValueError(f"more than {MAX_TAGS} entries")
        name = _TAGS.get(str(tag.entry.d_tag))
        if name is not None:
            found[name].append(str(getattr(tag, name)))
    return found


def _entries(stream: IO[bytes]) -> Iterator[DynamicTag]:
    from elftools.elf.dynamic import DynamicSegment
    from elftools.elf.elffile import ELFFile

    class Segments(ELFFile):
        """A file as the loader sees it.

        To pair a segment with its section pyelftools parses all of them, and the symbols of
        TensorFlow's library alone are more than we would read of a file.
        """

        def iter_sections(self, type: str | None = None) -> Iterator[Section]:  # noqa: A002, ARG002
            return iter(())

    for segment in Segments(stream).iter_segments():
        if isinstance(segment, DynamicSegment):
            return iter(segment.iter_tags())
    raise ValueError("it asks for nothing: it has no dynamic section")


def _folders(values: list[str]) -> tuple[str, ...] | None:
    if not values:
        return None
    return tuple(folder for value in values for folder in value.split(":") if folder)


class _Bounded:
    """A file that ends a reader which goes astray in it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._bytes, self._reads = MAX_BYTES, MAX_READS

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= self._bytes or self._reads == 0:
            raise ValueError("its tables are too large")
        self._bytes -= size
        self._reads -= 1
        return self._stream.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

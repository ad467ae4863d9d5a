"""The smallest files that the loader would take for libraries, made byte by byte (ELF, 64 bits)."""

from __future__ import annotations

import struct

_NEEDED, _STRTAB, _SONAME, _RPATH, _STRSZ, _RUNPATH, _NULL = 1, 5, 14, 15, 10, 29, 0
_LOAD, _DYNAMIC = 1, 2
_HEADER, _PROGRAM = 64, 56


def library(
    soname: str = "", *needed: str, rpath: str | None = None, runpath: str | None = None
) -> bytes:
    """A shared library that says nothing but its name, what it needs and where to look for it."""
    strings = b"\0"
    tags: list[tuple[int, int]] = []
    wanted = [(_NEEDED, name) for name in needed]
    for tag, value in ((_SONAME, soname or None), (_RPATH, rpath), (_RUNPATH, runpath)):
        if value is not None:
            wanted.append((tag, value))
    for tag, value in wanted:
        tags.append((tag, len(strings)))
        strings += value.encode() + b"\0"
    start = _HEADER + 2 * _PROGRAM
    dynamic_size = 16 * (len(tags) + 3)
    table = start + dynamic_size
    tags += [(_STRTAB, table), (_STRSZ, len(strings)), (_NULL, 0)]
    dynamic = b"".join(struct.pack("<QQ", *tag) for tag in tags)
    size = table + len(strings)
    header = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 3, 62, 1, 0, _HEADER, 0, 0, _HEADER, _PROGRAM, 2, 64, 0, 0
    )  # fmt: skip
    programs = _program(_LOAD, 0, size) + _program(_DYNAMIC, start, dynamic_size)
    return header + programs + dynamic + strings


def _program(kind: int, offset: int, size: int) -> bytes:
    return struct.pack("<IIQQQQQQ", kind, 4, offset, offset, offset, size, size, 8)

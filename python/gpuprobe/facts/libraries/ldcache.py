"""The loader's cache, /etc/ld.so.cache, in glibc's own binary format.

The file is asked itself because `ldconfig -p` may be missing, and costs a process. The layout
is struct cache_file_new of glibc's dl-cache.h:

    magic "glibc-ld.so.cache" + "1.1" · nlibs u32 · strings u32 · flags u8 · 3 + 4 + 12 bytes
    nlibs entries: flags i32 · key u32 · value u32 · osversion u32 · hwcap u64

Keys and values are offsets from the magic; a key may be the tail of a path. Systems made before
glibc 2.32 put the older format ("ld.so-1.7.0") in front of it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PATH = "/etc/ld.so.cache"
LIMIT = 32 << 20

_MAGIC = b"glibc-ld.so.cache1.1"
_HEADER_SIZE = 48
#: A cache that names nothing.
EMPTY = _MAGIC + bytes(_HEADER_SIZE - len(_MAGIC))
_ENTRY, _ENTRY_SIZE = "=iIIIQ", 24

#: dl-cache.h: the kind of ELF file that an entry is for, by what uname calls the machine.
_ABI = {
    "x86_64": 0x0303,
    "aarch64": 0x0A03,
    "ppc64le": 0x0503,
    "s390x": 0x0403,
    "riscv64": 0x1003,
}


class CacheError(ValueError):
    """The file is no loader cache that we can read."""


def lookup(cache: bytes, soname: str, machine: str) -> Iterator[str]:
    """The paths under which the loader would take `soname`, best first.

    `machine` is uname's: entries for other ABIs (the 32-bit library beside the 64-bit one) are
    left out. Raises `CacheError`.
    """
    return (path for name, path in matching(cache, (soname,), machine) if name == soname)


def matching(cache: bytes, beginnings: tuple[str, ...], machine: str) -> Iterator[tuple[str, str]]:
    """Name and path of each library whose name begins so, best first. Raises `CacheError`."""
    start = cache.find(_MAGIC)
    if start < 0:
        raise CacheError("not a loader cache of glibc")
    body = memoryview(cache)[start:]
    if len(body) < _HEADER_SIZE:
        raise CacheError("cut off in its header")
    count = int.from_bytes(body[len(_MAGIC) : len(_MAGIC) + 4], sys.byteorder)
    if count > (len(body) - _HEADER_SIZE) // _ENTRY_SIZE:
        raise CacheError(f"cut off: {count} entries do not fit into {len(body)} bytes")
    wanted = tuple(each.encode() for each in beginnings)
    if not any(each in cache for each in wanted):
        return
    import struct  # only where there is something to find: most machines have no libcuda

    entries = body[_HEADER_SIZE : _HEADER_SIZE + count * _ENTRY_SIZE]
    for flags, key, value, _, _ in struct.iter_unpack(_ENTRY, entries):
        if flags == _ABI.get(machine, flags) and cache.startswith(wanted, start + key):
            yield _text(cache, start + key), _text(cache, start + value)


def _text(cache: bytes, offset: int) -> str:
    end = cache.find(b"\0", offset)
    if end < 0:
        raise CacheError(f"no text at byte {offset}")
    return cache[offset:end].decode("utf-8", "surrogateescape")

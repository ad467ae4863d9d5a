"""The loader's cache: this machine's own, made ones, and garbage."""

from __future__ import annotations

import contextlib
import platform
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.libraries import ldcache
from gpuprobe.facts.libraries.ldcache import CacheError, lookup

HEADER = b"glibc-ld.so.cache1.1"
X86_64, I386, AARCH64 = 0x0303, 0x0003, 0x0A03


def cache(*entries: tuple[int, str, str], prefix: bytes = b"") -> bytes:
    """A cache with these (flags, soname, path)."""
    strings, rows = b"\0", b""
    start = 48 + 24 * len(entries)
    for flags, soname, path in entries:
        key = start + len(strings)
        strings += soname.encode() + b"\0"
        value = start + len(strings)
        strings += path.encode() + b"\0"
        rows += struct.pack("=iIIIQ", flags, key, value, 0, 0)
    header = HEADER + struct.pack("=II20x", len(entries), len(strings))
    return prefix + header + rows + strings


def paths(data: bytes, soname: str, machine: str = "x86_64") -> list[str]:
    return list(lookup(data, soname, machine))


def test_the_paths_of_a_soname_come_in_their_order():
    data = cache(
        (X86_64, "libz.so.1", "/lib/libz.so.1"),
        (X86_64, "libcuda.so.1", "/opt/libcuda.so.1"),
        (X86_64, "libcuda.so.1", "/lib/libcuda.so.1"),
    )
    assert paths(data, "libcuda.so.1") == ["/opt/libcuda.so.1", "/lib/libcuda.so.1"]


def test_a_name_that_only_contains_the_soname_is_another():
    data = cache((X86_64, "libcuda.so.1.1", "/a"), (X86_64, "xlibcuda.so.1", "/b"))
    assert paths(data, "libcuda.so.1") == []


def test_a_name_that_is_stored_as_the_tail_of_its_path_is_found():
    """As ldconfig does since glibc 2.33."""
    path = "/lib/libcuda.so.1"
    start = 48 + 24 + 1
    row = struct.pack("=iIIIQ", X86_64, start + len("/lib/"), start, 0, 0)
    data = HEADER + struct.pack("=II20x", 1, 20) + row + b"\0" + path.encode() + b"\0"
    assert paths(data, "libcuda.so.1") == [path]


def test_the_library_of_another_processor_is_left_out():
    data = cache((AARCH64, "libcuda.so.1", "/arm"), (X86_64, "libcuda.so.1", "/intel"))
    assert paths(data, "libcuda.so.1", "x86_64") == ["/intel"]
    assert paths(data, "libcuda.so.1", "aarch64") == ["/arm"]


def test_the_32_bit_library_is_left_out():
    data = cache((I386, "libcuda.so.1", "/lib32"), (X86_64, "libcuda.so.1", "/lib64"))
    assert paths(data, "libcuda.so.1") == ["/lib64"]


def test_on_a_processor_that_we_do_not_know_all_are_taken():
    data = cache((0x1403, "libcuda.so.1", "/lib"))
    assert paths(data, "libcuda.so.1", "loongarch64") == ["/lib"]


def test_a_cache_behind_the_older_format_is_read():
    data = cache((X86_64, "libcuda.so.1", "/lib"), prefix=b"ld.so-1.7.0\0" + b"\1" * 52)
    assert paths(data, "libcuda.so.1") == ["/lib"]


def test_a_path_that_is_no_utf8_survives():
    data = cache((X86_64, "libcuda.so.1", "/lib")).replace(b"/lib", b"/l\xffb")
    assert paths(data, "libcuda.so.1") == ["/l\udcffb"]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "not a loader cache"),
        (b"ld.so-1.7.0\0" * 9, "not a loader cache"),
        (HEADER, "cut off in its header"),
        (HEADER + struct.pack("=II20x", 4_000_000_000, 9), "4000000000 entries do not fit"),
    ],
)
def test_what_is_no_cache_is_said(data: bytes, told: str):
    with pytest.raises(CacheError, match=told):
        paths(data, "libcuda.so.1")


@given(st.binary(max_size=400), st.integers(0, 400))
def test_garbage_is_read_or_refused_and_nothing_else(noise: bytes, at: int):
    whole = cache((X86_64, "libcuda.so.1", "/lib"), (X86_64, "libz.so.1", "/lib/z"))
    for data in (noise, HEADER + noise, whole[:at], whole[:at] + noise + whole[at + len(noise) :]):
        with contextlib.suppress(CacheError):
            paths(data, "libcuda.so.1")


def test_this_machines_cache_says_what_ldconfig_says():
    ldconfig = shutil.which("ldconfig", path="/sbin:/usr/sbin:/bin:/usr/bin")
    if ldconfig is None or not Path(ldcache.PATH).exists():
        pytest.skip("no ldconfig or no loader cache here")
    abi = {"x86_64": "libc6,x86-64", "aarch64": "libc6,AArch64"}.get(platform.machine())
    if abi is None:
        pytest.skip(f"ldconfig's word for {platform.machine()} is not known here")
    printed = subprocess.run([ldconfig, "-p"], check=True, capture_output=True, text=True).stdout
    told: dict[str, list[str]] = {}
    for line in printed.splitlines()[1:]:
        soname, _, rest = line.strip().partition(" (")
        kind, _, path = rest.partition(") => ")
        if kind.partition(", ")[0] == abi:
            told.setdefault(soname, []).append(path)
    assert len(told) > 3
    data = Path(ldcache.PATH).read_bytes()
    assert {soname: paths(data, soname, platform.machine()) for soname in told} == told

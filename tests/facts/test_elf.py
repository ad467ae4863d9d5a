"""What a library asks the loader for; broken files end in a reason."""

from __future__ import annotations

import io
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.libraries import elf
from gpuprobe.facts.libraries.elf import Dynamic, dynamic_of, read_dynamic
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Absent, Known, Unknown
from support.elf import library

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Make

needs_reader = pytest.mark.skipif(
    isinstance(read_dynamic(Machine(), "/nowhere"), Unknown), reason=elf.NOT_INSTALLED
)
WHOLE = library(
    "libcusparse.so.12", "libnvJitLink.so.12", "libc.so.6", runpath="$ORIGIN/../../nvjitlink/lib"
)


def read(content: bytes) -> Dynamic:
    return dynamic_of(io.BytesIO(content))


@needs_reader
def test_all_that_a_library_asks_for_is_read():
    assert read(WHOLE) == Dynamic(
        "libcusparse.so.12",
        ("libnvJitLink.so.12", "libc.so.6"),
        None,
        ("$ORIGIN/../../nvjitlink/lib",),
    )


@needs_reader
def test_an_empty_path_is_another_thing_than_none():
    found = read(library("a", rpath="", runpath="/x::/y"))
    assert (found.rpath, found.runpath) == ((), ("/x", "/y"))
    assert read(library("a")).rpath is None


@needs_reader
@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to make a library with")
def test_what_a_compiler_makes_is_read_alike(tmp_path: Path):
    path = tmp_path / "libx.so"
    flags = ["-Wl,-soname,libx.so.1", "-Wl,-rpath,$ORIGIN/a:/b", "-Wl,--disable-new-dtags"]
    subprocess.run(["gcc", "-shared", "-xc", "/dev/null", "-o", path, *flags], check=True)
    found = read_dynamic(Machine(), str(path))
    assert isinstance(found, Known)
    assert (found.value.soname, found.value.rpath) == ("libx.so.1", ("$ORIGIN/a", "/b"))


@needs_reader
@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"#!/bin/sh\n", WHOLE[:100], WHOLE[:200]])
def test_a_broken_file_is_a_reason(make: Make, content: bytes):
    machine = make({"/lib/x.so": ""})
    Path(f"{machine.root}/lib/x.so").write_bytes(content)
    found = read_dynamic(machine, "/lib/x.so")
    assert isinstance(found, Unknown)
    assert "/lib/x.so" in found.reason


@needs_reader
def test_a_file_that_is_not_there_is_absent(make: Make):
    assert isinstance(read_dynamic(make({}), "/lib/x.so"), Absent)
    assert isinstance(read_dynamic(make({"/lib/x.so/y": ""}), "/lib/x.so"), Unknown)


@needs_reader
def test_a_table_without_an_end_is_given_up():
    with pytest.raises(ValueError, match=f"more than {elf.MAX_TAGS} entries"):
        read(library("a", *["b"] * (elf.MAX_TAGS + 1)))


@needs_reader
def test_a_file_whose_table_claims_to_be_huge_is_given_up():
    """The number of sections, which pyelftools would go through, is whatever the file says."""
    made = bytearray(WHOLE + bytes(64))
    made[40:48] = len(WHOLE).to_bytes(8, "little")  # where the sections begin
    made[58:60] = (64).to_bytes(2, "little")
    made[60:62] = (0xFFFF).to_bytes(2, "little")
    _only_value_error(lambda: read(bytes(made)))


@needs_reader
def test_symbols_are_not_looked_at():
    """Of TensorFlow's library they alone are more than is read of a file."""
    many = struct.pack("<IIII", 1 << 20, 0, 1 << 20, 6)
    row = struct.pack("<IIQQQQIIQQ", 0, 0x6FFFFFF6, 0, 0, len(WHOLE), len(many), 0, 0, 8, 0)
    made = bytearray(WHOLE + many + row)
    made[40:48] = len(WHOLE + many).to_bytes(8, "little")  # where the sections begin
    made[58:64] = struct.pack("<HHH", 64, 1, 0)
    assert read(bytes(made)) == read(WHOLE)


def test_without_the_reader_the_reason_tells_how_to_get_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "elftools.elf.elffile", None)
    assert read_dynamic(Machine(), "/lib/x.so") == Unknown(elf.NOT_INSTALLED)


def corrupted(content: bytes) -> st.SearchStrategy[bytes]:
    """A file with some bytes changed, cut off somewhere."""
    change = st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255))

    def apply(changes: list[tuple[int, int]], end: int) -> bytes:
        made = bytearray(content)
        for place, value in changes:
            made[place] = value
        return bytes(made[:end])

    return st.builds(apply, st.lists(change, max_size=20), st.integers(0, len(content)))


@needs_reader
@given(corrupted(WHOLE) | st.binary(max_size=400) | st.binary(max_size=400).map(b"\x7fELF".__add__))
def test_garbage_ends_in_an_answer_or_a_reason(content: bytes):
    _only_value_error(lambda: read(content))


def _only_value_error(work: Callable[[], Dynamic]) -> None:
    try:
        found = work()
    except ValueError:
        return
    assert isinstance(found, Dynamic)

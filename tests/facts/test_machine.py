"""The door to the machine: everything that can be in a file's place is a reason."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import machine as door
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Absent, Known, Unknown
from support.trees import Link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .conftest import Make

NOBODY = 65534


def test_a_file_is_read_with_its_path_on_that_machine_as_source(make: Make):
    machine = make({"/proc/version": "Linux\n"})
    assert machine.read_text("/proc/version") == Known("Linux\n", "/proc/version")


def test_a_path_inside_the_root_is_the_same_as_one_without_it(make: Make):
    machine = make({"/etc/x": "x"})
    assert machine.read_text(f"{machine.root}/etc/x") == machine.read_text("/etc/x")


def test_a_path_that_only_begins_like_the_root_is_not_inside_it(make: Make):
    machine = make({"/etc/x": "x"})
    assert machine.read_text(f"{machine.root}2/etc/x") == Absent(f"{machine.root}2/etc/x")


def test_what_is_not_there_is_absent(make: Make):
    machine = make({"/etc/x": "x"})
    for path in ("/etc/y", "/etc/x/y", "/no/where", "relative"):
        assert machine.read_text(path) == Absent(path)
        assert machine.list_dir(path) == Absent(path)
        assert machine.node(path) == Absent(path)
        assert machine.size(path) == Absent(path)
        assert machine.link_target(path) == Absent(path)
        assert not machine.is_there(path)


def test_a_folder_in_the_place_of_a_file_is_a_reason(make: Make):
    machine = make({"/etc/x/y": ""})
    assert machine.read_text("/etc/x") == Unknown("/etc/x: Is a directory")


def test_what_is_no_file_leaves_no_descriptor_open(make: Make):
    machine = make({"/etc/x/y": ""})

    def next_descriptor() -> int:
        descriptor = os.open(os.devnull, os.O_RDONLY)
        os.close(descriptor)
        return descriptor

    before = next_descriptor()
    assert machine.parse_file("/etc/x", lambda file: file.read()) == Unknown(
        "/etc/x: Is a directory"
    )
    assert machine.read_tail("/etc/x", 9) == Unknown("/etc/x: Is a directory")
    assert next_descriptor() == before


def test_a_file_in_the_place_of_a_folder_is_absent(make: Make):
    assert make({"/etc/x": ""}).list_dir("/etc/x") == Absent("/etc/x")


def test_a_pipe_in_the_place_of_a_file_neither_blocks_nor_reads(make: Make):
    machine = make({"/etc/x": ""})
    os.mkfifo(f"{machine.root}/etc/pipe")
    assert machine.read_text("/etc/pipe") == Unknown("/etc/pipe: not a regular file")


def test_a_file_of_exactly_the_limit_is_read_and_one_byte_more_is_not(make: Make):
    machine = make({"/fits": "x" * 100, "/over": "x" * 101})
    assert machine.read_text("/fits", limit=100) == Known("x" * 100, "/fits")
    assert machine.read_text("/over", limit=100) == Unknown("/over: more than 100 bytes")


def test_an_endless_file_is_given_up_at_the_limit():
    if not Path("/dev/zero").exists():
        pytest.skip("no /dev/zero here")
    assert Machine("/").read_bytes("/dev/zero") == Unknown("/dev/zero: not a regular file")


def test_bytes_that_are_no_text_are_a_reason_and_still_bytes(make: Make):
    machine = make({"/x": ""})
    Path(f"{machine.root}/x").write_bytes(b"ab\xff")
    assert machine.read_text("/x") == Unknown("/x: byte 2 is not UTF-8")
    assert machine.read_bytes("/x") == Known(b"ab\xff", "/x")


def test_a_nul_in_a_path_is_a_reason(make: Make):
    assert isinstance(make().read_text("/etc/\0"), Unknown)


@contextlib.contextmanager
def an_ordinary_user() -> Iterator[Path]:
    """A folder of the ordinary user that this test is, or for a while becomes."""
    if not hasattr(os, "geteuid"):
        pytest.skip("this system has no such permissions")
    user = os.geteuid()
    with tempfile.TemporaryDirectory() as folder:
        try:
            if user == 0:
                os.chown(folder, NOBODY, -1)
                os.seteuid(NOBODY)
            yield Path(folder)
        finally:
            os.seteuid(user)


def test_what_may_not_be_read_is_a_reason():
    with an_ordinary_user() as folder:
        machine = Machine(str(folder))
        (folder / "file").write_text("secret")
        (folder / "file").chmod(0)
        (folder / "folder").mkdir()
        (folder / "folder").chmod(0)
        assert machine.read_text("/file") == Unknown("/file: Permission denied")
        assert machine.node("/file") == Known("not permitted", "/file")
        assert machine.list_dir("/folder") == Unknown("/folder: Permission denied")
        assert machine.read_text("/folder/x") == Unknown("/folder/x: Permission denied")
        assert machine.size("/folder/x") == Unknown("/folder/x: Permission denied")


def test_a_node_that_may_only_be_read_is_not_permitted():
    with an_ordinary_user() as folder:
        (folder / "nvidia0").write_text("")
        (folder / "nvidia0").chmod(0o400)
        assert Machine(str(folder)).node("/nvidia0") == Known("not permitted", "/nvidia0")


def test_a_node_that_is_open_to_all_and_that_the_kernel_refuses_is_told_apart(
    make: Make, monkeypatch: pytest.MonkeyPatch
):
    """So it is where the rules of a control group for devices say no, which no test may write."""
    machine = make({"/dev/nvidiactl": "", "/dev/nvidia0": ""})
    (Path(machine.root) / "dev/nvidiactl").chmod(0o666)
    (Path(machine.root) / "dev/nvidia0").chmod(0o660)
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    assert machine.node("/dev/nvidiactl") == Known("refused", "/dev/nvidiactl")
    assert machine.node("/dev/nvidia0") == Known("not permitted", "/dev/nvidia0")


def test_a_refused_call_is_a_reason_with_the_systems_own_words():
    """/proc/self/mem is a regular file whose first page cannot be read, by root either."""
    if not Path("/proc/self/mem").exists():
        pytest.skip("no /proc here")
    found = Machine("/").read_bytes("/proc/self/mem")
    assert found == Unknown("/proc/self/mem: Input/output error")


# -- links ----------------------------------------------------------------------------------


def test_links_are_followed_inside_the_root(make: Make):
    machine = make(
        {
            "/usr/lib/libcuda.so.535.104.05": "elf",
            "/usr/lib/libcuda.so.1": Link("libcuda.so.535.104.05"),
            "/lib": Link("/usr/lib"),
            "/usr/up": Link("../../../../usr/lib"),
        }
    )
    real = "/usr/lib/libcuda.so.535.104.05"
    for path in ("/lib/libcuda.so.1", "/usr/up/libcuda.so.1", "/usr/lib/../lib/libcuda.so.1"):
        assert machine.real_path(path) == Known(real, path)
        assert machine.read_text(path) == Known("elf", path)


def test_no_link_leads_out_of_the_root(make: Make, tmp_path: Path):
    (tmp_path / "secret").write_text("outside")
    machine = make(
        {
            "/absolute": Link(str(tmp_path / "secret")),
            "/relative": Link("../secret"),
            "/folder": Link(str(tmp_path)),
        }
    )
    for path in ("/absolute", "/relative", "/folder/secret", "/../secret"):
        assert machine.read_text(path) == Absent(path)


def test_a_link_that_names_the_root_itself_stays_inside(make: Make):
    machine = make({"/real": "x"})
    Path(f"{machine.root}/link").symlink_to(f"{machine.root}/real")
    assert machine.read_text("/link") == Known("x", "/link")
    assert machine.real_path("/link") == Known("/real", "/link")


def test_links_in_a_circle_are_a_reason(make: Make):
    machine = make({"/a": Link("b"), "/b": Link("a"), "/self": Link("self/x")})
    for path in ("/a", "/b/c", "/self"):
        assert machine.read_text(path) == Unknown(f"{path}: {os.strerror(40)}")


def test_as_many_links_as_the_kernel_follows_are_followed(make: Make):
    files = {f"/l{n}": Link(f"l{n + 1}") for n in range(door.MAX_LINKS)}
    machine = make({**files, f"/l{door.MAX_LINKS}": "end", "/more": Link("l0")})
    assert machine.read_text("/l0") == Known("end", "/l0")
    assert isinstance(machine.read_text("/more"), Unknown)


def test_the_target_of_a_link_is_told_without_following_it(make: Make):
    machine = make({"/driver": Link("../../bus/pci/drivers/nvidia"), "/file": ""})
    assert machine.link_target("/driver") == Known("../../bus/pci/drivers/nvidia", "/driver")
    assert isinstance(machine.link_target("/file"), Unknown)


# -- folders and nodes ----------------------------------------------------------------------


def test_names_come_sorted(make: Make):
    machine = make({"/d/b": "", "/d/a": "", "/d/c": ""})
    assert machine.list_dir("/d") == Known(("a", "b", "c"), "/d")


def test_a_plain_file_stands_for_a_usable_node(make: Make):
    assert make({"/dev/nvidia0": ""}).node("/dev/nvidia0") == Known("usable", "/dev/nvidia0")


def test_what_was_left_where_a_node_was_to_be_mounted_is_none(make: Make, tmp_path: Path):
    """LXC (create=file) and Docker (--volume) leave it where the host has no node yet."""
    path = tmp_path / "nvidia0"
    path.write_text("")
    assert Machine().node(str(path)) == Absent(f"{path}, which is no device file")
    left = make({"/dev/nvidia0/x": ""}).node("/dev/nvidia0")
    assert left == Absent("/dev/nvidia0, which is no device file")
    assert Machine().node(os.devnull) == Known("usable", os.devnull)


def test_a_dangling_node_is_absent(make: Make):
    assert make({"/dev/nvidia0": Link("gone")}).node("/dev/nvidia0") == Absent("/dev/nvidia0")


# -- this machine ---------------------------------------------------------------------------


def test_here_reads_the_root_from_the_environment(make: Make, monkeypatch: pytest.MonkeyPatch):
    root = make({"/etc/x": "x"}).root
    monkeypatch.setenv("GPUPROBE_ROOT", f"{root}/")
    here = Machine.here()
    assert here.root == root
    assert here.read_text("/etc/x") == Known("x", "/etc/x")
    assert here.search_path == tuple(sys.path)


def test_here_passes_over_what_is_no_text_in_the_search_path(monkeypatch: pytest.MonkeyPatch):
    """Notebooks append a Path, which Python's import passes over."""
    searched = tuple(sys.path)
    monkeypatch.setattr(sys, "path", [Path("sources"), None, *searched])
    assert Machine.here().search_path == searched


@pytest.mark.parametrize("value", ["", None])
def test_here_is_this_machine_without_a_root(value: str | None, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("GPUPROBE_ROOT", raising=False)
    if value is not None:
        monkeypatch.setenv("GPUPROBE_ROOT", value)
    here = Machine.here()
    assert here.root == "/"
    assert here.real_path(sys.executable) == Known(os.path.realpath(sys.executable), sys.executable)
    assert here.shown("/etc/x") == "/etc/x"


def test_a_root_that_is_not_there_makes_everything_absent(tmp_path: Path):
    machine = Machine(str(tmp_path / "gone"))
    assert machine.list_dir("/") == Absent("/")
    assert machine.read_text("/proc/version") == Absent("/proc/version")


def test_root_that_is_no_folder_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    mistyped = str(tmp_path / "mistyped")
    monkeypatch.setenv("GPUPROBE_ROOT", mistyped)
    assert Machine.here().root == Machine.here().root == mistyped
    told = f"gpuprobe: GPUPROBE_ROOT={mistyped} is no folder"
    assert capsys.readouterr().err.count(told) == 1
    monkeypatch.setenv("GPUPROBE_ROOT", str(tmp_path))
    assert Machine.here().root == str(tmp_path)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("has_one", [False, True])
def test_a_program_without_a_standard_error_is_told_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    has_one: bool,
):
    """Neither where it is closed, nor on the standard output in its place."""
    stream = io.StringIO()
    stream.close()
    monkeypatch.setattr(sys, "stderr", stream if has_one else None)
    monkeypatch.setenv("GPUPROBE_ROOT", str(tmp_path / f"missing-{has_one}"))
    Machine.here()
    assert capsys.readouterr().out == ""

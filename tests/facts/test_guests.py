"""What a container's run time gave, and what Windows gives to its Linux."""

from __future__ import annotations

import platform
import struct
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.libraries import ldcache
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.facts.systems import container, container_mounts, wsl_libraries
from support.trees import BASE, DOCKER, Link

if TYPE_CHECKING:
    from pathlib import Path

    from gpuprobe.facts.machine import Machine

    from .conftest import Make


def found(collector: object, machine: Machine) -> Facts:
    return Facts(dict(collector.collect(machine)))  # type: ignore[attr-defined]


def mount(target: str, options: str = "rw") -> str:
    return f"9 8 0:5 /x {target} {options} - tmpfs shm {options}\n"


# -- containers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "environ", "kind"),
    [
        ({}, {"APPTAINER_CONTAINER": "/a.sif"}, "apptainer"),
        ({}, {"SINGULARITY_CONTAINER": "/a.sif"}, "singularity"),
        ({"/.singularity.d/libs/x": ""}, {}, "singularity"),
        ({"/run/systemd/container": "lxc\n"}, {}, "lxc"),
        ({"/run/host/container-manager": "systemd-nspawn\n"}, {}, "systemd-nspawn"),
        ({"/proc/1/cgroup": "0::/system.slice/containerd.service/a\n"}, {}, "containerd"),
        (
            {"/proc/self/mountinfo": "9 8 0:5 /home/alice/enroot/a / rw - ext4 /dev/a rw"},
            {},
            "enroot",
        ),
    ],
)
def test_more_run_times_are_told_apart(
    make: Make, files: dict[str, str], environ: dict[str, str], kind: str
) -> None:
    assert found(container, make({**BASE, **files}, environ)).need(names.CONTAINER_KIND) == kind


def test_a_folder_of_that_name_that_is_not_the_root_is_no_container(make: Make) -> None:
    files = {**BASE, "/proc/self/mountinfo": "9 8 0:5 /enroot/a /srv rw - ext4 /dev/a rw\n"}
    assert isinstance(found(container, make(files)).fact(names.CONTAINER_KIND), Absent)


def test_a_word_of_systemd_that_is_no_run_time_tells_nothing(make: Make) -> None:
    files = {**BASE, "/run/systemd/container": "wsl\n"}
    assert isinstance(found(container, make(files)).fact(names.CONTAINER_KIND), Absent)


def test_the_mark_of_an_image_that_wsl_imported_is_no_container(make: Make) -> None:
    imported = make({**BASE, "/.dockerenv": "", "/run/WSL/9_interop": ""})
    assert isinstance(found(container, imported).fact(names.CONTAINER_KIND), Absent)


def test_the_files_that_were_mounted_are_named(make: Make) -> None:
    mounts = "".join(
        mount(target)
        for target in (
            "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.535.104.05",
            "/usr/bin/nvidia-smi",
            "/dev/nvidiactl",
            "/etc/hosts",
            "/data/nvidia",
        )
    )
    files = {**BASE, **DOCKER, "/proc/self/mountinfo": mounts}
    facts = found(container_mounts, make(files))
    assert facts.need(names.CONTAINER_MOUNTS) == (
        *("libnvidia-ml.so.535.104.05", "nvidia-smi", "nvidiactl"),
    )


def test_a_container_without_mounts_of_the_driver_has_none(make: Make) -> None:
    facts = found(container_mounts, make({**BASE, **DOCKER}))
    assert facts.need(names.CONTAINER_MOUNTS) == ()


def test_outside_a_container_nothing_was_given(make: Make) -> None:
    facts = found(container_mounts, make())
    assert len(facts) == 3
    assert all(isinstance(fact, Absent) for fact in facts.values())


SHM = "/dev/shm"  # noqa: S108
LIST, DEVICES = "/sys/fs/cgroup/devices/devices.list", "/proc/devices"


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        ("a *:* rwm\n", True),
        ("c 1:3 rwm\nc 195:* rw\nc 510:* rw\n", True),
        ("c 195:255 rw\nc 195:0 rw\nc 510:0 rw\n", True),
        ("c 1:3 rwm\nc 195:* rw\n", False),  # nvidia-uvm is left out
        ("c 1:3 rwm\n", False),
        ("c 195:* m\nc 510:* m\n", False),
        ("c 195:* wm\nc 510:* wm\n", False),
        ("c 195:* rm\nc 510:* rm\n", False),
        ("b 195:* rw\nb 510:* rw\n", False),
        ("", False),
    ],
)
def test_the_rules_of_version_1_tell_what_may_be_opened(
    make: Make, rules: str, allowed: bool
) -> None:
    devices = "Character devices:\n195 nvidia\n510 nvidia-uvm\n\nBlock devices:\n259 blkext\n"
    facts = found(container_mounts, make({**BASE, **DOCKER, LIST: rules, DEVICES: devices}))
    assert facts.fact(names.CONTAINER_DEVICES) == Known(allowed, LIST)


def test_the_rules_of_version_2_cannot_be_read(make: Make) -> None:
    facts = found(container_mounts, make({**BASE, **DOCKER}))
    assert isinstance(facts.fact(names.CONTAINER_DEVICES), Unknown)


@pytest.mark.parametrize(
    ("options", "size"), [("rw,size=65536k", "64M"), ("rw,size=100k,uid=5", "100K")]
)
def test_shared_memory_is_the_size_of_its_mount(make: Make, options: str, size: str) -> None:
    files = {**BASE, **DOCKER, "/proc/self/mountinfo": mount(SHM, options)}
    assert found(container_mounts, make(files)).need(names.CONTAINER_SHM) == size


def test_a_mount_without_a_size_is_a_reason(make: Make) -> None:
    files = {**BASE, **DOCKER, "/proc/self/mountinfo": mount(SHM)}
    assert isinstance(found(container_mounts, make(files)).fact(names.CONTAINER_SHM), Unknown)


# -- WSL --------------------------------------------------------------------------------------

WSL = {
    **BASE,
    "/proc/sys/kernel/osrelease": "5.15.90.1-microsoft-standard-WSL2\n",
    "/usr/lib/wsl/lib/libcuda.so.1": "",
}


def cache_of(*paths: str) -> bytes:
    """A loader's cache in which libcuda.so.1 is at these places, in glibc's own format."""
    abi = {"x86_64": 0x0303, "aarch64": 0x0A03}[platform.machine()]
    start = 48 + 24 * len(paths)
    strings, entries = b"libcuda.so.1\0", b""
    for path in paths:
        entries += struct.pack("=iIIIQ", abi, start, start + len(strings), 0, 0)
        strings += path.encode() + b"\0"
    head = b"glibc-ld.so.cache1.1" + struct.pack("=II", len(paths), len(strings))
    return head.ljust(48, b"\0") + entries + strings


def with_cache(make: Make, tmp_path: Path, files: dict[str, str | Link], *paths: str) -> Machine:
    machine = make(files)
    place = tmp_path / "root" / ldcache.PATH.lstrip("/")
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(cache_of(*paths))
    return machine


def test_a_linux_driver_before_the_one_of_windows_is_told(make: Make, tmp_path: Path) -> None:
    own = "/usr/lib/x86_64-linux-gnu/libcuda.so.1"
    files = {**WSL, own: ""}
    machine = with_cache(make, tmp_path, files, own, "/usr/lib/wsl/lib/libcuda.so.1")
    facts = found(wsl_libraries, machine)
    assert facts.need(names.WSL_LINUX_DRIVER) == own
    assert facts.need(names.WSL_LIBRARIES) == ("libcuda.so.1",)


def test_a_linux_driver_after_the_one_of_windows_harms_nobody(make: Make, tmp_path: Path) -> None:
    own = "/usr/lib/x86_64-linux-gnu/libcuda.so.1"
    machine = with_cache(make, tmp_path, {**WSL, own: ""}, "/usr/lib/wsl/lib/libcuda.so.1", own)
    assert isinstance(found(wsl_libraries, machine).fact(names.WSL_LINUX_DRIVER), Absent)


def test_a_link_to_the_one_of_windows_is_no_linux_driver(make: Make) -> None:
    files = {**WSL, "/opt/lib/libcuda.so.1": Link("/usr/lib/wsl/lib/libcuda.so.1")}
    facts = found(wsl_libraries, make(files, {"LD_LIBRARY_PATH": "/opt/lib"}))
    assert isinstance(facts.fact(names.WSL_LINUX_DRIVER), Absent)


def test_a_stub_and_a_folder_without_it_are_no_linux_driver(make: Make) -> None:
    stubs = "/usr/local/cuda/lib64/stubs"
    files = {**WSL, f"{stubs}/libcuda.so.1": ""}
    facts = found(wsl_libraries, make(files, {"LD_LIBRARY_PATH": f"/gone:{stubs}"}))
    assert isinstance(facts.fact(names.WSL_LINUX_DRIVER), Absent)


def test_without_a_folder_windows_gave_nothing(make: Make) -> None:
    files = {path: text for path, text in WSL.items() if "wsl/lib" not in path}
    assert found(wsl_libraries, make(files)).need(names.WSL_LIBRARIES) == ()


def test_outside_wsl_there_is_nothing_to_tell(make: Make) -> None:
    facts = found(wsl_libraries, make())
    assert all(isinstance(fact, Absent) for fact in facts.values())


def test_inside_a_container_under_wsl_the_run_time_places_the_library(make: Make) -> None:
    facts = found(wsl_libraries, make({**WSL, **DOCKER}))
    assert isinstance(facts.fact(names.WSL_LINUX_DRIVER), Absent)

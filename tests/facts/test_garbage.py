"""Whatever lies in the places that we read: facts with reasons, never an exception."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts import names
from gpuprobe.facts.collect import collectors, run
from gpuprobe.facts.libraries import ldcache
from gpuprobe.facts.libraries import of_driver as libraries
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.facts.probe import Probe
from gpuprobe.facts.snapshot import facts_from_json, facts_to_json, find_key

from .played import NOT_RUN

if TYPE_CHECKING:
    from .conftest import Make

SITE = "/site/lib/python3.11/site-packages"
KERNEL = "/lib/modules/6.1"
DEVICE = "/sys/bus/pci/devices/0000:01:00.0"
#: Every place that a collector reads.
PLACES = (
    *("/etc/os-release", "/usr/lib/os-release", "/lib/ld-musl-x86_64.so.1"),
    *("/proc/1/cgroup", "/proc/self/mountinfo", "/proc/modules", "/proc/version"),
    *("/proc/sys/kernel/osrelease", "/proc/driver/nvidia/version", "/sys/module/nvidia/version"),
    *(f"/proc/driver/nvidia/gpus/{gpu}/information" for gpu in ("0000:01:00.0", "x")),
    *(f"{DEVICE}/{attribute}" for attribute in ("class", "vendor", "device", "driver")),
    *("/sys/devices/soc0/family", "/etc/nv_tegra_release", "/proc/device-tree/model"),
    *("/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia99999999999999999999", "/dev/dxg"),
    *(ldcache.PATH, "/usr/lib/wsl/lib/libcuda.so.1", "/usr/lib/libcuda.so.1"),
    *("/usr/lib/libcuda.so.99999.1", "/run/.containerenv", "/.dockerenv"),
    *("/proc/self/maps", "/usr/local/cuda/lib64/libcublas.so.12", "/usr/lib/libcudnn.so.9"),
    *(f"{SITE}/nvidia/cublas/lib/libcublas.so.12", f"{SITE}/nvidia/x/lib/libnccl.so.99999999999"),
    *(f"{SITE}/nvidia_cublas_cu12-12.4.5.8.dist-info/x", f"{SITE}/torch/lib/libtorch_cuda.so"),
    *(f"{SITE}/torch-2.4.1.dist-info/METADATA", f"{SITE}/torch/version.py"),
    *(f"{SITE}/tensorflow-2.17.0.dist-info/METADATA", f"{SITE}/+.egg-info"),
    f"{SITE}/tensorflow/python/platform/build_info.py",
    *(f"{SITE}/onnxruntime_gpu-1.0.dist-info/x", f"{SITE}/jaxlib-0.4+cuda12.dist-info/x"),
    f"{SITE}/onnxruntime/capi/build_and_package_info.py",
)
#: Those that are read only near an NVIDIA GPU.
PLACES_NEARBY = (
    *(f"{KERNEL}/modules.dep", f"{KERNEL}/build", "/etc/modprobe.d/a.conf", "/proc/cmdline"),
    *("/var/lib/dkms/nvidia/1/6.1/x", "/var/lib/dkms/nvidia/1/source"),
    *("/var/lib/dkms/nvidia/kernel-6.1-x86_64", "/var/lib/dkms/nvidia/kernel-"),
    "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
    *("/dev/kmsg", "/var/log/kern.log", "/var/lib/dpkg/status", "/var/lib/rpm"),
    *("/var/lib/pacman/local/nvidia-1-1", "/var/db/pkg/x11-drivers/nvidia-drivers-x"),
    *("/usr/bin/nvidia-uninstall", "/var/log/nvidia-installer.log", "/var/log/fabricmanager.log"),
    *("/run/systemd/system", "/run/nvidia-fabricmanager/nv-fabricmanager.pid"),
    *("/proc/1/comm", "/sys/fs/cgroup/devices/devices.list", "/proc/devices"),
    *("/usr/local/cuda/bin/nvcc", "/usr/local/cuda/version.json", "/usr/bin/gcc"),
    *(
        "/usr/local/cuda/lib64/libcudart.so.12.1.1",
        "/usr/lib/gcc/x/12",
        "/site/conda-meta/a-1-2.json",
    ),
    *("/sys/class/dmi/id/sys_vendor", "/run/systemd/container", "/run/host/container-manager"),
)
#: Pieces that bring a garbage text further into a parser than noise would.
PIECES = (
    *("NVRM version: ", "535.104.05", "Device Minor: ", "99999999999999999999", "0x0302", "0x10de"),
    *("nvidia 1 0", "PRETTY_NAME=", "cuda: Optional[str] = '", "'is_cuda_build', True", "²", "\0"),
    *(
        "'cuda_version', '64_",
        "Requires-Dist: nvidia-cuda-runtime==",
        "1..2",
        "..",
        "+cu",
        "=",
        ":",
    ),
    *("Package: nvidia-driver\nStatus: i ok installed\n", "Version: ", "\n\n", "blacklist nvidia"),
    *(
        "NVRM: Xid (PCI:0): ",
        "79,",
        "Linux version ",
        "kernel/nvidia.ko:",
        "c 195:* rw",
        "a *:* rwm",
    ),
    *('"cuda"', "REVISION:", "# R36", "/dev/shm rw,size=1k", "6.1", "Fabric Manager version "),  # noqa: S108
    *("microsoft-standard", "-Microsoft", "tegra", "\n", " ", "glibc-ld.so.cache1.1"),
)
TEXT = st.lists(st.sampled_from(PIECES) | st.text(max_size=5)).map("".join)
CONTENT = st.one_of(
    TEXT.map(str.encode),
    st.binary(max_size=80),
    st.just(b"x" * 100_000),
    st.just("folder"),
    st.sampled_from(PLACES).map(lambda path: f"link {path}"),
    st.sampled_from(["link .", "link ..", "link /", "link self"]),
)
TREES = st.dictionaries(st.sampled_from(PLACES), CONTENT)
TREES_NEARBY = st.dictionaries(st.sampled_from(PLACES_NEARBY + PLACES), CONTENT)


def write(root: Path, tree: dict[str, bytes | str]) -> None:
    """Writes what can be written: a place below a file or an endless link cannot."""
    for path, content in tree.items():
        place = root / path.lstrip("/")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                place.write_bytes(content)
            elif content == "folder":
                place.mkdir()
            else:
                place.symlink_to(content.removeprefix("link "))
        except OSError:
            continue


def all_facts(machine: Machine) -> Facts:
    """What every collector finds where no probe program is."""
    probe = Probe({"GPUPROBE_PROBE": "/nowhere/probe"}, lambda _: None)
    probe.start("nvml", "cuda", "kernel")
    return run(collectors(machine, "normal", probe))


def check(facts: Facts) -> None:
    """No collector broke; every fact is well-formed and can be kept."""
    assert facts.need(names.COLLECT_BROKEN) == ()
    for name, fact in facts.items():
        key = find_key(name)
        assert key is not None, name
        if isinstance(fact, Known):
            assert type(fact.value) is key.type, name
            assert fact.source
        elif isinstance(fact, Absent):
            assert fact.source, name
        else:
            assert fact.reason, name
    assert dict(facts_from_json(facts_to_json(facts))[0]) == dict(facts)


@given(TREES, st.dictionaries(st.sampled_from(["LD_LIBRARY_PATH", "container"]), st.text()))
def test_any_tree_gives_facts_with_reasons(tree: dict[str, bytes | str], environ: dict[str, str]):
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), tree)
        check(all_facts(Machine(folder, environ, search_path=(SITE,))))


@given(TREES_NEARBY, st.booleans())
def test_near_a_gpu_any_tree_gives_facts_with_reasons(tree: dict[str, bytes | str], wsl: bool):
    environ = {"PATH": "/usr/bin:/usr/local/cuda/bin", "NVIDIA_VISIBLE_DEVICES": "all"}
    release = b"6.1-microsoft-standard" if wsl else b"6.1"
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), {"/proc/sys/kernel/osrelease": release, **tree})
        check(all_facts(Machine(folder, environ, search_path=(SITE,))))


@pytest.mark.parametrize("system", ["Linux", "Windows", "Darwin", "Plan9"])
def test_a_machine_without_any_file_gives_reasons(make: Make, system: str):
    facts = all_facts(make({}, system=system))
    check(facts)
    assert not isinstance(facts.fact(names.PCI_NVIDIA_COUNT), Known)
    assert isinstance(facts.fact(names.PACKAGE_FOLDERS), Unknown)


def test_a_folder_with_very_many_names_is_a_reason(make: Make, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("gpuprobe.facts.machine.MAX_NAMES", 3)
    machine = make({f"/dev/tty{n}": "" for n in range(4)})
    assert machine.list_dir("/dev") == Unknown("/dev: more than 3 names")


def test_a_path_of_a_million_characters_is_a_reason(make: Make):
    machine = make({}, {"LD_LIBRARY_PATH": "/x" * 500_000})
    facts = Facts(dict(libraries.collect(machine, NOT_RUN, NOT_RUN)))
    assert isinstance(facts.fact(names.LIBCUDA_PATH), Absent)

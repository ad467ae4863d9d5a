"""The small collectors, each on a healthy machine of which one thing is bent."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import environment, host, names, pci
from gpuprobe.facts.kernel import module, nodes
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.facts.systems import container, tegra, wsl
from gpuprobe.facts.version import Version
from support.machines import DRIVER_535, DRIVER_580, H100, RTX_4090
from support.trees import BASE, DISPLAY_3D, DOCKER, VGA, Link, kernel_files, pci_function

if TYPE_CHECKING:
    from gpuprobe.facts.machine import Machine

    from .conftest import Make

HEALTHY = {**BASE, **kernel_files((H100,), "nvidia", DRIVER_535, nodes=True)}
PROC_VERSION = "/proc/driver/nvidia/version"
SYS_VERSION = "/sys/module/nvidia/version"


def found(collector: object, machine: Machine) -> Facts:
    return Facts(dict(collector.collect(machine)))  # type: ignore[attr-defined]


def without(*paths: str) -> dict[str, str | Link]:
    """The healthy machine without these files and all below them."""
    return {path: text for path, text in HEALTHY.items() if not path.startswith(paths)}


# -- PCI ------------------------------------------------------------------------------------


def test_the_gpu_is_found_with_its_driver(make: Make):
    facts = found(pci, make(HEALTHY))
    assert facts.need(names.PCI_GPU_COUNT) == facts.need(names.PCI_NVIDIA_COUNT) == 1
    assert facts.need(names.PCI_VENDOR(0)) == "nvidia"
    assert facts.need(names.PCI_ADDRESS(0)) == "0000:01:00.0"
    assert facts.need(names.PCI_DEVICE(0)) == "2330"
    assert facts.need(names.PCI_DRIVER(0)) == "nvidia"


def test_the_sound_function_of_a_gpu_is_no_gpu(make: Make):
    files = {**BASE, **kernel_files((RTX_4090,), "nvidia", DRIVER_535, nodes=True)}
    assert any("0000:01:00.1" in path for path in files)
    assert found(pci, make(files)).need(names.PCI_NVIDIA_COUNT) == 1


def test_the_shares_of_a_gpu_for_virtual_machines_are_no_gpus(make: Make):
    """SR-IOV: the host of vGPU has one more function for each guest that a GPU can serve."""
    share = "0000:01:00.4"
    files = {**HEALTHY, **pci_function(share, 0x10DE, 0x2330, DISPLAY_3D, "vfio-pci")}
    files[f"/sys/bus/pci/devices/{share}/physfn"] = Link("../0000:01:00.0")
    assert found(pci, make(files)).need(names.PCI_GPU_COUNT) == 1


@pytest.mark.parametrize("kind", [0x040300, 0x068000, 0x020700])
def test_other_functions_of_nvidia_are_no_gpus(make: Make, kind: int):
    files = {**BASE, **pci_function("0000:05:00.0", 0x10DE, 0x22A3, kind, None)}
    assert found(pci, make(files)).need(names.PCI_GPU_COUNT) == 0


@pytest.mark.parametrize(
    ("vendor", "kind", "name"),
    [
        (0x1002, VGA, "amd"),
        (0x1002, 0x120000, "amd"),
        (0x1002, 0x038000, "amd"),
        (0x8086, VGA, "intel"),
        (0x1A03, VGA, "aspeed"),
        (0xABCD, DISPLAY_3D, "abcd"),
    ],
)
def test_gpus_of_other_vendors_are_counted_and_named(make: Make, vendor: int, kind: int, name: str):
    facts = found(pci, make({**BASE, **pci_function("0000:00:02.0", vendor, 1, kind, None)}))
    assert facts.need(names.PCI_GPU_COUNT) == 1
    assert facts.need(names.PCI_NVIDIA_COUNT) == 0
    assert facts.need(names.PCI_VENDOR(0)) == name
    assert facts.fact(names.PCI_DRIVER(0)) == Absent("/sys/bus/pci/devices/0000:00:02.0/driver")


def test_an_accelerator_of_somebody_else_is_no_gpu(make: Make):
    files = {**BASE, **pci_function("0000:05:00.0", 0x1DA3, 0x1020, 0x120000, None)}
    assert found(pci, make(files)).need(names.PCI_GPU_COUNT) == 0


def test_without_sysfs_the_number_of_gpus_is_unknown(make: Make):
    facts = found(pci, make(without("/sys")))
    assert facts.fact(names.PCI_GPU_COUNT) == Unknown("no /sys/bus/pci/devices")


def test_a_device_that_cannot_be_read_makes_the_number_unknown(make: Make):
    place = "/sys/bus/pci/devices/0000:02:00.0/class"
    facts = found(pci, make({**HEALTHY, f"{place}/x": ""}))
    assert facts.fact(names.PCI_NVIDIA_COUNT) == Unknown(f"{place}: Is a directory")


def test_a_device_that_vanishes_meanwhile_is_passed_over(make: Make):
    facts = found(pci, make({**HEALTHY, "/sys/bus/pci/devices/0000:02:00.0/vendor": "0x10de"}))
    assert facts.need(names.PCI_GPU_COUNT) == 1


# -- kernel modules -------------------------------------------------------------------------


@pytest.mark.parametrize("driver", [DRIVER_535, DRIVER_580])
def test_both_forms_of_the_modules_text_give_its_version(make: Make, driver):  # type: ignore[no-untyped-def]
    files = {**BASE, **kernel_files((H100,), "nvidia", driver, nodes=True)}
    found_version = found(module, make(files)).fact(names.MODULE_VERSION)
    assert found_version == Known(Version(driver.version), PROC_VERSION)


def test_a_version_of_two_numbers_is_one(make: Make):
    text = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  390.157  Wed Oct 12 09:19:07 UTC 2022\n"
    facts = found(module, make({**HEALTHY, PROC_VERSION: text}))
    assert facts.need(names.MODULE_VERSION) == Version("390.157")


def test_the_short_version_serves_where_proc_has_none(make: Make):
    facts = found(module, make(without(PROC_VERSION)))
    assert facts.fact(names.MODULE_VERSION) == Known(Version(DRIVER_535.version), SYS_VERSION)


def test_a_loaded_module_without_a_version_is_unknown(make: Make):
    facts = found(module, make(without(PROC_VERSION, "/sys/module")))
    assert facts.fact(names.MODULE_VERSION) == Unknown(
        f"/proc/modules lists nvidia, but {PROC_VERSION} is not there"
    )


def test_a_text_without_a_version_is_unknown(make: Make):
    facts = found(module, make({**HEALTHY, PROC_VERSION: "NVRM version: none\nGCC 12.2.0\n"}))
    assert facts.fact(names.MODULE_VERSION) == Unknown(f"{PROC_VERSION}: no version in its text")


def test_a_version_that_cannot_be_read_is_unknown(make: Make):
    facts = found(module, make({**BASE, f"{PROC_VERSION}/x": ""}))
    assert facts.fact(names.MODULE_VERSION) == Unknown(f"{PROC_VERSION}: Is a directory")


def test_no_module_is_absent(make: Make):
    facts = found(module, make())
    assert facts.fact(names.MODULE_VERSION) == Absent(PROC_VERSION)
    assert facts.need(names.MODULE_NOUVEAU) is False


def test_a_module_whose_name_only_begins_like_it_is_another(make: Make):
    facts = found(module, make({**BASE, "/proc/modules": "nvidiafb 1 0 - Live 0x0\n"}))
    assert facts.fact(names.MODULE_VERSION) == Absent(PROC_VERSION)


@pytest.mark.parametrize("place", ["/proc/modules", "/sys/module/nouveau/refcnt"])
def test_nouveau_is_found_in_either_place(make: Make, place: str):
    facts = found(module, make({**BASE, place: "nouveau 2306048 4 - Live 0x0\n"}))
    assert facts.need(names.MODULE_NOUVEAU) is True


def test_without_proc_nothing_is_known_of_modules(make: Make):
    facts = found(module, make({"/etc/os-release": ""}))
    assert facts.fact(names.MODULE_NOUVEAU) == Unknown("/proc/modules is not there")
    assert facts.fact(names.MODULE_VERSION) == Unknown("/proc/modules is not there")


def test_a_kernel_without_loadable_modules_has_none(make: Make):
    facts = found(module, make({"/proc/version": "Linux"}))
    assert facts.fact(names.MODULE_VERSION) == Absent(PROC_VERSION)


# -- device files ---------------------------------------------------------------------------


def test_the_nodes_of_a_healthy_machine_are_usable(make: Make):
    facts = found(nodes, make(HEALTHY))
    for name in ("nvidiactl", "nvidia-uvm", "nvidia0"):
        assert facts.need(names.NODE(name)) == "usable"
    assert facts.fact(names.NODE("dxg")) == Absent("/dev/dxg")


def test_a_gpu_of_the_module_without_its_node_is_told(make: Make):
    facts = found(nodes, make(without("/dev/nvidia0")))
    assert facts.fact(names.NODE("nvidia0")) == Absent("/dev/nvidia0")
    assert facts.need(names.NODE("nvidiactl")) == "usable"


def test_only_the_nodes_of_this_machine_are_listed_by_number(make: Make):
    files = {**BASE, "/dev/nvidia10": "", "/dev/nvidia2": "", "/dev/nvidia-caps/x": ""}
    facts = found(nodes, make(files))
    numbered = [name for name in facts if name[len("node.nvidia") :].isdigit()]
    assert numbered == ["node.nvidia2", "node.nvidia10"]


def test_without_dev_nothing_is_known_of_nodes(make: Make):
    facts = found(nodes, make({"/proc/version": ""}))
    assert facts.fact(names.NODE("nvidiactl")) == Unknown("/dev is not there")


# -- containers, WSL, boards ----------------------------------------------------------------


def test_a_plain_machine_is_no_container(make: Make):
    facts = found(container, make())
    assert isinstance(facts.fact(names.CONTAINER_KIND), Absent)
    assert facts.need(names.CONTAINER_NVIDIA) == ()


@pytest.mark.parametrize(
    ("files", "environ", "kind"),
    [
        (DOCKER, {}, "docker"),
        ({"/run/.containerenv": ""}, {}, "podman"),
        (DOCKER, {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, "kubernetes"),
        ({"/proc/1/cgroup": "0::/kubepods.slice/pod1/cri-x\n"}, {}, "kubernetes"),
        ({"/proc/1/cgroup": "4:cpu:/docker/4f1c\n"}, {}, "docker"),
        ({"/proc/1/cgroup": "0::/lxc.payload.box\n"}, {}, "lxc"),
        ({"/proc/1/cgroup": "0::/machine.slice/libpod-4f.scope\n"}, {}, "podman"),
        ({}, {"container": "systemd-nspawn"}, "systemd-nspawn"),
    ],
)
def test_kinds_of_containers_are_told_apart(
    make: Make, files: dict[str, str], environ: dict[str, str], kind: str
):
    facts = found(container, make({**BASE, **files}, environ))
    assert facts.need(names.CONTAINER_KIND) == kind


def test_somebodys_own_variable_named_container_tells_nothing(make: Make):
    facts = found(container, make(BASE, {"container": "shipping"}))
    assert isinstance(facts.fact(names.CONTAINER_KIND), Absent)


def test_without_proc_the_kind_of_container_is_unknown(make: Make):
    facts = found(container, make({"/etc/x": ""}))
    assert facts.fact(names.CONTAINER_KIND) == Unknown("no /proc/1/cgroup")


def test_traces_of_nvidia_are_listed_with_their_places(make: Make):
    mount = "9 8 0:5 /x /usr/lib/x86_64-linux-gnu/libcuda.so.535.104.05 ro - ext4 /dev/a ro\n"
    files = {**HEALTHY, **DOCKER, "/proc/self/mountinfo": mount}
    facts = found(container, make(files, {"NVIDIA_VISIBLE_DEVICES": "all", "NVIDIA_X": "1"}))
    assert facts.need(names.CONTAINER_NVIDIA) == (
        "/proc/driver/nvidia",
        "NVIDIA_VISIBLE_DEVICES=all",
        "PCI device 0000:01:00.0",
        "mounted /usr/lib/x86_64-linux-gnu/libcuda.so.535.104.05",
    )


def test_a_gpu_of_another_vendor_is_no_trace_of_nvidia(make: Make):
    files = {**BASE, **DOCKER, **pci_function("0000:00:02.0", 0x1002, 1, VGA, "amdgpu")}
    assert found(container, make(files)).need(names.CONTAINER_NVIDIA) == ()


@pytest.mark.parametrize(
    ("release", "version"),
    [
        ("5.15.90.1-microsoft-standard-WSL2\n", 2),
        ("4.4.0-19041-Microsoft\n", 1),
        ("5.15.0-1051-azure\n", None),
    ],
)
def test_wsl_is_known_by_its_kernel(make: Make, release: str, version: int | None):
    facts = found(wsl, make({**BASE, "/proc/sys/kernel/osrelease": release}))
    assert facts.known(names.WSL_VERSION) == version


def test_wsl_with_a_kernel_of_ones_own_is_known_by_its_device_and_libraries(make: Make):
    files = {**BASE, "/dev/dxg": "", "/usr/lib/wsl/lib/libcuda.so.1": ""}
    assert found(wsl, make(files)).need(names.WSL_VERSION) == 2


def test_the_device_alone_is_no_wsl(make: Make):
    """A Linux guest of Hyper-V with a GPU has it, too."""
    facts = found(wsl, make({**BASE, "/dev/dxg": ""}))
    assert isinstance(facts.fact(names.WSL_VERSION), Absent)


def test_a_jetson_is_known_by_its_chip_and_names_its_board(make: Make):
    files = {
        **BASE,
        "/sys/devices/soc0/family": "Tegra\n",
        "/proc/device-tree/model": "NVIDIA Jetson AGX Orin\0",
    }
    assert found(tegra, make(files)).need(names.TEGRA_MODEL) == "NVIDIA Jetson AGX Orin"


def test_another_board_with_a_device_tree_is_no_jetson(make: Make):
    facts = found(tegra, make({**BASE, "/proc/device-tree/model": "Raspberry Pi 4\0"}))
    assert isinstance(facts.fact(names.TEGRA_MODEL), Absent)


# -- environment and host -------------------------------------------------------------------


def test_an_empty_variable_is_not_an_unset_one(make: Make):
    facts = found(environment, make(BASE, {"CUDA_VISIBLE_DEVICES": ""}))
    source = "environment variable CUDA_VISIBLE_DEVICES"
    assert facts.fact(names.ENV("CUDA_VISIBLE_DEVICES")) == Known("", source)
    assert isinstance(facts.fact(names.ENV("CUDA_DEVICE_ORDER")), Absent)


def test_no_other_variable_is_recorded(make: Make):
    facts = found(environment, make(BASE, {"AWS_SECRET_ACCESS_KEY": "x"}))
    assert "env.AWS_SECRET_ACCESS_KEY" not in facts


def test_every_recorded_variable_is_documented():
    page = Path(__file__).parents[2] / "docs" / "environment.md"
    text = page.read_text(encoding="utf-8")
    assert [name for name in environment.VARIABLES if f"`{name}`" not in text] == []


def test_every_variable_that_is_read_beside_them_is_documented():
    page = (Path(__file__).parents[2] / "docs" / "environment.md").read_text(encoding="utf-8")
    sources = (Path(host.__file__).parent).rglob("*.py")
    read = {
        name
        for source in sources
        for name in re.findall(r'environ\.get\("(\w+)"', source.read_text(encoding="utf-8"))
    }
    assert {"PATH", "container"} <= read
    assert [name for name in sorted(read) if f"`{name}`" not in page] == []


def test_the_host_is_named_from_its_files(make: Make):
    facts = found(host, make())
    assert facts.need(names.OS_NAME) == "Ubuntu 22.04.4 LTS"
    assert facts.need(names.OS_KERNEL) == "5.15.0-105-generic"
    assert facts.need(names.PYTHON_VERSION).parts[0] == 3


def test_the_second_place_of_os_release_serves(make: Make):
    facts = found(host, make({"/usr/lib/os-release": "ID=x\nPRETTY_NAME='A B'\n"}))
    assert facts.fact(names.OS_NAME) == Known("A B", "/usr/lib/os-release")


def test_a_system_without_os_release_has_no_name(make: Make):
    assert isinstance(found(host, make({"/etc/x": ""})).fact(names.OS_NAME), Absent)


@pytest.mark.parametrize(
    ("loader", "libc"),
    [
        ("ld-musl-x86_64.so.1", Known("musl", "/lib/ld-musl-*")),
        ("ld-uClibc.so.1", Unknown("neither glibc nor musl was recognised")),
    ],
)
def test_a_libc_that_tells_no_version_is_known_by_its_loader(
    make: Make, monkeypatch: pytest.MonkeyPatch, loader: str, libc: object
):
    monkeypatch.delattr(os, "confstr", raising=False)  # as on Windows
    assert found(host, make({**BASE, f"/lib/{loader}": ""})).fact(names.OS_LIBC) == libc


def test_macos_is_named_by_its_version_file(make: Make):
    text = "<dict><key>ProductVersion</key>\n<string>14.5</string></dict>"
    path = "/System/Library/CoreServices/SystemVersion.plist"
    facts = found(host, make({path: text}, system="Darwin"))
    assert facts.need(names.OS_NAME) == "macOS 14.5"


@pytest.mark.parametrize("system", ["Windows", "Darwin", "FreeBSD"])
@pytest.mark.parametrize("collector", [pci, module, nodes, container, wsl, tegra])
def test_on_another_system_nothing_of_linux_is_claimed(make: Make, collector: object, system: str):
    facts = found(collector, make(HEALTHY, system=system))
    assert facts
    assert not any(isinstance(fact, Known) for fact in facts.values())

"""How the driver came here, the services beside it, and the board or hypervisor below."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import names, services
from gpuprobe.facts.installed import system_packages
from gpuprobe.facts.model import Absent, Facts, Unknown
from gpuprobe.facts.systems import tegra_release, virtual
from gpuprobe.facts.version import Version
from support.trees import BASE, DOCKER

if TYPE_CHECKING:
    from gpuprobe.facts.machine import Machine

    from .conftest import Make


def found(collector: object, machine: Machine) -> Facts:
    return Facts(dict(collector.collect(machine)))  # type: ignore[attr-defined]


# -- packages of the system --------------------------------------------------------------------


def paragraph(name: str, version: str, status: str = "install ok installed") -> str:
    head = f"Package: {name}\nStatus: {status}\nArchitecture: amd64"
    return f"{head}\nVersion: {version}\nDepends: nvidia-x\n\n"


def test_of_several_packages_the_one_that_stands_for_most_is_told(make: Make) -> None:
    status = (
        paragraph("libnvidia-compute-535", "535.104.05-0ubuntu1")
        + paragraph("bash", "5.1")
        + paragraph("nvidia-driver-470", "470.256.02-0ubuntu1", "deinstall ok config-files")
        + paragraph("nvidia-driver-535", "535.104.05-0ubuntu1")
    )
    facts = found(system_packages, make({**BASE, "/var/lib/dpkg/status": status}))
    assert facts.need(names.DRIVER_PACKAGE) == "nvidia-driver-535 535.104.05-0ubuntu1"


@pytest.mark.parametrize(
    "name",
    [
        *("nvidia-cuda-toolkit", "nvidia-container-toolkit", "nvidia-driver-assistant"),
        *("nvidia-driver-local-repo-debian12-535.183.01", "nvidia-driver-pinning-580"),
    ],
)
def test_other_packages_of_nvidia_are_no_driver(make: Make, name: str) -> None:
    files = {**BASE, "/var/lib/dpkg/status": paragraph(name, "12.0")}
    facts = found(system_packages, make(files))
    assert facts.fact(names.DRIVER_PACKAGE) == Absent("/var/lib/dpkg/status")


def test_the_version_of_fabric_manager_is_its_packages(make: Make) -> None:
    files = {**BASE, "/var/lib/dpkg/status": paragraph("nvidia-fabricmanager-535", "535.104.05-1")}
    facts = found(system_packages, make(files))
    assert facts.need(names.FABRIC_VERSION) == Version("535.104.05")


def test_else_the_log_of_fabric_manager_tells_it(make: Make) -> None:
    line = "[Mar 20 2024] [INFO] [tid 12] Fabric Manager version {} is running with the following\n"
    log = line.format("470.57.02") + line.format("535.104.05")
    files = {**BASE, "/var/lib/rpm/rpmdb.sqlite": "", "/var/log/fabricmanager.log": log}
    facts = found(system_packages, make(files))
    assert facts.need(names.FABRIC_VERSION) == Version("535.104.05")
    assert facts.fact(names.DRIVER_PACKAGE) == Unknown(
        "/var/lib/rpm: the database of rpm is not read"
    )


def test_pacman_and_portage_are_read_by_folders(make: Make) -> None:
    arch = {"/var/lib/pacman/local/nvidia-utils-550.54.14-1/desc": ""}
    assert found(system_packages, make(arch)).need(names.DRIVER_PACKAGE) == (
        "nvidia-utils 550.54.14-1"
    )


def test_gentoo_is_read_by_folders(make: Make) -> None:
    files = {"/var/db/pkg/x11-drivers/nvidia-drivers-550.54.14-r1/CONTENTS": ""}
    facts = found(system_packages, make(files))
    assert facts.need(names.DRIVER_PACKAGE) == "nvidia-drivers 550.54.14-r1"


def test_nvidias_own_installer_is_known_by_its_uninstaller(make: Make) -> None:
    log = (
        "nvidia-installer log file '/var/log/nvidia-installer.log'\ninstaller version: 550.54.14\n"
    )
    files = {**BASE, "/usr/bin/nvidia-uninstall": "", "/var/log/nvidia-installer.log": log}
    facts = found(system_packages, make(files))
    assert facts.need(names.DRIVER_INSTALLER) == "nvidia-installer 550.54.14"


def test_a_log_of_an_installer_that_is_gone_tells_nothing(make: Make) -> None:
    files = {**BASE, "/var/log/nvidia-installer.log": "installer version: 550.54.14\n"}
    facts = found(system_packages, make(files))
    assert facts.fact(names.DRIVER_INSTALLER) == Absent("/usr/bin/nvidia-uninstall")


# -- services ----------------------------------------------------------------------------------

FABRIC = "/run/nvidia-fabricmanager/nv-fabricmanager.pid"
SYSTEMD = {**BASE, "/run/systemd/system/x": ""}


@pytest.mark.parametrize(
    ("files", "state"),
    [
        ({}, "not running"),
        ({FABRIC: "812\n", "/proc/812/comm": "nv-fabricmanage\n"}, "running"),
        ({FABRIC: "812\n"}, "not running"),
        ({FABRIC: "812\n", "/proc/812/comm": "bash\n"}, "not running"),
    ],
)
def test_a_service_runs_if_its_process_is_there(
    make: Make, files: dict[str, str], state: str
) -> None:
    assert found(services, make({**SYSTEMD, **files})).need(names.FABRIC_STATE) == state


def test_processes_that_proc_hides_may_run(make: Make) -> None:
    """Mounted with hidepid=2 it shows to a user the processes of that user alone."""
    hidden = {path: text for path, text in SYSTEMD.items() if not path.startswith("/proc/1/")}
    facts = found(services, make({**hidden, FABRIC: "812\n", "/proc/4711/comm": "bash\n"}))
    assert isinstance(facts.fact(names.FABRIC_STATE), Unknown)


@pytest.mark.parametrize("number", ["", "-1", "1/../self", "²"])
def test_a_file_without_a_number_is_a_reason(make: Make, number: str) -> None:
    facts = found(services, make({**SYSTEMD, FABRIC: number}))
    assert facts.fact(names.FABRIC_STATE) == Unknown(f"{FABRIC}: no number of a process")


def test_a_container_does_not_see_its_hosts_services(make: Make) -> None:
    assert isinstance(found(services, make()).fact(names.PERSISTENCED_STATE), Unknown)


def test_a_container_that_got_the_folder_of_mps_does_not_see_its_process(make: Make) -> None:
    files = {**BASE, **DOCKER, "/var/mps/nvidia-cuda-mps-control.pid": "77"}
    machine = make(files, {"CUDA_MPS_PIPE_DIRECTORY": "/var/mps"})
    state = found(services, machine).fact(names.MPS_STATE)
    assert isinstance(state, Unknown)
    assert "container" in state.reason


def test_mps_is_looked_for_where_the_variable_says(make: Make) -> None:
    files = {
        **BASE,
        "/var/mps/nvidia-cuda-mps-control.pid": "77",
        "/proc/77/comm": "nvidia-cuda-mps\n",
    }
    machine = make(files, {"CUDA_MPS_PIPE_DIRECTORY": "/var/mps"})
    assert found(services, machine).need(names.MPS_STATE) == "running"
    assert found(services, make(files)).need(names.MPS_STATE) == "not running"


# -- virtual machines, boards ------------------------------------------------------------------

DMI = "/sys/class/dmi/id"


@pytest.mark.parametrize(
    ("vendor", "product", "kind"),
    [
        ("Alibaba Cloud", "Alibaba Cloud ECS", "alibaba"),
        ("Hetzner", "vServer", "hetzner"),
        ("QEMU", "Standard PC (Q35 + ICH9, 2009)", "kvm"),
        ("Microsoft Corporation", "Virtual Machine", "hyper-v"),
        ("Amazon EC2", "p5.48xlarge", "amazon"),
        ("VMware, Inc.", "VMware7,1", "vmware"),
        ("Google", "Google Compute Engine", "google"),
    ],
)
def test_hypervisors_are_known_by_their_firmware(
    make: Make, vendor: str, product: str, kind: str
) -> None:
    files = {f"{DMI}/sys_vendor": f"{vendor}\n", f"{DMI}/product_name": f"{product}\n"}
    assert found(virtual, make(files)).need(names.VM_KIND) == kind


@pytest.mark.parametrize(
    ("vendor", "product"),
    [("Dell Inc.", "PowerEdge R750xa"), ("Microsoft Corporation", "Surface Book 3"),
     ("Amazon EC2", "g4dn.metal"), ("ASUS", "System Product Name")],
)  # fmt: skip
def test_machines_of_metal_have_no_hypervisor(make: Make, vendor: str, product: str) -> None:
    files = {f"{DMI}/sys_vendor": f"{vendor}\n", f"{DMI}/product_name": f"{product}\n"}
    assert isinstance(found(virtual, make(files)).fact(names.VM_KIND), Absent)


def test_without_firmwares_word_the_hypervisor_is_unknown(make: Make) -> None:
    assert found(virtual, make()).fact(names.VM_KIND) == Unknown(f"no {DMI}/sys_vendor")


@pytest.mark.parametrize(
    ("line", "release"),
    [
        ("# R36 (release), REVISION: 3.0, GCID: 36106755, BOARD: generic", "36.3.0"),
        ("# R32 (release), REVISION: 7.1, GCID: 29818004, BOARD: t186ref", "32.7.1"),
    ],
)
def test_the_release_of_a_jetson_is_of_one_line(make: Make, line: str, release: str) -> None:
    facts = found(tegra_release, make({"/etc/nv_tegra_release": f"{line}\n# KERNEL\n"}))
    assert facts.need(names.TEGRA_RELEASE) == Version(release)


def test_another_text_in_its_place_is_a_reason(make: Make) -> None:
    facts = found(tegra_release, make({"/etc/nv_tegra_release": "Release\n"}))
    assert facts.fact(names.TEGRA_RELEASE) == Unknown("/etc/nv_tegra_release: no release")

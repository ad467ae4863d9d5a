"""Fixes for the driver's kernel module."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.fixes.module import older_branch, other_kind
from gpuprobe.diagnosis.questions.place import Distribution, Place
from support.pasted import commands, finding, fix, printed


def test_secure_boot_in_words() -> None:
    told = "my nvidia driver cant load {}. GPU: GTX 1650"
    assert "shim" in printed(told.format("because of secure boot"))
    assert "Secure Boot refuses" in finding(told.format("because of secure boot")).title
    assert "shim" not in printed(told.format("since the update"))


REFUSED = "$ modprobe nvidia\nFATAL: Error inserting nvidia (/lib/modules/2.6.32/nvidia.ko): {}\n"


def test_a_module_that_finds_no_gpu_is_not_built_again() -> None:
    told = finding(REFUSED.format("No such device"))
    assert "finds no GPU that it serves" in told.title
    assert told.fix.commands[0] == "lspci | grep -i nvidia"
    assert "modprobe nvidia" in printed(REFUSED.format("Operation not permitted"))


SIGNED = "OS: {}\nmodprobe: ERROR: could not insert 'nvidia': Key was rejected by service\n{}"
NOT_BUILT = "OS: {}\nmodprobe: FATAL: Module nvidia not found in directory /lib/modules/6.1.0-1\n{}"
FEDORA, SUSE, ROCKY = (
    "Fedora Linux 40",
    "SUSE Linux Enterprise Server 15 SP5",
    "Rocky Linux 9.4 (Blue Onyx)",
)
BY_DKMS = "Error! Bad return status for module build on kernel: 6.1.0-1 (x86_64)\n"


@pytest.mark.parametrize(
    ("system", "more", "key"),
    [
        (FEDORA, "", "/etc/pki/akmods/certs/public_key.der"),
        (FEDORA, "dkms autoinstall on 6.1.0-1/x86_64 failed for nvidia(10)\n", "dkms/mok.pub"),
        (ROCKY, "", "/var/lib/dkms/mok.pub"),
        (SUSE, "", "KEY"),
        ("Ubuntu 22.04", "", "/var/lib/shim-signed/mok/MOK.der"),
    ],
)
def test_the_key_is_that_of_what_builds_the_module(system: str, more: str, key: str) -> None:
    told = fix(SIGNED.format(system, more))
    assert any(each.startswith("sudo mokutil --import") for each in told.commands)
    assert next(each for each in told.commands if "--import" in each).endswith(key)
    assert told.undo is not None
    assert told.undo.endswith(key)


@pytest.mark.parametrize(
    ("system", "more", "command"),
    [
        (FEDORA, "", "sudo akmods --force --kernels $(uname -r)"),
        (FEDORA, BY_DKMS, "sudo dkms autoinstall"),
        (ROCKY, "", "sudo dkms autoinstall"),
        ("CentOS Linux 7 (Core)", "", "sudo yum install kernel-devel-$(uname -r)"),
        (ROCKY, "", "sudo dnf install kernel-devel-$(uname -r)"),
        (
            "Arch Linux",
            "",
            "sudo pacman -S $(cat /usr/lib/modules/$(uname -r)/pkgbase)-headers",
        ),
    ],
)
def test_the_module_is_built_by_what_the_system_has(system: str, more: str, command: str) -> None:
    assert command in commands(NOT_BUILT.format(system, more)).splitlines()


UBUNTU = Place("Linux", Distribution.UBUNTU, None, wsl=False)


@pytest.mark.parametrize(
    ("branch", "package"), [(340, "nvidia-340"), (304, "nvidia-304"), (390, "nvidia-driver-390")]
)
def test_ubuntus_oldest_branches_have_other_names(branch: int, package: str) -> None:
    assert older_branch(UBUNTU, branch).commands == (f"sudo apt install {package}", "sudo reboot")


@pytest.mark.parametrize(("kind", "end"), [("open", "-open"), ("proprietary", "")])
def test_another_kind_of_module_runs_after_the_restart(kind: str, end: str) -> None:
    installed, restart = other_kind(UBUNTU, kind, 580).commands
    assert installed == f"sudo apt install nvidia-driver-580{end}"
    assert restart == "sudo reboot"


UNKNOWN = """{}NVRM: The NVIDIA GPU 0000:04:00.0 (PCI ID: 10de:{})
NVRM: installed in this system is not supported by the
NVRM: NVIDIA {} driver release.
NVRM: None of the NVIDIA devices were initialized.
"""


@pytest.mark.parametrize(
    ("gpu", "driver", "advised"),
    [
        ("GPU: GeForce GTX 580\n", "470.82.01", "branch 390"),
        ("GPU: GeForce RTX 4090\n", "470.82.01", "driver 520.61.05 or newer"),
        ("", "535.309.01", "names for this GPU"),
    ],
)
def test_a_gpu_that_the_driver_does_not_know_gets_another_driver(
    gpu: str, driver: str, advised: str
) -> None:
    text = UNKNOWN.format(f"Driver Version: {driver}\n{gpu}", "20b0", driver)
    assert advised in finding(text).fix.text
    assert "sudo modprobe nvidia" not in commands(text)


def test_the_module_of_a_containers_host_is_mended_there() -> None:
    inside = fix("Environment: kubernetes\n" + SIGNED.format("Ubuntu 22.04", ""))
    assert inside.text.startswith("On the host: enrol the key ")
    assert not fix(SIGNED.format("Ubuntu 22.04", "")).text.startswith("On the host: ")


def test_the_other_system_of_the_disk_is_not_this_one() -> None:
    here = "Kubuntu 22.04 (laptop, dual boot with Windows 11)"
    assert "devmgmt.msc" not in commands(SIGNED.format(here, ""))

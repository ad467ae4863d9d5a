"""Fixes inside WSL and for it."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from gpuprobe.diagnosis.fixes.wsl import reach_windows_driver
from gpuprobe.diagnosis.model import Safety
from gpuprobe.facts.model import Facts, Known
from support.pasted import finding, fix, printed

if TYPE_CHECKING:
    from pathlib import Path

WINDOWS = "Microsoft Windows [Version 10.0.{}]\nWSL 2, Ubuntu 20.04\ntorch 1.7.1\n"
WINDOWS += "'torch.cuda.is_available()' always returns 'false' in wsl"
WINDOWS += ", nvidia-smi: command not found"


def test_old_windows_has_to_be_updated() -> None:
    assert "Windows 11" in printed(WINDOWS.format("19042.1052"))
    assert "Update Windows" not in printed(WINDOWS.format("19045.1052"))


DOCKER = "WSL 2\ndocker run --rm {} nvidia/cuda:11.0-base nvidia-smi\n"
DOCKER += 'exec: "nvidia-smi": executable file not found in $PATH: unknown.'


def test_docker_in_wsl_was_not_asked() -> None:
    pasted = DOCKER.format("-e NVIDIA_VISIBLE_DEVICES=all")
    assert "was not asked" in finding(pasted).title
    assert "--gpus all nvidia/cuda:11.0-base nvidia-smi" in printed(pasted)
    assert "was not asked" not in finding(DOCKER.format("--gpus all")).title


def test_a_linux_driver_in_wsl_is_removed() -> None:
    told = finding("Windows 11\nBy mistake I have a Linux GPU driver inside WSL.\n")
    assert "A Linux driver was installed inside WSL" in told.title
    assert told.fix.commands[0].startswith("sudo apt purge $(")
    other = finding("Windows 11\nMy GPU is not detected in WSL2.\n")
    assert "apt purge" not in " ".join(other.fix.commands)


def test_the_packages_of_a_linux_driver_are_removed_by_their_names() -> None:
    told = Known("libnvidia-compute-535 535.104.05-0ubuntu1", "/var/lib/dpkg/status")
    repair = reach_windows_driver(Facts({"driver.package": told}), to_second=False)
    assert told.value in repair.text
    assert [each.split()[:3] for each in repair.commands] == [
        ["sudo", "apt", "purge"],
        ["wsl.exe", "--shutdown"],
    ]


BROKE = """OS: WSL2, Ubuntu 22.04
{}
$ nvidia-smi
NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the \
latest NVIDIA driver is installed and running.
"""


@pytest.mark.parametrize(
    ("told", "installed"),
    [
        ("It broke after `sudo apt install nvidia-driver-535`.", True),
        ("$ sudo apt-get install -y linux-headers-generic nvidia-driver-535-open", True),
        ("$ sudo apt install nvidia-cuda-toolkit", False),
        ("I did not run apt install nvidia-driver-535", False),
        ("One should never apt install nvidia-driver-535 inside WSL", False),
        ("Can I apt install nvidia-driver-535?", False),
    ],
)
def test_a_linux_driver_that_a_command_installed_in_wsl_is_removed(
    told: str, installed: bool
) -> None:
    pasted = BROKE.format(told)
    assert ("A Linux driver is installed inside WSL" in finding(pasted).title) is installed
    assert ("sudo apt purge $(" in printed(pasted)) is installed


DRIVER = """libnvidia-compute-535
libnvidia-cfg1-535
nvidia-driver-535
nvidia-driver-libs
nvidia-dkms-535-open
nvidia-kernel-common-535
nvidia-utils-535
libcuda1
cuda-drivers-535
"""
OTHERS = """libnvidia-container1
libnvidia-container-tools
libnvidia-ml-dev
nvidia-container-toolkit
nvidia-container-toolkit-base
nvidia-cuda-toolkit
nvidia-docker2
cuda-toolkit-12-4
"""


def test_only_packages_of_the_driver_are_removed(tmp_path: Path) -> None:
    for name, script in (("dpkg-query", f"printf '{DRIVER}{OTHERS}'"), ("sudo", 'echo "$@"')):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    told = fix("Windows 11\nBy mistake I have a Linux GPU driver inside WSL.\n")
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(  # noqa: S602  the command is what is tested
        told.commands[0], shell=True, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["apt", "purge", *DRIVER.split()]


TCC = """Microsoft Windows [Version 10.0.20348.2582]
WSL Version: 2.2.4.0
|   0  NVIDIA L40S                  {}  |   00000000:61:00.0 Off |                    0 |
In Ubuntu: $ nvidia-smi
Failed to initialize NVML: GPU access blocked by the operating system
"""


def test_wsl_reaches_no_gpu_in_the_mode_for_computing_alone():
    assert "TCC mode" in finding(TCC.format("TCC ")).title
    assert fix(TCC.format("TCC ")).commands == ("nvidia-smi -i 0 -dm 0",)
    assert fix(TCC.format("TCC ")).safety is Safety.REBOOT
    assert "TCC" not in finding(TCC.format("WDDM")).title


def test_a_linux_driver_that_programs_get_in_wsl_is_removed() -> None:
    shown = "WSL2\nnumba -s\nFinding driver from candidates:\nMapped libcuda.so paths:\n"
    shown += "        /usr/lib/x86_64-linux-gnu/libcuda.so.535.288.01\nCUDA error: unknown error\n"
    assert "sudo apt purge" in printed(shown)

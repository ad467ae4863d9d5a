"""Device files that are missing or may not be opened, title_and_fix by WSL and clusters."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import title_and_fix

WAITS = "slurmd: error: Waiting for gres.conf file /dev/nvidia0\n"
BLOCKED = "Failed to initialize NVML: GPU access blocked by the operating system\n"
REFUSED = "Failed to initialize NVML: Insufficient Permissions\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (WAITS, "device-nodes"),
        ("slurmd: fatal: can't stat gres.conf file /dev/nvidia0: No such file", "device-nodes"),
        # A container of Linux that refuses the device files is no WSL.
        (REFUSED + BLOCKED, "device-nodes"),
        (BLOCKED, "wsl"),
        ("Ubuntu in WSL2\n" + REFUSED + BLOCKED, "wsl"),
    ],
)
def test_device_files_that_are_missing_or_closed_are_told_from_their_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("slurmd[811]: error: Waiting for gres.conf file /dev//nvidia2", "device-nodes"),
        ("slurmd[811]: error: Waiting for gres.conf file /dev//tty2", "unknown"),
    ],
)
def test_slurm_waits_for_a_device_file(line: str, cause: str):
    assert ruled(f"gpu node, rebooted\n{line}\n") == cause


@pytest.mark.parametrize(
    ("place", "cause"),
    [
        ("nvidia-smi in the nspawn container:", "device-nodes"),
        ("Environment: LXC", "device-nodes"),
        ("systemd-nspawn machine with DeviceAllow=/dev/nvidia0 rw", "device-nodes"),
        ("Environment: docker", "wsl"),
        ("Environment: LXC in WSL2", "wsl"),
        ("", "wsl"),
    ],
)
def test_the_operating_system_that_blocks_need_not_be_windows(place: str, cause: str):
    assert ruled(f"{place}\n{BLOCKED}") == cause


NO_CDI = "The CDI spec does not contain /dev/nvidia0.\n"


def test_files_that_lack_are_made_and_files_that_are_closed_are_opened():
    assert "nvidia-modprobe" in title_and_fix(WAITS)
    assert "cdi generate" in title_and_fix(NO_CDI)
    closed = title_and_fix("Failed to initialize NVML: Insufficient Permissions\n")
    assert "group" in closed
    assert "nvidia-modprobe" not in closed


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('open("/dev/nvidia-uvm", O_RDWR) = -1 EIO (Input/output error)\n', "device-nodes"),
        ('open("/dev/sda", O_RDWR) = -1 EIO (Input/output error)\n', "unknown"),
        (
            ("After resuming from suspension, GPU functionality in my containers stops working.\n"),
            "device-nodes",
        ),
        ("Since sleep GPU access stops working here.\n", "device-nodes"),
        ("No OpenCL after suspend, until I restart.\n", "device-nodes"),
        ("No OpenCL after the update.\n", "unknown"),
        (
            "`sudo rmmod nvidia_uvm` then `sudo modprobe nvidia_uvm` brings the GPU back.\n",
            "device-nodes",
        ),
        ("`sudo rmmod nvidia_drm` then `sudo modprobe nvidia_drm`\n", "unknown"),
    ],
)
def test_files_that_do_not_answer_and_modules_that_slept(text: str, cause: str):
    assert ruled(text) == cause

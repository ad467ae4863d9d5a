"""Device files that are missing or may not be opened, told by bare messages, people and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

STRANGE_MODE = "c-w--wx-wT 1 root video 195, 255 Jun 25 11:05 /dev/nvidiactl\n"
STICKY = "crw-rw-rwT 1 root root 195, 255 Jun 25 11:05 /dev/nvidiactl\n"
QUERY = "$ {}./deviceQuery\nResult = {}\n"
NO_FILE = 'error gathering device information while adding custom device "{}": no such file'
AVC = "avc:  denied  { read write } for  pid=2217 comm="
ENTRY = 'audit: type=1400 apparmor="DENIED" operation="open" profile="snap.app" name='


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "crw-rw---- 1 root vglusers 195, 0 Jan  1 00:00 /dev/nvidia0\nInsufficient Permissions",
            "device-nodes",
        ),
        ("Error: stat /dev/nvidia-uvm: no such file or directory", "device-nodes"),
        ("stat /dev/nvme0: no such file or directory", "unknown"),
        ("failed to generate spec: lstat /dev/nvidia0: no such file", "device-nodes"),
        (
            (
                "After the reboot I started seeing errors when I tried to run a job. "
                "It complained about nvidia-uvm module not being loaded\n"
            ),
            "device-nodes",
        ),
        ("Slurm with Pyxis does without the nvidia-uvm module?\n", "unknown"),
        (
            "After a boot no app gets the GPU until I run `nvidia-smi` once in the shell.\n",
            "device-nodes",
        ),
        ("CUDA programs find no GPU unless I run nvidia-smi as root.\n", "device-nodes"),
        ("The GPU is idle until I run nvidia-smi.\n", "unknown"),
        ("After resuming from sleep mode, it no longer utilizes the GPU", "device-nodes"),
        ("After resuming from sleep mode, it no longer shows the page", "unknown"),
        ("CUDA fails after suspend until we reload the `nvidia_uvm` module.", "device-nodes"),
        ("$ ls -al /dev/nvidia*\n" + STRANGE_MODE, "device-nodes"),
        ("$ ls -al /dev/nvidia*\n" + STICKY, "unknown"),
        ("cudaGetDeviceCount returned 30\n-> unknown error", "device-nodes"),
        (QUERY.format("", "FAIL") + QUERY.format("sudo ", "PASS"), "device-nodes"),
        ("is_available() is True when I run it with sudo, but False as a user", "device-nodes"),
        ("You may need to run it with sudo if the GPU is not detected as a user", "unknown"),
        ("With suspend - wake cycles, CUDA stops being detected", "device-nodes"),
        ("With suspend - wake cycles, the fan stops; CUDA works", "unknown"),
        (NO_FILE.format("/dev/nvidia-uvm"), "device-nodes"),
        (NO_FILE.format("/dev/ttyUSB0"), "unknown"),
        (
            "NVIDIA: could not open the device file /dev/nvidiactl (No such file or directory).",
            "device-nodes",
        ),
        # A device file that the kernel closes.
        (AVC + '"python3" name="nvidiactl" dev="devtmpfs" tclass=chr_file', "device-nodes"),
        (AVC + '"python3" name="sda1" dev="devtmpfs" tclass=blk_file', "unknown"),
        (ENTRY + '"/dev/nvidiactl" pid=22 comm="python" requested_mask="wr"', "device-nodes"),
        (ENTRY + '"/dev/nvidiactl" pid=22 comm="firefox" requested_mask="wr"', "unknown"),
        (ENTRY + '"/dev/video0" pid=22 comm="python" requested_mask="wr"', "unknown"),
    ],
)
def test_device_files_that_are_missing_or_closed_are_told_from_their_kin(text: str, cause: str):
    assert ruled(text) == cause


NVMAP = """root@nano:/# ls -l /dev/nvmap
crw-rw---- 1 root root 238, 0 Jan  1 1970 /dev/nvmap
>>> torch.cuda.is_available()
False
"""


@pytest.mark.parametrize(
    "text",
    [
        NVMAP,
    ],
)
def test_kin_of_device_files_that_are_missing_or_closed_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        "Loaded the UVM driver, major device number 251",
    ],
)
def test_these_are_not_device_files_that_are_missing_or_closed(text: str):
    assert ruled(text) != "device-nodes"


def test_one_file_that_lacks_beside_those_of_the_gpu() -> None:
    there = "crw-rw-rw- 1 root root 195, 255 Jan 10 10:00 /dev/nvidiactl\n"
    lacks = "ls: cannot access '/dev/{}': No such file or directory"
    assert ruled(there + lacks.format("nvidia-uvm")) == "device-nodes"
    assert ruled(there + lacks.format("nvidia-modeset")) == "unknown"
    assert ruled(lacks.format("nvidia-uvm")) != "device-nodes"


@pytest.mark.parametrize(
    "refused",
    ["Keine Berechtigung", "Permission non accordée", "Отказано в доступе", "权限不够"],
)
def test_a_device_file_that_may_not_be_opened(refused: str) -> None:
    assert ruled(f"/dev/nvidia0: {refused}") == "device-nodes"
    assert ruled(f"/dev/sda: {refused}") == "unknown"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("the nvidia-uvm module is not loaded by itself any more", "device-nodes"),
        ("After a boot the nvidia module is loaded, nvidia-uvm is not.", "device-nodes"),
        ("nvidia_uvm does not get loaded at boot", "device-nodes"),
        ("nvidia_uvm is loaded, nvidia_drm is not needed", "unknown"),
    ],
)
def test_the_module_of_cudas_device_file_is_not_loaded(told: str, cause: str):
    assert ruled(f"OS: Fedora 27\n\nSince the upgrade {told}\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("Non root user has no access to GPU", "device-nodes"),
        ("A non-root user cannot see the GPU", "device-nodes"),
        ("torch sees the GPU only when I am root", "device-nodes"),
        ("A non-root user cannot see the GPU settings page", "unknown"),
        ("Should a non-root user have no access to the GPU?", "unknown"),
    ],
)
def test_root_alone_gets_at_the_gpu(told: str, cause: str):
    assert ruled(f"{told}\n") == cause


ILLEGAL = "RuntimeError: CUDA error: an illegal memory access was encountered"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Over night the laptop went to sleep; in the morning:\n" + ILLEGAL, "device-nodes"),
        ("My desktop woke up, and then\ncudaErrorLaunchFailure", "device-nodes"),
        ("The device was suspended before.\nunspecified launch failure", "device-nodes"),
        ("It fails after time.sleep(2) as well.\n" + ILLEGAL, "user-code"),
        ("The job slept in its queue.\n" + ILLEGAL, "user-code"),
        ("The system wakes up the workers.\n" + ILLEGAL, "user-code"),
        ("The laptop went to sleep.\ndevice-side assert triggered", "user-code"),
    ],
)
def test_a_kernel_that_fails_after_the_machine_slept(text: str, cause: str):
    assert ruled(text) == cause

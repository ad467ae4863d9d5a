"""Device files that are missing or may not be opened, told by the driver's module and others."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.texts import SMI_K80

REFUSED = "NVMLError_NoPermission: Insufficient Permissions\n"
NEW_MACHINE = "I have a problem with my new machine.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Failed to initialize NVML: Unknown Error\n" + SMI_K80, "device-nodes"),
        ("Failed to initialize NVML: Unknown Error\n", "device-nodes"),
        ("GPU: A100 (PCIe)\n" + REFUSED, "device-nodes"),
        ("[WARN] Kernel module nvidia_uvm is not loaded. Make sure", "device-nodes"),
        ("Failed to initialize NVML: Insufficient Permissions", "device-nodes"),
        (
            "Unable to set persistence mode for GPU 0000:01:00.0: Insufficient Permissions",
            "healthy",
        ),
        (NEW_MACHINE + "nvidia-smi only works with sudo", "device-nodes"),
        (NEW_MACHINE + "/dev/nvidia-uvm is missing until I run nvidia-modprobe", "device-nodes"),
        ("Error: Could not load UVM kernel module. Is nvidia-modprobe installed?", "device-nodes"),
        ("nvidia-smi works as root. As abc, the user of the player, it fails", "device-nodes"),
        ("nvidia-smi works as root. As it is, the user interface fails", "unknown"),
        ("# nvidia-smi and cuda only work with sudo\nNo CUDA GPUs are available", "device-nodes"),
        ("docker with the nvidia runtime only works with sudo", "unknown"),
        ("NvRmMemInitNvmap failed with Permission denied", "device-nodes"),
        ("NvRmMemInitNvmap failed with No such file or directory", "device-nodes"),
    ],
)
def test_device_files_that_are_missing_or_closed_are_told_from_their_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        (
            "The nvidia-uvm module is not loaded at boot on my GPU server; "
            "nvidia-modprobe loads it "
            "on demand and CUDA works.\n"
        ),
    ],
)
def test_kin_of_device_files_that_are_missing_or_closed_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


SMI_HAS_FAILED = "NVIDIA-SMI_K80 has failed because it couldn't communicate with the NVIDIA driver."
TRACED = f"""$ strace nvidia-smi
{SMI_HAS_FAILED}
openat(AT_FDCWD, "/proc/driver/nvidia/params", O_RDONLY) = {{file}}
openat(AT_FDCWD, "/dev/nvidiactl", O_RDWR) = -1 ENOENT (No such file or directory)
"""


@pytest.mark.parametrize(
    ("file", "cause"),
    [("4", "device-nodes"), ("-1 ENOENT (No such file or directory)", "driver-not-loaded")],
)
def test_a_trace_shows_that_the_module_runs_and_its_device_files_lack(file: str, cause: str):
    assert ruled(TRACED.format(file=file)) == cause


@pytest.mark.parametrize(
    "nothing_there",
    [
        "Datei oder Verzeichnis nicht gefunden",
        "Aucun fichier ou dossier de ce type",
        "No existe el fichero o el directorio",
        "Нет такого файла или каталога",
        "没有那个文件或目录",
        "そのようなファイルやディレクトリはありません",
    ],
)
def test_a_file_that_is_not_there(nothing_there: str) -> None:
    listed = "$ lsmod\nnvidia              56717312  1 nvidia_uvm\n"
    assert ruled(f"cat: /proc/driver/nvidia/version: {nothing_there}") == "driver-not-loaded"
    assert ruled(f"{listed}ls: '/dev/nvidia-uvm': {nothing_there}") == "device-nodes"
    assert ruled(f"cat: /etc/motd: {nothing_there}") == "unknown"

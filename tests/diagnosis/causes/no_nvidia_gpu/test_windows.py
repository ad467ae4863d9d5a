"""A machine without an NVIDIA GPU, as texts from Windows tell of it."""

from __future__ import annotations

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.pasted import read
from support.cases import ruled

NO_GPU = "no-nvidia-gpu"
NO_DRIVER_LINE = "RuntimeError: Found no NVIDIA driver on your system.\n"
WMIC = "C:\\>wmic path win32_VideoController get name\nName\n{name}\n\n"
CIM = "PS C:\\> Get-CimInstance Win32_VideoController | Format-List Name\n\nName : {name}\n\n"
DXDIAG = "           Card name: {name}\n        Manufacturer: unsaid\n"


@pytest.mark.parametrize("listed", [WMIC, CIM, DXDIAG])
@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("AMD Radeon(TM) Graphics", "no-nvidia-gpu"),
        ("Intel(R) UHD Graphics 620", "no-nvidia-gpu"),
        ("NVIDIA GeForce GTX 1650", "driver-missing"),
        # So Windows calls any card that has no driver, one of NVIDIA's too.
        ("Microsoft Basic Display Adapter", "driver-missing"),
    ],
)
def test_windows_lists_its_adapters(listed: str, name: str, cause: str):
    assert ruled(f"OS: Windows 11\n{listed.format(name=name)}{NO_DRIVER_LINE}") == cause


# -- no card of NVIDIA's -------------------------------------------------------------------------
MESHROOM = (
    "cudaGetDeviceCount failed: CUDA driver version is insufficient for CUDA runtime version\n"
    "[error] This program needs a CUDA-Enabled GPU (with at least compute capablility 2.0).\n"
)


@pytest.mark.parametrize(
    ("told", "none"),
    [
        ("the video card is not a CUDA one", True),
        ("My GPU isn't an NVIDIA card.", True),
        ("Is it a problem if the video card is not a CUDA one?", False),
        ("The second graphics card is not an NVIDIA card", False),
    ],
)
def test_a_card_that_is_none_of_nvidias_as_it_is_told(told: str, *, none: bool) -> None:
    assert (ruled(f"OS: Windows 7\n{told}\n\n{MESHROOM}") == "no-nvidia-gpu") is none


FOLDING = """10:00:01:           GPUs: 1
10:00:01:          GPU 0: Bus:3 Slot:0 Func:0 {card}
10:00:01:           CUDA: Not detected: Failed to open dynamic library 'nvcuda.dll': The
10:00:01:                 specified module could not be found.
"""


@pytest.mark.parametrize(
    ("card", "cause"),
    [
        ("AMD:5 Ellesmere XT [Radeon RX 580]", "no-nvidia-gpu"),
        ("ATI:5 Hawaii [Radeon R9 290]", "no-nvidia-gpu"),
        ("NVIDIA:7 GP106 [GeForce GTX 1060 6GB] 4372", "driver-missing"),
    ],
)
def test_folding_at_home_lists_whose_card_it_is(card: str, cause: str):
    assert ruled(FOLDING.format(card=card)) == cause


def test_a_list_without_the_card_that_cuda_found_says_nothing_of_nvidia():
    listed = FOLDING.format(card="INTEL:1 HD Graphics 530")
    with_cuda = f"{listed}CUDA Device 0: Platform:0 Device:0 Bus:1 Slot:0 Compute:6.1 Driver:11.0\n"
    assert read(listed).known(names.PCI_NVIDIA_COUNT) == 0
    assert read(with_cuda).known(names.PCI_NVIDIA_COUNT) is None


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("NVIDIA's drivers came with the image, but there is no such card in this PC", NO_GPU),
        ("An nvidia driver is installed although the server has no such GPU.", NO_GPU),
        ("The nvidia driver is installed. There is no such file here.", "device-nodes"),
        ("The nvidia driver is installed; if there is no such card, skip it", "device-nodes"),
    ],
)
def test_nvml_lacks_a_permission_where_there_is_no_card(told: str, cause: str):
    failing = "pynvml.NVMLError_NoPermission: Insufficient Permissions\n"
    assert ruled(f"{told}\n{failing}") == cause

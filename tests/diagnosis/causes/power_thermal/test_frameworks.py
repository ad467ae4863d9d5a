"""A GPU that power, heat or a narrow link slows down, told by PyTorch and TensorFlow."""

from __future__ import annotations

import pytest

from support.cases import ruled

PROFILE = """RTX 4060 Laptop, torch: 2.1.0+cu121
$ nvidia-smi -q -d PERFORMANCE,POWER,CLOCK
        SW Power Cap                      : {capped}
        Current Power Limit               : {limit} W
        SM                                : 885 MHz
$ nvidia-smi --query-gpu=utilization.gpu,power.max_limit --format=csv,noheader
{busy} %, 140.00 W
"""


@pytest.mark.parametrize(
    ("capped", "limit", "busy", "cause"),
    [
        ("Active", "35.00", 99, "power-thermal"),
        ("Active", "115.00", 99, "unknown"),
        ("Active", "35.00", 3, "unknown"),
        ("Not Active", "35.00", 99, "unknown"),
    ],
)
def test_a_busy_gpu_feels_its_limit(capped: str, limit: str, busy: int, cause: str):
    assert ruled(PROFILE.format(capped=capped, limit=limit, busy=busy)) == cause


LINK = """{device}\t\tLnkCap:\tPort #0, Speed 8GT/s, Width x16, ASPM L0s L1
\t\tLnkSta:\tSpeed 2.5GT/s, Width x{lanes}, TrErr- Train- SlotClk+ DLActive-
>>> torch.cuda.is_available()
True
"""
GPU = "01:00.0 VGA compatible controller: NVIDIA Corporation GP104 [GeForce GTX 1070] (rev a1)\n"
BRIDGE = "00:01.0 PCI bridge: Intel Corporation Xeon E3 PCIe Controller (x16) (rev 05)\n"


@pytest.mark.parametrize(
    ("device", "lanes", "cause"),
    [
        (GPU, 1, "power-thermal"),
        ("", 1, "power-thermal"),
        (GPU, 16, "healthy"),
        (BRIDGE, 1, "healthy"),
    ],
)
def test_lspci_shows_how_many_lanes_a_gpu_uses(device: str, lanes: int, cause: str):
    assert ruled(LINK.format(device=device, lanes=lanes)) == cause


def test_links_of_several_devices_are_of_no_known_one():
    links = "".join(LINK.format(device="", lanes=lanes) for lanes in (16, 1))
    assert ruled(links) == "healthy"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("The computer powers off when the batch size is large.", "power-thermal"),
        ("After the last step the PC goes off hard.", "power-thermal"),
        ("The alarm goes off when the batch size is large.", "unknown"),
        ("Please switch the computer off when the batch is done.", "unknown"),
    ],
)
def test_machine_that_goes_off_while_it_computes(told: str, cause: str) -> None:
    assert ruled("GPU: GTX 980 Ti\nKeras\n" + told) == cause

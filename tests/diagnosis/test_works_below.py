"""Below all that failed a program works on its GPU: neither is proved, and nobody is accused."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system. Please check that you have one\n"
TOO_OLD = "CUDA driver version is insufficient for CUDA runtime version\n"
STOPPED = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"
OUT = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 39.42 GiB"
    " total capacity; 36.11 GiB already allocated; 1.20 GiB free; 37.05 GiB reserved in total by"
    " PyTorch)\n"
)
NAMED = "[worker-2] model on cuda:0 NVIDIA L4, batch 256\n"
STEP = "step 300: 41877 tokens/s\n"
WORKED = "rank0 cuda:0   1507.9 img/s\n"
TABLE = (
    "| NVIDIA-SMI 535.104.05    Driver Version: 535.104.05    CUDA Version: 12.2     |\n"
    "|   0  NVIDIA A30                     On  | 00000000:17:00.0 Off |                    0 |\n"
)


@pytest.mark.parametrize(
    ("fault", "below"),
    [
        (NO_DRIVER, NAMED),
        (TOO_OLD, NAMED + STEP),
        (TOO_OLD, WORKED),
        (OUT, NAMED + STEP),
        (STOPPED, TABLE),
    ],
)
def test_both_are_told(fault: str, below: str):
    report = gpuprobe.explain(fault + below)
    assert report.verdict.value == "unknown"
    assert "Told above what works: " in report.text()
    assert "A fault is told, and below it a program works on its GPU" in " ".join(
        report.text().split()
    )


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (NAMED + STEP + NO_DRIVER, "driver-missing"),  # it worked before
        (TOO_OLD + NAMED, "driver-too-old"),  # a device is chosen, and nothing was done
        (TOO_OLD + STEP, "driver-too-old"),  # by the CPU, perhaps
        (OUT + NAMED, "oom-workload"),
        (NO_DRIVER + NAMED + STEP + NO_DRIVER, "driver-missing"),  # and failed in the end
        (NO_DRIVER + "The other machine: cuda:0 NVIDIA L4\n", "driver-missing"),
        (TABLE + STOPPED, "driver-not-loaded"),
        (STOPPED + TABLE + "after the reboot again:\n" + STOPPED, "driver-not-loaded"),
        ("[rank0] Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\n" + WORKED, "device-lost"),
    ],
)
def test_a_fault_remains_where_nothing_works_below_it(text: str, cause: str):
    assert ruled(text) == cause


def test_what_works_in_another_state_shows_nothing_of_this_one():
    booted = "If I take the old kernel in the grub menu all is as it was:\n"
    seen = "1 GPU selected for this run.\nMapping of GPU IDs to the 2 GPU tasks:\n  PP:0,PME:0\n"
    gone = "modprobe: FATAL: Module nvidia not found in directory /lib/modules/6.5.0-18-generic\n"
    assert ruled(STOPPED + gone + booted + seen) == "driver-not-loaded"
    assert ruled(STOPPED + gone + seen) != "driver-not-loaded"

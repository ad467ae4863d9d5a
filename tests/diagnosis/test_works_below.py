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


MISMATCH = "Failed to initialize NVML: Driver/library version mismatch\n"


@pytest.mark.parametrize(
    "turn",
    [
        "With the torch 1.12 module it runs:\n",
        "Windows side, python 3.10:\n",
        "At 768x768 it goes through:\n",
        "On the desktop at work the same thing gives\n",
    ],
)
def test_a_fault_remains_where_somebody_tells_what_works(turn: str):
    assert ruled(TOO_OLD + turn + NAMED + STEP) == "driver-too-old"
    assert ruled(OUT + turn + NAMED + STEP) == "oom-workload"
    assert ruled(NO_DRIVER + turn + NAMED) == "driver-missing"


def test_a_job_that_began_before_the_driver_was_replaced_goes_on():
    assert ruled(MISMATCH + "[cuda:0] step 40100 loss 1.44 2.8 it/s\n") == "driver-library-mismatch"


FELL = "Feb 11 02:14:09 hpc3 kernel: NVRM: Xid (PCI:0000:b1:00): 79, GPU has fallen off the bus.\n"
BUSY = (
    "|   0  Tesla V100-SXM2-32GB      On   | 00000000:15:00.0 Off |                    0 |\n"
    "| N/A   44C    P0    61W / 300W |  30012MiB / 32510MiB |     98%      Default |\n"
)
SYMBOL = "ImportError: flash_attn_2_cuda.so: undefined symbol: _ZN3c104cuda9SetDeviceEi\n"
TRIED = "- Removed flash-attn and installed it again\n- Added TORCH_CUDA_ARCH_LIST=8.6\n"
AVAILABLE = "torch.cuda.is_available() is True\n"
MADE_FOR = (
    "RuntimeError: The detected CUDA version (11.8) mismatches the version that was used to compile"
    " PyTorch (12.1). Please make sure to use the same CUDA versions.\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("$ rg -i xid /var/log/syslog\n" + FELL + "\n$ nvidia-smi\n" + BUSY, "device-lost"),
        ("$ rg -i xid src/\n" + FELL + "\n$ nvidia-smi\n" + BUSY, "healthy"),
        (TRIED + f"- {SYMBOL}\ntorch.cuda.is_available() True\n", "extension-mismatch"),
        (
            f'My colleague has "CUDA 12.1" in his notes. On mine:\n{MADE_FOR}\n{AVAILABLE}',
            "toolkit-mismatch",
        ),
    ],
)
def test_what_is_shown_is_no_list(text: str, cause: str):
    assert ruled(text) == cause


def test_why_a_driver_mismatches_is_a_question_about_this_machine():
    assert ruled(f"Can anybody explain why it says {MISMATCH.strip()}?\n") == (
        "driver-library-mismatch"
    )


def test_a_fault_that_went_away():
    seen = ">>> torch.cuda.is_available()\nTrue\n"
    told = f'The message "{MISMATCH.strip()}" from my first post went away after the reboot. Now:\n'
    assert ruled(told + seen) == "healthy"

"""A GPU that has failed or fell off the bus, told by bare messages, people, miners and PyTorch."""

from __future__ import annotations

import pytest

from support.cases import ruled

LOST = "device-lost"

CARD = "01:00.0 VGA compatible controller: NVIDIA Corporation GP104 [GeForce GTX 1080] (rev a1)\n"
GREETING = "您好\uff0c请问一下。\n"
NEW_MACHINE = "I have a problem with my new machine.\n"
ROWS = "    Remapped Rows\n        Uncorrectable Error : 4\n        Pending  : {}\n"
ECC = """\
GPU 00000000:01:00.0
    ECC Errors
        Volatile
            SRAM Correctable              : 3
            {}              : {}
        Aggregate
            DRAM Uncorrectable            : 7
"""
OLD_ECC = """\
GPU 00000000:01:00.0
    ECC Errors
        Volatile
            Double Bit
                Device Memory             : {0}
                Total                     : {0}
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "Unable to determine the device handle for GPU 0000:02:00.0: Unknown Error",
            "device-lost",
        ),
        (
            "RuntimeError: CUDA error: unknown error\nNVRM: Xid (PCI:0000:01:00): 62, 0000(0000)",
            "device-lost",
        ),
        ("'nvidia.com/gpu' device marked unhealthy: GPU-2b1c1111", "device-lost"),
        ("It checks XidCriticalError events, and would mark a GPU as unhealthy", "unknown"),
        ("    GPU Recovery Action                   : Reset", "device-lost"),
        ("    GPU Recovery Action                   : Drain and Reset", "device-lost"),
        ("    GPU Recovery Action                   : None", "unknown"),
        ("(EE) NVIDIA(GPU-0): WAIT (2, 8, 0x8000, 0x0000a4b8, 0x0000c6a8)", "device-lost"),
        ("The code calls WAIT (2, 8, 0x8000)", "unknown"),
        ("nvidia 0000:01:00.0: not ready 65535ms after resume; giving up", "device-lost"),
        ("nvme 0000:02:00.0: not ready 65535ms after resume; giving up", "unknown"),
        ("(EE) NVIDIA(GPU-0): Failed to initialize the NVIDIA GPU at PCI:1:0:0.", "device-lost"),
        ("nvidia 0000:01:00.0: Unable to change power state from D3cold to D0", "device-lost"),
        ("xhci_hcd 0000:00:14.0: Unable to change power state from D3cold to D0", "unknown"),
        ("vfio: Unable to power on device, stuck in D3", "device-lost"),
        ("nvidia 0000:01:00.0: AER: can't recover (no error_detected callback)", "device-lost"),
        ("nvme 0000:02:00.0: AER: can't recover (no error_detected callback)", "unknown"),
        (
            "vfio-pci 0000:01:00.0: Invalid PCI ROM header signature: expecting 0xaa55, got 0xffff",
            "device-lost",
        ),
        ("My RTX 3060 shows error 43 in the device manager", "device-lost"),
        ("The process ended with error 43", "unknown"),
        (CARD + "No devices were found", "device-lost"),
        (
            "NVIDIA: could not open the device file /dev/nvidia0 (Input/output error).",
            "device-lost",
        ),
        ("cat: /dev/sda: Input/output error", "unknown"),
        (CARD.replace("rev a1", "rev ff"), "device-lost"),
        ("03:00.0 Network controller: Intel Corporation Wi-Fi 6 (rev ff)", "unknown"),
        ("nvidia 0000:01:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer", "unknown"),
        ("vfio-pci 0000:03:00.0: not ready 65535ms after FLR; giving up", "device-lost"),
        ("vfio-pci 0000:03:00.0: not ready 1023ms after FLR; waiting", "unknown"),
        (GREETING + "训练到一半掉卡了", "device-lost"),
        (GREETING + "其中一块显卡不见了", "device-lost"),
        (NEW_MACHINE + "only 7 of 8 GPUs are detected", "device-lost"),
        (NEW_MACHINE + "gpu-1-8 came up short a GPU", "device-lost"),
        (NEW_MACHINE + "The graphics card is no longer in the device manager", "device-lost"),
        ("gpu randomly falls off the bus when playing games", "device-lost"),
        ("After an hour my RTX 3090 dropped off the PCIe bus again.", "device-lost"),
        (
            "The NVIDIA driver cannot reach the GPU any more. Only a power cycle brings it back.",
            "device-lost",
        ),
        ("The driver cannot reach the GPU. Install it anew.", "unknown"),
        (
            "In the container the driver does not see the GPU; no container needs a power cycle.",
            "unknown",
        ),
        (
            "Now and then the driver loses the card, and only a reboot brings it back.",
            "device-lost",
        ),
        ("The GPU is gone until the next reboot of the host.", "device-lost"),
        ("The driver loses the GPU in a container until that container is restarted.", "unknown"),
        ("The game loses the card after a reboot.", "unknown"),
        (ROWS.format("Yes"), "device-lost"),
        (ROWS.format("No"), "unknown"),
        (ECC.format("DRAM Uncorrectable", 1), "device-lost"),
        (ECC.format("DRAM Uncorrectable", 0), "unknown"),
        (ECC.format("SRAM Uncorrectable Parity", 1), "device-lost"),
        (OLD_ECC.format(2), "device-lost"),
        (OLD_ECC.format(0), "unknown"),
        ("I ran lspci: it has `rev ff` in the line of my card.", "device-lost"),
        ("I ran lspci: it has `rev a1` in the line of my card.", "unknown"),
        ("我的这块卡就完全用不了了\uff0c只有把服务器重启一遍才恢复。", "device-lost"),
        ("我的这块卡就完全用不了了\uff0c要把 kernel 重启一遍。", "unknown"),
    ],
)
def test_a_gpu_that_is_lost_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "If CUDA devices are busy or not available, wait.\n",
        "OS: Windows 10\nnvidia-smi shows 95% memory used, the task manager shows 12% GPU.\n",
    ],
)
def test_kin_of_a_gpu_that_is_lost_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


LAUNCH = "CUDA call failed: unspecified launch failure\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("<info> Self-restarting miner process.\n", "device-lost"),
        ("main Eth speed: 187.322 MH/s, shares: 412/0/0\n", "device-lost"),
        ("t-rex is my favourite dinosaur\n", "user-code"),
        ("", "user-code"),
    ],
)
def test_nobody_writes_a_miner_himself(told: str, cause: str):
    assert ruled(told + LAUNCH) == cause
    assert ruled(told) == "unknown"


@pytest.mark.parametrize(("code", "lost"), [(15, True), (3, False), (155, False)])
def test_a_miner_tells_the_code_behind_the_number_of_the_gpu(code: int, lost: bool):
    pasted = f"WARN: NVML: can't get core clock for GPU #12, error code {code}"
    assert (ruled(pasted) == "device-lost") is lost


LAUNCH_FAILED = "RuntimeError: CUDA error: unspecified launch failure\n"


def test_a_gpu_that_stays_away_is_not_the_programs_fault():
    assert ruled(LAUNCH_FAILED + 'Since then nvidia-smi has "ERR!" in its row.') == "device-lost"
    assert ruled(LAUNCH_FAILED) == "user-code"


COUNTED = "CUDA devices available: 1\n"
NONE = "cuda exception: CUDA_ERROR_NO_DEVICE\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"{COUNTED}{NONE}After a reboot it runs again.\n", "device-lost"),
        (f"{COUNTED}{NONE}Does it run after a reboot?\n", "driver-not-loaded"),
        (f"{NONE}After a reboot it runs again.\n{COUNTED}", "healthy"),
        (f"{NONE}After a reboot it runs again.\n", "driver-not-loaded"),
    ],
)
def test_a_device_was_there_and_is_back_after_a_restart(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("This morning two of the seven are no longer listed by `nvidia-smi`. What now?", LOST),
        ("1 of my 8 GPUs is not visible in nvidia-smi any more", LOST),
        ("Three of our cards are no longer seen by nvidia-smi", LOST),
        ("What happens if two of the seven are no longer listed by nvidia-smi?", "unknown"),
        ("Two of the seven processes are no longer listed by nvidia-smi", "unknown"),
        ("Two of the seven are no longer listed by the program", "unknown"),
    ],
)
def test_some_of_the_gpus_are_no_longer_listed(told: str, cause: str):
    assert ruled(told) == cause

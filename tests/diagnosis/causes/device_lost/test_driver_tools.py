"""A GPU that has failed or fell off the bus, told by the kernel's log and the driver's module."""

from __future__ import annotations

import pytest

from support.cases import ruled

SWITCH = "nvidia-nvswitch3: SXid (PCI:0000:85:00.0): "
GPU = "NVRM: GPU 0000:01:00.0: "
NVLINK = "NVRM: Xid (PCI:0019:01:00): {}, NETIR_LINK_EVT {} XC0 i0 Link 00 (0x1 0x0 0x0 0x0 0x0)"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("NVRM: GPU 0000:0a:00.0: GPU has fallen off the bus.", "device-lost"),
        ("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n", "unknown"),
        ("NVRM: 0000:00:03.0: Failed to create a DMA mapping!\n", "device-lost"),
        ("xhci: Failed to create a DMA mapping!\n", "unknown"),
        (
            "NVRM: uvm encountered global fatal error 0x60, requiring os reboot to recover.",
            "device-lost",
        ),
        (
            "NVRM: This PCI I/O region is odd:\nNVRM: BAR0 is 0M @ 0x0 (PCI:0000:0a:00.0)",
            "device-lost",
        ),
        ("NVRM: BAR0 is 16M @ 0xf6000000 (PCI:0000:0a:00.0)", "unknown"),
        ("NVRM: kgspInitRm_IMPL: unexpected WPR2 already up, cannot proceed with", "device-lost"),
        ("NVRM: kfspSendBootCommands_HAL: FSP boot cmds failed. RM cannot boot.", "device-lost"),
        ("NVRM: GPU0 _kgspRpcRecvPoll: GSP RM heartbeat timed out", "device-lost"),
        ("NVRM: nvidia_frontend_open: minor 0, module->open() failed, error -5", "device-lost"),
        ("NVRM: nvidia_frontend_open: minor 0, module->open() failed, error -19", "unknown"),
        (
            "NVRM: gpuHandleSanityCheckRegReadError_GM107: Possible bad register read: addr",
            "device-lost",
        ),
        ("NVRM: krcWatchdog_IMPL: RC watchdog: GPU is probably locked!", "device-lost"),
        ("NVRM: nvCheckOkFailedNoLog: Check failed: GPU lost from the bus [NV_ERR", "device-lost"),
        (
            "NVRM: Attempting to remove device 0000:04:00.0 with non-zero usage count!",
            "device-lost",
        ),
        ("NVRM: pci_enable_device failed, aborting", "device-lost"),
        ("e1000e: pci_enable_device failed, aborting", "unknown"),
        ("(EE) NVIDIA(0): The NVIDIA kernel module does not appear to be receiving", "device-lost"),
        (SWITCH + "20034, Fatal, Link 28 LTSSM Fault Up", "device-lost"),
        (SWITCH + "12028, Non-fatal, Link 32 egress non-posted PRIV error", "unknown"),
        (GPU + "rm_init_adapter failed, device minor number 0", "device-lost"),
        (
            "NVRM: kgspWaitForGfwBootOk_TU102: failed to wait for GFW boot complete: 0x55",
            "device-lost",
        ),
        ("amdgpu 0000:03:00.0: amdgpu: GFW boot is slow", "unknown"),
        ("NVRM: _issueRpcAndWait: rpcRecvPoll timedout for fn 76!", "device-lost"),
        ("NVRM: _kgspLogXid119: ****** GSP Timeout ******", "device-lost"),
        ("NVRM: osInitNvMapping: *** Cannot attach gpu", "device-lost"),
        (GPU + "Failed to copy vbios to system memory.", "device-lost"),
        (
            "NVRM: GPU 0000:01:00.0: Failed to enable MSI; falling back to PCIe virtual-wire",
            "unknown",
        ),
        ("NVRM: A GPU crash dump has been created. If possible, please run", "device-lost"),
        ("NVRM: This is a 64-bit BAR mapped above 16 TB by the system", "device-lost"),
        ("NVRM: FATAL: Failed to re-allocate BAR1.", "device-lost"),
        ("NVRM: Can't find an IRQ for your NVIDIA card!", "device-lost"),
        ("NVRM: 0000:01:00.0: DMA address not in addressable range of device", "device-lost"),
        (NVLINK.format(149, "Fatal"), "device-lost"),
        ("NVRM: Xid (PCI:0000:01:00): 171, pid=12, name=python", "device-lost"),
    ],
)
def test_a_gpu_that_is_lost_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "NVRM: Failed to create a DMA mapping for 4096 bytes, retrying; ok\n",
        NVLINK.format(149, "Nonfatal"),
        "NVRM: Xid (PCI:0009:01:00): 121, C2C Link corrected error",
    ],
)
def test_kin_of_a_gpu_that_is_lost_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


RECORD = "[35.5] NVRM:     -1    4124 GSP_LOCKDOWN_NOTICE   0x0000000000000000 0x0000000000000000\n"


@pytest.mark.parametrize(
    ("told", "lost"),
    [
        ("John crashes and the GPU disappears from the system; dmesg:", True),
        ("dmesg of a machine that starts:", False),
    ],
)
def test_what_the_gpu_sent_last_beside_its_loss(told: str, *, lost: bool) -> None:
    assert (ruled(f"{told}\n{RECORD}") == "device-lost") is lost


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("ERROR - GPU 1 hung detected!", "device-lost"),
        ("WATCHDOG: GPU 2 hangs in CUDA call, exit", "device-lost"),
        ("If it prints 'GPU 0 hangs in CUDA call', it restarts.", "unknown"),
        ("GPU 2 hangs on the wall of my office", "unknown"),
    ],
)
def test_a_miner_sees_a_gpu_that_does_not_go_on(line: str, cause: str):
    assert ruled(line) == cause

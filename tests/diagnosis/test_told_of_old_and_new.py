"""Old frameworks, encoders, dkms and the newest Xid events, each with its kin."""

from __future__ import annotations

import pytest

from support.cases import ruled

JIT = (
    "ptxas application ptx input, line 9; fatal   : Unsupported .version 7.8; "
    "current version is '7.4'"
)
TOOLKIT = "ptxas fatal : Unsupported .version 7.8; current version is '7.4'"
DKMS = "File: /var/lib/dkms/{}/source/dkms.conf does not exist."
SMI = "| NVIDIA-SMI 535.54.03    Driver Version: 535.54.03    CUDA Version: 12.2 |\n"
CUDNN = "Loaded cudnn library: {} but source was compiled against {}."
COMPOSE = "services:\n  cam:\n    image: somebody/cam:stable\n"
NVLINK = "NVRM: Xid (PCI:0019:01:00): {}, NETIR_LINK_EVT {} XC0 i0 Link 00 (0x1 0x0 0x0 0x0 0x0)"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (f"GTX 1080\n{JIT}\n[218] cuLinkAddData: CUDA_ERROR_INVALID_PTX", "driver-too-old"),
        (TOOLKIT, "toolkit-mismatch"),
        (DKMS.format("nvidia/390.48"), "driver-not-loaded"),
        (DKMS.format("nvidia-current/470.63.01"), "driver-not-loaded"),
        (CUDNN.format("4007", "4004"), "cudnn-mismatch"),
        (CUDNN.format("5005 (compatibility version 5000)", "4007"), "cudnn-mismatch"),
        ("[h264_nvenc @ 0x1] Cannot load libcuda.so.1", "driver-missing"),
        ("[h264_nvenc @ 0x1] Cannot load nvcuda.dll", "driver-missing"),
        (COMPOSE + "Cannot load libcuda.so.1", "container-no-gpu"),
        (NVLINK.format(149, "Fatal"), "device-lost"),
        ("NVRM: Xid (PCI:0000:01:00): 171, pid=12, name=python", "device-lost"),
    ],
)
def test_cause_is_named(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        NVLINK.format(149, "Nonfatal"),
        "NVRM: Xid (PCI:0009:01:00): 121, C2C Link corrected error",
        DKMS.format("system76/1.0.14"),
        SMI + DKMS.format("nvidia/390.48"),
        "Cannot load libx264.so.155",
        "cannot load nvidia settings",
        "My services:\n  image: a.png",
    ],
)
def test_what_sounds_alike_names_no_cause(pasted: str):
    assert ruled(pasted) not in (
        "device-lost",
        "driver-not-loaded",
        "driver-missing",
        "container-no-gpu",
    )

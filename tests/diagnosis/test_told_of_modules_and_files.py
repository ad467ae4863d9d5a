"""What modprobe, ls and compilers say of NVIDIA's modules, device files and libdevice."""

from __future__ import annotations

import pytest

from support.cases import ruled

STRANGE_MODE = "c-w--wx-wT 1 root video 195, 255 Jun 25 11:05 /dev/nvidiactl\n"
STICKY = "crw-rw-rwT 1 root root 195, 255 Jun 25 11:05 /dev/nvidiactl\n"
NO_SUCH = "modprobe: FATAL: {} not found in directory /lib/modules/5.5.9-zen1-2-zen"
BC = "'/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc'"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (NO_SUCH.format("nvidia_drm"), "driver-not-loaded"),
        (NO_SUCH.format("Module nvidia-uvm"), "driver-not-loaded"),
        ("modprobe: ERROR: could not find module by name 'nvidia'", "driver-not-loaded"),
        ("$ ls -al /dev/nvidia*\n" + STRANGE_MODE, "device-nodes"),
        ("nvcc fatal   : Path to libdevice library not specified", "toolkit-missing"),
        ("clang: error: cannot find libdevice for sm_70; provide path to", "toolkit-missing"),
        (f"nvcc fatal   : Could not open input file {BC}", "toolkit-missing"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        NO_SUCH.format("Module nvidiafb"),
        NO_SUCH.format("nouveau"),
        "modprobe: FATAL: Module nvidia is in use.",
        "$ ls -al /dev/nvidia*\n" + STICKY,
        "nvcc --libdevice-directory is documented as the directory of libdevice",
        f"-L {BC} is passed to ptxas",
    ],
)
def test_what_sounds_alike_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"

"""What the banners of NVIDIA's images compare, and what debuggers catch in a kernel."""

from __future__ import annotations

import pytest

from support.cases import ruled

ASKS = (
    "ERROR: This container was built for NVIDIA Driver Release 450.51 or later, but\n"
    "       version 410.78 was detected and compatibility mode is UNAVAILABLE.\n\n"
)
UNAVAILABLE = "       [[CUDA Driver UNAVAILABLE (cuInit(0) returned {})]]\n"
MINOR = (
    "WARNING: CUDA Minor Version Compatibility mode ENABLED.\n"
    "  CUDA Forward Compatibility is preferred over Minor Version Compatibility for use\n"
    "  with this container but was unavailable:\n"
)
REFUSED = (
    "  [[System has unsupported display driver / cuda driver combination "
    "(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH) cuInit()=803]]\n"
)
OLD = "ERROR: Detected Tesla V100S-PCIE-32GB GPU, which is not supported by this container\n"
NEW = (
    "WARNING: Detected NVIDIA GB10 GPU, which may not yet be supported in this version of the "
    "container\n"
)
NONE = "ERROR: No supported GPU(s) detected to run this container\n"
CAUGHT = 'Thread 6 "miner" received signal CUDA_EXCEPTION_{}\n'


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (ASKS + UNAVAILABLE.format(803), "driver-too-old"),
        (ASKS + UNAVAILABLE.format(999), "driver-too-old"),
        ("> " + ASKS.replace("\n", "\n> ") + UNAVAILABLE.format(999), "driver-too-old"),
        (UNAVAILABLE.format(803), "driver-library-mismatch"),
        (REFUSED, "driver-library-mismatch"),
        (OLD + NONE + MINOR + REFUSED, "gpu-too-old"),
        (OLD, "gpu-too-old"),
        (NEW + NONE, "gpu-too-new"),
        (NEW.replace("may not yet be", "is not yet") + NONE, "gpu-too-new"),
        (CAUGHT.format("5, Warp Out-of-range Address."), "user-code"),
        ("CUDA Exception: Warp Illegal Address\n", "user-code"),
        ("CUDA Exception: Device Hardware Stack Overflow\n", "user-code"),
        ("========= Invalid __global__ write of size 4 bytes\n", "user-code"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        MINOR + REFUSED,
        NEW,
        NONE,
        "Detected 2 GPUs, which is supported by this container\n",
        "CUDA Exception: see the manual\n",
        CAUGHT.format("names, as the manual lists them"),
        "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"

"""What TensorRT says of a file that it compiled, and what people tell of their GPU themselves."""

from __future__ import annotations

import pytest

from support.cases import ruled

OTHER_GPU = (
    "[TensorRT] ERROR: INVALID_CONFIG: The engine plan file is generated on an incompatible "
    "device, expecting compute 6.1 got compute 7.5, please rebuild."
)
OTHER_VERSION = (
    "6: The engine plan file is not compatible with this version of TensorRT, expecting library "
    "version 8.0.0 got 8.0.1, please rebuild."
)
OTHER_TAG = (
    "Error Code 1: Serialization (Serialization assertion stdVersionRead == serializationVersion "
    "failed.Version tag does not match. Note: Current Version: 213, Serialized Engine Version: 232)"
)
WARNING = (
    "WARNING: Using an engine plan file across different models of devices is not recommended and "
    "is likely to affect performance or even cause errors."
)
ORDINAL = "CUDA_ERROR_INVALID_DEVICE: invalid device ordinal"
NO_CODE = "  what():  function_attributes(): after cudaFuncGetAttributes: invalid device function\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (OTHER_GPU, "extension-mismatch"),
        (OTHER_VERSION, "extension-mismatch"),
        (OTHER_TAG, "extension-mismatch"),
        (
            "ERROR: TensorRT model exported with a different version than 10.11",
            "extension-mismatch",
        ),
        (OTHER_VERSION.replace("8.0.1", "0.0.0"), "user-code"),
        ("gpu randomly falls off the bus when playing games", "device-lost"),
        ("After an hour my RTX 3090 dropped off the PCIe bus again.", "device-lost"),
        ("Then nvidia-smi has lost one card, until the machine is rebooted.", "device-lost"),
        (
            "The NVIDIA driver cannot reach the GPU any more. Only a power cycle brings it back.",
            "device-lost",
        ),
        (NO_CODE + "because my system has a GPU with compute capability 3.0.", "gpu-too-old"),
        (f"failed call to cuDevicePrimaryCtxRetain: {ORDINAL}", "device-busy"),
        (f"cuCtxCreate failed: {ORDINAL}", "device-busy"),
        (f"failed call to cuDeviceGet: {ORDINAL}", "user-code"),
        (NO_CODE + "My old card has only compute capability 2.1", "gpu-too-old"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        WARNING,
        "The engine plan file is written to disk",
        "The GPU hangs on the bus to work",
        "Data drops from the bus of the sensor",
        "nvidia-smi has lost one column in the new release",
        "The driver cannot reach the GPU. Install it anew.",
        "In the container the driver does not see the GPU; no container needs a power cycle.",
        NO_CODE,
        NO_CODE + "It requires a GPU with compute capability 3.5 or later",
        "My GPU has compute capability 3.0",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"

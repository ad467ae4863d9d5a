"""What OBS, OptiX, Blender, hashcat and the encoders say of the driver and of memory."""

from __future__ import annotations

import pytest

from support.cases import ruled

OBS = "The installed NVIDIA driver does not support this NVENC version, try updating the driver."
LOADED = "Failed to load CUDA kernel from '/home/user/kernel_sm_61.cubin' ({})\n"
TENSORRT = "[TRT] [E] 1: [caskUtils.cpp::trtSmToCask::114] Error Code 1: (Unsupported SM: {})"
OBS_TEST = "driver_ver=550.163.01\ncuda_ver=12.40\nreason={}\nnvenc_supported=false\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (OBS, "driver-too-old"),
        (OBS_TEST.format("outdated_driver"), "driver-too-old"),
        (
            "Failed to create OptiX context: OPTIX_ERROR_UNSUPPORTED_ABI_VERSION",
            "driver-too-old",
        ),
        (
            (
                "OptiX initialization failed because the installed driver does not support ABI "
                "version 47"
            ),
            "driver-too-old",
        ),
        (
            (
                "Redshift cannot operate: The installed NVIDIA driver (388.13) is too old. Please "
                "install driver 431.86 or later"
            ),
            "driver-too-old",
        ),
        (
            "Your display drivers are outdated and are known to have problems.",
            "driver-too-old",
        ),
        (
            (
                "The currently installed NVIDIA graphics driver is unsupported or has known "
                "issues.\n  The unsupported driver range: [0.0, 535.129)"
            ),
            "driver-too-old",
        ),
        (LOADED.format("No binary for GPU") + "GPU: Tesla K40c", "gpu-too-old"),
        (LOADED.format("Out of memory"), "oom-workload"),
        ("CUDA error: No binary for GPU in cuModuleLoadData\nGPU: RTX 5090", "gpu-too-new"),
        ("CUDA error: No CUDA-capable device available in cuInit(0)", "driver-not-loaded"),
        (TENSORRT.format("0x601"), "gpu-too-old"),
        (TENSORRT.format("0x700"), "gpu-too-old"),
        (TENSORRT.format("0x809"), "gpu-too-new"),
        (TENSORRT.format("0xc00"), "gpu-too-new"),
        (
            "[gpu] driver version 431.60 is too old, the minimum required is 525.89",
            "driver-too-old",
        ),
        ("System is out of GPU and shared host memory", "oom-workload"),
        ("Your GPU memory is full", "oom-workload"),
        ("CUDA nvcc compiler not found. Install CUDA toolkit.", "toolkit-missing"),
        (
            "OSError: libnvidia-opencl.so.1: cannot open shared object file: No such file",
            "driver-missing",
        ),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "The installed NVIDIA driver supports this NVENC version.",
        OBS_TEST.format("nvenc_unsupported"),
        "OptiX initialization failed with error code 7800",
        "The installed NVIDIA driver (535.54) is new enough",
        "Blender's manual is too old",
        "The driver 525.89 is supported, the minimum required is 431.60",
        "The unsupported driver range: [550.1, 551.2)",
        LOADED.format("File not found"),
        TENSORRT.format("unknown"),
        "Peak GPU memory: 2048 M",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"

"""What ffmpeg says of the driver, JAX of its libraries, and people of cards that they lack."""

from __future__ import annotations

import pytest

from support.cases import ruled

API = (
    "[h264_nvenc] Driver does not support the required nvenc API version. "
    "Required: 13.0 Found: 12.2\n"
    "[h264_nvenc] The minimum required Nvidia driver for nvenc is (unknown) or newer\n"
)
ENCODER = "Cannot load libnvidia-encode.so.1\n"
SPARSE = "RuntimeError: Unable to load cuSPARSE. Is it installed?\n"
BROUGHT = " + jax==0.6.1\n + jax-cuda12-plugin==0.6.1\n + nvidia-cusparse-cu12==12.5.9.5\n"
OPENCV = (
    "OpenCV(4.8.0) /home/user/opencv_contrib-4.8.0/modules/cudev/grid/transform.hpp:264: error: "
    "(-217:Gpu API call) no kernel image is available for execution on the device\n"
)
RAPIDS = (
    "ImportError: /home/user/envs/r/lib/python3.7/site-packages/../../libNVStrings.so: "
    "undefined symbol: _Z10rmmGetInfoPmS_P11CUstream_st"
)


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (API, "driver-too-old"),
        (API.replace("nvenc", "nvdec"), "driver-too-old"),
        (ENCODER, "driver-missing"),
        (ENCODER + "I'm using an Intel integrated graphics chip, not NVidia.", "no-nvidia-gpu"),
        (ENCODER + "My laptop does not have an Nvidia GPU at all", "no-nvidia-gpu"),
        (SPARSE, "cublas-missing"),
        (BROUGHT + SPARSE, "library-path-conflict"),
        (BROUGHT.replace("cusparse", "cublas") + SPARSE, "cublas-missing"),
        (RAPIDS, "extension-mismatch"),
        (OPENCV, "extension-mismatch"),
        (OPENCV + "GPU: Tesla K40c", "gpu-too-old"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "if I do not have an NVIDIA GPU this is slow",
        "2024-03-10 10:00:00 Unknown encoder 'h264_nvenc'",
        "I have an Intel CPU and an NVIDIA card",
        BROUGHT,
        "The driver does support the nvenc API version 13.0",
        RAPIDS.replace("_Z10rmmGetInfoPmS_P11CUstream_st", "_Z10getInfoPm"),
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"

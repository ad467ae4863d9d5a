"""A driver that is too old for a program's encoder or its OptiX, by code or by name."""

from __future__ import annotations

import pytest

from support.cases import ruled

SDK = "NvEncoder : m_nvenc.nvEncOpenEncodeSessionEx(&params, &hEncoder) returned error {} at "


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("[h264_nvenc @ 0x55d0] OpenEncodeSessionEx failed: invalid version (15)", "old"),
        ("[hevc_nvenc @ 0x55d0] Cannot get the preset configuration: invalid version (15)", "old"),
        ("Cannot get the preset configuration: invalid version (15)", "old"),
        (SDK.format(15) + "NvEncoder.cpp:74", "old"),
        ("nv.nvEncOpenEncodeSessionEx(&params) failed: 15 (NV_ENC_ERR_INVALID_VERSION)", "old"),
        ("Error on nvEncGetEncodePresetConfig: 15 (NVENC indicates that a struct is", "old"),
        ("Current Driver Version does not support this NvEncodeAPI version, please", "old"),
        ("Insufficient NVIDIA driver version, Required 378.66, Installed 355.82", "old"),
        # other codes, other numbers, and code
        ("[h264_nvenc @ 0x55d0] OpenEncodeSessionEx failed: out of memory (10)", "unknown"),
        (SDK.format(10) + "NvEncoder.cpp:15", "unknown"),
        ("    case NV_ENC_ERR_INVALID_VERSION: return 15;", "unknown"),
        ("the packet has an invalid version (15)", "unknown"),
        ("Insufficient NVIDIA driver version, Required 378.66, Installed 0.0", "unknown"),
    ],
)
def test_the_encoder_refuses_a_program_of_later_headers(line: str, cause: str):
    assert ruled(line) == {"old": "driver-too-old"}.get(cause, cause)


OPTIX = "Optix call (optixInit()) failed with code {} (line 7801)\n"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (OPTIX.format(7801), "driver-too-old"),
        (OPTIX.format(7805), "driver-too-old"),
        (
            "jit_optix_check(): API error 7801 (OPTIX_ERROR_UNSUPPORTED_ABI_VERSION)",
            "driver-too-old",
        ),
        (OPTIX.format(7804), "unknown"),  # its library may be missing for other reasons
        ("$ docker run --gpus all demo\n" + OPTIX.format(7804), "container-no-gpu"),
        (OPTIX.format(7050), "unknown"),
    ],
)
def test_optix_tells_by_its_number_that_the_driver_is_older(line: str, cause: str):
    assert ruled(line) == cause

"""A driver that is missing, told by miners, programs of the sciences and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

ENCODER = "Cannot load libnvidia-encode.so.1\n"
OLLAMA = (
    'msg="Unable to load cudart CUDA management library /tmp/libcudart.so.11.0: your nvidia driver '
    'is too old or missing, please upgrade to run ollama"\n'
)
NVENC = "[h264_nvenc @ 0x1] The minimum required Nvidia driver for nvenc is 530.41.03 or newer\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Warp UserWarning: Could not find or load the NVIDIA CUDA driver.", "driver-missing"),
        ("Warp UserWarning: Could not find or load the shader.", "unknown"),
        (ENCODER, "driver-missing"),
        ("[h264_nvenc @ 0x1] Cannot load libcuda.so.1", "driver-missing"),
        ("[h264_nvenc @ 0x1] Cannot load nvcuda.dll", "driver-missing"),
        (OLLAMA + 'msg="Discovered GPU libraries: []"', "driver-missing"),
        (NVENC + "[h264_nvenc @ 0x1] Cannot load libnvidia-encode.so.1", "driver-missing"),
    ],
)
def test_a_driver_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "Cannot load libx264.so.155",
        "cannot load nvidia settings",
    ],
)
def test_kin_of_a_driver_that_is_missing_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


HASHCAT = """OS: Debian 12
$ hashcat -b
ATTENTION! No OpenCL, HIP or CUDA compatible platform found.
$ lspci -k
02:00.0 VGA compatible controller: NVIDIA Corporation GA104 [GeForce RTX 3070] (rev a1)
\tSubsystem: ASUSTeK Computer Inc. Device 87b8
\tKernel modules: nouveau
$ nproc
8
"""


def test_hashcat_finds_no_platform():
    assert ruled(HASHCAT) == "driver-missing"
    assert ruled("$ hashcat -I\nCUDA Info:\nCUDA.Version.: 12.2\n") == "unknown"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("CUDA error: failed to load CUDA: LoadLibraryExW failed", "driver-missing"),
        ("failed to load CUDA: the plug-in is off", "unknown"),
    ],
)
def test_a_miner_finds_no_library_of_the_driver(line: str, cause: str):
    assert ruled(f"OS: Windows\n\n{line}\n") == cause


def test_a_release_of_zero_is_no_driver():
    warp = (
        "Warp CUDA error: Could not open libcuda.so.\nWarp CUDA error 36 (in function "
        "cuda_driver_version)\n   The minimum required CUDA driver version is 12.0, but the "
        "installed CUDA driver version is {}."
    )
    assert ruled(warp.format("0.0")) == "driver-missing"
    assert ruled(warp.partition("\n")[2].format("11.2")) == "driver-too-old"


HASHCAT_STARTS = (
    "hashcat (v3.10) starting...\nOpenCL Platform #1: {}\n- Device #1: {}, 1048576/1048576 MB\n"
)


def test_mesa_drives_the_gpu_where_its_name_is_the_chips():
    assert ruled(HASHCAT_STARTS.format("Mesa", "NV118")) == "driver-missing"
    assert ruled(HASHCAT_STARTS.format("NVIDIA Corporation", "NVS 310")) != "driver-missing"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "  - package akmod-nvidia-3:545.29-1.fc39.x86_64 from rpmfusion requires "
                "akmods, but none of the providers can be installed\n"
            ),
            "driver-missing",
        ),
        (
            (
                "  - package kmod-nvidia-550.54-1.el9.x86_64 requires kernel = 5, but none of "
                "the providers can be installed\n"
            ),
            "driver-missing",
        ),
        (
            (
                "  - package foo-1.fc39.x86_64 requires bar, but none of the providers can be "
                "installed\n"
            ),
            "unknown",
        ),
        ("[ x ] Proprietary drivers could not be installed\n", "driver-missing"),
        (
            "# Skipping GPUs configuration because Nvidia driver is not installed\n",
            "driver-missing",
        ),
        ("# Skipping GPUs configuration because there are none\n", "unknown"),
    ],
)
def test_programs_that_install_or_miss_a_driver(text: str, cause: str):
    assert ruled(text) == cause

"""A driver that is too old for the software, told by bare messages and people."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding

INSUFFICIENT = "CUDA driver version is insufficient for CUDA runtime version\n"
NUMBA = "Error: CUDA device intialisation problem. driver missing function: "
BY_LDD = "undefined symbol: {}\t({})"
GREETING = "您好\uff0c请问一下。\n"
NEW_MACHINE = "I have a problem with my new machine.\n"
API = (
    "[h264_nvenc] Driver does not support the required nvenc API version. "
    "Required: 13.0 Found: 12.2\n"
    "[h264_nvenc] The minimum required Nvidia driver for nvenc is (unknown) or newer\n"
)
TOO_OLD = "RuntimeError: CUDA driver version is insufficient for CUDA runtime version\n"
MATLAB = (
    "There is a problem with the CUDA driver or with this GPU device. Be sure that you have a "
    "supported GPU and that the latest driver is installed.\nCaused by:\n"
)
MATLAB_OLD = (
    "    The CUDA driver was found, but it is too old. The CUDA driver on your system supports "
    "CUDA version 5.5. The required CUDA version\n    is 7.5 or greater.\n"
)
PTX = "W nvptx_compiler.cc:1] The NVIDIA driver's CUDA version is {} which is older than the {}"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("My server, driver version: 565.77\n" + INSUFFICIENT, "driver-too-old"),
        (
            "UserWarning: The NVIDIA driver on your system is too old (found version 10010).",
            "driver-too-old",
        ),
        ("CUDA driver version is insufficient for CUDA runtime version", "driver-too-old"),
        (
            (
                "CUDA_ERROR_UNSUPPORTED_PTX_VERSION: the PTX was compiled with an "
                "unsupported toolchain."
            ),
            "driver-too-old",
        ),
        ("CudaDriverError: driver missing function: cuLinkCreate_v2.", "driver-too-old"),
        ('msg="NVIDIA driver too old" driver=535 required_driver="570 or newer"', "driver-too-old"),
        (
            (
                "symbol lookup for cuCtxCreate_v3 failed: /usr/lib/libcuda.so.1: undefined symbol:"
                " cuCtxCreate_v3"
            ),
            "driver-too-old",
        ),
        ("Please update your NVIDIA GPU Driver to support CUDA Runtime.", "driver-too-old"),
        ("Error: unsupported CUDA version: driver 7.5 < image 8.0.61", "driver-too-old"),
        ("unsupported CUDA version: 13.9", "unknown"),
        (f"{NUMBA}cuOccupancyMaxPotentialBlockSize.", "driver-too-old"),
        (BY_LDD.format("cuKernelGetName", "/usr/lib/libcuda.so.1"), "driver-too-old"),
        (BY_LDD.format("cuDeviceGetName", "./libaudio.so"), "unknown"),
        (BY_LDD.format("torches_open", "./libaudio.so"), "unknown"),
        (
            "vmiop_log: Incompatible Guest/Host drivers: Guest VGX version is newer than",
            "driver-too-old",
        ),
        (GREETING + "我的显卡驱动版本太旧", "driver-too-old"),
        ("RuntimeError: The NVIDIA driver on your system is too old", "driver-too-old"),
        (
            (
                'library=/usr/lib64/libcuda.so.460.106.00 error="symbol lookup for '
                'cuCtxCreate_v3 failed"\n'
            ),
            "driver-too-old",
        ),
        ('library=/opt/libfoo.so error="symbol lookup for foo_open failed"\n', "unknown"),
        (NEW_MACHINE + "my NVIDIA driver is too old for it", "driver-too-old"),
        (API.replace("nvenc", "nvdec"), "driver-too-old"),
        (TOO_OLD, "driver-too-old"),
        (TOO_OLD + "GPU: GeForce GTX 1080", "driver-too-old"),
        (TOO_OLD + "GPU: Radeon RX 580 Series\nDriver Version: 470.86", "driver-too-old"),
        (
            TOO_OLD + "Should it work on a computer without NVIDIA GPU? I have a GTX 1060",
            "driver-too-old",
        ),
        ("Your display drivers are outdated and are known to have problems.", "driver-too-old"),
        (
            (
                "The currently installed NVIDIA graphics driver is unsupported or has known "
                "issues.\n  The unsupported driver range: [0.0, 535.129)"
            ),
            "driver-too-old",
        ),
        ("The unsupported driver range: [550.1, 551.2)", "unknown"),
        (
            "[gpu] driver version 431.60 is too old, the minimum required is 525.89",
            "driver-too-old",
        ),
        ("Blender's manual is too old", "unknown"),
        ("The driver 525.89 is supported, the minimum required is 431.60", "unknown"),
        ('RuntimeError: Function "cuCoredumpGetAttribute" not found', "driver-too-old"),
        (
            "java.lang.RuntimeException: cudaGetDeviceCount failed; Error code: [35]",
            "driver-too-old",
        ),
        (MATLAB + MATLAB_OLD, "driver-too-old"),
        (PTX.format("12.4", "PTX compiler version (12.6.85)."), "driver-too-old"),
        ("Error: Insufficient CUDA driver: 8000\n", "driver-too-old"),
    ],
)
def test_a_driver_that_is_too_old_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "driver missing function: open",
        "Is the NVIDIA driver on your system too old?",
        'RuntimeError: Function "curveTo" not found',
        "The message `Insufficient CUDA driver: 9010` appears when the driver is old.\n",
    ],
)
def test_kin_of_a_driver_that_is_too_old_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        "version 12.4 which is older than the PTX we know",
    ],
)
def test_this_is_not_a_driver_that_is_too_old(text: str):
    assert ruled(text) != "driver-too-old"


@pytest.mark.parametrize(
    ("driver", "cause"), [("535.86.10", "driver-too-old"), ("560.28.03", "unknown")]
)
def test_a_driver_is_no_version_of_cuda_where_a_form_calls_it_so(driver: str, cause: str):
    text = f"CUDA Driver Version: {driver}\nundefined symbol: cuGreenCtxDestroy\n"
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("file", "cause"),
    [("/usr/lib64/libcuda.so.418.74", "driver-too-old"), ("/opt/app/libapp.so", "unknown")],
)
def test_the_drivers_own_library_without_a_function_is_an_old_driver(file: str, cause: str):
    assert ruled(f"{file}: undefined symbol: cuCtxCreate_v3") == cause


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("The kernel throws an exception about unsupported PTX.", "driver-too-old"),
        ("It fails with an error of unsupported PTX", "driver-too-old"),
        ("Is this unsupported PTX, or is it an error of mine?", "unknown"),
    ],
)
def test_people_keep_two_words_of_the_refusal_of_ptx(sentence: str, cause: str):
    assert ruled(sentence) == cause


@pytest.mark.parametrize(
    ("release", "there", "cause"),
    [
        ("1.14", "The default driver at our site is 384.145 right now", "driver-too-old"),
        ("1.12", "The default driver at our site is 384.145 right now", "unknown"),
        ("1.14", "The default driver at our site is 418.67 right now", "unknown"),
        ("1.14", "It needs Nvidia driver 410.48", "unknown"),
    ],
)
def test_a_driver_that_is_there_is_told_from_the_one_that_is_required(
    release: str, there: str, cause: str
):
    asked = f"My TensorFlow is {release}, for which CUDA 10 is required. {there}, and I may not"
    assert ruled(f"Bind a driver\n\n{asked} change that.") == cause


SHOWN = "NVIDIA-SMI {0}   Driver Version: {0}   CUDA Version: 11.4\n"


@pytest.mark.parametrize(
    ("sentence", "driver", "cause"),
    [
        (
            "I want vLLM on our cluster. It requires NVIDIA driver 525.60.13 or newer",
            "470.57.02",
            "driver-too-old",
        ),
        ("I have read that it needs at least driver 550.54.14.", "515.65.01", "driver-too-old"),
        ("The minimum driver version is 535, I'm told.", "470.161.03", "driver-too-old"),
        ("I'm told: driver 525 or later", "510.47.03", "driver-too-old"),
        ("I want to use it, and it wants drivers >= 530.", "510.47.03", "driver-too-old"),
        # Served, not required, or required of others.
        ("I have read that it needs at least driver 515.43.04.", "515.65.01", "unknown"),
        ("I'm told it does not require driver 525.60.13 or newer.", "470.57.02", "unknown"),
        ("If I use CUDA 12, it requires driver 525.60.13 or newer.", "470.57.02", "unknown"),
        ("I'm told that on Windows it requires driver 528.33.", "525.60.13", "unknown"),
        ("It needs a restart, and I have driver 525.60.13 on another.", "470.57.02", "unknown"),
    ],
)
def test_a_driver_below_the_least_that_somebody_names(sentence: str, driver: str, cause: str):
    assert ruled(f"{sentence}\n{SHOWN.format(driver)}") == cause


def test_the_driver_that_somebody_names_is_what_the_fix_asks_for():
    told = "I have read that it needs at least driver 550.54.14.\n" + SHOWN.format("515.65.01")
    assert "driver 550.54.14 or newer" in finding(told).fix.text
    assert ruled(f"{told}>>> torch.cuda.is_available()\nTrue\n") == "healthy"


ASKED = "Failed to open NVENC codec: Function not implemented\n{told}\n"


@pytest.mark.parametrize(
    ("told", "driver", "cause"),
    [
        ("The log says NVENC 12.0 is wanted now.", "516.94", "driver-too-old"),
        ("OBS needs NVENC API 12.1 since the update.", "522.30", "driver-too-old"),
        ("It requires NVENC 13.0.", "566.36", "driver-too-old"),
        # There, asked, or not in the table.
        ("The log says NVENC 12.0 is wanted now.", "522.25", "unknown"),
        ("Does OBS need NVENC 12.0?", "516.94", "unknown"),
        ("It does not need NVENC 12.0.", "516.94", "unknown"),
        ("It requires NVENC 99.0.", "566.36", "unknown"),
    ],
)
def test_a_driver_has_a_release_of_nvenc(told: str, driver: str, cause: str):
    text = f"OS: Windows 10\nNVIDIA driver: {driver}\n{ASKED.format(told=told)}"
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("system", "asked", "driver"),
    [
        ("Windows 11", "12.1", "531.61"),
        ("Ubuntu 22.04", "12.1", "530.41.03"),
        ("Debian 12", "13.0", "570"),
    ],
)
def test_the_driver_that_has_the_encoders_interface_is_what_the_fix_asks_for(
    system: str, asked: str, driver: str
):
    text = f"OS: {system}\n{API.replace('13.0', asked)}"
    assert f"driver {driver}" in finding(text).fix.text
    assert f"nvenc API version {asked}" in finding(text).title


SKIPPED = "warn:  Skipping Vulkan 1.2 adapter: {}\nwarn:  DXVK: No adapters found.\n"


@pytest.mark.parametrize(
    ("gpu", "cause"),
    [
        ("NVIDIA GeForce GTX 1050", "driver-too-old"),
        ("NVIDIA GeForce RTX 2070 SUPER", "driver-too-old"),
        ("Quadro K420", "gpu-too-old"),
        ("NVIDIA GeForce GT 740M", "gpu-too-old"),
        ("Intel(R) HD Graphics 4000 (IVB GT2)", "unknown"),
        ("llvmpipe (LLVM 11.0.1, 256 bits)", "unknown"),
    ],
)
def test_dxvk_skips_a_gpu_whose_driver_has_an_earlier_vulkan(gpu: str, cause: str):
    assert ruled(SKIPPED.format(gpu)) == cause


def test_the_driver_that_has_the_vulkan_is_what_the_fix_asks_for():
    assert "driver 510 or newer" in finding(SKIPPED.format("NVIDIA GeForce GTX 1050")).fix.text
    assert "branch 470 serves" in finding(SKIPPED.format("Quadro K420")).fix.text


def test_omniverse_tells_the_least_release_and_not_the_one_that_it_found():
    found = finding("  The unsupported driver range: [0.0, 535.129)")
    assert found.title == "Omniverse wants driver 535.129 or newer, and found an older one"

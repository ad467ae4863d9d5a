"""A GPU whose last driver is too old for the software, and one that a newer driver still helps."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding

STARTS = "CUDA driver version is insufficient for CUDA runtime version (error 35)\n"
TORCH = "The NVIDIA driver on your system is too old (found version {}). Please update it\n"
PTX = "CUDA_ERROR_UNSUPPORTED_PTX_VERSION: the provided PTX was compiled with another toolchain\n"
ASKED = (
    "nvidia-container-cli: requirement error: unsatisfied condition: cuda>={}, please update "
    "your driver to a newer version, or use an earlier cuda container\n"
)


@pytest.mark.parametrize(
    ("gpu", "driver", "cause"),
    [
        # The driver serves what the last one of this GPU serves.
        ("GeForce GTX 780", "470.223.02", "gpu-too-old"),
        ("GeForce GTX 580", "390.157", "gpu-too-old"),
        ("GeForce 9800 GT", "340.108", "gpu-too-old"),
        ("GeForce GTX 780", "418.87", "driver-too-old"),
        ("GeForce GTX 1060", "470.223.02", "driver-too-old"),
        ("GeForce RTX 3060", "470.223.02", "driver-too-old"),
        # Of an unknown driver, where hardly a program is built for the last one.
        ("GeForce GTX 580", "", "gpu-too-old"),
        ("Tesla C1060", "", "gpu-too-old"),
        ("GeForce GTX 780", "", "driver-too-old"),
        ("GeForce RTX 3060", "", "driver-too-old"),
    ],
)
def test_a_program_does_not_start_with_the_last_driver(gpu: str, driver: str, cause: str):
    told = f"Driver Version: {driver}\n" if driver else ""
    assert ruled(f"GPU: {gpu}\n{told}{STARTS}") == cause


@pytest.mark.parametrize(
    ("gpu", "found", "cause"),
    [
        ("GeForce GTX 780", "11040", "gpu-too-old"),
        ("GeForce GTX 780", "10010", "driver-too-old"),
        ("GeForce GTX 1060", "11040", "driver-too-old"),
    ],
)
def test_torch_tells_the_ceiling_of_the_last_driver(gpu: str, found: str, cause: str):
    assert ruled(f"GPU: {gpu}\n{TORCH.format(found)}") == cause


@pytest.mark.parametrize(
    ("gpu", "cuda", "cause"),
    [
        ("GeForce GTX 780", "12.1", "gpu-too-old"),
        ("GeForce GTX 780", "11.4", "driver-too-old"),
        ("GeForce GTX 1060", "12.1", "driver-too-old"),
    ],
)
def test_the_driver_that_is_needed_is_beyond_the_last(gpu: str, cuda: str, cause: str):
    assert ruled(f"GPU: {gpu}\n{ASKED.format(cuda)}") == cause


@pytest.mark.parametrize(
    ("gpu", "driver"), [("GeForce GTX 780", "470.223.02"), ("GeForce GTX 580", "390.157")]
)
def test_code_in_ptx_may_be_made_for_the_gpu_itself(gpu: str, driver: str):
    assert ruled(f"GPU: {gpu}\nDriver Version: {driver}\n{PTX}") == "driver-too-old"


def test_a_program_that_starts_has_found_a_driver_that_may_be_older_than_the_last():
    needs = "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER\n"
    assert ruled(f"GPU: GeForce GTX 580\n{needs}") == "driver-too-old"


def test_one_gpu_that_newer_drivers_serve_is_reason_for_one():
    both = f"GPU 0: GeForce GTX 580 (UUID: GPU-1)\nGPU 1: GeForce RTX 3060 (UUID: GPU-2)\n{STARTS}"
    assert ruled(both) == "driver-too-old"


def test_the_title_names_the_last_branch():
    title = finding(f"GPU: GeForce GTX 580\n{STARTS}").title
    assert title.endswith("branch 390 is the last that serves this GPU")


@pytest.mark.parametrize(
    ("gpu", "cause"), [("GeForce GTX 780", "gpu-too-old"), ("GeForce RTX 3060", "driver-too-old")]
)
def test_a_build_of_torch_is_beyond_the_last_driver_of_a_gpu_by_its_name(gpu: str, cause: str):
    driver = "Driver Version: 470.223.02   CUDA Version: 11.4\n"
    asked = "torch 2.3.0+cu121\n>>> torch.cuda.is_available()\nFalse\n"
    assert ruled(f"GPU: {gpu}\n{driver}{asked}") == cause

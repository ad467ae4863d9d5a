"""A GPU whose last driver is too old for the software, and one that a newer driver still helps."""

from __future__ import annotations

import pytest

from gpuprobe import explain
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
        # No program is built for a later CUDA than that of branch 580.
        ("Tesla V100", "580.65.06", "driver-too-old"),
        ("GeForce GTX 1080 Ti", "580.65.06", "driver-too-old"),
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
    ("built", "cause"),
    [
        ("11.3", "driver-too-old"),  # the driver serves it: something else is wrong
        ("12.1", "gpu-too-old"),
    ],
)
def test_a_program_within_the_ceiling_of_the_last_driver_fails_otherwise(built: str, cause: str):
    told = f"Driver Version: 470.223.02\nGROMACS version: 2022\nCUDA runtime: {built}\n"
    assert ruled(f"GPU: GeForce GTX 780\n{told}{STARTS}") == cause


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
    ("told", "start"),
    [
        ("", "The last driver for this GPU (Fermi) is of branch 390. Where an older one is"),
        ("Driver Version: 390.157\n", "No newer driver serves this GPU (Fermi)"),
    ],
)
def test_the_fix_asks_which_driver_is_there_where_none_is_told(told: str, start: str):
    assert finding(f"GPU: GeForce GTX 580\n{told}{STARTS}").fix.text.startswith(start)


BUILT_FOR_LATER = "torch 2.3.0+cu121\n>>> torch.cuda.is_available()\nFalse\n"


@pytest.mark.parametrize(
    ("second", "cause"), [("RTX 3060", "driver-too-old"), ("GTX 780", "gpu-too-old")]
)
def test_a_build_of_torch_for_two_gpus_that_are_both_too_old(second: str, cause: str):
    both = f"GPU 0: GeForce GTX 780 (UUID: GPU-1)\nGPU 1: GeForce {second} (UUID: GPU-2)\n"
    assert _cause_of_driver(f"{both}Driver Version: 470.223.02\n{BUILT_FOR_LATER}") == cause


def _cause_of_driver(text: str) -> str:
    root = explain(text).diagnosis.root
    assert root is not None
    assert root.rule.code == "GP203"
    return root.finding.cause or "driver-too-old"


@pytest.mark.parametrize(
    ("driver", "part"),
    [
        ("410.48", "A newer driver helps in part: 470 is the last branch that serves this GPU"),
        ("470.223.02", "A newer driver is no way out: 470 is the last branch"),
    ],
)
def test_the_last_branch_may_be_newer_than_the_driver(driver: str, part: str):
    fix = finding(f"GPU: Tesla K80\nDriver Version: {driver}\n{BUILT_FOR_LATER}").fix
    assert part in fix.text
    assert ("CUDA up to 11.4" in fix.text) is (driver == "410.48")


@pytest.mark.parametrize(
    ("gpu", "cause"), [("GeForce GTX 780", "gpu-too-old"), ("GeForce RTX 3060", "driver-too-old")]
)
def test_a_build_of_torch_is_beyond_the_last_driver_of_a_gpu_by_its_name(gpu: str, cause: str):
    driver = "Driver Version: 470.223.02   CUDA Version: 11.4\n"
    asked = "torch 2.3.0+cu121\n>>> torch.cuda.is_available()\nFalse\n"
    assert ruled(f"GPU: {gpu}\n{driver}{asked}") == cause


@pytest.mark.parametrize(
    ("gpu", "named"),
    [
        ("GeForce 8800 GT", "has no code for GeForce 8800 GT, only for sm_50"),  # 1.0 to 1.3
        ("GeForce GTX 580", "has no code for GeForce GTX 580 (sm_20), only for sm_50"),
    ],
)
def test_a_product_of_which_the_series_alone_is_known_has_no_target(gpu: str, named: str):
    refused = "CUDA error: no kernel image is available for execution on the device\n"
    assert named in finding(f"GPU: {gpu}\ntorch 2.3.0+cu121\n{refused}").title

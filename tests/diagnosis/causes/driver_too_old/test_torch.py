"""A driver that is too old for the software, as PyTorch and what stands on it tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import printed

INSUFFICIENT = "CUDA driver version is insufficient for CUDA runtime version\n"
# -- CUDA_VISIBLE_DEVICES below the start of CUDA ------------------------------------------------
START = "torch.cuda.is_available()"
SETS = 'os.environ["CUDA_VISIBLE_DEVICES"] = '
BELOW = f'{START}\n{SETS}"1"\n'
OLD_DRIVER = (
    "RuntimeError: The NVIDIA driver on your system is too old (found version 10010). Please update"
    " your GPU driver"
)
INVALID = "CUDA error: device kernel image is invalid\n"
CU121 = "torch 2.1.0+cu121\ntorch.cuda.is_available() False\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "In a docker on my server, driver version: 565.77\ntorch 2.9.0+cu130\n" + INSUFFICIENT,
            "driver-too-old",
        ),
        # Miners say "no driver" of an old one.
        ("CUDA error: No CUDA driver found\ndriver version: 372.70\n", "driver-too-old"),
        (
            (
                "torch 2.5.1\n| NVIDIA-SMI 470.57.02  Driver Version: 470.57.02  CUDA "
                "Version: 11.4 |\n"
                ">>> torch.cuda.is_available()\nFalse"
            ),
            "driver-too-old",
        ),
        ("CUDA error: API call is not supported in the installed CUDA driver", "driver-too-old"),
        (
            (
                "CUDA initialization: CUDA unknown error - this may be due to an incorrectly set\n"
                "UserWarning: CUDA initialization: The NVIDIA driver on your system is too old"
                " (found version 9010).\nPyTorch version: 1.12.1+cu102"
            ),
            "driver-too-old",
        ),
        (BELOW + OLD_DRIVER, "driver-too-old"),
        # A driver is as old as its branch.
        (INVALID + "drivers 535", "driver-too-old"),
        (INVALID + "NVIDIA Driver: 535.288.01\nGPU: Tesla V100", "driver-too-old"),
        (INVALID + "Driver Version: 546.12       CUDA Version: 12.3", "driver-too-old"),
        (INVALID + "Driver: 570.86\nGPU: GTX 1080 Ti", "unknown"),
        (INVALID + "Driver: 470.82", "unknown"),
        (INVALID, "unknown"),
        ("Driver: 535\nFailed to load in-memory CUBIN: CUDA_ERROR_INVALID_IMAGE", "unknown"),
        (CU121 + "Driver: 525.53", "driver-too-old"),
        (CU121 + "Driver: 525", "unknown"),
        (CU121 + "Driver: 470", "driver-too-old"),
    ],
)
def test_a_driver_that_is_too_old_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


PINNED = (
    "$ pip install torch=={}\n>>> import torch\n>>> torch.cuda.is_available()\nFalse\n"
    "driver 410.48\n"
)


@pytest.mark.parametrize(("release", "cause"), [("1.3.0", "driver-too-old"), ("1.2.0", "unknown")])
def test_the_release_that_pip_was_asked_for_is_the_one_that_runs(release: str, cause: str):
    assert ruled(PINNED.format(release)) == cause


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("CUDA error: unsupported PTX version", "driver-too-old"),
        ("CUDA error: no binary for GPU", "gpu-too-old"),
        ("CUDA error: not found", "unknown"),
        ("CUDA error: no device tree was built", "unknown"),
    ],
)
def test_a_code_is_told_by_its_name_in_words(words: str, cause: str):
    assert ruled(f"NVIDIA Tesla K80, Driver Version: 470.141.03\n{words}\n") == cause


DRIVER_470 = "torch==2.5.1\nUbuntu 22.04\nDriver Version: 470.82.01  CUDA Version: 11.4\n"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("AMP (`--fp16`) can only be used on CUDA devices.", "driver-too-old"),
        ("No CUDA runtime is found, using CUDA_HOME='/usr/local/cuda'", "driver-too-old"),
        ("CUDA not available, using CPU", "driver-too-old"),
        ("AMP can be used on all devices.", "unknown"),
    ],
)
def test_programs_that_torch_told_of_no_gpu_show_that_it_sees_none(line: str, cause: str):
    assert ruled(DRIVER_470 + line) == cause


@pytest.mark.parametrize(
    ("found", "offer"),
    [
        ("11040", "pip install torch --index-url https://download.pytorch.org/whl/cu118"),
        ("12020", "pip install torch --index-url https://download.pytorch.org/whl/cu1"),
    ],
)
def test_where_torch_tells_what_the_driver_serves_a_build_for_it_is_offered(found: str, offer: str):
    told = " ".join(printed(OLD_DRIVER.replace("10010", found)).split())
    assert f"Or keep the driver: `pip uninstall --yes torch && {offer}" in told


def test_for_a_driver_that_serves_no_build_none_is_offered():
    assert "keep the driver" not in printed(OLD_DRIVER.replace("10010", "8000"))

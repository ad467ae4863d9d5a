"""WSL that does not reach the driver of Windows, told by containers and others."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding

NO_DEVICE = "Call to cuInit results in CUDA_ERROR_NO_DEVICE"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("OS: Bash on Windows (Ubuntu)\ncudaErrorNoDevice", "wsl"),
        ("OS: Linux subsystem on Windows 10\ncudaErrorNoDevice: no CUDA-capable device", "wsl"),
        (f"DESKTOP-1A2B3C4:~/x$ python\n{NO_DEVICE}", "wsl"),
        (f"user@LAPTOP-DNCQ5AAC:/mnt/d/x$ python\n{NO_DEVICE}", "wsl"),
        (f"system='Linux', node='DESKTOP-1A2B3C4'\n{NO_DEVICE}", "wsl"),
    ],
)
def test_wsl_that_does_not_reach_the_driver_is_named(text: str, cause: str):
    assert ruled(text) == cause


SETUP = """Welcome to bitsandbytes.
{kernel}
CUDA SETUP: WARNING! libcuda.so not found! Do you have a CUDA driver installed?
"""


@pytest.mark.parametrize(
    ("kernel", "cause"),
    [
        ("Linux-5.15.90.1-microsoft-standard-WSL2-x86_64-with-glibc2.35", "wsl"),
        ("Linux-5.15.0-91-generic-x86_64-with-glibc2.35", "unknown"),
    ],
)
def test_bitsandbytes_looks_for_libcuda_in_few_folders(kernel: str, cause: str):
    assert ruled(SETUP.format(kernel=kernel)) == cause


WINDOWS = (
    "| NVIDIA-SMI 461.79       Driver Version: 461.79       CUDA Version: 11.2     |\n"
    "|   0  GeForce RTX 3060   {model} | 00000000:01:00.0 Off |                  N/A |\n"
    "| N/A   34C    P0    18W /  N/A |    121MiB /  6144MiB |      0%      Default |\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (WINDOWS.format(model="WDDM") + "RuntimeError: Failed to dlopen libcuda.so\n", "wsl"),
        (
            WINDOWS.format(model=" Off") + "RuntimeError: Failed to dlopen libcuda.so\n",
            "container-no-gpu",
        ),
        (
            "$ docker run --gpus all img\n"
            + WINDOWS.format(model="WDDM")
            + "RuntimeError: Failed to dlopen libcuda.so\n",
            "container-no-gpu",
        ),
    ],
)
def test_a_linux_program_beside_windows(text: str, cause: str):
    assert ruled(text) == cause


LINKED = "OS: {}\ncuda eager: tensor([0.4224], device='cuda:0')\n/usr/bin/ld: cannot find -l{}\n"


@pytest.mark.parametrize(
    ("system", "library", "cause"),
    [
        ("Ubuntu 22.04 (WSL2)", "cuda", "wsl"),
        ("Ubuntu 22.04 (WSL2)", "cudart", "toolkit-missing"),  # the toolkit's own
        ("Ubuntu 22.04", "cuda", "toolkit-missing"),
        ("docker container in WSL2", "cuda", "toolkit-missing"),
    ],
)
def test_the_linker_searches_no_folder_of_wsls(system: str, library: str, cause: str):
    assert ruled(LINKED.format(system, library)) == cause
    assert ruled(LINKED.format(system, library).replace("device='cuda:0'", "")) == cause


@pytest.mark.parametrize(
    ("where", "cause"),
    [
        ("root@docker-desktop:/app# python run.py\n", "wsl"),
        ("I start it with Docker Desktop.\n", "wsl"),
        ("Docker Compose version v2.27.0-desktop.2\n", "wsl"),
        ("Docker Compose version v2.27.0\n", "driver-library-mismatch"),
        ("OS: Windows 10\nDocker version 26.1.1\n", "wsl"),
        ("OS: Ubuntu 22.04\nDocker version 26.1.1\n", "driver-library-mismatch"),
        ("root@0123456789ab:/app# python run.py\n", "driver-library-mismatch"),
    ],
)
def test_a_driver_that_answers_in_docker_desktop_is_that_of_windows(where: str, cause: str):
    failing = "failed call to cuInit: CUDA_ERROR_NOT_FOUND: named symbol not found\n"
    assert ruled(where + failing) == cause


@pytest.mark.parametrize(
    ("system", "printed", "cause"),
    [
        ("Windows 11, WSL2", "vkCreateInstance failed with ERROR_INCOMPATIBLE_DRIVER", "wsl"),
        ("docker in WSL 2", "RuntimeError: unable to find EGL device for CUDA device 0", "wsl"),
        ("Windows 11, WSL2", "vkCreateInstance went well", "unknown"),
        ("Ubuntu 22.04", "vkCreateInstance failed with ERROR_INCOMPATIBLE_DRIVER", "unknown"),
    ],
)
def test_wsl_has_no_vulkan_of_nvidias(system: str, printed: str, cause: str):
    text = f"OS: {system}\nnvidia-smi shows the card.\n{printed}\n"
    assert ruled(text) == cause
    if cause == "wsl":
        assert "Run what draws on Windows itself" in finding(text).fix.text

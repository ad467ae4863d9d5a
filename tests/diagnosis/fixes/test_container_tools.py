"""Fixes for containers: their tools, and the image that fits the driver."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.model import Safety
from support.pasted import commands, finding, printed


def test_apt_is_not_every_systems() -> None:
    refused = "host_config.h:129:2: error: #error -- unsupported GNU version! gcc versions later "
    refused += "than 7 are not supported!"
    assert "for Ubuntu and Debian" in printed(refused)
    assert "for Ubuntu and Debian" not in printed(f"OS: Ubuntu 22.04\n{refused}")


COMPAT = (
    "Environment: docker\n{}Error 804: forward compatibility was attempted on non supported HW\n"
)
COMPAT += "LD_LIBRARY_PATH=/usr/local/cuda/compat\nCUDA error\n"
TABLE = "| NVIDIA-SMI 535.129.03  Driver Version: 535.129.03  CUDA Version: 12.2 |\n"


def test_an_image_for_the_cuda_of_the_driver_is_named() -> None:
    assert "no newer than 12.2" in printed(COMPAT.format(TABLE))
    assert "that nvidia-smi names" in printed(COMPAT.format(""))


CUBLAS = (
    "{}ImportError: libcublas.so.{}: cannot open shared object file: No such file or directory\n"
)
BOARD = "Environment: docker\nBoard: Jetson TX2\n# R32 (release), REVISION: 6.1, BOARD: t186ref\n"


def test_the_libraries_of_jetpack_4_are_mounted() -> None:
    assert "--runtime nvidia" in printed(CUBLAS.format(BOARD, "10"))
    assert "--runtime nvidia" not in printed(CUBLAS.format(BOARD, "12"))
    assert "--runtime nvidia" not in printed(CUBLAS.format("Environment: docker\n", "10"))


RUNTIME = "{}docker: Error response from daemon: unknown or invalid runtime name: nvidia\n"


@pytest.mark.parametrize("system", ["TrueNAS", "Unraid"])
def test_an_appliance_installs_its_own_tools(system: str) -> None:
    told = printed(RUNTIME.format(f"{system} after the update\n"))
    assert f"{system} " in told
    assert "nvidia-ctk" not in told
    assert "nvidia-ctk" in printed(RUNTIME.format("Ubuntu after the update\n"))


def test_tools_inside_wsl_are_mended_where_docker_runs() -> None:
    none = "nvidia-container-cli: initialization error: WSL environment detected but no adapters "
    assert "wsl.exe --update" in commands(none + "were found")
    loaded = "WSL2\nnvidia-container-cli: initialization error: nvml error: driver not loaded"
    fix = finding(loaded).fix
    assert fix.safety is Safety.ADMIN
    assert any("dpkg -l" in command for command in fix.commands)

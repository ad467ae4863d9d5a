"""What the driver's installers and the container tools have to say, and what of it is harmless."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import root_by_rules, ruled


@pytest.mark.parametrize(
    ("text", "cause", "title"),
    [
        (
            "ERROR: Failed CC version check. Bailing out!",
            "driver-not-loaded",
            "was not built",
        ),
        (
            "Building and installing nvidia-kmod                        [FAILED]",
            "driver-not-loaded",
            "was not built",
        ),
        (
            (
                "This system has a graphics card which is no longer handled by the NVIDIA driver"
                " (package nvidia-tesla-driver)."
            ),
            "driver-not-loaded",
            "does not know this GPU",
        ),
        (
            (
                "nvidia-container-cli: initialization error: cuda error: no cuda-capable device is"
                " detected: unknown"
            ),
            "driver-not-loaded",
            "finds no GPU",
        ),
    ],
)
def test_what_keeps_the_driver_from_work_is_named(text: str, cause: str, title: str) -> None:
    root = root_by_rules(text)
    assert root.cause == cause
    assert title in root.finding.title


@pytest.mark.parametrize(
    "text",
    [
        (
            "WARN[0000] Could not locate /nvidia-fabricmanager/socket: pattern"
            " /nvidia-fabricmanager/socket not found"
        ),
        (
            "WARN[0001] Could not locate libnvoptix.so.550.54.14: pattern libnvoptix.so.550.54.14"
            " not found"
        ),
        (
            "UserWarning: Device compute capability 12.1 is not supported by NVRTC 12.6. Using 9.0"
            " instead."
        ),
        "RuntimeWarning: NVRTC builtins sibling not found: /opt/cuda/lib64/libnvrtc-builtins.so.12",
        "nvcc warning : Cannot find valid GPU for '-arch=native', default arch is used",
        (
            "CMake Warning (dev) at CMakeLists.txt:9:\n  Policy CMP0146 is not set: The"
            ' FindCUDA module is removed.  Run "cmake\n  --help-policy CMP0146" for details.\n'
            "\nThis warning is for project developers.  Use -Wno-dev to suppress it."
        ),
        (
            "WARNING: nvidia-installer was forced to guess the X library path '/usr/lib' and X"
            " module path '/usr/lib/xorg/modules'; these paths were not queryable from the system. "
            " If X fails to find the NVIDIA X driver module, please install `pkg-config`."
        ),
        "WARNING: Unable to find a suitable destination to install 32-bit compatibility libraries.",
        "Building and installing nvidia-kmod                        [  OK  ]",
    ],
)
def test_a_harmless_warning_raises_no_alarm(text: str) -> None:
    assert gpuprobe.explain(text).diagnosis.root is None


def test_a_missing_driver_file_is_not_called_harmless() -> None:
    told = "Could not locate libcuda.so.550.54.14: pattern libcuda.so.550.54.14 not found"
    assert "Harmless" not in str(gpuprobe.explain(told))
    assert "Harmless" in str(gpuprobe.explain(told.replace("cuda", "nvoptix")))


def test_a_fabric_manager_that_does_not_run_is_still_named() -> None:
    assert ruled("nvidia-fabricmanager.service: Failed with result 'exit-code'") == "fabric-manager"

"""Fixes for containers: their tools, and the image that fits the driver."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.model import Safety
from support.pasted import commands, finding, fix, printed, told


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
    advised = printed(RUNTIME.format(f"{system} after the update\n"))
    assert f"{system} " in advised
    assert "nvidia-ctk" not in advised
    assert "nvidia-ctk" in printed(RUNTIME.format("Ubuntu after the update\n"))


def test_tools_inside_wsl_are_mended_where_docker_runs() -> None:
    none = "nvidia-container-cli: initialization error: WSL environment detected but no adapters "
    assert "wsl.exe --update" in commands(none + "were found")
    loaded = "WSL2\nnvidia-container-cli: initialization error: nvml error: driver not loaded"
    fix = finding(loaded).fix
    assert fix.safety is Safety.ADMIN
    assert any("dpkg -l" in command for command in fix.commands)


PENDING = """    Limits:
      nvidia.com/gpu: 4
  Warning  FailedScheduling  42s  default-scheduler  0/3 nodes are available: 3 {}.
"""
UNAVAILABLE = (
    "Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. "
    "Requested: 1, Available: 0, which is unexpected"
)
MORE_THAN_FREE = "The pod asks for more GPUs than a node of the cluster has free"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (PENDING.format("Insufficient nvidia.com/gpu"), MORE_THAN_FREE),
        (f"The pod is pending.\n{PENDING.format('Insufficient nvidia.com/gpu')}", MORE_THAN_FREE),
        (UNAVAILABLE, MORE_THAN_FREE),
        ("Allocatable:\n  nvidia.com/gpu:     0\n", "A node of the cluster offers no GPU"),
    ],
)
def test_a_pod_that_asks_for_gpus_is_not_told_to_ask(text: str, title: str) -> None:
    assert finding(text).title.startswith(title)
    advised = printed(text)
    assert "kubectl describe nodes" in advised
    assert "docker run" not in advised
    assert "specification" not in advised


def test_a_pod_that_did_not_ask_is_told_to() -> None:
    silent = "The log of the pod:\nNVIDIA-SMI couldn't find libnvidia-ml.so library in your system."
    assert "resources: limits: nvidia.com/gpu: 1" in printed(silent)


def test_a_device_plugin_without_a_driver_is_no_docker() -> None:
    platform = "I1 main.go:1] Detected non-NVML platform: could not load NVML library: libnvidia"
    assert "--runtime=containerd" in commands(platform)
    assert "docker run" not in printed(platform)


def test_a_resource_of_a_cluster_is_no_package() -> None:
    assert not [name for name in told(PENDING) if name.startswith("package.")]
    assert "package.nvidia-dali.version" in told("nvidia-dali: 1.30.0")


UNRESOLVED = "Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all"


@pytest.mark.parametrize(
    ("refusal", "title"),
    [
        (UNRESOLVED, "The CDI file is missing, or does not name the GPU that was asked for"),
        (
            "error stat'ing file `/usr/lib64/libcuda.so.535.54.03`: no such file",
            "The CDI file names files of a driver that are no longer there",
        ),
    ],
)
def test_a_cdi_file_is_generated(refusal: str, title: str) -> None:
    pasted = f"$ podman run --device nvidia.com/gpu=all ubuntu nvidia-smi\n{refusal}\n"
    assert finding(pasted).title == title
    assert finding(pasted).fix.text.startswith("Generate the CDI file")
    assert "nvidia-ctk cdi generate" in commands(pasted)


CLI = "Environment: docker\n$ docker run --gpus all IMAGE nvidia-smi\nnvidia-container-cli: {}\n"


def test_tools_that_fail_are_asked_for_the_reason() -> None:
    advised = commands(CLI.format("container error: cgroup subsystem devices not found: unknown."))
    assert "sudo nvidia-container-cli --load-kmods --debug=/dev/tty info" in advised
    assert "docker run --gpus all IMAGE" not in advised


def test_docker_apart_from_the_system_is_left_for_the_systems() -> None:
    unread = "initialization error: load library failed: libnvidia-ml.so.1: cannot open shared "
    unread += "object file: no such file or directory: unknown."
    for beside in (TABLE, "OS: Arch Linux\nServer: Docker Desktop 4.22.0 (117440)\n"):
        assert "docker context use default" in commands(beside + CLI.format(unread))
    assert "docker context use default" not in commands("OS: Arch Linux\n" + CLI.format(unread))


@pytest.mark.parametrize(("system", "added"), [("Ubuntu 22.04", True), ("Arch Linux", False)])
def test_arch_has_the_tools_in_its_own_repository(system: str, *, added: bool) -> None:
    refused = 'could not select device driver "" with capabilities: [[gpu]]'
    told = fix(f"OS: {system}\nError response from daemon: {refused}\n").text
    assert ("from NVIDIA's repository" in told) == added


def test_rules_that_lxc_forbids_are_left_alone() -> None:
    refused = "mount error: write error: /sys/fs/cgroup/devices/docker/0a1b/devices.allow: {}"
    advised = commands(CLI.format(refused.format("operation not permitted")))
    assert "no-cgroups=true" in advised
    assert "no-cgroups=true" not in commands(CLI.format(refused.format("no space left")))


UNMET = """The following packages have unmet dependencies:
 {} : Depends: {} but it is not going to be installed
E: Unable to correct problems, you have held broken packages.
"""


def test_packages_that_are_refused_are_not_taken_for_installed() -> None:
    tools = UNMET.format("nvidia-docker2", "nvidia-container-runtime (>= 3.1.0)")
    assert "nvidia-docker2" in printed(tools)
    assert "docker run --gpus all IMAGE" not in commands(tools)
    driver = UNMET.format("nvidia-driver-550", "nvidia-dkms-550 (= 550.54.15-0ubuntu1)")
    advised = finding(f"OS: Ubuntu 22.04\n{driver}").fix
    assert advised.commands[:2] == (
        "apt-mark showhold; dpkg -l | grep -i nvidia",
        "sudo apt install --fix-broken",
    )
    assert "one source" in advised.text


def test_opencl_inside_a_container_is_told_where_its_part_lies() -> None:
    told = "Environment: docker\nclinfo\nNumber of platforms   0\n"
    assert "echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd" in commands(told)


COMPOSED = """services:
  trainer:
    build: .
    command: python train.py
"""
BLIND = "trainer-1  | torch.cuda.is_available(): False\nnvidia-smi on the host works\n"


@pytest.mark.parametrize("shown", [COMPOSED, "Attaching to trainer-1\n"])
def test_a_service_of_compose_asks_for_the_gpu_in_its_file(shown: str) -> None:
    mended = fix(shown + BLIND)
    assert "capabilities: [gpu]" in mended.text
    assert mended.commands == ("docker compose up --force-recreate",)


def test_a_container_that_was_run_by_hand_is_run_anew() -> None:
    run = "docker run -it pytorch/pytorch python -c 'import torch'\n"
    assert fix(run + BLIND.partition("| ")[2]).commands == ("docker run --gpus all IMAGE",)

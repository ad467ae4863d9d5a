"""A Fabric Manager that does not run or does not fit, and what only looks like it."""

from __future__ import annotations

import pytest

from support.cases import ruled

NVLS = "This is usually caused by a system or configuration error in the {what}."
FABRIC = "GPU 0: {} (UUID: GPU-0)\nnvidia-fabricmanager.service: failed"
NEW_MACHINE = "I have a problem with my new machine.\n"
NOT_READY = "cudaGetDeviceCount() failed. Error 802: system not yet initialized\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("cudaGetDeviceCount(): Error 802: system not yet initialized", "fabric-manager"),
        (NVLS.format(what="Fabric Manager or NVSwitches"), "fabric-manager"),
        (NVLS.format(what="network"), "unknown"),
        (FABRIC.format("NVIDIA A100-SXM4-80GB"), "fabric-manager"),
        (
            (
                "detected number of NVSwitches don't match with any supported system topology,"
                " aborting fabric manager"
            ),
            "fabric-manager",
        ),
        (
            NEW_MACHINE + "the fabricmanager version doesn't match the driver version",
            "fabric-manager",
        ),
        (NOT_READY + "Platform: macOS-26.2-arm64-arm-64bit", "fabric-manager"),
        ("reason: NVIDIA-H100-80GB-HBM3; fabric manager found but not active", "fabric-manager"),
        ("fabric manager found, and active", "unknown"),
        ("ib_umad has not been loaded, fabric manager cannot be started", "fabric-manager"),
        ("nv-fabricmanager: error while loading shared libraries: libz.so.1", "fabric-manager"),
    ],
)
def test_a_fabric_manager_that_fails_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "The manual lists an error in the Fabric Manager or NVSwitches for 802.\n",
        FABRIC.format("NVIDIA GeForce RTX 4090"),
        FABRIC.format("NVIDIA A100-PCIE-40GB"),
        "WARNING Nothing to do [NV_WARN_NOTHING_TO_DO]\nnvidia-fabricmanager.service: failed",
    ],
)
def test_kin_of_a_fabric_manager_that_fails_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    ("before", "cause"),
    [("system not yet initialized\n", "fabric-manager"), ("", "device-nodes")],
)
def test_what_fails_beside_a_fabric_that_is_not_ready_fails_with_it(before: str, cause: str):
    assert ruled(f"{before}OS call failed or operation not supported on this OS") == cause


FABRIC_SERVICE = """Node: {gpu}
$ systemctl status nvidia-fabricmanager
\u25cf nvidia-fabricmanager.service - NVIDIA service
     Active: {state} since Mon
>>> torch.cuda.is_available()
False
"""


@pytest.mark.parametrize(
    ("gpu", "state", "cause"),
    [
        ("8x NVIDIA H100 80GB HBM3", "inactive (dead)", "fabric-manager"),
        ("8x NVIDIA H100 80GB HBM3", "active (running)", "unknown"),
        ("NVIDIA GeForce RTX 3090", "inactive (dead)", "unknown"),
    ],
)
def test_systemctl_shows_the_fabric_manager(gpu: str, state: str, cause: str):
    assert ruled(FABRIC_SERVICE.format(gpu=gpu, state=state)) == cause


OPERATOR = """nvidia-cuda-validator-x8k2p 0/1 {state}
$ nvidia-smi -q
    Fabric
        State                             : {fabric}
        Status                            : N/A
"""


@pytest.mark.parametrize(
    ("state", "fabric", "cause"),
    [
        ("Init:Error", "In Progress", "fabric-manager"),
        ("Init:Error", "N/A", "unknown"),
        ("Completed", "In Progress", "unknown"),
    ],
)
def test_a_gpu_waits_for_its_fabric_where_cuda_fails(state: str, fabric: str, cause: str):
    assert ruled(OPERATOR.format(state=state, fabric=fabric)) == cause


FABRIC_PACKAGE = """8x NVIDIA A100-SXM4-80GB
>>> torch.cuda.is_available()
False
$ dpkg -l | grep fabric
{state} nvidia-fabricmanager-535 {fabric}
$ cat /proc/driver/nvidia/version
NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.07  Sat Feb 17 22:55:48 UTC 2024
"""


@pytest.mark.parametrize(
    ("state", "fabric", "cause"),
    [
        ("ii", "535.154.05-0ubuntu0.22.04.1", "fabric-manager"),
        ("hi", "535.154.05-0ubuntu0.22.04.1", "fabric-manager"),
        ("hi", "535.161.07-1", "unknown"),
        ("rc", "535.154.05-1", "unknown"),
    ],
)
def test_fabric_manager_is_held_at_another_version(state: str, fabric: str, cause: str):
    assert ruled(FABRIC_PACKAGE.format(state=state, fabric=fabric)) == cause


def test_a_driver_that_is_told_by_its_branch_is_of_no_other_version():
    assert ruled("Driver: 535\nii  nvidia-fabricmanager-535 535.154.05-1 amd64\n") == "unknown"


ACTIVE = """NVIDIA H100 80GB HBM3
>>> torch.cuda.is_available()
False
$ systemctl is-active nvidia-persistenced nvidia-fabricmanager
{first}
{second}
"""


@pytest.mark.parametrize(
    ("first", "second", "cause"),
    [("active", "failed", "fabric-manager"), ("failed", "active", "unknown")],
)
def test_systemctl_answers_for_each_service_in_turn(first: str, second: str, cause: str):
    assert ruled(ACTIVE.format(first=first, second=second)) == cause


FABRIC_SCRIPT = """OS: Ubuntu 24.04, HGX H100
Starting NVIDIA fabric manager daemon...
{refused}NVIDIA Fabric Manager Start Script
Usage: /usr/bin/nvidia-fabricmanager-start.sh [script options] --args [arguments to run]
"""


@pytest.mark.parametrize(
    ("refused", "cause"), [("Unknown option: /etc/fabric.cfg\n", "fabric-manager"), ("", "unknown")]
)
def test_fabric_managers_script_refuses_how_it_is_called(refused: str, cause: str):
    assert ruled(FABRIC_SCRIPT.format(refused=refused)) == cause


TORCH_ANSWERS = ">>> torch.cuda.is_available()\n{}\n"
FABRIC_BESIDE = """{gpus}
ii  nvidia-fabricmanager-535  535.154.05-1  amd64
NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sat Feb 17 22:55:48 UTC 2024
"""


@pytest.mark.parametrize(
    ("gpus", "sees", "cause"),
    [
        ("8x NVIDIA A100-SXM4-80GB", "False", "fabric-manager"),
        ("8x NVIDIA A100-SXM4-80GB", "True", "healthy"),
        ("NVIDIA GeForce RTX 4090", "False", "unknown"),  # the package was left over
    ],
)
def test_fabric_manager_of_another_version_harms_who_waits_for_it(gpus: str, sees: str, cause: str):
    assert ruled(FABRIC_BESIDE.format(gpus=gpus) + TORCH_ANSWERS.format(sees)) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            ("GPU: H100 SXM\n\u00d7 nvidia-fabricmanager.service - NVIDIA service\n"),
            "fabric-manager",
        ),
        (
            ("GPU: H100 SXM\n\u25cf nvidia-fabricmanager.service - NVIDIA service\n"),
            "unknown",
        ),
        ("fabric manager config file item: FABRIC_MODE has an invalid value.\n", "fabric-manager"),
        ("I ended up with a mismatched Fabric Manager version to the driver.\n", "fabric-manager"),
        ("inside the guest `cuInit` returns 802\n", "fabric-manager"),
    ],
)
def test_words_of_systemd_and_of_fabric_manager_itself(text: str, cause: str):
    assert ruled(text) == cause

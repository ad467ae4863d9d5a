"""Machines whose working GPU this process may not see."""

from __future__ import annotations

from support.scenario import Expected, Scenario
from support.trees import DOCKER

HIDDEN = Expected("broken", "hidden-by-visible-devices", "visible-devices-hide-all")

VISIBLE_DEVICES_EMPTY = Scenario(
    name="visible-devices-empty", expect=HIDDEN, environment={"CUDA_VISIBLE_DEVICES": ""}
)

VISIBLE_DEVICES_MINUS_ONE = Scenario(
    name="visible-devices-minus-one", expect=HIDDEN, environment={"CUDA_VISIBLE_DEVICES": "-1"}
)

VISIBLE_DEVICES_WRONG_UUID = Scenario(
    name="visible-devices-wrong-uuid",
    expect=HIDDEN,
    environment={"CUDA_VISIBLE_DEVICES": "GPU-00000000-0000-0000-0000-000000000000"},
)

# A device that is named twice leaves none at all.
VISIBLE_DEVICES_TWICE = Scenario(
    name="visible-devices-twice", expect=HIDDEN, environment={"CUDA_VISIBLE_DEVICES": "0,0"}
)

DEVICE_NODES_MISSING = Scenario(
    name="device-nodes-missing",
    expect=Expected("broken", "device-nodes", "device-nodes"),
    nodes=False,
    faults={"nvmlInit_v2": 999, "cuInit": 999},
)

# `docker run` without `--gpus all`: the host's module shows, its nodes and libraries do not. The
# variables come with NVIDIA's images, whether or not a runtime obeys them.
CONTAINER_WITHOUT_GPU = Scenario(
    name="container-without-gpu",
    expect=Expected("broken", "container-no-gpu", "container-without-gpu"),
    driver=None,
    module_version="535.104.05",
    nodes=False,
    environment={"NVIDIA_VISIBLE_DEVICES": "all", "NVIDIA_DRIVER_CAPABILITIES": "compute,utility"},
    files=DOCKER,
)

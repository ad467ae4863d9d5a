"""Machines whose working GPU this process may not see."""

from __future__ import annotations

from support.scenario import Expected, Scenario

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

# The administrator gave the files to a group that this user is not in.
NOT_PERMITTED = Scenario(
    name="not-permitted",
    expect=Expected("broken", "device-nodes", "device-nodes"),
    faults={"nvmlInit_v2": 4, "cuInit": 304},
    closed=("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0"),
)

# A job that asked for no GPU, on a node that has one.
SLURM_WITHOUT_GPU = Scenario(
    name="slurm-without-gpu",
    expect=HIDDEN,
    environment={"CUDA_VISIBLE_DEVICES": "NoDevFiles", "SLURM_JOB_ID": "4711"},
)

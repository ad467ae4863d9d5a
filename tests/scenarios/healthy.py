"""Machines on which everything works; nothing may be found on them."""

from __future__ import annotations

from dataclasses import replace

from support.machines import DRIVER_580, H200, RTX_3060, RTX_4090
from support.scenario import Expected, Scenario
from support.trees import DOCKER

from .packages import TORCH_CU121

HEALTHY = Expected("healthy", None)

HEALTHY_H100 = Scenario(name="healthy-h100", expect=HEALTHY, driver=DRIVER_580)

HEALTHY_H200 = Scenario(name="healthy-h200", expect=HEALTHY, driver=DRIVER_580, gpus=(H200,))

# The slower card comes first on the bus: CUDA counts the 4090 as 0, NVML as 1.
TWO_DIFFERENT_CARDS = Scenario(
    name="two-different-cards",
    expect=HEALTHY,
    gpus=(
        replace(RTX_3060, pci="0000:01:00.0", minor=0),
        replace(RTX_4090, pci="0000:41:00.0", minor=1),
    ),
)

# A near miss of driver-too-old: the driver serves CUDA 12.2, the wheel was built with 12.1.
TORCH_THAT_FITS = Scenario(name="torch-that-fits", expect=HEALTHY, packages=(TORCH_CU121,))

# A near miss of container-without-gpu: the same traces of a container, with nodes and libraries.
CONTAINER_WITH_GPU = Scenario(
    name="container-with-gpu",
    expect=HEALTHY,
    environment={"NVIDIA_VISIBLE_DEVICES": "all", "NVIDIA_DRIVER_CAPABILITIES": "compute,utility"},
    files=DOCKER,
)

# A near miss of hidden devices: the list reorders, and hides one of two.
ONE_OF_TWO_CHOSEN = Scenario(
    name="one-of-two-chosen",
    expect=HEALTHY,
    gpus=TWO_DIFFERENT_CARDS.gpus,
    environment={"CUDA_VISIBLE_DEVICES": "1"},
)

"""Machines with more than one GPU, of which all, or all but one, do well."""

from __future__ import annotations

from dataclasses import replace

from support.machines import DRIVER_580, H200, RTX_3060, RTX_4090, nvswitch_machine
from support.scenario import Expected, Scenario

from .healthy import HEALTHY

_EIGHT = nvswitch_machine(H200)
_LINK_7 = 1 << 7

EIGHT_H200 = Scenario(name="eight-h200", expect=HEALTHY, driver=DRIVER_580, gpus=_EIGHT)

NVLINK_DOWN = Scenario(
    name="nvlink-down",
    expect=Expected("degraded", "nccl", "nvlink-down"),
    driver=DRIVER_580,
    gpus=(
        *_EIGHT[:3],
        replace(_EIGHT[3], nvlinks_up=_EIGHT[3].nvlinks_up & ~_LINK_7),
        *_EIGHT[4:],
    ),
)

# The driver answers for seven, and lists the eighth, which "has fallen off the bus".
ONE_OF_EIGHT_LOST = Scenario(
    name="one-of-eight-lost",
    expect=Expected("degraded", "device-lost", "gpu-lost"),
    driver=DRIVER_580,
    gpus=(*_EIGHT[:5], replace(_EIGHT[5], lost=True), *_EIGHT[6:]),
)

# CUDA counts the fastest first: its 0 is nvidia-smi's 1. The list names what it names, and works.
FASTEST_FIRST = Scenario(
    name="fastest-first",
    expect=HEALTHY,
    gpus=(
        replace(RTX_3060, pci="0000:01:00.0", minor=0),
        replace(RTX_4090, pci="0000:41:00.0", minor=1),
    ),
    environment={"CUDA_VISIBLE_DEVICES": "0"},
)

_FAST_THEN_SLOW = (
    replace(RTX_4090, pci="0000:01:00.0", minor=0),
    replace(RTX_3060, pci="0000:41:00.0", minor=1),
)

# A near miss of fastest-first: the fastest is the first on the bus, too.
FASTEST_IS_FIRST_ON_BUS = Scenario(
    name="fastest-is-first-on-bus",
    expect=HEALTHY,
    gpus=_FAST_THEN_SLOW,
    environment={"CUDA_VISIBLE_DEVICES": "0,1"},
)

# A near miss of a lost one: NVML keeps the second card from this user, and CUDA shows both.
ONE_OF_TWO_NOT_PERMITTED = Scenario(
    name="one-of-two-not-permitted",
    expect=Expected("unknown", None),
    gpus=_FAST_THEN_SLOW,
    faults={"nvmlDeviceGetHandleByIndex_v2@2": 4},
)

"""Jetson boards, whose GPU is a part of the chip."""

from __future__ import annotations

from dataclasses import replace

from support.machines import JETSON_ORIN, NVIDIA, Driver
from support.scenario import Expected, Scenario
from support.trees import BRIDGE, DOCKER, pci_function

from .packages import torch

#: JetPack 6.2.
ORIN = Scenario(
    name="jetson-orin",
    expect=Expected("healthy", None),
    gpus=(JETSON_ORIN,),
    driver=Driver("540.4.0", 12060, open_module=True),
    module="nvgpu",
    libraries={
        "libcuda.so.1": "/usr/lib/aarch64-linux-gnu/nvidia/libcuda.so.1.1",
        "libnvidia-ml.so.1": "/usr/lib/aarch64-linux-gnu/nvidia/libnvidia-ml.so.1",
    },
    files={
        **pci_function("0001:00:00.0", NVIDIA, 0x229E, BRIDGE, "pcieport"),
        "/dev/nvmap": "",
        "/etc/nv_tegra_release": "# R36 (release), REVISION: 4.3, GCID: 38968081, BOARD: generic, "
        "EABI: aarch64, DATE: Wed Jan  8 01:49:37 UTC 2025\n",
        "/proc/device-tree/model": "NVIDIA Jetson AGX Orin Developer Kit\0",
        "/sys/devices/soc0/family": "Tegra\n",
    },
)

# NVIDIA's own build for the board.
ORIN_WITH_TORCH = replace(
    ORIN,
    name="jetson-orin-with-torch",
    packages=(torch("2.5.0a0+872d972e41.nv24.08", "12.6"),),
)

# PyTorch's index has builds for servers of ARM, whose code does not run on a Tegra.
ORIN_WITH_A_SERVERS_TORCH = replace(
    ORIN,
    name="jetson-orin-with-a-servers-torch",
    expect=Expected("broken", "gpu-too-old", "gpu-too-old"),
    packages=(torch("2.12.0+cu126", "12.6"),),
)

# What plain pip takes for ARM.
ORIN_WITH_A_CPU_TORCH = replace(
    ORIN,
    name="jetson-orin-with-a-cpu-torch",
    expect=Expected("broken", "cpu-only-build", "cpu-only-build"),
    packages=(torch("2.5.1", None),),
)

# /dev/nvmap belongs to the group video, in which this user is not.
ORIN_NOT_PERMITTED = replace(
    ORIN,
    name="jetson-orin-not-permitted",
    expect=Expected("broken", "device-nodes", "device-nodes"),
    faults={"nvmlInit_v2": 999, "cuInit": 999},
    closed=("/dev/nvmap",),
)

# `docker run` without `--runtime nvidia`.
ORIN_CONTAINER_WITHOUT_GPU = replace(
    ORIN,
    name="jetson-orin-container-without-gpu",
    expect=Expected("broken", "container-no-gpu", "container-without-gpu"),
    driver=None,
    libraries=None,
    files={**ORIN.files, **DOCKER},
    missing=("/dev/nvmap", "/etc/nv_tegra_release"),
)

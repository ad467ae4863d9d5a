"""Machines that lack the GPU itself."""

from __future__ import annotations

from support.scenario import Expected, Scenario
from support.trees import VGA, pci_function

NO_DEVICE = Scenario(
    name="no-device",
    expect=Expected("broken", "no-nvidia-gpu", "no-nvidia-gpu"),
    gpus=(),
    driver=None,
    module=None,
)

# A graphics card of another maker is no NVIDIA GPU.
AMD_ONLY = Scenario(
    name="amd-only",
    expect=Expected("broken", "no-nvidia-gpu", "no-nvidia-gpu"),
    gpus=(),
    driver=None,
    module=None,
    files=pci_function("0000:03:00.0", 0x1002, 0x744C, VGA, "amdgpu"),
)

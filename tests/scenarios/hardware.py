"""Machines that lack the GPU itself, or whose GPU computes wrongly."""

from __future__ import annotations

from support.scenario import Expected, Scenario
from support.trees import VGA, pci_function

from .packages import TORCH_CPU

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

# A stub, a variable that hides all and a build without CUDA are wrong, too, and matter to nobody.
NO_DEVICE_AMID_TROUBLE = Scenario(
    name="no-device-amid-trouble",
    expect=Expected("broken", "no-nvidia-gpu", "no-nvidia-gpu"),
    gpus=(),
    driver=None,
    module=None,
    stub_first=True,
    environment={"CUDA_VISIBLE_DEVICES": ""},
    packages=(TORCH_CPU,),
)

# The driver runs, and the card did not come up with it.
DOES_NOT_START = Scenario(
    name="gpu-does-not-start",
    expect=Expected("broken", "device-lost", "gpu-does-not-start"),
    faults={"cuInit": 100, "nvmlDeviceGetCount_v2": 3},
    files={
        "/dev/kmsg": "3,901,9123456,-;"
        "NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x22:0x56:894)\n"
    },
)

WRONG_RESULT = Scenario(
    name="wrong-result",
    expect=Expected("broken", "device-lost", "wrong-result"),
    faults={"cuMemcpyDtoH_v2": "flip"},
)

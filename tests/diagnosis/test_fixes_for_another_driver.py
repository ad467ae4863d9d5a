"""Another branch of the driver, another kind of its module, or another part of it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.pasted import printed

LEGACY = """OS: Ubuntu 22.04
NVRM: The NVIDIA GeForce GTX 680 GPU installed in this system is
NVRM:  supported through the NVIDIA 470.xx Legacy drivers. Please visit
NVRM:  The 535.54.03 NVIDIA driver will ignore
NVRM:  this GPU.  Continuing probe...
"""
OF_GPU = """OS: Ubuntu 24.04
NVIDIA driver version: 570.133.07
NVRM: The NVIDIA GPU 0000:02:00.0 (PCI ID: 10de:{})
NVRM: installed in this system {}
NVRM: GPU 0000:02:00.0: RmInitAdapter failed! (0x22:0x56:884)
$ nvidia-smi
No devices were found
"""
VIDEO = "OS: Unraid, docker\n[hevc_nvenc @ 0x560d1c298580] Cannot load libnvidia-encode.so.1"


@pytest.mark.parametrize(
    ("text", "code", "repair"),
    [
        (LEGACY, "GP102", "nvidia-driver-470"),
        (
            OF_GPU.format("2b85", "requires use of the NVIDIA open kernel modules."),
            "GP102",
            "nvidia-driver-570-open",
        ),
        (
            OF_GPU.format("1b82", "is not supported by open\nNVRM: nvidia.ko"),
            "GP102",
            "nvidia-driver-570",
        ),
        (OF_GPU.format("2684", "is a GPU"), "GP103", "sudo reboot"),
        (VIDEO, "GP301", "NVIDIA_DRIVER_CAPABILITIES=compute,utility,video"),
        (f"{VIDEO}\nCannot load libcuda.so.1", "GP301", "docker run --gpus all IMAGE"),
        (
            f"NVIDIA_DRIVER_CAPABILITIES=all\n{VIDEO}",
            "GP301",
            "docker run --gpus all IMAGE",
        ),
    ],
)
def test_the_driver_that_serves_the_gpu_is_named(text, code, repair):
    assert gpuprobe.explain(text).diagnosis.root.rule.code == code
    assert repair in printed(text)
    assert "modprobe" not in printed(text)

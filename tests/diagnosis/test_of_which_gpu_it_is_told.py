"""The same words mean another thing by what stands around them: a table, a container, a version."""

from __future__ import annotations

import pytest

from support.cases import ruled

SMI = """
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 367.48                 Driver Version: 367.48                    |
|===============================+======================+======================|
|   0  Tesla K80           On   | 0000:04:00.0     Off |                    0 |
| N/A   41C    P0    58W / 149W |    495MiB / 11439MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+
"""
INSUFFICIENT = "CUDA driver version is insufficient for CUDA runtime version\n"
NO_LIBRARY = "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.\n"
REFUSED = "NVMLError_NoPermission: Insufficient Permissions\n"
TF = """GPU: Quadro M1000M
I gpu_device.cc:1356] Found device 0 with properties:
name: Quadro M1000M major: 5 minor: 0 memoryClockRate(GHz): 1.0715
totalMemory: 1.95GiB freeMemory: 1.19GiB
I gpu_device.cc:1084] Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 \
with 939 MB memory) -> physical GPU (device: 0, name: Quadro M1000M, compute capability: 5.0)
Resource exhausted: OOM when allocating tensor with shape[64,3,512,512]
"""


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        # Beside a table a GPU is meant, at NVML's start all of them.
        ("nvidia-smi shows Unknown Error for three GPUs\n" + SMI, "device-lost"),
        ("Failed to initialize NVML: Unknown Error\n" + SMI, "device-nodes"),
        ("Failed to initialize NVML: Unknown Error\n", "device-nodes"),
        # In a container an old driver may be none.
        ("In a docker on my server, driver version: 565.77\n" + INSUFFICIENT, "container-no-gpu"),
        ("My server, driver version: 565.77\n" + INSUFFICIENT, "driver-too-old"),
        ("In a docker on my server, driver version: 418.67\n" + INSUFFICIENT, "driver-too-old"),
        (
            "In a docker on my server, driver version: 565.77\ntorch 2.9.0+cu130\n" + INSUFFICIENT,
            "driver-too-old",
        ),
        ("The log of the pod:\n" + NO_LIBRARY, "container-no-gpu"),
        ("The log of the host:\n" + NO_LIBRARY, "driver-missing"),
        # Miners say "no driver" of an old one.
        ("CUDA error: No CUDA driver found\ndriver version: 372.70\n", "driver-too-old"),
        ("CUDA error: No CUDA driver found\n", "driver-missing"),
        (
            "In a docker on my server, driver version: 372.70\nCUDA error: No CUDA driver found\n",
            "container-no-gpu",
        ),
        # Who may not ask a whole GPU has a part of one.
        ("GPU: A100 (MIG)\n" + REFUSED, "mig"),
        ("GPU: A100 (PCIe)\n" + REFUSED, "device-nodes"),
        # What TensorFlow took only PyTorch misses.
        (TF, "oom-workload"),
        ("I'm using AMD hardware.\nCUDA error: No CUDA driver found\n", "no-nvidia-gpu"),
        ("I'm using AMD hardware and an RTX 3060.\nCUDA error: No CUDA driver found\n",
         "driver-missing"),
        ("node: CPU only\n" + NO_LIBRARY, "no-nvidia-gpu"),
        ("node: CPU only build\n" + NO_LIBRARY, "driver-missing"),
    ],
)  # fmt: skip
def test_the_words_around_decide(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause

"""Texts that speak of a fault's words and have another one, or none: each was accused once."""

from __future__ import annotations

import pytest

from support.cases import ruled

COPIES = "org.freedesktop.Platform.GL.nvidia-535-54-03\nDriver Version: 550.54.14\n"
NO_DEVICE = "CUDA error 100: no CUDA-capable device is detected\n"
OUT_OF_MEMORY = "torch.cuda.OutOfMemoryError: CUDA out of memory.\n"
SERVED = "Driver Version: 470.82.01 CUDA Version: 11.4\n"
INSIDE = "OS: docker container on Ubuntu 22.04\n"
NO_TORCH = "ERROR: No matching distribution found for torch==1.13.1+cu116\n"
BUSY = """|   0  GeForce RTX 3090    Off  | 00000000:01:00.0 Off |                  N/A |
| 30%   62C    P2   304W / 350W |  23000MiB / 24576MiB |     98%      Default |
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        # Flatpak's copies of the driver, in a list beside another fault.
        (f"{COPIES}{OUT_OF_MEMORY}", "oom-workload"),
        (f"Replaced {COPIES}", "unknown"),
        # Units that systemd read anew, where no container runs.
        (f"sudo systemctl daemon-reload\n{NO_DEVICE}", "driver-not-loaded"),
        ("Can't use GPU pipeline with CPU Physics.\n" + OUT_OF_MEMORY, "oom-workload"),
        ("it must match the NVIDIA kernel module currently loaded on the host", "unknown"),
        ("Mismatching nvidia kernel module check: passed", "unknown"),
        ("/var/lib/dkms/nvidia-fs/2.15.3/build/nvfs-core.c:10:1: error: x", "unknown"),
        ("The Ubuntu server:\ndxcore initialization failed, WSL2 works elsewhere", "unknown"),
        # What a part of a program needs that has others.
        ("GPU: Tesla T4\nFlash: compute capability 8.0 or higher; I use eager code.", "unknown"),
        ("GPU: RTX 2080\nFP8: compute capability 8.9 or newer. Else Marlin.", "unknown"),
        ("The notebook uses all my computer's memory (RAM) with tensorflow.", "unknown"),
        (f"{OUT_OF_MEMORY}With batch size 8 it runs:\n{BUSY}", "oom-workload"),
        ("torch.cuda.is_available() True\nNVMLError_LibraryNotFound: NVML Shared Library Not Found",
         "unknown"),
        (f"Source Context xdm_t\nTarget Objects /dev/nvidiactl [ chr_file ]\n{OUT_OF_MEMORY}",
         "oom-workload"),
        (f"{SERVED}PyTorch 2.5: cu124 wheels exist on the index.", "unknown"),
        (f"{SERVED}PyTorch: 2.5.1, cu124 on my colleague's PC", "unknown"),
        (f'Field "compute_cap" is not a valid field to query.\n{OUT_OF_MEMORY}', "oom-workload"),
        ("The GPU is AMD for the display, a T4 computes.", "unknown"),
        ("[GeForce GT 610] (rev a1)\nWi-Fi does not work after suspend.", "unknown"),
        # What is told of the host of a container.
        (f"{INSIDE}Host: lsmod | grep nvidia is empty.\n{NO_DEVICE}", "driver-not-loaded"),
        (f"{INSIDE}On the host nvidia-smi says the same.\n{NO_DEVICE}", "driver-not-loaded"),
        ("The wiki lists both cupy-cuda11x and cupy-cuda12x.", "unknown"),
        ("I had both spconv-cu113 and spconv-cu118; after removing the first it runs.", "unknown"),
        ("ldd shows no libcudart.so.11.0 because it is linked statically.", "unknown"),
        # Another machine's processor, and a package's.
        (f"OS: Ubuntu 22.04 (cross-building for aarch64)\n{NO_TORCH}", "unknown"),
        (f"Architecture: arm64\n{NO_TORCH}", "unknown"),
        ("GPU: RTX 3090\ntorch==1.7.1+cu101\nTraining does not start: FileNotFoundError: x.yaml",
         "unknown"),
    ],
)  # fmt: skip
def test_words_of_a_fault_beside_another_one(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize("place", ["Dell Precision 5820", "Windows Server 2019", "i7 8700"])
def test_a_number_before_a_series_of_letters_is_no_product(place: str):
    refused = "RuntimeError: CUDA error: no kernel image is available for execution on the device"
    assert ruled(f"GPU: {place} RTX A4000\ntorch 1.7.1+cu101\n{refused}\n") == "gpu-too-new"

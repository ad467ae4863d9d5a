"""Who lists devices has got them from CUDA or NVML: the proofs of a text, and what is none."""

from __future__ import annotations

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.pasted import read

CUDA = {
    "llama.cpp": (
        1,
        "ggml_cuda_init: found 1 CUDA devices:\n  Device 0: Orin, compute capability 8.7",
    ),
    "CuPy": (1, "Device 0 Name                : NVIDIA GeForce RTX 2070"),
    "ComfyUI": (1, "Device: cuda:0 NVIDIA GeForce RTX 4060 Ti : cudaMallocAsync"),
    "torch": (1, "_CudaDeviceProperties(name='Tesla T4', major=7, minor=5, total_memory=15079MB)"),
    "deviceQuery": (2, 'Device 0: "Tesla V100"\nDevice 1: "Tesla V100"'),
}
NVML = {
    "nvtop": (2, "Device 0 [Tesla T4] PCIe GEN 3@16x\nDevice 1 [Tesla T4] PCIe GEN 1@16x"),
    "nvidia-smi -L": (1, "$ nvidia-smi -L\nGPU 0: Tesla T4"),
    "with a UUID": (1, "GPU 0: Tesla T4 (UUID: GPU-00000000-0000-0000-0000-000000000000)"),
}
NONE = {
    "typed": "GPU: RTX 3090\nDevice: Tesla T4",
    "numbered by hand": "GPU 0: RTX 3090\nGPU 1: RTX 3090",
    "another processor": "Device 0: cpu\nDevice 1: AMD Radeon",
    "a wish": "I have 2 CUDA devices",
}


@pytest.mark.parametrize(("count", "pasted"), CUDA.values(), ids=CUDA)
def test_devices_that_a_program_lists_are_cudas(count: int, pasted: str):
    assert read(pasted).known(names.CUDA_COUNT) == count


@pytest.mark.parametrize(("count", "pasted"), NVML.values(), ids=NVML)
def test_devices_that_a_tool_of_the_driver_lists_are_nvmls(count: int, pasted: str):
    assert read(pasted).known(names.NVML_COUNT) == count


@pytest.mark.parametrize("pasted", NONE.values(), ids=NONE)
def test_what_people_write_proves_nothing(pasted: str):
    facts = read(pasted)
    assert (facts.known(names.CUDA_COUNT), facts.known(names.NVML_COUNT)) == (None, None)

"""The last line in which a program names its device, and the last one that tells of work there."""

from __future__ import annotations

import pytest

from gpuprobe.facts import said
from gpuprobe.facts.pasted import read

NAMED = (
    "device: cuda:0 (Tesla T4, 14.6 GiB)",
    "rank 0: NVIDIA A40, cuda 12.2",
    "device 0: Quadro RTX 5000, sm_75, 16125 MB",
    "embed model device: cuda, torch 2.3.0+cu121",
    ">>> model.device\ndevice(type='cuda', index=0)",
)
WORKED = (
    "rank0 cuda:0 rank1 cuda:1   1507.9 img/s",
    "Task infer.run succeeded in 0.381s: {'device': 'cuda:2', 'n': 16}",
    "encoded on the GPU in 3.1 s",
)


@pytest.mark.parametrize("line", NAMED)
def test_a_device_is_named(line: str):
    facts = read(line)
    assert facts.known(said.DEVICE_IN_USE) == line.splitlines()[-1]
    assert facts.known(said.DEVICE_WORKED) is None


@pytest.mark.parametrize("line", WORKED)
def test_something_was_done_there(line: str):
    assert read(line).known(said.DEVICE_WORKED) == line


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: Expected all tensors to be on the same device, but found cuda:0 and cpu!",
        "torch.load: invalid device cuda:1",
        "model.to('cuda:0')",
        'device = torch.device("cuda:0")',
        "python train.py --device cuda:0",
        "should it be on cuda:0?",
        "image: nvidia/cuda:12.2.0-base-ubuntu22.04",
        "GPU 0: NVIDIA GeForce RTX 3090 (UUID: GPU-1)",
        "  Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6, VMM: yes",
        "GPU 0: Tesla T4",
    ],
)
def test_neither_code_nor_failures_nor_lists_name_a_device_in_use(line: str):
    facts = read(line)
    assert facts.known(said.DEVICE_IN_USE) is None
    assert facts.known(said.DEVICE_WORKED) is None


def test_the_last_line_counts():
    facts = read("device cuda:0 ready\nstep 1\ndevice cuda:1 ready\n")
    assert facts[said.DEVICE_IN_USE.name].source == "line 3 of the text"

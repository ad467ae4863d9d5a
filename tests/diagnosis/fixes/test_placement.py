"""How a program that could use the GPU is asked to do so."""

from __future__ import annotations

import gpuprobe
from support.pasted import finding

OFFLOADED = (
    "ggml_init_cublas: found 1 CUDA devices:\n  Device 0: NVIDIA GeForce RTX 3090\n"
    "offloaded 0/35 layers to GPU\n"
)


def test_llama_cpp_is_asked_by_its_own_option() -> None:
    found = finding(OFFLOADED)
    assert found.title == "llama.cpp could use the GPU, and the work ran on the CPU"
    assert found.fix is not None
    assert found.fix.commands == ("llama-cli -ngl 99 -m MODEL.gguf",)


def test_work_that_ended_without_a_gpu_does_not_run_on_the_cpu() -> None:
    ended = (
        "my system does not have any gpu\nAssertionError:\nFound no NVIDIA driver on your system."
    )
    assert "map_location='cpu'" in finding(ended).fix.text


def test_lightning_is_given_the_gpu_by_its_trainer():
    unused = gpuprobe.explain("torch 1.10\nGPU available: True, used: False").diagnosis.root
    assert unused is not None
    assert "Trainer(accelerator='gpu', devices=1)" in unused.finding.fix.text
    used = gpuprobe.explain("torch 1.10\nGPU available: True, used: True").diagnosis.root
    assert used is None

"""Lines by which programs show that they use the GPU, and their kin that show nothing."""

from __future__ import annotations

import pytest

from gpuprobe.facts.pasted.runs import programs_at_work
from gpuprobe.facts.pasted.text import Text


def shown(pasted: str) -> list[str]:
    return [key.name for key, _ in programs_at_work.read(Text(pasted))]


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("INFO # GPU blocks: 27894, # CPU blocks: 512", "framework.vllm.computed"),
        ("[gpu_worker.py:232] Available KV cache memory: 9.13 GiB", "framework.vllm.computed"),
        ("3 CUDA - Successfully computed forces", "framework.openmm.computed"),
        ("1 GPU selected for this run.", "framework.gromacs.sees_gpu"),
        (
            "TensorRT-managed allocation in engine deserialization: CPU +0, GPU +10, now: CPU 0",
            "framework.tensorrt.sees_gpu",
        ),
        (
            "CUDA memory pool is created on device 0 with size 67108864",
            "framework.triton-server.sees_gpu",
        ),
        ("CUDA-version: 10020 (10020), cuDNN: 7.6.5, GPU count: 1", "framework.darknet.sees_gpu"),
        ("| Targeted Stress           | Pass - All            |", "framework.dcgm.computed"),
        ("INFO  | Using HEVC encoder: nvcodec", "framework.wolf.sees_gpu"),
        (
            "Failed to allocate memory for convolution redzone checking; skipping this check.",
            "framework.tensorflow.sees_gpu",
        ),
        ("AMP: checks passed ✅", "framework.torch.computed"),
        ("[INFO] ** TORCH CUDA version installed and working. **", "framework.torch.sees_gpu"),
        (
            "W0903 torch/_inductor/utils.py:1436] Not enough SMs to use max_autotune_gemm mode",
            "framework.torch.sees_gpu",
        ),
        (
            "#  Rank  0 Group  0 Pid    127 on worker-0 device  0 [0x00] NVIDIA A10G",
            "framework.nccl-tests.sees_gpu",
        ),
        (
            "#   Rank  0 Pid   1234 on   node1 device  0 [0x07] NVIDIA A100-SXM4-40GB",
            "framework.nccl-tests.sees_gpu",
        ),
        (
            "CUDA device: GeForce GTX 260 (driver version 18250, compute capability 1.3, 896MB)",
            "framework.boinc.sees_gpu",
        ),
        ("[       OK ] CudaViewTest.CreateUpdateValues (946 ms)", "framework.googletest.computed"),
        ("&&&& PASSED TensorRT.trtexec [TensorRT v8503] # trtexec", "framework.tensorrt.computed"),
        ("[03/02/2023-16:41:55] [I] Throughput: 1184.6 qps", "framework.tensorrt.computed"),
        (
            'Device 0:  "NVIDIA GeForce GTX 1070"  8118Mb, sm_61, Driver/Runtime ver.11.70/11.70',
            "framework.opencv-python.sees_gpu",
        ),
    ],
)
def test_a_program_uses_the_gpu(line: str, fact: str):
    assert shown(line) == [fact]


@pytest.mark.parametrize(
    "line",
    [
        "INFO # GPU blocks: 0, # CPU blocks: 512",
        "[gpu_worker.py:232] Available KV cache memory: -1.20 GiB",
        "[cpu_worker.py:232] Available KV cache memory: 4.00 GiB",
        "No GPU selected for this run.",
        "The scheduler tells which GPUs were selected for this run.",
        "CUDA memory pool is created on device 0 with size 0",
        "CUDA-version: 0 (0), GPU count: 0",
        "| Targeted Stress           | Fail                  |",
        "| Permissions and OS Blocks | Pass                  |",
        "AMP: checks failed ❌",
        "INFO  | Using AV1 encoder: aom",
        "TORCH CUDA version not installed/working.",
        "# Rank of the matrix on device 0",
        "CUDA device: none (driver version 0, no device)",
        "[       OK ] CudaWithoutDevice.IsUnavailable (1 ms)",
        "[  FAILED  ] CudaViewTest.CreateUpdateValues (946 ms)",
        "&&&& FAILED TensorRT.trtexec [TensorRT v8503] # trtexec",
        # The web UI says so as well where it was told not to ask the GPU.
        "Applying xformers cross attention optimization.",
    ],
)
def test_what_is_like_it_shows_nothing(line: str):
    assert shown(line) == []

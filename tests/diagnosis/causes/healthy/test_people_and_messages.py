"""A set-up that works, told by bare messages and people."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import told


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "Total VRAM 16073 MB, total RAM 32000 MB\n"
                "Device: cuda:0 NVIDIA GeForce RTX 4060 Ti : cudaMallocAsync\n"
                "0.0 seconds (IMPORT FAILED): /x/custom_nodes/some"
            ),
            "healthy",
        ),
        ("Deterministic GPU implementation of Op not available.", "healthy"),
        ("Attached GPUs                             : 2", "healthy"),
        ("Attached GPUs                             : 0", "unknown"),
        (
            "CUDA Driver Version = 12.4, CUDA Runtime Version = 12.4, NumDevs = 1\nResult = PASS",
            "healthy",
        ),
        # A model lies on the GPU.
        (">>> next(net.parameters()).device\ndevice(type='cuda', index=0)\n", "healthy"),
        (">>> next(net.parameters()).is_cuda, 1\n(True, 1)\n", "healthy"),
        (">>> next(net.parameters()).device\ndevice(type='cpu')\n", "unknown"),
        (
            ">>> next(net.parameters()).is_cuda\nTrue\n>>> next(old.parameters()).is_cuda\nFalse\n",
            "unknown",
        ),
        # Somebody compares with what the CPU computes.
        ("The outputs of GPU prediction and prediction without GPU are different.\n", "healthy"),
        ("Are the outputs of GPU prediction and prediction without GPU different?\n", "unknown"),
        # A program that began with the GPU.
        ("1 GPU selected for this run.\n", "healthy"),
        ("building engine\n", "unknown"),
    ],
)
def test_a_gpu_at_work_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


def test_a_line_does_not_outweigh_what_fails():
    line = "train.py:12] devices: [CudaDevice(id=0)]\n"
    assert ruled(f"{line}E0102 CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure\n") != "healthy"


SAMPLE = """[Vector addition of 50000 elements]
CUDA kernel launch with 196 blocks of 256 threads
Copy output data from the CUDA device to the host memory
{end}
"""


def test_a_sample_compares_what_it_copied_back():
    assert ruled(SAMPLE.format(end="Test PASSED")) == "healthy"
    assert ruled(SAMPLE.format(end="Result verification failed at element 0!")) != "healthy"
    assert ruled("pytest: 12 passed\nTest PASSED\n") == "unknown"


LISTED = """GPU Device ID: {number}
GPU Name: NVIDIA GeForce RTX 4080
GPU compute capability: 8.9
CUDA driver version: 12.4
CUDA runtime version: 12.4
"""


@pytest.mark.parametrize(("number", "verdict"), [("0", "healthy"), ("?", "unknown")])
def test_a_benchmark_lists_the_devices_of_cuda(number: str, verdict: str):
    assert ruled(LISTED.format(number=number)) == verdict


@pytest.mark.parametrize(("share", "verdict"), [("31.40", "healthy"), ("0.07", "unknown")])
def test_a_share_of_the_peak_that_no_cpu_reaches_is_the_gpus(share: str, verdict: str):
    assert ruled(f"iter 120: loss nan, time 812.50ms, mfu {share}%") == verdict


def test_each_handle_is_of_one_gpu():
    pointer = "<py3nvml.py3nvml.LP_struct_c_nvmlDevice_t object at 0x7f1ea24903c0>"
    text = f"[{pointer}, {pointer}]\nc_nvmlMemory_t(total: 4230938624 B, free: 1 B, used: 2 B)\n"
    assert told(text)["nvml.device_count"] == 2


def test_what_is_harmless_says_nothing_of_a_mac() -> None:
    text = "System: macOS 12, Apple M1\nCould not identify NUMA node of platform GPU ID 0"
    assert ruled(text) == "unknown"


@pytest.mark.parametrize(
    "line",
    [
        "# Avg bus bandwidth    : 478.495",
        "0: # Avg bus bandwidth    : 478.495",
        "GPU 0: OK",
        "iteration 100/ 500000 | consumed samples: 800 | elapsed time per iteration (ms): 311.8 |",
    ],
)
def test_programs_tell_of_work_that_a_gpu_did(line: str):
    assert ruled(f"{line}\n") == "healthy"


@pytest.mark.parametrize(
    "line", ["# Avg bus bandwidth    : 0", "GPU 0: FAULTY", "iteration 100 of the loop"]
)
def test_and_of_work_that_it_did_not(line: str):
    assert ruled(f"{line}\n") == "unknown"


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("The sample code uses 20% of 1 GPU. With 8 each of them is used less.", "healthy"),
        ("My training only uses 30% of the GPU, how do I raise that?", "healthy"),
        ("GPU utilization is only around 40% while it trains. Why isn't it higher?", "healthy"),
        ("Copies take long: 15-20% of my GPU is used", "unknown"),
        ("It uses 0% of the GPU.", "unknown"),
        ("GPU usage is 30% and the CPU does all the work.", "unknown"),
        ("GPU utilization is 30% because it throttles.", "unknown"),
        ("The process uses 80% of the GPU memory.", "unknown"),
        ("It uses 30% of the GPU.\nThen the machine hangs, screen black.", "unknown"),
    ],
)
def test_a_gpu_that_is_used_in_part(said: str, verdict: str) -> None:
    assert ruled(f"torch 2.1.0, RTX 3090\n{said}\n") == verdict


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("The pipeline runs on the GPU wherever there is one, even with the CPU flag", "healthy"),
        ("It still uses the GPU, although I set the device to cpu", "healthy"),
        ("Although I asked for the CPU, it goes to the GPU", "healthy"),
        ("The pipeline runs on the GPU, even though the CPU has many cores", "unknown"),
        ("Even with the GPU flag set it runs on the CPU", "unknown"),
        ("It should use the GPU even if the CPU is chosen", "unknown"),
    ],
)
def test_a_gpu_in_use_where_the_cpu_was_asked_for(said: str, verdict: str) -> None:
    assert ruled(said) == verdict


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("Is this a reason to worry", "healthy"),
        ("Since the update the screen is black", "unknown"),
        ("Under the new kernel the same command prints nothing", "unknown"),
    ],
)
def test_what_is_harmless_does_not_outweigh_a_dark_screen(said: str, verdict: str) -> None:
    line = "[   13.557014] nvidia: module license 'NVIDIA' taints kernel."
    assert ruled(f"{said}\n{line}") == verdict

"""A set-up that works, as PyTorch and what stands on it tell of it."""

from __future__ import annotations

import pytest

from gpuprobe import explain
from support.cases import named, ruled
from support.pasted import told

AUTOTUNE = """AUTOTUNE mm(512x512, 512x512)
  {choice}_3 {took} ms 100.0%
  {choice}_1 {took} ms 97.1%
SingleProcess AUTOTUNE benchmarking takes 1.2 seconds
"""


@pytest.mark.parametrize(
    ("choice", "took", "verdict"),
    [
        ("triton_mm", "0.0412", "healthy"),
        ("triton_mm", "inf", "unknown"),
        ("cpp_packed_gemm", "0.0412", "unknown"),
    ],
)
def test_inductor_times_kernels_that_are_for_gpus(choice: str, took: str, verdict: str):
    assert ruled(AUTOTUNE.format(choice=choice, took=took)) == verdict


DEEPSPEED = """[INFO] [real_accelerator.py:1:get_accelerator] Setting ds_accelerator to {device}
epoch=0/micro_step=10/global_step=10, RunningAvgSamplesPerSec=5.1, CurrSamplesPerSec=5.2, \
MemAllocated={held}GB, MaxMemAllocated=9.5GB
"""


@pytest.mark.parametrize(
    ("device", "held", "verdict"),
    [
        ("cuda (auto detect)", "6.01", "healthy"),
        ("cuda", "0.0", "unknown"),
        ("cpu", "6.01", "unknown"),
    ],
)
def test_deepspeed_holds_memory_of_its_accelerator(device: str, held: str, verdict: str):
    assert ruled(DEEPSPEED.format(device=device, held=held)) == verdict


def test_stable_baselines_asks_torch():
    report = "- Stable-Baselines3: 2.3.2\n- PyTorch: 2.4.0+cu121\n- GPU Enabled: {}\n"
    assert ruled(report.format("True")) == "healthy"
    assert ruled(report.format("False")) != "healthy"
    assert ruled("some game\n- GPU Enabled: True\n") == "unknown"


@pytest.mark.parametrize(
    "pasted",
    [
        "Using torch device: NVIDIA GeForce RTX 4070",
        "INFO     Torch detected GPU: NVIDIA GeForce RTX 3060 VRAM 12288 Arch (8, 6) Cores 28",
        "GPU available: True (cuda), used: True",
        "- PyTorch version (GPU?): 2.5.1+cu124 (True)",
        "* CUDA:\n\t- GPU:\n\t\t- NVIDIA GeForce RTX 3080\n\t- available:         True",
        "PyTorch settings found: CUDA_VERSION=126, Highest Compute Capability: (8, 9).",
        "   \\\\   /|    Tesla T4. Num GPUs = 1. Max memory: 14.741 GB. Platform: Linux.",
    ],
)
def test_a_program_that_took_the_gpu_is_healthy(pasted: str) -> None:
    assert ruled(pasted) == "healthy"


COMPARED = """torch: 2.6.0+cu124
y = torch.linalg.det(x)
y_cuda = torch.linalg.det(x.to("cuda"))
{asked}
{gave}
"""


@pytest.mark.parametrize(
    ("asked", "gave", "verdict"),
    [
        ("print(torch.allclose(y.cpu(), y_cuda.cpu()))", "False", "healthy"),
        ("print(torch.allclose(y_cpu, y_cuda, atol=1e-3))  # True", "", "healthy"),
        ("print(torch.allclose(y, z))", "False", "unknown"),
        ("print(torch.allclose(y_cpu, z))  # not on cuda yet", "False", "unknown"),
        ("print(torch.allclose(y.cpu(), y_cuda.cpu()))", "Killed", "unknown"),
    ],
)
def test_results_of_both_devices_are_compared(asked: str, gave: str, verdict: str):
    assert ruled(COMPARED.format(asked=asked, gave=gave)) == verdict


CUT = (
    ">>> torch.cuda.is_available()\nTrue\n$ python detect.py\n"
    'Traceback (most recent call last):\n  File "detect.py", line 285, in <module>\n    main(opt)\n'
)


def test_of_a_traceback_without_its_error_nobody_knows_what_it_tells():
    report = explain(CUT)
    assert named(report) == "unknown"
    step = report.diagnosis.next_step
    assert step is not None
    assert "traceback ends before its error" in step.text


def test_of_a_traceback_with_its_error_one_does():
    assert ruled(CUT + "KeyError: 'names'") == "healthy"
    assert ruled(CUT.partition("Traceback")[0]) == "healthy"


SEES_IT = "torch.cuda.is_available(): True\n"


@pytest.mark.parametrize(
    "sentence",
    [
        "GPU utilization drops to 0% between epochs because of the dataloader",
        "GPU utilization is 30%, the data loader is the bottleneck",
        "The optimizer states are offloaded and run on the CPU.",
        "This option does not use GPU memory",
        "If the GPU is not used, set device to cuda",
        "The tokenizer may run on the CPU only",
    ],
)
def test_a_gpu_that_works_now_and_then_is_healthy(sentence: str) -> None:
    assert ruled(SEES_IT + sentence) == "healthy"


MMDET = "2020-12-09 15:01:04,808 - mmdet - INFO - Epoch [1][50/770]\tlr: 1.978e-03, time: 1.287, "


@pytest.mark.parametrize(
    ("memory", "cause"),
    [("memory: 9197, ", "healthy"), ("memory: 0, ", "unknown"), ("", "unknown")],
)
def test_mmdetection_tells_how_much_memory_its_model_takes(memory: str, cause: str):
    log = f"{MMDET}data_time: 0.073, {memory}loss_rpn_cls: 0.4559, loss: 2.4285"
    assert ruled(f"After training the test finds no object.\n{log}\n") == cause


BARS = """Loaded layout model s3://layout/2025_02_18 on device {} with dtype torch.float16
Recognizing layout: 100%|██████████| {}/2 [00:01<00:00,  1.53it/s]
"""


@pytest.mark.parametrize(
    ("device", "done", "cause"),
    [("cuda", 2, "healthy"), ("cuda:1", 2, "healthy"), ("cpu", 2, "unknown")],
)
def test_models_lie_on_cuda_and_pages_are_read(device: str, done: int, cause: str):
    assert ruled(BARS.format(device, done)) == cause


@pytest.mark.parametrize(
    ("cuda", "verdict"),
    [("10.0 / is available", "healthy"), ("10.0 / is not available", "driver-missing")],
)
def test_a_monitor_without_nvml_harms_no_framework(cuda: str, verdict: str):
    monitor = "pynvml.NVMLError_LibraryNotFound: NVML Shared Library Not Found\n"
    assert ruled(f"OS: Windows\n{monitor}torch cuda    : {cuda}\n") == verdict


def test_examples_of_transformers_tell_where_they_run():
    rank = "[INFO|parser.py:242] >> Process rank: 0, device: {}, n_gpu: {}, distributed training: x"
    assert ruled(rank.format("cuda:0", 1)) == "healthy"
    assert told(rank.format("cpu", 0))["framework.torch.sees_gpu"] is False
    assert told(rank.format("cpu", 1)).get("framework.torch.sees_gpu") is None


@pytest.mark.parametrize(
    ("answers", "cause"),
    [
        ("True\n12.1\nNVIDIA GeForce RTX 3060", "healthy"),
        ("True\n1\n12.1\nTesla T4", "healthy"),
        ("False\n12.1\nNVIDIA GeForce RTX 3060", "unknown"),
        ("True\n11.8\nNVIDIA GeForce RTX 3060", "unknown"),  # not of this torch
        ("True\n12.1", "unknown"),
    ],
)
def test_the_answers_of_a_script_alone(answers: str, cause: str) -> None:
    assert ruled(f"torch: 2.3.0+cu121\n\n{answers}\n") == cause

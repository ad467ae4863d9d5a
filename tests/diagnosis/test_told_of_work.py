"""What frameworks say of tensors, memory, compilers and layers; kin that say less name nothing."""

from __future__ import annotations

import pytest

from support.cases import ruled

LAYERS = "load_tensors: offloaded {}/33 layers to GPU\n"
DEVICES = "ggml_cuda_init: found 1 CUDA devices:\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (
            "ValueError: Pointer argument (at 0) cannot be accessed from Triton (cpu tensor?)",
            "user-code",
        ),
        ("RuntimeError: Expected object of backend CUDA but got backend CPU", "user-code"),
        ("    device=cpu (supported: {'cuda'})", "user-code"),
        ("torch.OutOfMemoryError: Allocation on device", "oom-workload"),
        (
            (
                "Allocation on device 0 would exceed allowed memory. (out of memory)\n"
                "Currently allocated     : 5.19 GiB\nRequested               : 20.00 MiB\n"
                "Device limit            : 6.00 GiB\nFree (according to CUDA): 0 bytes"
            ),
            "oom-workload",
        ),
        (
            "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.",
            "oom-workload",
        ),
        ("RuntimeError: Distributed package doesn't have NCCL built in", "nccl"),
        ("Using RTX 4000 series doesn't support faster communication broadband via P2P", "nccl"),
        ("[3] is setting up NCCL communicator and retrieving ncclUniqueId from [0]", "nccl"),
        ("RuntimeError: Not compiled with CUDA support", "extension-mismatch"),
        ("ImportError: cannot import name '_C' from 'detectron2'", "extension-mismatch"),
        (
            "ImportError: libc10_cuda.so: cannot open shared object file: No such file",
            "extension-mismatch",
        ),
        (
            'OSError: [WinError 127] Error loading "C:\\torchaudio\\libtorchaudio.pyd"',
            "extension-mismatch",
        ),
        (
            "cuda driver library failed to get device context 46time=2024-12-31T01:21:28",
            "device-busy",
        ),
        (
            (
                "My GPU is a 5090. CUDA error: no kernel image is available for execution on the"
                " device"
            ),
            "gpu-too-new",
        ),
        (
            (
                "GTX 750 Ti, torch 2.8.0+cu128\n"
                "CUDA error: no kernel image is available for execution on the device"
            ),
            "gpu-too-old",
        ),
        (
            (
                "pytorch   1.3.0   py3.7_cuda10.1.243_cudnn7.6.3_0   pytorch\n"
                "torch     1.2.0   pypi_0   pypi"
            ),
            "mixed-installs",
        ),
        ("You requested gpu: [0, 1]\n But your machine only has: [0]", "user-code"),
        ("RuntimeError: Failed to find C compiler. Please specify via CC.", "toolkit-missing"),
        ("error: Microsoft Visual C++ 14.0 or greater is required.", "toolkit-missing"),
        ("RuntimeError: mamba_ssm is only supported on CUDA 11.6 and above.", "toolkit-mismatch"),
        (
            "AttributeError: partially initialized module 'torchvision' has no attribute 'ops'",
            "extension-mismatch",
        ),
        (
            (
                "CUDA Error: no kernel image is available for execution on the device (209) "
                "/tmp/flashinfer-0.1.1/include/flashinfer/sampling.cuh: line 544"
            ),
            "extension-mismatch",
        ),
        (
            (
                "FileNotFoundError: Could not find module 'C:\\torch\\lib\\c10.dll' (or one of its "
                "dependencies)."
            ),
            "msvc-runtime-missing",
        ),
        (DEVICES + LAYERS.format(0), "silent-cpu-fallback"),
        ("CUDA error: PTX JIT compiler library not found", "driver-missing"),
        (
            "root@5f2d1c3a9b10:/x# nvidia-smi\nbash: nvidia-smi: command not found",
            "container-no-gpu",
        ),
        (
            "RuntimeError: No CUDA GPUs are available\nI run this on Google Colab",
            "no-nvidia-gpu",
        ),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "The Triton kernel took a cpu tensor and was happy",
        "RuntimeError: Allocation of the port failed",
        "mamba_ssm is supported on CUDA",
        "partially initialized module 'mymodule' has no attribute 'ops'",
        "unknown error (303) of CUDA",
        # Advice that a program prints of a loader's variable names no system.
        "Failed to find libfoo.so. Set LD_LIBRARY_PATH on Linux or DYLD_LIBRARY_PATH on Mac OS.",
        "see the notebook at colab.research.google.com for RuntimeError",
        "root@server:/x# nvidia-smi",
        "cannot import name '_C' from 'torch'",
        "a 5090 dollars box\nCUDA error: no kernel image is available for execution on the device",
        "cuda driver library failed to load",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"


def test_layers_on_the_gpu_are_healthy() -> None:
    assert ruled(DEVICES + LAYERS.format(33)) == "healthy"


SEES = "torch.cuda.is_available(): True\n"


@pytest.mark.parametrize(
    "sentence",
    [
        "When I train, GPU utilization stays at 0% and the CPU is at 100%.",
        "My model still runs on CPU, nvidia-smi shows no process",
        "The GPU is detected but not being used during training",
        "Task manager shows 0% GPU and 95% CPU",
        "The GPU isn't used when I train",
        "It does not use the GPU at all, only the processor",
        "The training is using CPU instead of the GPU",
        "训练时GPU利用率一直是0",
        "模型还是在CPU上运行",
    ],
)
def test_a_gpu_that_is_seen_and_said_to_idle_was_given_no_work(sentence: str) -> None:
    assert ruled(SEES + sentence) == "silent-cpu-fallback"


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
    assert ruled(SEES + sentence) == "healthy"


def test_a_gpu_that_no_framework_sees_was_not_just_left_idle() -> None:
    assert ruled("My training runs on CPU only, the GPU is not used") == "unknown"

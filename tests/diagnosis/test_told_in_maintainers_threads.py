"""What speech servers, builders, services and miners print, each beside what is close to it."""

from __future__ import annotations

import pytest

from support.cases import ruled

TORCH = "torch: 2.1.0+cu121\nGPU: NVIDIA A100\n"
OPENCV = (
    "cuDNN reports version 8201 which does not match with the version 8000 with which OpenCV was"
    " built"
)
WHISPER = "whisper_init_with_params_no_state: devices    = {}\n"
LOST_DRIVER = "nvidia-container-cli: initialization error: load library failed: libnvidia-ml.so.1\n"
TABLE = (
    "| NVIDIA-SMI 535.86.05    Driver Version: 535.86.05    CUDA Version: 12.2     |\n"
    "|   0  NVIDIA GeForce RTX 3090        Off | 00000000:01:00.0  On |                  N/A |\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('library=/usr/lib64/libcuda.so.460.106.00 error="symbol lookup for cuCtxCreate_v3 failed"',
         "driver-too-old"),
        ('library=/opt/libfoo.so error="symbol lookup for foo_open failed"', "unknown"),
        (TORCH + "no kernel image is available for execution on this device, below is my config",
         "extension-mismatch"),
        (TORCH + "A kernel image is available for execution", "unknown"),
        ("'CUDA is a stub library' error", "stub-library"),
        ("The stub library of CUDA is for linking", "unknown"),
        ("CUDA\n  (0) Resource exhausted: failed to allocate memory\n", "oom-workload"),
        ("CtxRetain: CUDA_ERROR_OUT_OF_MEMORY; total memory reported: 11711807488",
         "oom-other-process"),
        (OPENCV, "cudnn-mismatch"),
        ("GPU: RTX 3080\n" + WHISPER.format(1), "cpu-only-build"),
        ("GPU: RTX 3080\n" + WHISPER.format(2), "unknown"),
        (LOST_DRIVER, "driver-missing"),
        (TABLE + LOST_DRIVER, "container-no-gpu"),
        ("Please compile with -DSHERPA_ONNX_ENABLE_GPU=ON. Fallback to cpu!", "cpu-only-build"),
        ('starting container process caused "exec: \\"nvcc\\": executable file not found in $PATH"',
         "toolkit-missing"),
        ("All miners say: Compute Capability Not Supported.", "gpu-too-old"),
        ("Is its Compute Capability Not Supported?", "unknown"),
        ("GPU: NVIDIA A100\nMIG enabled\nMIG devices are missing when I use nvccli.", "mig"),
        ("cannot find image for module [.src/force/nonbonded.cu.] for device version 610",
         "gpu-too-new"),
        ("ValueError: Unsupported CUDA architecture: sm120", "gpu-too-new"),
        ("ValueError: Unsupported CUDA architecture: sm70", "gpu-too-old"),
        ("under load, the power for the card randomly drops down to 30W", "power-thermal"),
        ("when idle, the power for the card randomly drops down to 30W", "unknown"),
        ("As soon as a workload starts, the card stays in the P8 state", "power-thermal"),
        ("When nothing runs, the card stays in the P8 state", "unknown"),
    ],
)  # fmt: skip
def test_what_is_told(text: str, cause: str):
    assert ruled(text + "\n") == cause


CHECK = (
    "/bin/sh: 1: /usr/local/cuda/bin/nvcc: not found\nCUDA available: True\nGPU 0: NVIDIA H100\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (CHECK + "NVCC: Not Available\n", "unknown"),  # the report itself asked for it
        (CHECK, "toolkit-missing"),
    ],
)
def test_who_asked_for_nvcc(text: str, cause: str):
    assert ruled(text) == cause


PENDING = "Warning  FailedScheduling  4m  0/3 nodes are available: 3 Insufficient nvidia.com/gpu.\n"
SCHEDULED = "Normal   Scheduled  71s  Successfully assigned prod/ocr to node-1\n"
PLUGIN = "Detected non-NVML platform: could not load NVML library: libnvidia-ml.so.1: cannot open\n"
REGISTERED = "Registered device plugin for 'nvidia.com/gpu' with Kubelet\n"
BANNER = "WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.\n"
STEPS = "rank 0: NVIDIA A40, cuda 12.2\nstep 100 loss 7.92 11.8k tok/s\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (PENDING + SCHEDULED, "unknown"),
        (PENDING, "container-no-gpu"),
        (SCHEDULED + PENDING, "container-no-gpu"),  # of another pod
        (PENDING + "The other pods go through:\n" + SCHEDULED, "container-no-gpu"),
        (BANNER + STEPS, "unknown"),
        (BANNER, "container-no-gpu"),
        (STEPS + BANNER, "container-no-gpu"),
    ],
)
def test_what_a_cluster_had_not_yet(text: str, cause: str):
    assert ruled(text) == cause


def test_a_node_without_a_gpu_beside_one_with_it():
    assert ruled(PLUGIN) in ("container-no-gpu", "driver-missing")
    assert ruled(PLUGIN + REGISTERED) == "unknown"


@pytest.mark.parametrize(
    ("setting", "cause"),
    [
        ("CUDA_VISIBLE_DEVICES=-1", "hidden-by-visible-devices"),
        ("# CUDA_VISIBLE_DEVICES=-1", "unknown"),
        ('os.environ["CUDA_VISIBLE_DEVICES"] = "-1"', "hidden-by-visible-devices"),
        ('# os.environ["CUDA_VISIBLE_DEVICES"] = "-1"', "unknown"),
    ],
)
def test_a_setting_that_was_switched_off(setting: str, cause: str):
    seen = ruled(f"{setting}\nGPU: RTX 3080\n>>> torch.cuda.is_available()\nFalse\n")
    assert (seen == cause) if cause != "unknown" else (seen != "hidden-by-visible-devices")

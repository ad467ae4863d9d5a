"""What root gets and a user does not; and what programs do beside the GPU that they could use."""

from __future__ import annotations

import pytest

from support.cases import ruled

ASK = "python3 -c 'import torch; print(torch.cuda.is_available())'"
TWICE = "$ sudo {0}\n{1}\n$ {0}\n{2}\n"
QUERY = "$ {}./deviceQuery\nResult = {}\n"
PIPELINE = (
    "Hardware accelerator e.g. GPU is available in the environment, but no `device` argument is "
    "passed to the `Pipeline` object. Model will be on CPU."
)
SELECTED = "{:<26}{:<26}{}\n"
NONE = "your machine only has: []\nYou requested GPUs: [0]\n"
GRADIENT = "t = torch.ones(10{})\nmodel(t).sum().backward()\nprint(t.grad)\n"
OLD_NVCC = "nvcc fatal   : Unsupported gpu architecture 'compute_{}'\nGPU: {}\nCUDA: {}\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (TWICE.format(ASK, True, False), "device-nodes"),
        (TWICE.format("/home/user/venv/bin/" + ASK, True, False), "device-nodes"),
        (QUERY.format("", "FAIL") + QUERY.format("sudo ", "PASS"), "device-nodes"),
        ("is_available() is True when I run it with sudo, but False as a user", "device-nodes"),
        ("As root torch sees the GPU, as my own user it does not", "device-nodes"),
        ("nvidia-smi works as root. As abc, the user of the player, it fails", "device-nodes"),
        ("nvidia-smi works as root. As it is, the user interface fails", "unknown"),
        ("the nvidia kernel modules can no longer be loaded", "driver-not-loaded"),
        ("the nvidia kernel modules need no longer be loaded by hand", "unknown"),
        (
            'DGLError: Cannot assign node feature "h" on device cuda:0 to a graph on device cpu.',
            "user-code",
        ),
        ("# nvidia-smi and cuda only work with sudo\nNo CUDA GPUs are available", "device-nodes"),
        ("With `sudo python3` the GPU is listed, without sudo TensorFlow gets []", "device-nodes"),
        (PIPELINE, "silent-cpu-fallback"),
        (PIPELINE.removeprefix("Hardware accelerator e.g. "), "silent-cpu-fallback"),
        (NONE + SELECTED.format("_pytorch_select", "0.1", "cpu_0"), "cpu-only-build"),
        ("is_gpu_available(): False\n_tflow_select    2.3.0    mkl", "cpu-only-build"),
        ("torchvision::nms does not exist", "extension-mismatch"),
        (GRADIENT.format(", requires_grad=True).cuda("), "user-code"),
        ("ValueError: can't optimize a non-leaf Tensor", "user-code"),
        (OLD_NVCC.format(61, "GTX 1080", "7.5"), "gpu-too-new"),
        (OLD_NVCC.format(61, "GTX 1080", "13.0"), "gpu-too-old"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (TWICE.format(ASK, True, True), "healthy"),
        (TWICE.format(ASK, False, False), "unknown"),
        ("$ sudo pip install torch\n" + ASK + "\nTrue", "healthy"),
        ("You may need to run it with sudo if the GPU is not detected as a user", "unknown"),
        ("docker with the nvidia runtime only works with sudo", "unknown"),
        ("NVML works with sudo as well as without", "unknown"),
        (
            "torch.cuda.is_available(): True\n"
            + SELECTED.format("pytorch", "1.10.0", "py3.9_cuda11.3_cudnn8.2.0_0    pytorch")
            + SELECTED.format("_pytorch_select", "0.1", "cpu_0"),
            "healthy",
        ),
        ("is_gpu_available(): False\n_tflow_select    2.1.0    gpu", "unknown"),
        ("models/torchvision::nms is listed", "unknown"),
        (GRADIENT.format(", requires_grad=True, device='cuda'"), "unknown"),
    ],
)
def test_what_comes_near_is_left_alone(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause

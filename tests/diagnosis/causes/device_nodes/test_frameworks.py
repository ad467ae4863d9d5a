"""Device files that are missing or may not be opened, told by PyTorch and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

CLI = "nvidia-container-cli: {}: unknown"
NODES = """GPU: NVIDIA RTX A6000

CUDA Error CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected while calling init (cuInit)

$ python -c "import torch; print(torch.cuda.is_available())"
True
$ lsmod | grep -i nvidia
nvidia_uvm           2150400  64
nvidia              14409728  369 nvidia_uvm,nvidia_modeset
"""
ASK = "python3 -c 'import torch; print(torch.cuda.is_available())'"
TWICE = "$ sudo {0}\n{1}\n$ {0}\n{2}\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "failed call to cuInit: CUDA_ERROR_UNKNOWN: unknown error\nsince the "
                "laptop was suspended"
            ),
            "device-nodes",
        ),
        ("failed call to cuInit: UNKNOWN ERROR (999)", "device-nodes"),
        (CLI.format("initialization error: cuda error: unknown error"), "device-nodes"),
        ("unknown error (303) of CUDA", "unknown"),
        (
            (
                f"{NODES}$ ls -l /dev/nvidia*\nls: cannot access '/dev/nvidia*': No such file or "
                "directory"
            ),
            "device-nodes",
        ),
        (TWICE.format(ASK, True, False), "device-nodes"),
        (TWICE.format(ASK, True, True), "healthy"),
        (TWICE.format(ASK, False, False), "unknown"),
        ("$ sudo pip install torch\n" + ASK + "\nTrue", "healthy"),
        (TWICE.format("/home/user/venv/bin/" + ASK, True, False), "device-nodes"),
        ("As root torch sees the GPU, as my own user it does not", "device-nodes"),
        ("With `sudo python3` the GPU is listed, without sudo TensorFlow gets []", "device-nodes"),
        ("NVML works with sudo as well as without", "unknown"),
    ],
)
def test_device_files_that_are_missing_or_closed_are_told_from_their_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "The cuInit call returns 100 on machines without a GPU.\n",
    ],
)
def test_kin_of_device_files_that_are_missing_or_closed_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_a_module_that_lsmod_lists_runs_without_its_device_files() -> None:
    files = "$ ls -l /dev/nvidia*\nls: cannot access '/dev/nvidia*': No such file or directory\n"
    listed = "$ lsmod | grep nvidia\nnvidia              56717312  1 nvidia_uvm\n"
    failed = "CUDA error: no CUDA-capable device is detected\n"
    assert ruled(files + listed + failed) == "device-nodes"
    assert ruled(files + failed) == "driver-not-loaded"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("After every boot it is gone again until clinfo has been run once as root.", True),
        ("CUDA fails until some program on the host has used a card once.", True),
        (
            (
                "Once one of the samples has been run, Theano gets the card normally, until the"
                " next boot."
            ),
            True,
        ),
        ("Wait until the installer has been run once as root, then reboot.", False),
        ("The GPU waits until the script has been run.", False),
    ],
)
def test_gpu_that_is_reached_only_once_it_was_used(told: str, cause: bool) -> None:
    assert (ruled("GPU: GTX 1080\n" + told) == "device-nodes") is cause

"""A machine without an NVIDIA GPU, as PyTorch and what stands on it tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import title_and_fix


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("I'm using AMD hardware.\nCUDA error: No CUDA driver found\n", "no-nvidia-gpu"),
        ("OS: macOS 13.4\nAssertionError: Torch not compiled with CUDA enabled", "no-nvidia-gpu"),
        (
            "I use an M1 MacBook Pro.\nAssertionError: Torch not compiled with CUDA enabled",
            "no-nvidia-gpu",
        ),
        ("I have the M2 release of Maven", "unknown"),
        ("RuntimeError: Torch is not able to use GPU; add --skip-torch-cuda-test", "unknown"),
    ],
)
def test_a_machine_without_an_nvidia_gpu_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system. Please check that you have one\n"


@pytest.mark.parametrize(
    ("before", "cause"),
    [
        ('File "D:\\ai\\ComfyUI-Zluda\\execution.py", line 3, in run\n', "no-nvidia-gpu"),
        ("Launching Web UI with arguments: --use-directml --medvram\n", "no-nvidia-gpu"),
        ("Somebody recommended a build with --use-directml\n", "driver-missing"),
        (
            'GPU: RTX 3060\n  File "D:\\ai\\ComfyUI-Zluda\\execution.py", line 3, in run\n',
            "driver-missing",
        ),
        ("Cannot start the server on my AMD graphics card under Windows 11\n", "no-nvidia-gpu"),
        ("Cannot start the server on AMD hosts of our cluster\n", "driver-missing"),
        ("If it does not start on an AMD GPU with Windows, read this\n", "driver-missing"),
    ],
)
def test_a_program_for_other_makers_gpus_finds_no_driver(before: str, cause: str):
    assert ruled(before + NO_DRIVER) == cause


@pytest.mark.parametrize(
    ("machine", "cause"),
    [
        ("Win10, 8GB, AMD Radeon HD6450M", "no-nvidia-gpu"),
        ("Windows 11 + AMD7800XT", "no-nvidia-gpu"),
        ("Windows 11 + AMD 5800X", "unknown"),
        ("Win10, 8GB, GTX 1060, AMD Radeon HD6450M", "cpu-only-build"),
    ],
)
def test_a_list_of_parts_ends_with_a_card_of_amd(machine: str, cause: str):
    error = "Torch is not able to use GPU; add --skip-torch-cuda-test to COMMANDLINE_ARGS"
    assert ruled(f"{machine}\nRuntimeError: {error}\n") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("These nodes have no GPU attached.\n{}", "no-nvidia-gpu"),
        ("Machine: CPU-only nodes of a cluster\n{}", "no-nvidia-gpu"),
        ("These nodes have no GPU memory left.\n{}", "driver-not-loaded"),
    ],
)
def test_nodes_have_no_gpu(text: str, cause: str):
    assert ruled(text.format("CUDA Error: no CUDA-capable device is detected")) == cause


INTEL = "Graphics:  Device-1: Intel Skylake GT2 [HD Graphics 520] driver: i915 v: kernel\n"
NVIDIA = (
    "           Device-2: NVIDIA GP107M [GeForce GTX 1050 Mobile] driver: nvidia v: 470.57.02\n"
)
FRAME = '  File "options.py", line 130, in parse\n    torch.cuda.set_device(opt.gpu_ids[0])\n'


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (INTEL + FRAME, "no-nvidia-gpu"),
        (INTEL + "torch.cuda.is_available() False", "no-nvidia-gpu"),
        (INTEL, "unknown"),
        (INTEL + NVIDIA + FRAME, "unknown"),
        (INTEL + "I call torch.cuda.set_device(0) elsewhere", "unknown"),
    ],
)
def test_code_that_takes_a_gpu_fails_where_the_list_of_displays_has_none(
    pasted: str, cause: str
) -> None:
    assert ruled(pasted) == cause


COLAB = "Environment: Google Colab\n>>> torch.cuda.is_available()\nFalse\n"
TOO_OLD = (
    "RuntimeError: The NVIDIA driver on your system is too old (found version 10010). Please "
    "update your GPU driver"
)


def test_a_hosted_notebook_whose_driver_spoke_has_a_gpu():
    assert ruled(COLAB) == "no-nvidia-gpu"
    assert ruled(COLAB + TOO_OLD) == "driver-too-old"


NO_CUDA = "AssertionError: Torch not compiled with CUDA enabled"


def test_a_macbook_has_no_cuda():
    assert ruled(f"I installed it on my Macbook:\n{NO_CUDA}") == "no-nvidia-gpu"
    assert ruled(f"I installed it on my notebook:\n{NO_CUDA}") == "cpu-only-build"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ('  File "/Users/user/venv/torch/cuda/__init__.py", line 211, in _lazy_init', True),
        ("/Users/user/project/main.py:3: UserWarning: slow", True),
        ('  File "C:/Users/user/venv/torch/cuda/__init__.py", line 211, in _lazy_init', False),
        ("see C:/Users/user/main.py", False),
        ("my MacBook Pro with an M2", True),
        ("a Mac with 16 GB of memory and M2", True),
        ("I ssh from my MacBook with an M2 to the server", False),
        ("On my MacBook Pro M1 it works, on Ubuntu it fails", False),
        ("/Users/user/main.py:3: UserWarning: slow\nLinux 5.15 x86_64", False),
        ("apple-silicon", True),
        ("Platform: MacBook", True),
        ("an issue on mac", True),
        ("an issue on mac, and also elsewhere", True),
        ("the MAC address ends with M1", False),
        ("I also use a Mac with M1", False),
        ("It works on my Mac M1 but not on the Linux server", False),
    ],
)
def test_home_folders_and_chips_tell_of_a_mac(told: str, cause: bool):
    named = "no-nvidia-gpu" if cause else "cpu-only-build"
    assert ruled(f"{told}\n{NO_CUDA}\n") == named


INTELS = """Collecting environment information...
PyTorch version: 2.8.0+xpu
Is CUDA available: False
GPU models and configuration: {nvidia}
Intel GPU models onboard:
* {intel}
"""


@pytest.mark.parametrize(
    ("nvidia", "intel", "cause"),
    [
        ("No CUDA", "Intel(R) Arc(TM) A770 Graphics", "no-nvidia-gpu"),
        ("No CUDA", "N/A", "unknown"),
        ("GPU 0: NVIDIA GeForce RTX 3060", "Intel(R) UHD Graphics", "unknown"),
    ],
)
def test_torchs_report_lists_gpus_of_intels(nvidia: str, intel: str, cause: str):
    assert ruled(INTELS.format(nvidia=nvidia, intel=intel)) == cause


@pytest.mark.parametrize(
    ("mac", "served"),
    [("Mac M2", True), ("OS: macOS 13.4", True), ("OS: macOS 12.7\nArchitecture: x86_64", False)],
)
def test_a_mac_is_told_what_serves_apples_gpu(mac: str, *, served: bool):
    fix = title_and_fix(f"{mac}\ntorch.cuda.is_available() returns False")
    assert ("PyTorch itself (device mps)" in fix) is served

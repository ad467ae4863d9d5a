"""What the run time says of a driver where the only card is another maker's."""

from __future__ import annotations

import pytest

from support.cases import ruled

OLD = "driver-too-old"
MAC = "OSError: dlopen(libbitsandbytes_cuda.so, 0x0006): tried: 'libbitsandbytes_cuda.so' ({})\n"
BITSANDBYTES = (
    "UserWarning: The installed version of bitsandbytes was compiled without GPU support. "
)
TOO_OLD = "RuntimeError: CUDA driver version is insufficient for CUDA runtime version\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (TOO_OLD + "GPU: Radeon RX 580 Series", "no-nvidia-gpu"),
        (TOO_OLD, "driver-too-old"),
        (TOO_OLD + "GPU: GeForce GTX 1080", "driver-too-old"),
        (TOO_OLD + "GPU: Radeon RX 580 Series\nDriver Version: 470.86", "driver-too-old"),
        (TOO_OLD + "It was started on a PC without Nvidia graphic card", "no-nvidia-gpu"),
        (TOO_OLD + "Should it work on a computer without NVIDIA GPU? I have a GTX 1060", OLD),
        (MAC.format("not a mach-o file") + BITSANDBYTES, "no-nvidia-gpu"),
        (BITSANDBYTES, "extension-mismatch"),
    ],
)
def test_no_driver_is_told_from_an_old_one_by_the_card(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


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


HALF = "RuntimeError: \"slow_conv2d_cpu\" not implemented for 'Half'\n"
CONTAINER = "W dso_loader.cc:55] Could not load dynamic library 'libcuda.so.1'; dlerror: \
libcuda.so.1: cannot open shared object file: No such file or directory\n"


@pytest.mark.parametrize(
    ("told", "below", "cause"),
    [
        ("The PC has no separate graphics card.", HALF, "no-nvidia-gpu"),
        ("The server has no NVIDIA GPU.", HALF, "no-nvidia-gpu"),
        ("The PC has no separate GPU memory.", HALF, "unknown"),
        ("If the PC has no dedicated GPU, take a smaller model.", HALF, "unknown"),
        ("", HALF, "unknown"),
        ("The PC has no dedicated GPU.", "\"LayerNorm\" not implemented for 'Half'", "unknown"),
        ("The PC has no dedicated GPU.", ">>> tf.test.gpu_device_name()\n''\n", "no-nvidia-gpu"),
        ("Docker on a machine that has a CPU only", CONTAINER, "no-nvidia-gpu"),
        ("Docker on a machine that has only a CPU.", CONTAINER, "no-nvidia-gpu"),
        ("Docker on a machine that has a CPU only build", CONTAINER, "driver-missing"),
    ],
)
def test_a_machine_that_is_told_to_have_no_card(told: str, below: str, cause: str) -> None:
    assert ruled(f"{told}\n\n{below}") == cause

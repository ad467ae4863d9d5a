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

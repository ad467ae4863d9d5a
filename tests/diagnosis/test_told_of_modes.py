"""Compute modes, numbers of GPUs, heat and masks, as people and their programs tell of them."""

from __future__ import annotations

import pytest

from support.cases import ruled

INVALID = "CUDA_ERROR_INVALID_DEVICE (101) at CudaContext.cpp:167\n"
NO_DRIVER = "AssertionError: Found no NVIDIA driver on your system.\n"
SLOW = "step 10960, loss = 0.98 (9134.5 examples/sec; 0.014 sec/batch)\n"
SET = "I wrote os.environ['CUDA_VISIBLE_DEVICES'] = '{}' in main.py.\n"
COUNTED = "But torch.cuda.device_count() shows {}.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (INVALID + "Our GPUs are in compute exclusive mode.", "device-busy"),
        (INVALID + "The card is set to exclusive process mode here", "device-busy"),
        ("OpenMMException: Illegal value for DeviceIndex: 6", "user-code"),
        ("Device id must be less than GPU count, but received id is: 1. GPU count is: 1.",
         "user-code"),
        ("ValueError: Invalid CUDAPlace(1), must inside [0, 1)", "user-code"),
        ("error: invalid value for main_gpu: 1 (available devices: 1)", "user-code"),
        (SLOW + "Turned out the GPU got overheated and slows down.", "power-thermal"),
        (SLOW + "the reason was that our graphics card is throttling", "power-thermal"),
        (SET.format(0) + COUNTED.format(4), "visible-devices-too-late"),
        (SET.format("0,1") + COUNTED.format(4), "visible-devices-too-late"),
        (NO_DRIVER + "I run it on my system which does not have any gpu.", "no-nvidia-gpu"),
        (NO_DRIVER + "I run it on our cluster which has no GPU", "no-nvidia-gpu"),
        (NO_DRIVER + "I tried it on an Intel PC, without Nividia and CUDA.", "no-nvidia-gpu"),
        (NO_DRIVER + "I don't have an nvida graphics card", "no-nvidia-gpu"),
    ],
)  # fmt: skip
def test_cause_is_named(text: str, cause: str) -> None:
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (INVALID + "If the GPUs are in exclusive mode, use MPS.", "device-busy"),
        (INVALID + "Our GPUs are not in exclusive mode.", "device-busy"),
        ("OpenMMException: Illegal value for DeviceIndex: foo", "user-code"),
        ("ValueError: Invalid CUDAPlace(0), must inside [0, 0)", "user-code"),
        ("error: invalid value for main_gpu: 0 (available devices: 0)", "user-code"),
        (SLOW + "Maybe it is because the GPU is overheating?", "power-thermal"),
        (SLOW + "It turned out that the CPU is throttling.", "power-thermal"),
        (SET.format("0,1") + COUNTED.format(2), "visible-devices-too-late"),
        (SET.format(0) + "and device_count() shows 1.", "visible-devices-too-late"),
        (NO_DRIVER + "If your system does not have any gpu, use the CPU.", "no-nvidia-gpu"),
        (NO_DRIVER + "our cluster does not have any GPU memory left", "no-nvidia-gpu"),
        (NO_DRIVER + "a PC without Nvidia driver and CUDA", "no-nvidia-gpu"),
    ],
)  # fmt: skip
def test_what_only_sounds_alike_names_another_cause_or_none(text: str, cause: str) -> None:
    assert ruled(text) != cause

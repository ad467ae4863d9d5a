"""Which GPU a program was told to take, and what it says where that one is not there."""

from __future__ import annotations

import pytest

from support.cases import ruled

NONE_SEEN = "RuntimeError: No CUDA GPUs are available\n"
INVALID = (
    "ValueError: Invalid CUDA 'device=1' requested. Use 'device=cpu' or pass valid CUDA device(s)\n"
    "torch.cuda.is_available(): {seen}\ntorch.cuda.device_count(): {count}\n"
    "os.environ['CUDA_VISIBLE_DEVICES']: {visible}\n"
)
LATE = "RuntimeError: {} devices cannot be modified after being initialized"
OF_TRITON = "specifies invalid or unsupported gpu id 1. GPUs with at least the minimum are: {}"
LIST = "os.environ['CUDA_VISIBLE_DEVICES'] = '{}'\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (LIST.format("[0]") + NONE_SEEN, "hidden-by-visible-devices"),
        (LIST.format("[0, 1]") + NONE_SEEN, "hidden-by-visible-devices"),
        ("%env CUDA_VISIBLE_DEVICES -1\n" + NONE_SEEN, "hidden-by-visible-devices"),
        (INVALID.format(seen=False, count=0, visible=-1), "hidden-by-visible-devices"),
        (INVALID.format(seen=True, count=1, visible=None), "user-code"),
        (LATE.format("Visible"), "visible-devices-too-late"),
        (LATE.format("Physical"), "user-code"),
        (LATE.format("Virtual"), "user-code"),
        ("Invalid device ordinal value (1). Valid range is [0, 0].", "user-code"),
        (OF_TRITON.format("0"), "user-code"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        LIST.format("[0-3]") + NONE_SEEN,
        OF_TRITON.format("none"),
        LIST.format("[GPU]") + NONE_SEEN,
        INVALID.format(seen=False, count=0, visible=None),
    ],
)
def test_what_stands_for_another_value_hides_nothing(pasted: str) -> None:
    assert ruled(pasted) not in ("hidden-by-visible-devices", "user-code")

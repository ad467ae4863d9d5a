"""What may stand for a value of CUDA_VISIBLE_DEVICES."""

from __future__ import annotations

import pytest

from gpuprobe.device.groups import MigInstance
from gpuprobe.device.model import Device
from gpuprobe.visible.selection import Selection, value_of


@pytest.mark.parametrize(
    ("selection", "value"),
    [
        (0, "0"),
        ("1,0", "1,0"),
        ([2, 0], "2,0"),
        (("GPU-1", Device(0, uuid="GPU-2")), "GPU-1,GPU-2"),
        (MigInstance(0, uuid="MIG-1"), "MIG-1"),
        ({3}, "3"),
        (-1, "-1"),
        ("", "-1"),  # Windows cannot hold an empty value
        ([], "-1"),
        (iter([1]), "1"),
    ],
)
def test_selection_becomes_a_value(selection: Selection, value: str) -> None:
    assert value_of(selection) == value


@pytest.mark.parametrize("selection", [True, 1.0, None, [None], [[1]], [True], b"GPU-1", object()])
def test_other_types_are_refused(selection: object) -> None:
    with pytest.raises(TypeError):
        value_of(selection)  # type: ignore[arg-type]


@pytest.mark.parametrize("selection", [Device(0), "1\0", [MigInstance(1)]])
def test_what_cannot_be_named_is_refused(selection: Selection) -> None:
    with pytest.raises(ValueError, match=r"UUID|NUL"):
        value_of(selection)

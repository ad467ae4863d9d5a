"""What may stand for a value: a text, a number, a UUID, a device, or a list of these."""

from __future__ import annotations

from collections.abc import Iterable

from ..device.groups import MigInstance
from ..device.model import Device
from ..knowledge.visible_devices.entries import HIDE_ALL

One = int | str | Device | MigInstance
Selection = One | Iterable[One]


def value_of(selection: Selection) -> str:
    """The value of CUDA_VISIBLE_DEVICES that `selection` stands for; a text is one already.

    Raises:
        TypeError: It is none of these. Bytes, as old bindings of NVML give a UUID, are none.
        ValueError: A device without a UUID cannot be named, and a text with a NUL cannot be set.
    """
    if isinstance(selection, int | str | Device | MigInstance):
        return _entry(selection) or HIDE_ALL
    if isinstance(selection, bytes | bytearray) or not isinstance(selection, Iterable):
        raise TypeError(f"not a device, a number, a UUID or a list of these: {selection!r}")
    return ",".join(_entry(each) for each in selection) or HIDE_ALL


def _entry(one: One) -> str:
    if isinstance(one, bool) or not isinstance(one, int | str | Device | MigInstance):
        raise TypeError(f"not a device, a number or a UUID: {one!r}")
    if isinstance(one, Device | MigInstance):
        if one.uuid is None:
            raise ValueError(f"a device without a UUID cannot be named: {one}")
        return one.uuid
    text = str(one)
    if "\0" in text:
        raise ValueError("a variable cannot hold a NUL character")
    return text

"""How AMD's software reads these variables: by other rules; empty means the opposite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import entries
from .opinion import Opinion

if TYPE_CHECKING:
    from collections.abc import Sequence

_CLR = "ROCm/clr@f9f995c, rocclr/device/rocm/rocdevice.cpp"
_ROCR = "ROCm/ROCR-Runtime, amd_filter_device.cpp"


def hip(hip_value: str | None, cuda_value: str | None, uuids: Sequence[str]) -> Opinion:
    """HIP_VISIBLE_DEVICES, or CUDA_VISIBLE_DEVICES where that is unset or empty."""
    note = "an empty value shows all devices, a repetition is skipped"
    value = hip_value or cuda_value
    if not value:
        return Opinion("HIP", tuple(range(len(uuids))), note, _CLR, elsewhere=True)
    numbers: list[int] = []
    for entry in value.split(","):
        number = _hip_number(entry, uuids)
        if number is None:
            break
        if number not in numbers:
            numbers.append(number)
    return Opinion("HIP", tuple(numbers), note, _CLR, elsewhere=True)


def _hip_number(entry: str, uuids: Sequence[str]) -> int | None:
    """A number in its shortest form, or a part of a UUID."""
    if entry.startswith("GPU-"):
        return next((i for i, uuid in enumerate(uuids) if entry[4:] and entry[4:] in uuid), None)
    number = entries.number(entry)
    valid = number is not None and str(number) == entry and 0 <= number < len(uuids)
    return number if valid else None


def rocr(value: str | None, uuids: Sequence[str]) -> Opinion:
    """ROCR_VISIBLE_DEVICES, which filters before HIP counts."""
    note = "0x1 and 010 are 1 and 8, and a repetition ends the list"
    if value is None:
        return Opinion(
            "ROCR_VISIBLE_DEVICES", tuple(range(len(uuids))), note, _ROCR, elsewhere=True
        )
    numbers: list[int] = []
    for entry in value.split(","):
        number = _rocr_number(entry.strip().upper(), [uuid.upper() for uuid in uuids])
        if number is None or number in numbers:
            break
        numbers.append(number)
    return Opinion("ROCR_VISIBLE_DEVICES", tuple(numbers), note, _ROCR, elsewhere=True)


def _rocr_number(entry: str, uuids: Sequence[str]) -> int | None:
    if entry.startswith("GPU-"):
        found = [number for number, uuid in enumerate(uuids) if uuid.startswith(entry)]
        return found[0] if len(found) == 1 else None
    number = entries.number(entry, any_base=True)
    whole = number is not None and _is_one_number(entry)
    return number if whole and number is not None and 0 <= number < len(uuids) else None


def _is_one_number(entry: str) -> bool:
    """Nothing may follow the digits."""
    try:
        int(entry, 16 if "X" in entry else 10)
    except ValueError:
        return False
    return "_" not in entry and entry.isascii()

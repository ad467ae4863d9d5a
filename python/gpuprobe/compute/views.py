"""Views of a GPU's arrays: the same memory in another order, shape or part."""

from __future__ import annotations

from math import prod
from operator import index
from types import EllipsisType
from typing import TYPE_CHECKING

from .device_array import DeviceArray, compact

if TYPE_CHECKING:
    from typing import TypeAlias

    Slice: TypeAlias = slice[int | None, int | None, int | None]
    #: What stands between the brackets for one axis; None makes one of 1.
    Part: TypeAlias = int | Slice | EllipsisType | None


def seen_as(
    array: DeviceArray, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0
) -> DeviceArray:
    """The array's memory, from `offset` bytes behind its first element on, in another form."""
    return DeviceArray(
        shape=shape,
        strides=strides,
        dtype=array.dtype,
        device=array.device,
        stream=array.stream,
        address=0 if 0 in shape else array.address + offset,
        owner=array.owner,
        is_read_only=array.is_read_only,
    )


def transposed(array: DeviceArray) -> DeviceArray:
    """`DeviceArray.T`."""
    return seen_as(array, array.shape[::-1], array.strides[::-1])


def reshaped(array: DeviceArray, shape: tuple[int | tuple[int, ...], ...]) -> DeviceArray:
    """`DeviceArray.reshape`."""
    wanted = tuple(n for each in shape for n in (each if isinstance(each, tuple) else (each,)))
    known = prod(each for each in wanted if each != -1)
    if wanted.count(-1) == 1 and known > 0:
        wanted = tuple(array.size // known if each == -1 else each for each in wanted)
    if min(wanted, default=0) < 0 or prod(wanted) != array.size:
        raise ValueError(f"{array.size} elements of shape {array.shape} do not fit {wanted}")
    if array.size and array.strides != compact(array.shape, array.dtype):
        raise ValueError(f"the array has gaps (strides {array.strides}): reshape its copy()")
    return seen_as(array, wanted, compact(wanted, array.dtype))


def part_of(array: DeviceArray, key: Part | tuple[Part, ...]) -> DeviceArray:
    """`DeviceArray.__getitem__`."""
    axes = iter(zip(array.shape, array.strides, strict=True))
    shape: list[int] = []
    strides: list[int] = []
    offset = 0
    for part in _for_each_axis(array, key if isinstance(key, tuple) else (key,)):
        if part is None:
            shape.append(1)
            strides.append(0)
            continue
        extent, step = next(axes)
        if isinstance(part, slice):
            chosen = range(extent)[part]
            shape.append(len(chosen))
            strides.append(step * chosen.step if len(chosen) > 1 else step)
            offset += step * chosen.start
        elif -extent <= part < extent:
            offset += step * (part % extent)
        else:
            raise IndexError(f"{part} is beyond an axis of {extent} elements")
    return seen_as(array, tuple(shape), tuple(strides), offset)


def _for_each_axis(array: DeviceArray, key: tuple[Part, ...]) -> list[Slice | int | None]:
    """The key without its ellipsis."""
    given = sum(part is not None and part is not Ellipsis for part in key)
    if given > array.ndim or sum(part is Ellipsis for part in key) > 1:
        raise IndexError(f"{key} does not fit an array of shape {array.shape}")
    rest: list[Slice | int | None] = [slice(None)] * (array.ndim - given)
    whole: list[Slice | int | None] = []
    for part in key:
        if isinstance(part, EllipsisType):
            whole += rest
            rest = []
        elif part is None or isinstance(part, slice):
            whole.append(part)
        elif isinstance(part, bool) or not hasattr(part, "__index__"):
            raise TypeError(f"an axis is indexed by whole numbers and slices, not by {part!r}")
        else:
            whole.append(index(part))
    return whole + rest

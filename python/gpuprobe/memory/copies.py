"""Copies of what lies in the memory of this process on GPUs. Sizes and strides are bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .arenas import asked_of

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np

    #: Planes, rows in each, their width, pitch and height: compute/layout.py.
    Rows: TypeAlias = tuple[int, int, int, int, int]
    Array: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.generic[object]]]


def copy_in(device: int, address: int, array: Array, stream: int) -> None:
    """Copy a NumPy array without gaps to the device, in the order of the stream, and wait.

    Raises:
        DriverError: A call failed.
        RuntimeError: gpuprobe's memory is gone: the process ends, or is a fork.
    """
    asked_of(device, lambda arena: arena.copy_in(address, array, stream))


def copy_out(device: int, address: int, array: Array, stream: int) -> None:
    """Fill a NumPy array without gaps from the device, in the order of the stream, and wait.

    Raises:
        DriverError, RuntimeError: As `copy_in`.
    """
    asked_of(device, lambda arena: arena.copy_out(address, array, stream))


def copy_rows_out(device: int, address: int, array: Array, rows: Rows, stream: int) -> None:
    """Fill a NumPy array without gaps with rows that lie apart on the device, and wait.

    Raises:
        DriverError, RuntimeError: As `copy_in`.
    """
    asked_of(device, lambda arena: arena.copy_rows_out(address, array, rows, stream))


def copy_within(device: int, to: tuple[int, int], source: tuple[int, int], rows: Rows) -> None:
    """Put rows that lie apart end to end. Both ends: address, stream.

    Queued on the first stream, in the order of both; the host does not wait.

    Raises:
        DriverError, RuntimeError: As `copy_in`.
    """
    asked_of(device, lambda arena: arena.copy_within(*to, *source, rows))


def copy_across(to: tuple[int, int, int], source: tuple[int, int, int], size: int) -> None:
    """Copy from one GPU to another, and wait. Both ends: device, address, stream.

    Raises:
        DriverError, RuntimeError: As `copy_in`.
    """
    device, address, stream = to
    from_device, from_address, from_stream = source
    there = asked_of(from_device, lambda arena: arena)
    asked_of(
        device,
        lambda arena: arena.copy_across(address, stream, there, from_address, from_stream, size),
    )

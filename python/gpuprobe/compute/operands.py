"""What matmul and conv2d are given: all of it NumPy's, or all of it in the memory of one GPU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .arrays import check_array, require
from .device_array import DeviceArray

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from .arithmetic import Choice
    from .arrays import Array
    from .cuda_array import CudaExporter
    from .dlpack import Exporter

    #: What other libraries have in the memory of a GPU.
    Foreign: TypeAlias = Exporter | CudaExporter
    #: What can be computed with.
    Operand: TypeAlias = Array | DeviceArray | Foreign

_BORROWED_BY = ("__dlpack__", "__cuda_array_interface__")


@dataclass(frozen=True, slots=True)
class OnHost:
    """NumPy's arrays."""

    arrays: tuple[Array, ...]

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The name of each one's type."""
        return tuple(each.dtype.name for each in self.arrays)


@dataclass(frozen=True, slots=True)
class OnDevice:
    """Arrays in the memory of a GPU."""

    arrays: tuple[DeviceArray, ...]

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The name of each one's type."""
        return tuple(each.dtype for each in self.arrays)


def taken(call: str, named: Sequence[tuple[str, Operand]]) -> OnHost | OnDevice:
    """The operands. Arrays of other libraries are borrowed, which starts CUDA.

    Raises:
        BufferError: Another library's array is not in the memory of a CUDA device.
        ImportError: NumPy or the C core is missing.
        TypeError: One is no array, some are NumPy's and some not, or one has another byte order.
    """
    require(call)
    import numpy as np

    is_host = [isinstance(value, np.ndarray) for _, value in named]
    for name, value in named:
        _check(name, value)
    if all(is_host):
        return OnHost(tuple(_native(name, value) for name, value in named))
    if any(is_host):
        (host, _), (other, value) = (named[is_host.index(each)] for each in (True, False))
        raise TypeError(
            f"{call}: {host} is a numpy.ndarray, {other} a {type(value).__name__}; nothing is "
            "copied in silence: use gpuprobe.to_device(), or numpy()"
        )
    return OnDevice(tuple(_there(value) for _, value in named))


def _check(name: str, value: object) -> None:
    if not any(hasattr(value, each) for each in _BORROWED_BY):
        known = f"a numpy.ndarray, a gpuprobe.DeviceArray, or what has {' or '.join(_BORROWED_BY)}"
        raise TypeError(f"{name}: expected {known}, got {type(value)!r}")


def _native(name: str, value: object) -> Array:
    array = check_array(value, name)
    if not array.dtype.isnative:
        order = "use it in this machine's byte order"
        raise TypeError(f"{name}: {array.dtype!r} is not supported; {order}")
    return array


def _there(value: Operand) -> DeviceArray:
    if isinstance(value, DeviceArray):
        return value
    if hasattr(value, "__dlpack__"):
        from .dlpack import from_dlpack

        return from_dlpack(value)  # type: ignore[arg-type]  # it has __dlpack__
    from .cuda_array import from_cuda_array

    return from_cuda_array(value)


# -- the result ----------------------------------------------------------------------------------


def checked_out(
    call: str, arrays: tuple[Array, ...], out: object, shape: tuple[int, ...], choice: Choice
) -> Array:
    """`out`, into which the result of NumPy's arrays can be written.

    Raises:
        TypeError: It is no array of NumPy's, or of another type.
        ValueError: It has another shape, is read-only, or overlaps an input.
    """
    import numpy as np

    if not isinstance(out, np.ndarray):
        raise TypeError(
            f"{call}: out has to be a numpy.ndarray, as the inputs are, got {type(out)!r}"
        )
    if out.dtype.name != choice.dtype_name:
        raise TypeError(f"{call}: out is {out.dtype.name}, and the result {choice.dtype_name}")
    if out.shape != shape:
        raise ValueError(f"{call}: out has the shape {out.shape}, and the result {shape}")
    if not out.flags.writeable:
        raise ValueError(f"{call}: out is read-only")
    if any(np.may_share_memory(out, each) for each in arrays):
        raise ValueError(f"{call}: out shares memory with an input")
    return out

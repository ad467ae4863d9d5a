"""What matmul and conv2d are given: all of it NumPy's, or all of it in the memory of one GPU."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .arrays import check_array
from .device_array import SIZES, DeviceArray, compact
from .layout import reach_of

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
_OVERLAP = "shares memory with an input"


@dataclass(frozen=True, slots=True)
class OnHost:
    """NumPy's arrays, and the one for the result, if somebody has brought one."""

    arrays: tuple[Array, ...]
    out: Array | None = None

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The name of each one's type."""
        return tuple(each.dtype.name for each in self.arrays)


@dataclass(frozen=True, slots=True)
class OnDevice:
    """Arrays of one GPU, and the one for the result, if somebody has brought one."""

    arrays: tuple[DeviceArray, ...]
    device: int
    out: DeviceArray | None = None

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The name of each one's type."""
        return tuple(each.dtype for each in self.arrays)


def taken(call: str, named: Sequence[tuple[str, Operand]]) -> OnHost | OnDevice:
    """The operands. Arrays of other libraries are borrowed, which starts CUDA.

    Raises:
        BufferError: Another library's array is not in the memory of a CUDA device.
        TypeError: One is no array, some are NumPy's and some not, or one has another byte order.
        ValueError: They are on different GPUs.
    """
    import numpy as np

    there = [value for _, value in named if isinstance(value, DeviceArray)]
    if len(there) == len(named):
        return _on_one_gpu(call, named, tuple(there))
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
    return _on_one_gpu(call, named, tuple(_there(value) for _, value in named))


def _on_one_gpu(
    call: str, named: Sequence[tuple[str, Operand]], arrays: tuple[DeviceArray, ...]
) -> OnDevice:
    device = arrays[0].device
    if any(each.device != device for each in arrays):
        places = {each.device: name for each, (name, _) in zip(arrays, named, strict=True)}
        told = ", ".join(f"{name} is on GPU {device}" for device, name in places.items())
        raise ValueError(f"{call}: the arrays are not on the same GPU: {told}")
    return OnDevice(arrays, device)


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


def with_out(
    call: str,
    operands: OnHost | OnDevice,
    out: object,
    shape: tuple[int, ...],
    choice: Choice,
) -> OnHost | OnDevice:
    """The operands with `out`, into which the result can be written; None: there is none.

    Raises:
        TypeError: It is no array of the inputs' kind, or of another type.
        ValueError: It has another shape, gaps, is read-only, on another GPU, or overlaps an input.
    """
    import numpy as np

    if out is None:
        return operands
    if isinstance(out, np.ndarray) and isinstance(operands, OnHost):
        _check_form(call, out.dtype.name, out.shape, choice, shape)
        _refuse(call, _host_refusal(out, operands))
        return replace(operands, out=out)
    if isinstance(out, DeviceArray) and isinstance(operands, OnDevice):
        _check_form(call, out.dtype, out.shape, choice, shape)
        _refuse(call, _device_refusal(out, operands))
        return replace(operands, out=out)
    kind = "numpy.ndarray" if isinstance(operands, OnHost) else "gpuprobe.DeviceArray"
    raise TypeError(f"{call}: out has to be a {kind}, as the inputs are, got {type(out)!r}")


def _check_form(
    call: str, dtype: str, given: tuple[int, ...], choice: Choice, shape: tuple[int, ...]
) -> None:
    if dtype != choice.dtype_name:
        raise TypeError(f"{call}: out is {dtype}, and the result {choice.dtype_name}")
    if given != shape:
        raise ValueError(f"{call}: out has the shape {given}, and the result {shape}")


def _refuse(call: str, why: str | None) -> None:
    if why is not None:
        raise ValueError(f"{call}: out {why}")


def _host_refusal(out: Array, operands: OnHost) -> str | None:
    import numpy as np

    if not out.flags.writeable:
        return "is read-only"
    return _OVERLAP if any(np.may_share_memory(out, each) for each in operands.arrays) else None


def _device_refusal(out: DeviceArray, operands: OnDevice) -> str | None:
    if out.device != operands.device:
        return f"is on GPU {out.device}, and the inputs on GPU {operands.device}"
    if out.is_read_only:
        return "is read-only"
    if out.address % SIZES[out.dtype]:
        return f"lies at {out.address:#x}, no multiple of its elements' size"
    if _has_gaps(out):
        return f"has gaps, or another order: its strides are {out.strides}"
    return _OVERLAP if any(_meet(out, each) for each in operands.arrays) else None


def _has_gaps(array: DeviceArray) -> bool:
    """The stride of an axis of one element leads nowhere."""
    axes = zip(array.shape, array.strides, compact(array.shape, array.dtype), strict=True)
    return array.size > 0 and any(n > 1 and step != wanted for n, step, wanted in axes)


def _meet(one: DeviceArray, other: DeviceArray) -> bool:
    if one.size == 0 or other.size == 0:
        return False
    (first, end), (low, high) = _span(one), _span(other)
    return first < high and low < end


def _span(array: DeviceArray) -> tuple[int, int]:
    """The first address, and the one behind the last byte."""
    before, behind = reach_of(array.shape, array.strides, SIZES[array.dtype])
    return array.address - before, array.address + behind

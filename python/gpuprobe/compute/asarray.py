"""Whatever holds numbers, as an array of a GPU."""

from __future__ import annotations

from .arrays import require
from .cuda_array import from_cuda_array
from .device_array import DeviceArray, to_device
from .dlpack import from_dlpack
from .place import gpu_of

#: DLPack's kinds of device whose memory NumPy reads: the host's, and what CUDA has pinned of it.
_OF_THE_HOST = (1, 3)


def asarray(array: object, device: object = None) -> DeviceArray:
    """An array of a GPU, without a copy where it is there already.

    Args:
        array: A `DeviceArray`, which is returned itself; an array of torch, CuPy, JAX, Numba or
            another library with DLPack or `__cuda_array_interface__`, which is borrowed where it is
            on a GPU, and copied where it is on the host; or what `numpy.asarray` takes.
        device: CUDA's ordinal, a UUID or a `gpuprobe.Device`; None: where it is, and the current
            one for what is on the host.

    Raises:
        BufferError: The other library's array cannot be lent, or is in another kind of memory.
        GpuUnavailable: There is no usable GPU.
        ImportError: NumPy or the C core is missing.
        OutOfMemory: There is not so much memory left.
        TypeError: It holds none of the types of `DeviceArray`, or `device` names no GPU.
        ValueError: There is no such GPU.
    """
    require("asarray")
    import numpy as np

    named = None if device is None else gpu_of("asarray", device)
    there = _on_a_gpu(array)
    if there is None:
        return to_device(np.asanyarray(array), named)
    return there if named in (None, there.device) else to_device(there, named)


def _on_a_gpu(array: object) -> DeviceArray | None:
    """The array itself, or borrowed; None: it is on the host."""
    import numpy as np

    if isinstance(array, DeviceArray):
        return array
    if isinstance(array, np.ndarray):
        return None
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        kind, _ = array.__dlpack_device__()
        return None if kind in _OF_THE_HOST else from_dlpack(array)
    if hasattr(array, "__cuda_array_interface__"):
        return from_cuda_array(array)
    return None

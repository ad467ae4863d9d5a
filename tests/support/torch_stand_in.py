"""A module that stands for torch where a benchmark measures beside it: the names that it calls.

It computes with gpuprobe's own kernels. TF32 has to be switched as the benchmark says: where it is
on, float32 is computed with inputs that were rounded to TF32, so that a proof finds it out.
"""

from __future__ import annotations

from types import SimpleNamespace

import gpuprobe
from gpuprobe.compute.device_array import empty as device_empty
from support.arrays import as_tf32

__version__ = "9.9.9+stand.in"
int8 = "int8"
version = SimpleNamespace(cuda="13.0")
backends = SimpleNamespace(
    cuda=SimpleNamespace(matmul=SimpleNamespace(fp32_precision="none")),
    cudnn=SimpleNamespace(
        conv=SimpleNamespace(fp32_precision="none"), benchmark=False, version=lambda: 91900
    ),
)


class Tensor:
    """An array, and how its axes are named."""

    def __init__(self, array: gpuprobe.DeviceArray, layout: str = "NCHW") -> None:
        self.array, self.layout = array, layout

    def permute(self, *axes: int) -> Tensor:
        return Tensor(self.array, "NHWC" if axes == (0, 3, 1, 2) else "NCHW")

    def __dlpack__(self, **more: object) -> object:
        return self.array.__dlpack__(**more)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


def from_dlpack(array: gpuprobe.DeviceArray) -> Tensor:
    return Tensor(array)


def _rounded(tensors: tuple[Tensor, Tensor], precision: str) -> tuple[gpuprobe.DeviceArray, ...]:
    arrays = tuple(each.array for each in tensors)
    if precision != "tf32" or arrays[0].dtype != "float32":
        return arrays
    return tuple(gpuprobe.to_device(as_tf32(each.numpy())) for each in arrays)


def matmul(a: Tensor, b: Tensor, out: Tensor) -> Tensor:
    inputs = _rounded((a, b), backends.cuda.matmul.fp32_precision)
    gpuprobe.matmul(*inputs, out=out.array, backend="native")
    return out


def _int_mm(a: Tensor, b: Tensor, out: Tensor) -> Tensor:
    if a.array.shape[0] <= 16:
        raise RuntimeError("self.size(0) needs to be greater than 16\nand more words")
    return matmul(a, b, out)


def conv2d(x: Tensor, w: Tensor, *, stride: int, padding: int) -> Tensor:
    inputs = _rounded((x, w), backends.cudnn.conv.fp32_precision)
    more = {"stride": stride, "padding": padding, "layout": x.layout, "backend": "native"}
    return Tensor(gpuprobe.conv2d(*inputs, **more), x.layout)


def device(kind: str, number: int) -> tuple[str, int]:
    return kind, number


def empty(size: int, *, dtype: str, device: tuple[str, int]) -> Tensor:
    assert device == ("cuda", 0)
    return Tensor(device_empty((size,), dtype, 0, cuda.stream))


nn = SimpleNamespace(functional=SimpleNamespace(conv2d=conv2d))
cuda = SimpleNamespace(
    stream=0,
    is_available=lambda: True,
    ExternalStream=lambda handle: handle,
    default_stream=lambda: 0,
    set_stream=lambda handle: setattr(cuda, "stream", handle),
    synchronize=gpuprobe.cuda.synchronize,
    empty_cache=gpuprobe.cuda.empty_cache,
    reset_peak_memory_stats=gpuprobe.cuda.reset_peak_memory_stats,
    max_memory_reserved=gpuprobe.cuda.max_memory_reserved,
)

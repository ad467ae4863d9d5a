"""Matrix products by each back end beside torch's, on arrays that are on the GPU before.

Each result is proved before it is timed, torch's too. benchmarks/gpu_timing.py says how. FLOP are
2 m n k, of each product of a batch. TF32 is compared with torch's TF32, float32 with torch's TF32
off. Of int8 torch has no other product than torch._int_mm; the second matrix lies by columns, as
cuBLAS wants it.

    python -m benchmarks.matmul [--sizes 64,16x8192x8192,64x512x512x512] [--dtypes float16,tf32]
        [--backends cublas] [--rounds N] [--minutes M] [--json FILE] [--quick | --fake]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import gpuprobe
from gpuprobe.compute.views import seen_as

from .gpu_arrays import KINDS, numbers, spoilt
from .gpu_run import Plan, finished, measured, parser_of, started
from .gpu_timing import TORCH, Case, Contestant
from .torch_side import asked, torch_here, use_arithmetic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from gpuprobe import DeviceArray
    from gpuprobe.compute.arrays import Array

    from .gpu_arrays import Kind

BACKENDS = ("cublas", "native", TORCH)
SQUARES = (64, 128, 256, 512, 1024, 2048, 4096, 8192)
#: Few rows, few columns, a short sum; many products at once.
OTHERS = ("1x8192x8192", "16x8192x8192", "8192x8192x16", "8192x16x8192", "64x512x512x512")
SIZES = ",".join((*map(str, SQUARES), *OTHERS))
TINY = ("--sizes", "16,16x48x32,2x16x32x16")
_SQUARE, _MATRICES, _BATCH = 1, 3, 4  # numbers in a size


@dataclass(frozen=True, slots=True)
class Size:
    """(m, k) times (k, n), `batch` times; None: one, without an axis for it."""

    m: int
    k: int
    n: int
    batch: int | None = None

    @classmethod
    def of(cls, text: str) -> Size:
        """``512``: a square; ``m x k x n``; ``batch x m x k x n``."""
        try:
            parts = [int(part) for part in text.split("x")]
        except ValueError:
            parts = []
        if len(parts) == _SQUARE:
            parts *= _MATRICES
        if len(parts) not in (_MATRICES, _BATCH) or min(parts) < 1:
            raise argparse.ArgumentTypeError(f"{text}: expected N, MxKxN or BATCHxMxKxN")
        *batch, m, k, n = parts
        return cls(m, k, n, batch[0] if batch else None)

    def __str__(self) -> str:
        batch = "" if self.batch is None else f"{self.batch} x "
        return f"{batch}{self.m} x {self.k} x {self.n}"

    @property
    def flop(self) -> int:
        """Multiplications and additions."""
        return 2 * self.m * self.n * self.k * (self.batch or 1)

    def shape(self, rows: int, columns: int) -> tuple[int, ...]:
        """Of one of the arrays."""
        return (rows, columns) if self.batch is None else (self.batch, rows, columns)


@dataclass(frozen=True, slots=True)
class Arrays:
    """The inputs, here and there."""

    a: Array
    b: Array
    a_there: DeviceArray
    b_there: DeviceArray

    @classmethod
    def of(cls, size: Size, kind: Kind) -> Arrays:
        """Numbers of chance; of int8 the second matrix lies by columns."""
        random = np.random.default_rng(1)
        a = numbers(random, size.shape(size.m, size.k), kind.dtype)
        if kind.dtype != "int8":
            b = numbers(random, size.shape(size.k, size.n), kind.dtype)
            return cls(a, b, gpuprobe.to_device(a), gpuprobe.to_device(b))
        turned = numbers(random, size.shape(size.n, size.k), kind.dtype)
        there = gpuprobe.to_device(turned)
        *stack, rows, columns = there.strides
        b = turned.swapaxes(-1, -2)
        by_columns = seen_as(there, b.shape, (*stack, columns, rows))
        return cls(a, b, gpuprobe.to_device(a), by_columns)


def case_of(size: Size, name: str, backends: Sequence[str]) -> Case:
    """One product of all who take part; the arrays are made here."""
    kind = KINDS[name]
    arrays = Arrays.of(size, kind)
    shape = size.shape(size.m, size.n)
    contestants = [
        ours(arrays, spoilt(shape, kind.result), kind, by) for by in backends if by != TORCH
    ]
    torch = torch_here().module
    if TORCH in backends and torch is not None:
        contestants.append(torchs(arrays, spoilt(shape, kind.result), kind, torch))
    return Case(
        name=str(size),
        kind=name,
        flop=size.flop,
        array_bytes=kind.array_bytes(arrays.a.shape, arrays.b.shape, result=shape),
        contestants=contestants,
        prove=lambda c: gpuprobe.prove_matmul(arrays.a, arrays.b, c, compute=kind.compute, seed=1),
    )


def ours(arrays: Arrays, out: DeviceArray, kind: Kind, backend: str) -> Contestant:
    """`gpuprobe.matmul` by one back end."""
    product = partial(
        gpuprobe.matmul,
        *(arrays.a_there, arrays.b_there),
        compute=kind.compute,
        backend=backend,
        out=out,
    )

    def result() -> tuple[Array, str | None]:
        computed, info = product(info=True)
        return computed.numpy(), info.algorithm

    return Contestant(backend, product, result)


def torchs(arrays: Arrays, out: DeviceArray, kind: Kind, torch: ModuleType) -> Contestant:
    """The product by torch, on the same memory."""
    a, b, c = (torch.from_dlpack(each) for each in (arrays.a_there, arrays.b_there, out))
    function = torch._int_mm if kind.dtype == "int8" else torch.matmul  # noqa: SLF001  no other
    product = partial(function, a, b, out=c)

    def result() -> tuple[Array, str | None]:
        use_arithmetic(torch, is_tf32=kind.is_tf32)
        asked(product)
        return out.numpy(), None

    return Contestant(TORCH, product, result)


def plans(options: argparse.Namespace) -> Iterator[Plan]:
    """All types, each in all sizes."""
    for kind in options.dtypes:
        for size in options.sizes:
            yield Plan(f"{kind} {size}", partial(case_of, size, kind, options.backends))


def _sizes(text: str) -> tuple[Size, ...]:
    return tuple(map(Size.of, text.split(",")))


def work(options: argparse.Namespace) -> int:
    """Measure and print."""
    return finished(measured("matmul", plans(options), options), options)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1: a result is wrong, 2: there is no usable GPU."""
    parser = parser_of("matmul", str(__doc__), tuple(KINDS), BACKENDS)
    parser.add_argument("--sizes", type=_sizes, default=_sizes(SIZES), help=f"default: {SIZES}")
    return started("matmul", TINY, work, parser, arguments)


if __name__ == "__main__":
    raise SystemExit(main())

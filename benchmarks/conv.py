"""ResNet-50's convolutions by each back end beside torch's, on arrays that are on the GPU before.

Each result is proved before it is timed, torch's too. benchmarks/gpu_timing.py says how. Layouts
are those of memory: NHWC is torch's channels_last. TF32 is compared with torch's TF32, float32 with
torch's TF32 off. torch keeps its default of cudnn.benchmark: the result says which. Each call makes
its result in new memory, as torch offers nothing else.

    python -m benchmarks.conv [--batch 32] [--layers 23] [--layouts NHWC] [--dtypes float16,tf32]
        [--backends cudnn] [--rounds N] [--minutes M] [--json FILE] [--quick | --fake]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

import gpuprobe

from .gpu_arrays import KINDS, numbers, spoilt
from .gpu_run import Plan, finished, measured, parser_of, started
from .gpu_timing import TORCH, Case, Contestant
from .resnet50 import distinct
from .torch_side import asked, torch_here, use_arithmetic

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from gpuprobe import DeviceArray
    from gpuprobe.compute.arrays import Array

    from .gpu_arrays import Kind
    from .gpu_timing import Row
    from .resnet50 import Layer

BACKENDS = ("cudnn", "native", TORCH)
DTYPES = ("float32", "tf32", "float16", "bfloat16")
LAYOUTS = ("NCHW", "NHWC")
BATCH = 32
#: One small image, and the first of the layers.
TINY = ("--batch", "1", "--layers", "2", "--shrink", "28")
_NHWC_TO_NCHW, _NCHW_TO_NHWC = (0, 3, 1, 2), (0, 2, 3, 1)


@dataclass(frozen=True, slots=True)
class Problem:
    """A layer on so many images, in one layout and arithmetic."""

    layer: Layer
    images: int
    layout: str
    kind: Kind

    def shape(self, first: int, channels: int, size: int) -> tuple[int, int, int, int]:
        """Of images, filters or a result, in the layout."""
        if self.layout == "NCHW":
            return first, channels, size, size
        return first, size, size, channels

    @property
    def shapes(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Of the images, the filters and the result."""
        layer = self.layer
        return (
            self.shape(self.images, layer.channels, layer.size),
            self.shape(layer.filters, layer.channels, layer.taps),
            self.shape(self.images, layer.filters, layer.result_size),
        )


@dataclass(frozen=True, slots=True)
class Arrays:
    """The images and the filters, here and there."""

    x: Array
    w: Array
    x_there: DeviceArray
    w_there: DeviceArray

    @classmethod
    def of(cls, problem: Problem) -> Arrays:
        """Numbers of chance."""
        random = np.random.default_rng(1)
        x, w = (numbers(random, shape, problem.kind.dtype) for shape in problem.shapes[:2])
        return cls(x, w, gpuprobe.to_device(x), gpuprobe.to_device(w))


def case_of(problem: Problem, name: str, count: int, backends: Sequence[str]) -> Case:
    """One convolution of all who take part; the arrays are made here."""
    arrays = Arrays.of(problem)
    layer, kind = problem.layer, problem.kind
    contestants = [ours(arrays, problem, by) for by in backends if by != TORCH]
    torch = torch_here().module
    if TORCH in backends and torch is not None:
        contestants.append(torchs(arrays, problem, torch))
    x, w, y = problem.shapes
    prove = partial(
        gpuprobe.prove_conv2d,
        *(arrays.x, arrays.w),
        stride=layer.stride,
        padding=layer.padding,
        layout=problem.layout,
        compute=kind.compute,
        seed=1,
    )
    return Case(
        name=str(layer),
        kind=f"{name} {problem.layout}",
        flop=layer.flop(problem.images),
        array_bytes=kind.array_bytes(x, w, result=y),
        contestants=contestants,
        prove=prove,
        weight=count,
    )


def ours(arrays: Arrays, problem: Problem, backend: str) -> Contestant:
    """`gpuprobe.conv2d` by one back end."""
    layer, kind = problem.layer, problem.kind
    convolution = partial(
        gpuprobe.conv2d,
        *(arrays.x_there, arrays.w_there),
        stride=layer.stride,
        padding=layer.padding,
        layout=problem.layout,
        compute=kind.compute,
        backend=backend,
    )

    def result() -> tuple[Array, str | None]:
        computed, info = convolution(out=spoilt(problem.shapes[2], kind.result), info=True)
        return computed.numpy(), info.algorithm

    return Contestant(backend, convolution, result)


def torchs(arrays: Arrays, problem: Problem, torch: ModuleType) -> Contestant:
    """The convolution by torch, on the same memory."""
    x, w = (torch.from_dlpack(each) for each in (arrays.x_there, arrays.w_there))
    if problem.layout == "NHWC":
        x, w = (each.permute(*_NHWC_TO_NCHW) for each in (x, w))
    layer = problem.layer
    convolution = partial(
        torch.nn.functional.conv2d, x, w, stride=layer.stride, padding=layer.padding
    )

    def result() -> tuple[Array, str | None]:
        use_arithmetic(torch, is_tf32=problem.kind.is_tf32)
        computed = asked(convolution)
        if problem.layout == "NHWC":
            computed = computed.permute(*_NCHW_TO_NHWC)
        return gpuprobe.from_dlpack(computed).numpy(), None

    return Contestant(TORCH, convolution, result)


def plans(options: argparse.Namespace) -> Iterator[Plan]:
    """All types and layouts, each with all layers."""
    chosen = islice(distinct().items(), options.layers)
    every = [
        (replace(layer, size=max(1, layer.size // options.shrink)), count)
        for layer, count in chosen
    ]
    for name in options.dtypes:
        for layout in options.layouts:
            for layer, count in every:
                problem = Problem(layer, options.batch, layout, KINDS[name])
                make = partial(case_of, problem, name, count, options.backends)
                yield Plan(f"{name} {layout} {layer}", make)


def totals(rows: Sequence[Row]) -> Iterator[str]:
    """What all convolutions of the network take together, of each type and layout."""
    for kind in dict.fromkeys(row.kind for row in rows):
        of_kind = [row for row in rows if row.kind == kind]
        sums: dict[str, float] = {}
        counts: dict[str, int] = {}
        for row in of_kind:
            for each in row.timed:
                sums[each.by] = sums.get(each.by, 0) + row.weight * each.device_s.median
                counts[each.by] = counts.get(each.by, 0) + row.weight
        for by, seconds in sums.items():
            ratio = ""
            if counts.get(TORCH) == counts[by]:
                ratio = f", {sums[TORCH] / seconds:.3f} x torch's speed"
            yield f"{kind}: {counts[by]} convolutions by {by}: {seconds * 1e3:.3f} ms{ratio}"


def work(options: argparse.Namespace) -> int:
    """Measure and print."""
    found = measured("conv", plans(options), options)
    return finished(found, options, tuple(totals(found.rows)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1: a result is wrong, 2: there is no usable GPU."""
    parser = parser_of("conv", str(__doc__), DTYPES, BACKENDS)
    parser.add_list("--layouts", LAYOUTS)
    parser.add_argument("--batch", type=int, default=BATCH, help=f"images; default: {BATCH}")
    parser.add_argument("--layers", type=int, help="only so many of the distinct ones")
    parser.add_argument("--shrink", type=int, default=1, help="images by this factor; default: 1")
    return started("conv", TINY, work, parser, arguments)


if __name__ == "__main__":
    raise SystemExit(main())

"""The ladder on a back end: each kind of arithmetic, on numbers that chance gives, proved.

Whole numbers show every wrong bit; numbers that have to be rounded show the arithmetic. Each result
is computed twice and has to have the same bits. After the first wrong step no other is run.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from .arithmetic import ROWS
from .arrays import dtype_of
from .convolution import conv2d
from .convolution_proof import prove_conv2d
from .place import CPU
from .product import matmul
from .product_proof import prove_matmul
from .verification import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np

    from .arrays import Array
    from .proof import Proof

#: Odd sizes and primes, so that no tile of any kernel fits.
_M, _K, _N = 67, 97, 89
_IMAGES, _FILTERS = (2, 6, 13, 11), (8, 3, 3, 2)
_STRIDE, _PADDING, _GROUPS = (1, 2), ((1, 0), (2, 1)), 2
#: Whole numbers up to this are exact in every type, float8_e5m2 too.
_LARGEST = 8


class Backend(Protocol):
    """Who computes. What it gives is proved, whoever it is."""

    def matmul(self, a: Array, b: Array, compute: str, out_dtype: str) -> Array:
        """The product."""

    def conv2d(self, x: Array, w: Array, bias: Array, compute: str, out_dtype: str) -> Array:
        """The convolution, with the ladder's stride, padding and groups."""


class Reference:
    """The plain C of this package, on the CPU."""

    def matmul(self, a: Array, b: Array, compute: str, out_dtype: str) -> Array:
        """See `Backend`."""
        return matmul(a, b, compute=compute, out_dtype=out_dtype, device=CPU)

    def conv2d(self, x: Array, w: Array, bias: Array, compute: str, out_dtype: str) -> Array:
        """See `Backend`."""
        return conv2d(
            *(x, w, bias),
            stride=_STRIDE,
            padding=_PADDING,
            groups=_GROUPS,
            compute=compute,
            out_dtype=out_dtype,
            device=CPU,
        )


@dataclass(frozen=True, slots=True)
class _Rung:
    """One arithmetic of one call."""

    call: str
    dtype: str
    compute: str

    @property
    def name(self) -> str:
        """``matmul float32``, ``conv2d float32 as tf32``."""
        usual = ROWS[self.call][self.dtype].computes[0]
        return f"{self.call} {self.dtype}" + (
            "" if self.compute == usual else f" as {self.compute}"
        )

    @property
    def size(self) -> str:
        """Of what is computed."""
        if self.call == "matmul":
            return f"{_M} x {_K} x {_N}"
        return f"{' x '.join(map(str, _IMAGES))}, {_FILTERS[0]} filters"


@dataclass(frozen=True, slots=True)
class _Result:
    """What a back end made of one kind of numbers."""

    proof: Proof
    seconds: float
    is_repeated: bool  # the second time with the same bits


def rungs() -> tuple[_Rung, ...]:
    """All of the ladder, in order."""
    return tuple(
        _Rung(call, dtype, compute)
        for call, rows in ROWS.items()
        for dtype, row in rows.items()
        for compute in row.computes
    )


def climb(backend: Backend, seed: int) -> Iterator[Step]:
    """Each step; after the first wrong one all others are not run."""
    import numpy as np

    broken = ""
    for number, rung in enumerate(rungs()):
        if broken:
            yield Step(rung.name, "not run", rung.size, f"{broken} is wrong")
            continue
        step = _run(rung, backend, np.random.default_rng((seed, number)))
        broken = rung.name if step.outcome == "wrong" else ""
        yield step


def _run(rung: _Rung, backend: Backend, random: np.random.Generator) -> Step:
    try:
        dtype_of(rung.dtype)
    except ImportError as error:
        return Step(rung.name, "not run", rung.size, str(error))
    results = [_compute(rung, backend, random, is_whole=True)]
    if not rung.dtype.startswith("int"):
        results.append(_compute(rung, backend, random, is_whole=False))
    is_repeated = all(result.is_repeated for result in results)
    is_right = is_repeated and all(result.proof.holds for result in results)
    return Step(
        rung.name,
        "right" if is_right else "wrong",
        rung.size,
        None if is_repeated else "the same computation gave other bits the second time",
        tuple(result.proof for result in results),
        sum(result.seconds for result in results),
    )


def _compute(
    rung: _Rung, backend: Backend, random: np.random.Generator, *, is_whole: bool
) -> _Result:
    """Whole numbers go into the widest result, as it takes them without rounding."""
    results = ROWS[rung.call][rung.dtype].results
    out_dtype = "float32" if is_whole and "float32" in results else results[0]
    call, prove = _calls(rung, backend, random, out_dtype, is_whole=is_whole)
    result = call()
    start = time.perf_counter()
    again = call()  # timed, as a first call also loads what is needed
    seconds = time.perf_counter() - start
    return _Result(prove(result), seconds, again.tobytes() == result.tobytes())


def _calls(
    rung: _Rung, backend: Backend, random: np.random.Generator, out_dtype: str, *, is_whole: bool
) -> tuple[Callable[[], Array], Callable[[Array], Proof]]:
    """What computes, and what proves its result."""

    def numbers(*shape: int) -> Array:
        drawn = (
            random.integers(-_LARGEST, _LARGEST + 1, shape)
            if is_whole
            else random.standard_normal(shape)
        )
        found: Array = drawn.astype(dtype_of(rung.dtype))
        return found

    seed = int(random.integers(2**31))
    compute = rung.compute
    if rung.call == "matmul":
        a, b = numbers(_M, _K), numbers(_K, _N)
        return (
            lambda: backend.matmul(a, b, compute, out_dtype),
            lambda c: prove_matmul(a, b, c, compute=compute, seed=seed),
        )
    x, w, bias = numbers(*_IMAGES), numbers(*_FILTERS), numbers(_FILTERS[0])
    return (
        lambda: backend.conv2d(x, w, bias, compute, out_dtype),
        lambda y: prove_conv2d(
            *(x, w, y, bias),
            stride=_STRIDE,
            padding=_PADDING,
            groups=_GROUPS,
            compute=compute,
            seed=seed,
        ),
    )

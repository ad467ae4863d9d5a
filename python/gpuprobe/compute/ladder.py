"""The rungs of a ladder on a back end: each kind of arithmetic, on numbers of chance, proved.

Whole numbers show every wrong bit; numbers that have to be rounded show the arithmetic. Each result
is computed twice and has to have the same bits.
"""

from __future__ import annotations

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
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    import numpy as np

    from .arrays import Array
    from .proof import Proof
    from .run import RunInfo

    Run: TypeAlias = tuple[Array, RunInfo]

#: Odd sizes and primes, so that no tile of any kernel fits: m, k, n.
_ODD = (67, 97, 89)
#: What every back end can do in types of one byte: cuBLAS takes multiples of 16 of them.
_EVEN = (80, 112, 96)
_NARROW = ("int8", "float8_e4m3fn", "float8_e5m2")
_IMAGES, _FILTERS = (2, 6, 13, 11), (8, 3, 3, 2)
_STRIDE, _PADDING, _GROUPS = (1, 2), ((1, 0), (2, 1)), 2
#: Whole numbers up to this are exact in every type, float8_e5m2 too.
_LARGEST = 8


class Backend(Protocol):
    """Who computes. What it gives is proved, whoever it is."""

    @property
    def name(self) -> str:
        """As `matmul` and `conv2d` call it."""

    def matmul(self, a: Array, b: Array, compute: str, out_dtype: str) -> Run:
        """The product."""

    def conv2d(self, x: Array, w: Array, bias: Array, compute: str, out_dtype: str) -> Run:
        """The convolution, with the ladder's stride, padding and groups."""


@dataclass(frozen=True, slots=True)
class Ours:
    """A back end of this package, by its name."""

    name: str = CPU

    def matmul(self, a: Array, b: Array, compute: str, out_dtype: str) -> Run:
        """See `Backend`."""
        return matmul(a, b, compute=compute, out_dtype=out_dtype, backend=self.name, info=True)

    def conv2d(self, x: Array, w: Array, bias: Array, compute: str, out_dtype: str) -> Run:
        """See `Backend`."""
        return conv2d(
            *(x, w, bias),
            stride=_STRIDE,
            padding=_PADDING,
            groups=_GROUPS,
            compute=compute,
            out_dtype=out_dtype,
            backend=self.name,
            info=True,
        )


def rungs(
    backend: Backend, seed: int, calls: Sequence[str] = tuple(ROWS), by: str = ""
) -> tuple[Arithmetic, ...]:
    """All kinds of arithmetic of these calls, in order; `by` stands behind their names."""
    kinds = [
        (call, dtype, compute)
        for call in calls
        for dtype, row in ROWS[call].items()
        for compute in row.computes
    ]
    return tuple(
        Arithmetic(*kind, backend, (seed, number), by) for number, kind in enumerate(kinds)
    )


@dataclass(frozen=True, slots=True)
class _Result:
    """What a back end made of one kind of numbers; `info` tells of the second time."""

    proof: Proof
    info: RunInfo
    is_repeated: bool  # with the same bits as the first time


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """One arithmetic of one call."""

    call: str
    dtype: str
    compute: str
    backend: Backend
    seed: tuple[int, int]
    by: str

    @property
    def name(self) -> str:
        """See `climbing.Rung`."""
        usual = ROWS[self.call][self.dtype].computes[0]
        arithmetic = "" if self.compute == usual else f" as {self.compute}"
        return f"{self.call} {self.dtype}{arithmetic}{self.by}"

    @property
    def size(self) -> str:
        """See `climbing.Rung`."""
        if self.call == "matmul":
            return " x ".join(map(str, self._sides))
        return f"{' x '.join(map(str, _IMAGES))}, {_FILTERS[0]} filters"

    @property
    def _is_picky(self) -> bool:
        return self.backend.name == "cublas" and self.dtype in _NARROW

    @property
    def _sides(self) -> tuple[int, int, int]:
        return _EVEN if self._is_picky else _ODD

    def run(self) -> Step:
        """See `climbing.Rung`."""
        import numpy as np

        random = np.random.default_rng(self.seed)
        kinds = (True,) if self.dtype.startswith("int") else (True, False)
        results = [self._compute(random, is_whole=is_whole) for is_whole in kinds]
        is_repeated = all(each.is_repeated for each in results)
        is_right = is_repeated and all(each.proof.holds for each in results)
        return Step(
            self.name,
            "right" if is_right else "wrong",
            self.size,
            None if is_repeated else "the same computation gave other bits the second time",
            tuple(each.proof for each in results),
            *_times([each.info for each in results]),
        )

    def _compute(self, random: np.random.Generator, *, is_whole: bool) -> _Result:
        """Whole numbers go into the widest result, as it takes them without rounding.

        The second computation is timed, as a first one also loads what is needed.
        """
        results = ROWS[self.call][self.dtype].results
        out_dtype = "float32" if is_whole and "float32" in results else results[0]
        call, prove = self._calls(random, out_dtype, is_whole=is_whole)
        first, _ = call()
        again, info = call()
        proof, is_repeated = prove(first), again.tobytes() == first.tobytes()
        if proof.holds and not is_repeated:
            proof = prove(again)
        return _Result(proof, info, is_repeated)

    def _calls(
        self, random: np.random.Generator, out_dtype: str, *, is_whole: bool
    ) -> tuple[Callable[[], Run], Callable[[Array], Proof]]:
        """What computes, and what proves its result."""

        def numbers(*shape: int) -> Array:
            drawn = (
                random.integers(-_LARGEST, _LARGEST + 1, shape)
                if is_whole
                else random.standard_normal(shape)
            )
            found: Array = drawn.astype(dtype_of(self.dtype))
            return found

        seed = int(random.integers(2**31))
        backend, compute = self.backend, self.compute
        if self.call == "matmul":
            m, k, n = self._sides
            # cuBLAS takes the second matrix of narrow types by columns.
            a, b = numbers(m, k), numbers(n, k).T if self._is_picky else numbers(k, n)
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


def _times(infos: Sequence[RunInfo]) -> tuple[float | None, ...]:
    """Seconds in all, to submit, of the kernels and of transfers; None where not measured."""
    rows = [
        (each.seconds, each.submit_seconds, each.kernel_seconds, each.transfer_seconds)
        for each in infos
    ]
    return tuple(
        None if None in column else sum(each for each in column if each is not None)
        for column in zip(*rows, strict=True)
    )

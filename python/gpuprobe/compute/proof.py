"""What a proof says: right or wrong, on which ground, where, and after which pattern."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from typing import TypeAlias

    Basis: TypeAlias = Literal["exact", "bound", "none"]
    Pattern: TypeAlias = Literal["element", "rows", "columns", "tile", "scattered", "everywhere"]
    Cause: TypeAlias = Literal[
        "tf32", "zeros", "one bit", "swapped rows", "swapped columns", "not finite"
    ]


@dataclass(frozen=True, slots=True)
class WrongElement:
    """One element that is not what it should be.

    Attributes:
        index: In the array that was proved.
        expected: The exact value, before it is rounded to the type of the result.
        got: What is there.
        expected_bits: The bits of `expected` in the type of the result.
        got_bits: What is there, as bits.
    """

    index: tuple[int, ...]
    expected: float
    got: float
    expected_bits: int
    got_bits: int

    def __str__(self) -> str:
        place = ", ".join(map(str, self.index))
        return (
            f"[{place}] is {self.got!r} ({self.got_bits:#x}), "
            f"expected {self.expected!r} ({self.expected_bits:#x})"
        )


@dataclass(frozen=True, slots=True)
class Lines:
    """Wrong rows, or wrong columns: how many, the first and the last."""

    count: int
    first: int
    last: int

    def named(self, singular: str) -> str:
        """``row 5``, ``16 rows (16 to 31)``."""
        if self.count == 1:
            return f"{singular} {self.first}"
        return f"{self.count} {singular}s ({self.first} to {self.last})"


@dataclass(frozen=True, slots=True)
class NotFinite:
    """The first NaN or infinity, and the name of the array that holds it: ``a``, ``bias``."""

    array: str
    index: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.array}[{', '.join(map(str, self.index))}] is NaN or infinite"


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether a result is right. It is true where it is.

    A stack of products is proved one by one, and so are the groups of a convolution, whose rows
    are places (n, p, q) and whose columns are filters. What follows `wrong_products` tells of the
    first that is wrong.

    Attributes:
        holds: Right. A NaN or an infinity in what was proved, or in a part of the inputs that an
            element of it is made of, never passes. A result without elements is right.
        basis: "exact": whole numbers, so small that any order of summation gives the same bits; a
            wrong row passes one time in 2**61. "bound": floats; each element (of a product of
            more than 2**24 steps and two rows: 64 elements, and a weighted sum of each panel of
            128 columns or more) errs by no more than this arithmetic allows. "none": NaN or
            infinity, on which nothing can rest.
        compute: The arithmetic that it was judged by.
        shape: Of what was proved.
        fraction: The greatest error as a part of what is allowed; 0.0 where exact.
        products: How many products were looked at.
        wrong_products: How many of them are wrong.
        product: Which is the first of these, by its number.
        pattern: How the wrong elements lie.
        cause: What they look like: "tf32" (in the place of float32), "zeros", "one bit",
            "swapped rows", "swapped columns", "not finite".
        rows: The wrong rows.
        columns: The wrong columns.
        not_finite: The first NaN or infinity.
        elements: Up to 16 wrong elements.
        seed: What the random numbers of the proof began with; give it again to repeat the proof.
    """

    holds: bool
    basis: Basis
    compute: str
    shape: tuple[int, ...]
    fraction: float
    products: int
    seed: int
    wrong_products: int = 0
    product: int | None = None
    pattern: Pattern | None = None
    cause: Cause | None = None
    rows: Lines | None = None
    columns: Lines | None = None
    not_finite: NotFinite | None = None
    elements: tuple[WrongElement, ...] = ()

    def __bool__(self) -> bool:
        return self.holds

    def to_dict(self) -> dict[str, object]:
        """Plain values under the names of the attributes; an infinite fraction is None."""
        fraction = self.fraction if isfinite(self.fraction) else None
        return {**asdict(self), "fraction": fraction}

    def __str__(self) -> str:
        size = " x ".join(map(str, self.shape)) or "one number"
        ground = _GROUNDS[self.basis].format(compute=self.compute, percent=100 * self.fraction)
        if self.holds:
            return f"right: {size}, {ground}"
        return "\n".join((f"WRONG: {size}, {ground}", *(f"  {line}" for line in self._details())))

    def _details(self) -> list[str]:
        lines = []
        if self.products > 1:
            lines.append(
                f"{self.wrong_products} of {self.products} products are wrong, "
                f"the first is number {self.product}"
            )
        if self.not_finite is not None:
            lines.append(str(self.not_finite))
        if self.pattern is not None and self.rows is not None and self.columns is not None:
            where = f"{self.rows.named('row')}, {self.columns.named('column')}"
            lines.append(f"{_PATTERNS[self.pattern]}: {where}")
        if self.cause in _CAUSES:
            lines.append(_CAUSES[self.cause])
        return [*lines, *map(str, self.elements)]


_GROUNDS = {
    "exact": "proved exactly as {compute}",
    "bound": "at most {percent:.3g} % of what {compute} may err by",
    "none": "nothing can be proved of NaN or infinity",
}
_PATTERNS = {
    "element": "one element",
    "rows": "whole rows",
    "columns": "whole columns",
    "tile": "a tile",
    "scattered": "scattered elements",
    "everywhere": "wrong everywhere",
}
_CAUSES: dict[Cause | None, str] = {
    "tf32": "the errors are those of TF32, where float32 was asked for",
    "zeros": "all that is wrong is 0",
    "one bit": "one bit is flipped",
    "swapped rows": "the two rows have changed places",
    "swapped columns": "the two columns have changed places",
}

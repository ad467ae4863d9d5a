"""Is this product right? The core judges one product after the other; here they are cut out."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from .proof import Lines, NotFinite, Proof, WrongElement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._core import ProductFindings
    from .arrays import Array
    from .proof import Cause

_SEED_BITS = 62  # the core goes on to the seeds that follow


class Places(Protocol):
    """From a row and a column of one product to the arrays that the caller knows."""

    def of_result(self, row: int, column: int) -> tuple[int, ...]:
        """The index of an element of the result."""

    def of_input(self, which: str, row: int, column: int) -> NotFinite:
        """The array and the index of an element of `which`, the product's "a", "b" or "c"."""


@dataclass(frozen=True, slots=True)
class Product:
    """One product: ``c = numpy.tensordot(a, b, axes)``.

    Attributes:
        zero_steps: So many steps of each sum add 0, which loses nothing.
    """

    a: Array
    b: Array
    c: Array
    axes: int
    places: Places
    zero_steps: int = 0


def prove(
    products: Sequence[Product], shape: tuple[int, ...], compute: str, seed: int | None
) -> Proof:
    """The proof of all of them together, which tells of the first that is wrong."""
    from .. import _core

    start = secrets.randbits(_SEED_BITS) if seed is None else seed
    findings = [
        _core.prove_product(each.a, each.b, each.c, each.axes, compute, start, each.zero_steps)
        for each in products
    ]
    wrong = [number for number, found in enumerate(findings) if not found["is_right"]]
    bounds = any(found["basis"] == "bound" for found in findings)
    proof = Proof(
        holds=not wrong,
        basis="bound" if bounds else "exact",
        compute=compute,
        shape=shape,
        fraction=max((found["fraction"] for found in findings), default=0.0),
        products=len(products),
        seed=start,
        wrong_products=len(wrong),
    )
    if not wrong:
        return proof
    first = wrong[0]
    return replace(_told(proof, findings[first], products[first].places), product=first)


def _told(proof: Proof, found: ProductFindings, places: Places) -> Proof:
    """The proof with what was found wrong in one product."""
    if found["not_finite"]:
        row, column = found["bad_place"]
        return replace(
            proof,
            basis="none",
            cause="not finite",
            not_finite=places.of_input(found["not_finite"], row, column),
        )
    return replace(
        proof,
        pattern=None if found["pattern"] == "none" else found["pattern"],
        cause=_cause(found),
        rows=_lines(found["rows"]),
        columns=_lines(found["columns"]),
        elements=tuple(
            WrongElement(places.of_result(row, column), expected, got, expected_bits, got_bits)
            for row, column, expected, got, expected_bits, got_bits in found["elements"]
        ),
    )


def _lines(lines: tuple[int, int, int]) -> Lines | None:
    return Lines(*lines) if lines[0] else None


def _cause(found: ProductFindings) -> Cause | None:
    if found["is_tf32"]:
        return "tf32"
    if found["has_swapped_rows"]:
        return "swapped rows"
    if found["has_swapped_columns"]:
        return "swapped columns"
    if found["is_zero"]:
        return "zeros"
    return "one bit" if found["is_one_bit"] else None

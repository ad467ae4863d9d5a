"""Which arithmetic and which result each type of input may have, and has where nothing is said.

The rows are what GPUs offer, so that what is asked for here can be asked for there. Nothing is
chosen silently: TF32 is computed only where it is named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .arrays import dtype_of

if TYPE_CHECKING:
    from .arrays import Dtype


@dataclass(frozen=True, slots=True)
class Row:
    """What inputs of one type may become; the first of each is the default."""

    computes: tuple[str, ...]
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """What is computed: the arithmetic, and the type of the result."""

    compute: str
    dtype: Dtype
    dtype_name: str


_FLOATS = {
    "float64": Row(("float64",), ("float64",)),
    "float32": Row(("float32", "tf32"), ("float32",)),
    "float16": Row(("float16",), ("float16", "float32")),
    "bfloat16": Row(("bfloat16",), ("bfloat16", "float32")),
}
_FLOAT8 = Row(("float8",), ("float32", "bfloat16", "float16"))
_INTEGER = Row(("int32",), ("int32",))

#: By the call, then by the type of its inputs.
ROWS: dict[str, dict[str, Row]] = {
    "matmul": {
        **_FLOATS,
        "float8_e4m3fn": _FLOAT8,
        "float8_e5m2": _FLOAT8,
        "int8": _INTEGER,
        "int32": _INTEGER,
    },
    "conv2d": _FLOATS,
}


def choose(call: str, a: str, b: str, compute: str | None, out_dtype: str | None) -> Choice:
    """The arithmetic and the type of the result, for inputs of the types `a` and `b`.

    Raises:
        TypeError: The inputs are of two types (both float8 types may meet), or of none of ours.
        ValueError: They have no such arithmetic, or no result of that type.
    """
    row = _row(call, a, b)
    asked = out_dtype or row.results[0]
    if compute is not None and compute not in row.computes:
        raise ValueError(_refusal(call, a, "compute", compute, row.computes))
    if asked not in row.results:
        raise ValueError(_refusal(call, a, "out_dtype", asked, row.results))
    return Choice(compute or row.computes[0], dtype_of(asked), asked)


def compute_of(call: str, a: str, b: str, compute: str | None) -> str:
    """The arithmetic by which `prove_matmul` or `prove_conv2d` judges a result of any type.

    Raises:
        TypeError, ValueError: As `choose`, in the words of this call.
    """
    row = _row(call, a, b)
    if compute is not None and compute not in row.computes:
        raise ValueError(_refusal(call, a, "compute", compute, row.computes))
    return compute or row.computes[0]


def _row(call: str, a: str, b: str) -> Row:
    rows = ROWS[call.removeprefix("prove_")]
    for dtype in (a, b):
        if dtype not in rows:
            raise TypeError(f"{call}: {dtype} is not supported; use one of {', '.join(rows)}")
    row = rows[a]
    if rows[b] != row:
        raise TypeError(
            f"{call}: one input is {a}, the other {b}; convert one of them, so that it is said "
            "what is computed"
        )
    return row


def _refusal(call: str, dtype: str, option: str, asked: str, offered: tuple[str, ...]) -> str:
    return f"{call}: {option}={asked!r} is not there for {dtype}; use {' or '.join(offered)}"

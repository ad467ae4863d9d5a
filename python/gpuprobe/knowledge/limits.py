"""Published peak figures of GPUs: dense, decimal, without sparsity."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal

from . import products
from .tables import Record, Unstated, load

#: Products on the tensor cores; `…_fp16acc`: with accumulation in fp16 instead of fp32.
Dense = Literal["tf32", "bf16", "fp16", "fp16_fp16acc", "fp8", "fp8_fp16acc", "fp4", "int8"]

#: The memory that a driver reports may lack what ECC and the firmware take.
_MEMORY_TOLERANCE = 0.15


@dataclass(frozen=True, slots=True)
class Limits:
    """What is published for a product; None: nothing is, or the product cannot do it.

    TFLOPS (TOPS for int8), GB and GB/s are decimal; `nvlink_gb_s` counts both directions;
    `unverified_fields` names the figures that no source states plainly.
    """

    gpu: str
    memory_gb: float | None
    bandwidth_gb_s: float | None
    fp64_tflops: float | None
    fp32_tflops: float | None
    fp16_tflops: float | None
    pcie_generation: int | None
    pcie_width: int | None
    nvlink_gb_s: float | None
    tdp_w: float | None
    dense_rates: tuple[tuple[str, float], ...]
    rates_from: str | None
    unverified_fields: tuple[str, ...]
    disagreement: str | None
    note: str | None
    verified: bool
    source: str

    def dense(self, kind: Dense) -> float | None:
        """The dense peak of a product on the tensor cores, in TFLOPS or TOPS."""
        return dict(self.dense_rates).get(kind)


def _limits(row: Record) -> Limits:
    rates = (
        (name.removeprefix("dense_"), row.number_or_none(name))
        for name in row.names
        if name.startswith("dense_")
    )
    return Limits(
        row.text("gpu"),
        row.number_or_none("memory_gb"),
        row.number_or_none("bandwidth_gb_s"),
        row.number_or_none("fp64_tflops"),
        row.number_or_none("fp32_tflops"),
        row.number_or_none("fp16_tflops"),
        row.integer_or_none("pcie_gen"),
        row.integer_or_none("pcie_width"),
        row.number_or_none("nvlink_gb_s"),
        row.number_or_none("tdp_w"),
        tuple((name, rate) for name, rate in rates if rate is not None),
        row.text_or_none("rates_from"),
        row.texts("unverified_fields"),
        row.text_or_none("disagreement"),
        row.text_or_none("note"),
        row.verified,
        row.source,
    )


@functools.cache
def _by_words() -> dict[frozenset[str], Record]:
    index: dict[frozenset[str], Record] = {}
    for row in load("gpu_limits").section("gpus"):
        for name in (row.text("gpu"), *row.texts("also")):
            index[products.telling_words(name)] = row
    return index


def by_name(name: str, memory_gb: float | None = None) -> Limits | Unstated:
    """The figures of the very product that `name` means; a laptop GPU is not its desktop twin.

    `memory_gb` (decimal, as the driver reports it) tells apart boards of one name.
    """
    row = _by_words().get(products.telling_words(name))
    if row is None:
        return Unstated(f"no figures are listed for {name.strip()!r}")
    found = _limits(row)
    if memory_gb is None or found.memory_gb is None or row.flag("any_memory"):
        return found
    if abs(memory_gb - found.memory_gb) > _MEMORY_TOLERANCE * found.memory_gb:
        return Unstated(
            f"the figures of {found.gpu} are for {found.memory_gb} GB, this one has {memory_gb}"
        )
    return found

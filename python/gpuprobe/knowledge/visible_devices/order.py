"""CUDA_DEVICE_ORDER: in which order CUDA counts the GPUs, which need not be NVML's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

BY_BUS = "PCI_BUS_ID"
FASTEST_FIRST = "FASTEST_FIRST"
KNOWN = (FASTEST_FIRST, BY_BUS)


def in_force(value: str | None) -> str:
    """The order that a value selects. Of other texts none is documented; the default is assumed."""
    return BY_BUS if value == BY_BUS else FASTEST_FIRST


def foreseen(
    addresses: Sequence[str | None], models: Sequence[str | None], value: str | None
) -> tuple[int, ...] | None:
    """The GPUs, by their place in the arguments, in CUDA's order; None where nobody can tell.

    By bus id it is known. "Fastest first" goes by a heuristic that NVIDIA does not publish (PG-env
    calls it simple), so it is foreseen for GPUs of one model alone, of which none is faster; those
    are assumed to stay in the order of the bus.
    """
    if len(addresses) <= 1:
        return tuple(range(len(addresses)))
    one_model = None not in models and len(set(models)) == 1
    if None in addresses or not (in_force(value) == BY_BUS or one_model):
        return None
    return tuple(sorted(range(len(addresses)), key=lambda place: _bus(addresses[place] or "")))


def _bus(address: str) -> tuple[str, ...]:
    """``00000000:01:00.0`` and ``0000:01:00.0`` are one place."""
    domain, _, rest = address.lower().partition(":")
    return domain.lstrip("0").rjust(8, "0"), rest

"""What is measured against a limit: the bars of a GPU's card."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...device import Device


class Gauge(NamedTuple):
    """One bar: how much of what is possible, between 0 and 1, and both in words."""

    label: str
    share: float
    value: str
    kind: str = "plain"


def gauges(device: Device) -> Iterator[Gauge]:
    """The bars for which both figures are known."""
    clocks, heat = device.clocks, device.temperature
    candidates = (
        ("Memory", device.memory_used_bytes, device.memory_bytes, words.memory(device), "memory"),
        ("Load", device.use.utilization_percent, 100, words.load(device), "plain"),
        ("Power", device.power.watts, device.power.limit_watts, words.power(device), "power"),
        ("Temperature", heat.celsius, heat.slowdown_celsius,
         f"{heat.celsius} of {heat.slowdown_celsius} °C", "heat"),
        ("SM clock", clocks.sm_mhz, clocks.sm_max_mhz, _clock(clocks.sm_mhz, clocks.sm_max_mhz),
         "plain"),
        ("Memory clock", clocks.memory_mhz, clocks.memory_max_mhz,
         _clock(clocks.memory_mhz, clocks.memory_max_mhz), "plain"),
        ("PCIe lanes", device.pcie.width, device.pcie.width_max, _lanes(device), "plain"),
    )  # fmt: skip
    for label, now, most, said, kind in candidates:
        part = words.share(now, most)
        if part is not None:
            yield Gauge(label, part, said, kind)


def _clock(now: int | None, most: int | None) -> str:
    return f"{now} of {most} MHz"


def _lanes(device: Device) -> str:
    """``gen 1 x4; card gen 4 x16, slot gen 3 x4``: one word where all three agree."""
    now, card, slot = (
        words.link_now(device.pcie),
        words.link_card(device.pcie),
        words.link_slot(device.pcie),
    )
    possible = [
        f"{what} {link}" for what, link in (("card", card), ("slot", slot)) if link not in ("", now)
    ]
    return "; ".join([now, ", ".join(possible)]) if possible else now

"""Why a GPU's clocks are held down: the bits of nvmlClocksEventReason…, in nvidia-smi's words."""

from __future__ import annotations

#: By the place of the bit.
_REASONS = (
    "Idle",
    "Applications Clocks Setting",
    "SW Power Cap",
    "HW Slowdown",
    "Sync Boost",
    "SW Thermal Slowdown",
    "HW Thermal Slowdown",
    "HW Power Brake Slowdown",
    "Display Clock Setting",
    "Board Limit",
    "Reliability",
)
#: Those that slow a GPU down that works; the others are settings, and no work.
BRAKES = (
    "SW Power Cap",
    "HW Slowdown",
    "HW Thermal Slowdown",
    "HW Power Brake Slowdown",
    "SW Thermal Slowdown",
)


def throttle_reasons(bits: int) -> tuple[str, ...]:
    """nvidia-smi's words for the reasons; a reason of the future keeps its number."""
    active = (place for place in range(bits.bit_length()) if bits >> place & 1)
    return tuple(_REASONS[place] if place < len(_REASONS) else f"bit {place}" for place in active)

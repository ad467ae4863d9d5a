"""How each GPU does at this moment, and the health of its memory, by NVML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import entry
from .clock_reasons import throttle_reasons

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Entry
    from ..nvml_details import Details, Health, State
    from .views import Gpu


def collect(number: int, gpu: Gpu, details: Details) -> Iterator[Entry]:
    """Clocks, power, heat, what brakes; then ECC, replaced rows, retired pages."""
    yield from _clocks(number, gpu, details.state)
    yield from _power_and_heat(number, gpu, details.state)
    yield from _ecc(number, gpu, details.health)
    yield from _spares(number, gpu, details.health)


def _clocks(number: int, gpu: Gpu, state: State) -> Iterator[Entry]:
    for family, field, mhz in (
        (names.GPU_CLOCK_SM, "clock_sm_mhz", state.clock_sm_mhz),
        (names.GPU_CLOCK_SM_MAX, "clock_sm_max_mhz", state.clock_sm_max_mhz),
        (names.GPU_CLOCK_MEMORY, "clock_memory_mhz", state.clock_memory_mhz),
        (names.GPU_CLOCK_MEMORY_MAX, "clock_memory_max_mhz", state.clock_memory_max_mhz),
        (names.GPU_UTILIZATION, "utilization_percent", state.utilization_percent),
    ):
        yield entry(family(number), gpu.told(field, mhz))
    bits = state.throttle_bits
    reasons = None if bits is None else throttle_reasons(bits)
    yield entry(names.GPU_THROTTLE(number), gpu.part("throttle_bits", reasons))


def _power_and_heat(number: int, gpu: Gpu, state: State) -> Iterator[Entry]:
    limit, default = "power_limit_milliwatts", "power_limit_default_milliwatts"
    for family, field, milliwatts in (
        (names.GPU_POWER, "power_milliwatts", state.power_milliwatts),
        (names.GPU_POWER_LIMIT, limit, state.power_limit_milliwatts),
        (names.GPU_POWER_LIMIT_DEFAULT, default, state.power_limit_default_milliwatts),
        (names.GPU_POWER_LIMIT_MAX, "power_limit_max_milliwatts", state.power_limit_max_milliwatts),
    ):
        watts = None if milliwatts is None else milliwatts / 1000
        yield entry(family(number), gpu.told(field, watts))
    for degrees, field, celsius in (
        (names.GPU_TEMPERATURE, "temperature_c", state.temperature_c),
        (names.GPU_TEMPERATURE_SLOWDOWN, "temperature_slowdown_c", state.temperature_slowdown_c),
    ):
        yield entry(degrees(number), gpu.told(field, celsius))


def _ecc(number: int, gpu: Gpu, health: Health) -> Iterator[Entry]:
    mode = None if health.ecc_mode is None else health.ecc_mode == 1
    yield entry(names.GPU_ECC(number), gpu.part("ecc_mode", mode))
    for family, field, errors in (
        (names.GPU_ECC_CORRECTED, "ecc_corrected", health.ecc_corrected),
        (names.GPU_ECC_UNCORRECTED, "ecc_uncorrected", health.ecc_uncorrected),
        (names.GPU_ECC_UNCORRECTED_TOTAL, "ecc_uncorrected_total", health.ecc_uncorrected_total),
    ):
        yield entry(family(number), gpu.part(field, errors))


def _spares(number: int, gpu: Gpu, health: Health) -> Iterator[Entry]:
    rows = _sum(health.rows_corrected, health.rows_uncorrected)
    yield entry(names.GPU_ROWS_REMAPPED(number), gpu.part("rows_corrected", rows))
    single = "pages_single_bit" if health.pages_single_bit is None else "pages_double_bit"
    pages = _sum(health.pages_single_bit, health.pages_double_bit)
    yield entry(names.GPU_PAGES_RETIRED(number), gpu.part(single, pages))
    for family, field, flag in (
        (names.GPU_ROWS_PENDING, "rows_pending", health.rows_pending),
        (names.GPU_ROWS_FAILED, "rows_failed", health.rows_failed),
        (names.GPU_PAGES_PENDING, "pages_pending", health.pages_pending),
    ):
        yield entry(family(number), gpu.part(field, None if flag is None else flag == 1))


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other

"""How a GPU does, and the health of its memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.gpus import devices
from gpuprobe.facts.gpus.state import throttle_reasons
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Absent, Facts, Known, Unknown

from .played import NOT_RUN, answered, cuda_device, nvml_device

if TYPE_CHECKING:
    from .played import Part

NVML_0 = "NVML device 0"


def facts_of(**fields: Part) -> Facts:
    nvml = answered("nvml", devices=[nvml_device(**fields)])
    return Facts(dict(devices.collect(Machine("/nowhere"), NOT_RUN, nvml)))


def test_clocks_power_and_heat_are_in_mhz_watts_and_degrees():
    facts = facts_of(
        clock_sm_mhz=345, clock_memory_max_mhz=2619, power_milliwatts=70500,
        power_limit_milliwatts=700000, temperature_c=34, utilization_percent=0,
    )  # fmt: skip
    assert facts.fact(names.GPU_CLOCK_SM(0)) == Known(345, NVML_0)
    assert facts.need(names.GPU_CLOCK_MEMORY_MAX(0)) == 2619
    assert facts.need(names.GPU_POWER(0)) == 70.5
    assert facts.need(names.GPU_POWER_LIMIT(0)) == 700.0
    assert facts.need(names.GPU_TEMPERATURE(0)) == 34
    assert facts.need(names.GPU_UTILIZATION(0)) == 0


def test_a_measure_that_a_product_does_not_give_is_unknown_with_its_code():
    facts = facts_of(unread={"clock_sm_mhz": 3, "power_milliwatts": None})
    not_supported = Unknown(f"{NVML_0} does not say (code 3, not supported)")
    assert facts.fact(names.GPU_CLOCK_SM(0)) == not_supported
    assert facts.fact(names.GPU_POWER(0)) == Unknown(f"{NVML_0} does not say")


ACCOUNTS = (
    *(names.GPU_ECC, names.GPU_ECC_UNCORRECTED, names.GPU_ROWS_FAILED, names.GPU_PAGES_PENDING),
    *(names.GPU_ROWS_REMAPPED, names.GPU_PAGES_RETIRED),
)
FIELDS = (
    *("ecc_mode", "ecc_uncorrected", "rows_failed", "pages_pending", "rows_corrected"),
    "pages_single_bit",
)


def test_a_product_without_ecc_has_no_account_of_its_memory():
    facts = facts_of(unread=dict.fromkeys(FIELDS, 3))
    found = {facts.fact(family(0)) for family in ACCOUNTS}
    assert found == {Absent(f"{NVML_0}: not supported")}


def test_an_account_that_may_not_be_read_is_unknown():
    facts = facts_of(unread=dict.fromkeys(FIELDS, 4))
    found = {facts.fact(family(0)) for family in ACCOUNTS}
    assert found == {Unknown(f"{NVML_0} does not say (code 4, no permission)")}


@pytest.mark.parametrize(
    ("bits", "reasons"),
    [
        (0, ()),
        (0x1, ("Idle",)),
        (0x4, ("SW Power Cap",)),
        (0x48, ("HW Slowdown", "HW Thermal Slowdown")),
        (0x180, ("HW Power Brake Slowdown", "Display Clock Setting")),
        (0x1000, ("bit 12",)),
    ],
)
def test_reasons_have_the_words_of_nvidia_smi(bits: int, reasons: tuple[str, ...]):
    assert throttle_reasons(bits) == reasons
    assert facts_of(throttle_bits=bits).need(names.GPU_THROTTLE(0)) == reasons


def test_ecc_off_is_no_error_count_of_zero():
    facts = facts_of(ecc_mode=0, unread={"ecc_corrected": 3})
    assert facts.need(names.GPU_ECC(0)) is False
    assert isinstance(facts.fact(names.GPU_ECC_CORRECTED(0)), Absent)


def test_rows_and_pages_of_both_causes_are_added():
    facts = facts_of(
        rows_corrected=1, rows_uncorrected=2, rows_pending=1, rows_failed=0,
        pages_single_bit=3, pages_double_bit=4, pages_pending=0,
    )  # fmt: skip
    assert facts.need(names.GPU_ROWS_REMAPPED(0)) == 3
    assert facts.need(names.GPU_ROWS_PENDING(0)) is True
    assert facts.need(names.GPU_ROWS_FAILED(0)) is False
    assert facts.need(names.GPU_PAGES_RETIRED(0)) == 7
    assert facts.need(names.GPU_PAGES_PENDING(0)) is False


def test_half_a_sum_is_no_number():
    facts = facts_of(pages_single_bit=3, unread={"pages_double_bit": 999})
    assert facts.fact(names.GPU_PAGES_RETIRED(0)) == Unknown(
        f"{NVML_0} does not say (code 999, unknown error)"
    )


def test_a_gpu_that_only_cuda_lists_has_no_such_facts():
    cuda = answered("cuda", devices=[cuda_device()])
    facts = Facts(dict(devices.collect(Machine("/nowhere"), cuda, NOT_RUN)))
    assert facts.subjects(names.GPU_NAME) == ("0",)
    assert facts.subjects(names.GPU_CLOCK_SM) == ()

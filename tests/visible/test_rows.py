"""The devices beside a value: CUDA's numbers are the driver's, or those that are foretold."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.questions.visible.devices import foreseen
from gpuprobe.visible.rows import table_of
from support.examples import machine

FIRST = "GPU-3f6a1c52-8e4b-4d0a-9b7e-51c2d86e0f10"
SECOND = "GPU-47c10b5d-3e8f-4a92-b6c4-d10f7e5a2b38"


@pytest.mark.parametrize(
    ("seen", "numbers"),
    [(None, [1, 0]), ((SECOND, FIRST), [1, 0]), ((SECOND,), [None, 0]), ((), [None, None])],
)
def test_what_the_driver_shows_goes_before_what_is_foretold(
    seen: tuple[str | None, ...] | None, numbers: list[int | None]
) -> None:
    gpus = [
        line
        for place, uuid in enumerate((FIRST, SECOND))
        for line in (
            *(f"gpu.{place}.uuid = {uuid}", f"gpu.{place}.nvml_index = {place}"),
            *(f"gpu.{place}.pci = 0000:0{place + 1}:00.0", f"gpu.{place}.name = NVIDIA H100"),
        )
    ]
    facts = machine("healthy", "env.CUDA_DEVICE_ORDER = PCI_BUS_ID", *gpus)
    rows = table_of(facts, foreseen(facts, f"{SECOND},{FIRST}"), seen, "").rows
    assert [row.ordinal for row in rows] == numbers

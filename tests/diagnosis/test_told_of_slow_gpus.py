"""What tells that a GPU works slowly, or that the CPU does its work; and what only sounds so."""

from __future__ import annotations

import pytest

from support.cases import ruled

SEEN = "torch: 2.1.0+cu121, GPU: RTX 3080\n>>> torch.cuda.is_available()\nTrue\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("my CPU is at 100% and the GPU does nothing", "silent-cpu-fallback"),
        ("it only uses the CPU", "silent-cpu-fallback"),
        ("nvidia-smi lists no running processes while it trains", "silent-cpu-fallback"),
        ("the GPU is detected but not used", "silent-cpu-fallback"),
        ("GPU usage never goes above 1%", "silent-cpu-fallback"),
        ("Using device: cpu", "silent-cpu-fallback"),
        (">>> next(model.parameters()).device\ndevice(type='cpu')", "silent-cpu-fallback"),
        ("next(net.parameters()).is_cuda returns False", "silent-cpu-fallback"),
        ("the GPU does the work, and the CPU does nothing", "healthy"),
        ("Using device: cpu or cuda, as you like", "healthy"),
        (">>> next(model.parameters()).device\ndevice(type='cuda', index=0)", "healthy"),
        ("How would I see whether it only uses the CPU? If so, the GPU does nothing.", "healthy"),
    ],
)
def test_a_gpu_that_works_has_nothing_to_do(told: str, cause: str):
    assert ruled(f"{SEEN}{told}\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("GPU temperature 92C, clocks drop to 600 MHz", "power-thermal"),
        ("it throttles at 83 C", "power-thermal"),
        ("nvidia-smi shows P8 under load", "power-thermal"),
        ("the clock stays at 210 MHz while training at 100 %", "power-thermal"),
        ("the card runs at PCIe x1", "power-thermal"),
        ("the card should throttle at 83 C", "unknown"),
        ("nvidia-smi shows P8 when idle", "unknown"),
        ("the clock stays at 210 MHz until a program starts", "unknown"),
        ("can the card run at PCIe x1?", "unknown"),
    ],
)
def test_a_gpu_is_slowed_down(told: str, cause: str):
    assert ruled(f"GPU: RTX 3090\n{told}\n") == cause


QUERY = "$ nvidia-smi --query-gpu={column} --format=csv,noheader\n{value}\n"


@pytest.mark.parametrize(
    ("column", "value", "cause"),
    [
        ("clocks_throttle_reasons.active", "0x0000000000000020", "power-thermal"),
        ("clocks_event_reasons.active", "0x0000000000000048", "power-thermal"),
        ("clocks_throttle_reasons.hw_thermal_slowdown", "Active", "power-thermal"),
        ("clocks_throttle_reasons.active", "0x0000000000000001", "unknown"),  # idle
        ("clocks_throttle_reasons.hw_thermal_slowdown", "Not Active", "unknown"),
    ],
)
def test_a_query_tells_what_holds_the_clocks_down(column: str, value: str, cause: str):
    assert ruled(QUERY.format(column=column, value=value)) == cause

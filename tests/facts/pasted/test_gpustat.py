"""gpustat's list: each GPU, its memory and who holds it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import told

LISTED = """\
host  Mon Jan  6 12:00:00 2020  440.33.01
[0] GeForce GTX 1080 Ti | 83'C,  98 % | 10921 / 11178 MB | alice(10900M) bob:python/12(11M)
[1] GeForce GTX 1080 Ti | 30\u00b0C, 50 %,   P0,  52 / 400 W |     0 / 11178 MB |
"""
FAILED = "RuntimeError: CUDA error: out of memory\n"


def test_each_gpu_has_its_memory_and_holders() -> None:
    found = told(LISTED)
    assert found["driver.version"] == "440.33.01"
    assert found["gpu.0.name"] == "GeForce GTX 1080 Ti"
    assert found["gpu.0.memory_free_bytes"] == (11178 - 10921) << 20
    assert found["gpu.0.processes"] == ("alice: 10900 MiB", "bob:python/12: 11 MiB")
    assert found["gpu.1.memory_bytes"] == 11178 << 20
    assert "gpu.1.processes" not in found


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (FAILED + LISTED, "oom-other-process"),
        (FAILED + LISTED.replace("10921", " 1921"), "oom-workload"),
        (LISTED, "healthy"),
        ("[1] Some list | of things, C, | 12 / 20 MB\n", "unknown"),
    ],
)
def test_a_full_gpu_explains_an_allocation_that_fails_at_once(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause

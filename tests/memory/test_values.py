"""What gpuprobe.memory is given: sizes, and the GPU that is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.device_arrays import ONE_CARD, result

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")

BEGIN = "from gpuprobe.memory.arenas import allocate\n"


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("memory.set_growth, False, fraction=0", "fraction is 0; it has to be above 0"),
        ("memory.set_growth, False, fraction=1.5", "at most 1"),
        ("memory.set_growth, True, fraction=0.5", "goes with set_growth(False) only"),
        ("memory.set_growth, True, device=-1", "CUDA counts from 0"),
        ("memory.set_limit, 0", "it has to be positive, or None"),
        ("memory.set_limit, -1", "it has to be positive, or None"),
        ("memory.trim, -1", "cannot be negative"),
        ("memory.stats, -1", "CUDA counts from 0"),
        ("memory.holders, -1", "CUDA counts from 0"),
        ("allocate, -1", "-1 bytes are fewer than none"),
    ],
)
def test_values_that_mean_nothing_are_refused(
    call: str, complaint: str, fakes: Fakes, tmp_path: Path
):
    [[name, text]] = result(ONE_CARD, fakes, tmp_path, BEGIN + f"show(raised({call}))")  # type: ignore[misc]
    assert name == "ValueError"
    assert complaint in text
    assert text.startswith(call.split(",", maxsplit=1)[0]) or call.startswith("allocate")


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("memory.set_limit, '4GiB'", "limit_bytes is '4GiB'; it has to be a whole number of bytes"),
        ("memory.set_limit, True", "limit_bytes is True; it has to be a whole number"),
        ("memory.set_limit, 1e9", "limit_bytes is 1000000000.0; it has to be a whole number"),
        ("memory.trim, 0.5", "keep_bytes is 0.5; it has to be a whole number"),
        ("memory.set_growth, True, device='0'", "device is '0': use CUDA's number, or a gpuprobe"),
        ("memory.stats, 'cuda'", "device is 'cuda': use CUDA's number"),
        ("memory.trim, device=True", "device is True: use CUDA's number"),
        ("memory.reset_peak, None", "device is None: use CUDA's number"),
        ("memory.holders, 'x'", "device is 'x': use CUDA's number"),
    ],
)
def test_what_is_no_number_is_refused(call: str, complaint: str, fakes: Fakes, tmp_path: Path):
    [[name, text]] = result(ONE_CARD, fakes, tmp_path, BEGIN + f"show(raised({call}))")  # type: ignore[misc]
    assert name == "TypeError"
    assert text.startswith(f"{call.split(',', maxsplit=1)[0]}: ")
    assert complaint in text


def test_sizes_beyond_every_memory_are_no_limit_and_keep_all(fakes: Fakes, tmp_path: Path):
    code = """
memory.set_limit(1 << 70)
block = allocate(1 << 20)
del block
show(memory.stats().limit_bytes, memory.trim(1 << 70))
"""
    assert result(ONE_CARD, fakes, tmp_path, BEGIN + code) == [1 << 30, 0]


def test_a_gpu_may_be_named_as_an_object(fakes: Fakes, tmp_path: Path):
    code = """
from gpuprobe import Device
first, lost = Device(index=3, ordinal=0), Device(index=1, name="H100", unknown={"ordinal": "lost"})
memory.set_limit(64 << 20, device=first)
block = allocate(1 << 20)
show(memory.stats(first).blocks, memory.stats(0).limit_bytes, memory.holders(first).ordinal,
     memory.trim(device=first), raised(memory.stats, lost))
"""
    *told, refused = result(ONE_CARD, fakes, tmp_path, BEGIN + code)  # type: ignore[misc]
    assert told == [1, 64 << 20, 0, 0]
    assert refused == ["ValueError", "memory.stats: CUDA has no number for H100: lost"]

"""Which GPU is meant where none is named: blocks inside themselves, GPUs that were left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import TWO_DIFFERENT_CARDS
from support.device_arrays import result

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")


def test_block_can_be_entered_again_inside_itself(fakes: Fakes, tmp_path: Path):
    code = """
from gpuprobe import cuda
one, told = cuda.device(1), []
with one:
    with one:
        told.append(cuda.current_device())
    told.append(cuda.current_device())
show(*told, cuda.current_device())
"""
    assert result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [1, 1, 0]


def test_gpu_that_was_left_out_cannot_be_chosen(fakes: Fakes, tmp_path: Path):
    code = """
from gpuprobe import config, cuda
config.set_visible_devices(config.list_physical_devices("GPU")[1], "GPU")
show(raised(cuda.set_device, 0), cuda.current_device())
"""
    [[name, text], current] = result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code)  # type: ignore[misc]
    assert (name, current) == ("ValueError", 1)
    assert text.startswith("GPU 0 is not to be used in this process")

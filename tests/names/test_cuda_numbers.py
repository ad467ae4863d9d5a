"""Which GPU a number of CUDA's is, on the fake driver, each case in a process of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import ONE_OF_TWO_CHOSEN, TWO_DIFFERENT_CARDS
from support.machines import RTX_3060, RTX_4090

from .test_cuda import shown

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

NO_UUIDS = {"cuDeviceGetUuid_v2": 999, "cuDeviceGetUuid": 999}


def test_numbers_are_those_after_the_variable(fakes: Fakes, tmp_path: Path):
    """Of two cards the second is chosen: CUDA's 0 is the slower one."""
    code = "show(cuda.device_count(), cuda.get_device_name(0), raised(cuda.get_device_name, 1))"
    count, name, [kind, text] = shown(ONE_OF_TWO_CHOSEN, fakes, tmp_path, code)  # type: ignore[misc]
    assert (count, name, kind) == (1, RTX_3060.name, "AssertionError")
    assert text == ("Invalid device id: device is 1; CUDA shows 1 to this process, counted from 0")


def test_numbers_stay_when_the_variable_changes_after_the_first_use(fakes: Fakes, tmp_path: Path):
    """CUDA reads the variable once: a child of this process would count otherwise."""
    code = """
block = allocate(1, device=1)
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
show(gpuprobe.device_count(), cuda.device_count(), cuda.get_device_name(0), cuda.get_device_name(1))
"""
    assert shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [
        1, 2, RTX_4090.name, RTX_3060.name,
    ]  # fmt: skip


@pytest.mark.parametrize("more", [{}, {"nvmlInit_v2": 999}])
def test_without_uuids_the_number_says_which_gpu_it_is(
    more: dict[str, int], fakes: Fakes, tmp_path: Path
):
    code = """
block = allocate(1, device=1)
show(cuda.get_device_name(0), cuda.get_device_name(1))
"""
    mute = replace(TWO_DIFFERENT_CARDS, faults={**NO_UUIDS, **more})
    assert shown(mute, fakes, tmp_path, code) == [RTX_4090.name, RTX_3060.name]

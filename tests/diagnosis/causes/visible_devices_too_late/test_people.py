"""CUDA_VISIBLE_DEVICES, set in vain, as people tell of it before or after the code."""

from __future__ import annotations

import pytest

from support.cases import ruled

CODE = 'os.environ["CUDA_VISIBLE_DEVICES"] = {}\n'
LATE = "visible-devices-too-late"
NUMBA = "from numba import cuda\nimport os\n" + CODE.format('"2"') + "print(cuda.gpus.lst)\n\n{}"
MANAGER = "<numba.cuda.cudadrv.devices._DeviceContextManager object at 0x7f0a3667c{}40>"


@pytest.mark.parametrize(
    "text",
    [
        (CODE.format('"1"') + "\n\n\nThat is of no effect, only GPU 0 is used.\n"),
        ("All processes are running on gpu0.\n\n" + CODE.format("str(gpu)")),
        ("With gpus='1' it still uses all the GPUs:\n\n" + CODE.format("gpus")),
        "Importing nvml_tools starts CUDA before we set CUDA_VISIBLE_DEVICES, so each is on one.\n",
        ("CUDA_VISIBLE_DEVICES is set after torch has been imported.\n"),
        (NUMBA.format("[" + MANAGER.format(1) + ",\n " + MANAGER.format(2) + "]\n")),
    ],
)
def test_the_variable_is_set_in_vain(text: str) -> None:
    """By somebody's words, or by more GPUs than it names."""
    assert ruled(text) == LATE


@pytest.mark.parametrize(
    "text",
    [
        CODE.format('"0"') + "\n\n\nThat is of use, only GPU 0 is used now.\n",
        "All processes are running on gpu0.\n\n" + CODE.format('"0"'),
        "Should CUDA_VISIBLE_DEVICES be set before importing torch?\n",
        NUMBA.format("[" + MANAGER.format(1) + "]\n"),
    ],
)
def test_a_wish_that_is_fulfilled_came_in_time(text: str) -> None:
    """Who names the first GPU, and gets that one, has what was wanted."""
    assert ruled(text) != LATE

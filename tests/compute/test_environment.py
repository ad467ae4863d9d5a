"""The environment is read with the GIL, which whoever changes it in Python holds.

The process runs with a getenv that ends it where one of gpuprobe's variables is read without.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from support import device_arrays, gpu_work
from support.cublaslt import WITH_CUBLAS
from support.device_arrays import ONE_CARD

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes
    from support.scenario import Scenario

core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if not hasattr(core.Arena, "matmul"):
    pytest.skip("the C core was built without NumPy's headers", allow_module_level=True)
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")


def result(scenario: Scenario, fakes: Fakes, folder: Path, code: str) -> object:
    machine = replace(scenario, environment={"LD_PRELOAD": str(fakes.getenv)})
    return device_arrays.result(machine, fakes, folder, gpu_work.BEGIN + code)


def test_the_reader_without_the_gil_is_found_out(fakes: Fakes, tmp_path: Path):
    code = """
import ctypes
libc = ctypes.CDLL(None)  # drops the GIL
libc.getenv(b"PATH")
libc.getenv(b"GPUPROBE_LIBCUDA")
"""
    with pytest.raises(AssertionError, match="getenv without the GIL: GPUPROBE_LIBCUDA"):
        result(ONE_CARD, fakes, tmp_path, code)


@pytest.mark.parametrize(
    "call",
    [
        "_core.cuda_state()",
        "raised(_core.pointer_device, 4096)",
        "_core.Arena(0, 0.0, 0).close()",
        "[_core.probe([step]) for step in ('cuda', 'nvml', 'kernel')]",
        "matmul(*[to_device(each) for each in (whole((3, 5)), whole((5, 2)))])",
        "conv2d(*[to_device(each) for each in (whole((1, 2, 5, 5)), whole((3, 2, 3, 3)))])",
    ],
)
def test_a_call_reads_its_variables_with_the_gil(call: str, fakes: Fakes, tmp_path: Path):
    code = f"""
from gpuprobe import _core
{call}
show()
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == []


def test_cublas_is_started_by_variables_read_with_the_gil(fakes: Fakes, tmp_path: Path):
    fakes.cublaslt()
    code = "show(matmul(whole((3, 5)), whole((5, 2)), info=True)[1].backend)"
    assert result(WITH_CUBLAS, fakes, tmp_path, code) == ["cublas"]

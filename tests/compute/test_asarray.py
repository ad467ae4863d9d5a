"""Whatever holds numbers, as an array of a GPU: what is borrowed, what is copied, and where to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scenarios.codes import CUINIT_46
from scenarios.healthy import TWO_DIFFERENT_CARDS
from support import dlpack
from support.device_arrays import ONE_CARD, result

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if not hasattr(core.Arena, "copy_in"):
    pytest.skip("the C core was built without NumPy's headers", allow_module_level=True)
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")

BEGIN = "from gpuprobe import asarray\n"


def test_what_is_on_a_gpu_stays_where_it_is(fakes: Fakes, tmp_path: Path):
    code = BEGIN + """
class Numba:
    __cuda_array_interface__ = to_device(counted).__cuda_array_interface__
there, other = to_device(counted), Other()
show(asarray(there) is there, asarray(there, device=0) is there,
     asarray(other).address == other.there.address, len(other.asked),
     asarray(Numba()).address == Numba.__cuda_array_interface__["data"][0])
"""  # fmt: skip
    assert dlpack.result(ONE_CARD, fakes, tmp_path, code) == [True, True, True, 1, True]


def test_what_is_on_the_host_is_copied(fakes: Fakes, tmp_path: Path):
    code = BEGIN + """
class OnTheHost:
    def __dlpack__(self, **more): return counted.__dlpack__(**more)
    def __dlpack_device__(self): return (1, 0)
    def __array__(self, dtype=None, copy=None): return counted
given = [counted.T, [[1.0, 2.0], [3.0, 4.0]], 5.0, np.float32(6), OnTheHost()]
show([same(asarray(each).numpy(), np.array(each, order="C")) for each in given])
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [[True] * 5]


def test_another_gpu_gets_a_copy(fakes: Fakes, tmp_path: Path):
    code = BEGIN + """
here = asarray(counted, device=1)
there = asarray(here, device=0)
show(here.device, there.device, same(there.numpy(), counted), asarray(here) is here)
"""  # fmt: skip
    assert result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [1, 0, True, True]


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("[1, 2]", "TypeError: array: dtype('int64') is not supported"),
        ("object()", "TypeError: array: dtype('O') is not supported"),
        ("'text'", "TypeError: array: dtype('<U4') is not supported"),
        ("np.ma.array([1.0])", "TypeError: array: a mask would be lost"),
        ("counted, 7", "ValueError: device is 7; CUDA shows 1 to this process"),
        ("Other(place=(10, 0))", "BufferError: the array is on a device of DLPack's kind 10"),
    ],
)
def test_what_cannot_be_taken_is_refused(given: str, complaint: str, fakes: Fakes, tmp_path: Path):
    code = BEGIN + f"show(raised(asarray, {given}))"
    [[name, text]] = dlpack.result(ONE_CARD, fakes, tmp_path, code)  # type: ignore[misc]
    assert f"{name}: {text}".startswith(complaint)


def test_without_a_usable_gpu_the_doctor_says_why(fakes: Fakes, tmp_path: Path):
    code = BEGIN + """
[name, text] = raised(asarray, [1.0])
empty = raised(gpuprobe.from_cuda_array, type("Empty", (), {"__cuda_array_interface__": {
    "version": 3, "shape": (0,), "typestr": "<f4", "data": (0, False)}})())
show(name, empty[0], "CUDA_ERROR_DEVICE_UNAVAILABLE" in text, empty[1].splitlines()[-1])
"""  # fmt: skip
    needs = "gpuprobe.from_cuda_array needs a GPU."
    unavailable = "GpuUnavailable"
    shown = result(CUINIT_46, fakes, tmp_path, code)
    assert shown == [unavailable, unavailable, True, needs]

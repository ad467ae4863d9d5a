"""Arrays on the fake driver: from and to NumPy, what others are told, and whose the memory is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenarios.codes import CUINIT_46
from scenarios.healthy import TWO_DIFFERENT_CARDS
from support.child import printed
from support.device_arrays import BEGIN, ONE_CARD, result
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if not hasattr(core.Arena, "copy_in"):
    pytest.skip("the C core was built without NumPy's headers", allow_module_level=True)
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")


def test_every_type_and_shape_comes_back_bit_for_bit(fakes: Fakes, tmp_path: Path):
    code = """
types = [np.float64, np.float32, np.float16, np.int32, np.int8,
         ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2]
shapes = [(), (1,), (0,), (3, 0, 2), (5,), (2, 3, 4), (1, 7, 1)]
def back(dtype, shape):
    array = np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)
    there = to_device(array)
    told = (there.shape, there.ndim, there.size, there.nbytes, there.dtype, there.device)
    known = (shape, array.ndim, array.size, array.nbytes, array.dtype.name, 0)
    return same(there.numpy(), array) and told == known and there.strides == array.strides
show([str(np.dtype(t)) + str(s) for t in types for s in shapes if 0 not in s and not back(t, s)])
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [[]]


def test_an_array_with_gaps_is_copied_without_them(fakes: Fakes, tmp_path: Path):
    code = """
views = [counted.T, counted[:, ::2], counted[::-1, :, ::-1], counted[:, :1], counted[0, 0]]
views.append(np.broadcast_to(counted[0], (5, 3, 4)))
made = [to_device(view) for view in views]
show([same(there.numpy(), view.copy()) for there, view in zip(made, views)],
     made[0].strides == np.ascontiguousarray(views[0]).strides)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [[True] * 6, True]


def test_strides_of_any_sign_are_followed_on_the_way_back(fakes: Fakes, tmp_path: Path):
    code = """
whole = to_device(counted)
def seen(view):
    offset = view.__array_interface__["data"][0] - counted.__array_interface__["data"][0]
    there = replace(whole, shape=view.shape, strides=view.strides, address=whole.address + offset)
    return same(there.numpy(), view.copy())
views = [counted.T, counted[1, ::-2], counted[::-1, :, ::-1], counted[:, 1:2, 1::2]]
views.append(np.broadcast_to(counted[0, 0], (5, 4)))
show([seen(view) for view in views])
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [[True] * 5]


def test_an_array_without_elements_has_no_address(fakes: Fakes, tmp_path: Path):
    code = """
there = to_device(np.empty((3, 0), np.float32))
show(there.address, there.numpy().shape, there.__cuda_array_interface__["data"])
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [0, [3, 0], [0, False]]


def test_others_are_told_where_it_is_and_after_which_stream(fakes: Fakes, tmp_path: Path):
    code = """
there = to_device(counted)
told = there.__cuda_array_interface__
show(told.pop("data") == (there.address, False), told)
"""
    told = {"version": 3, "shape": [2, 3, 4], "strides": [48, 16, 4], "typestr": "<f4", "stream": 1}
    assert result(ONE_CARD, fakes, tmp_path, code) == [True, told]


def test_a_type_without_a_name_there_is_not_offered(fakes: Fakes, tmp_path: Path):
    code = """
there = [to_device(np.zeros(2, t)) for t in (ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, np.int8)]
show([hasattr(each, "__cuda_array_interface__") for each in there])
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [[False, False, True]]


def test_memory_is_in_use_as_long_as_the_array_is_there(fakes: Fakes, tmp_path: Path):
    code = """
there = to_device(counted)
before = memory.stats().in_use_bytes
del there
show(before, memory.stats().in_use_bytes, [to_device(counted).stream for _ in range(3)][0],
     memory.stats().in_use_bytes)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [512, 0, 0, 0]


def test_a_copy_comes_after_the_work_of_the_arrays_stream(fakes: Fakes, tmp_path: Path):
    """The fake driver ends a process that reads memory before another stream is ready."""
    code = """
from support.contract import *
driver = cuda()
warm = to_device(counted)
context, current, stream = Pointer(), Pointer(), Pointer()
driver("cuDevicePrimaryCtxRetain", byref(context), 0)
driver("cuCtxPushCurrent_v2", context)
driver("cuStreamCreate", byref(stream), NON_BLOCKING)
there = to_device(counted, stream=stream.value)
driver("cuMemsetD8Async", Pointer(there.address), 0, Size(there.nbytes), stream)
zeros = bool((there.numpy() == 0).all())
driver("cuCtxGetCurrent", byref(current))
show(zeros, there.__cuda_array_interface__["stream"] == stream.value,
     current.value == context.value)
del there
driver("cuStreamDestroy_v2", stream)
driver("cuCtxPopCurrent_v2", byref(current))
driver("cuDevicePrimaryCtxRelease_v2", 0)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [True, True, True]


def test_each_gpu_has_its_own(fakes: Fakes, tmp_path: Path):
    code = """
arrays = [to_device(counted + n, device=n) for n in (0, 1)]
show([each.device for each in arrays], [same(a.numpy(), counted + n) for n, a in enumerate(arrays)],
     [memory.stats(n).blocks for n in (0, 1)])
"""
    assert result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [[0, 1], [True, True], [1, 1]]


def test_a_gpu_is_the_one_that_is_named_though_the_variable_was_changed(
    fakes: Fakes, tmp_path: Path
):
    """CUDA has read it, and a child process, which is asked who is who, reads the new one."""
    code = """
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
to_device(counted)
has = gpuprobe.cuda.get_device_properties(0).uuid
del os.environ["CUDA_VISIBLE_DEVICES"]
[same] = [each for each in gpuprobe.devices() if each.uuid == has]
[other] = [each for each in gpuprobe.devices() if each.uuid != has]
show([to_device(counted, device=named).device for named in (same.uuid, same)],
     gpuprobe.cuda.get_device_name(same) == memory.holders(same).name == same.name,
     [raised(to_device, counted, device=named) for named in (other.uuid, other)],
     raised(memory.holders, other)[0])
"""
    numbers, alike, [by_uuid, as_object], refused = result(
        TWO_DIFFERENT_CARDS, fakes, tmp_path, code
    )  # type: ignore[misc]
    assert (numbers, alike, refused) == ([0, 0], True, "ValueError")
    assert by_uuid[0] == as_object[0] == "ValueError"
    assert by_uuid[1].startswith("to_device: CUDA shows no GPU GPU-")
    assert as_object[1].endswith(": it does not show it to this process")


def test_a_gpu_is_the_one_that_is_named_though_the_order_is_another_now(
    fakes: Fakes, tmp_path: Path
):
    code = """
first, second = sorted(gpuprobe.devices(), key=lambda each: each.ordinal)
gpuprobe.visible.set([second, first])
memory.set_limit(1 << 28, device=first)
there = [to_device(counted, device=named).device for named in (first, second, first.uuid)]
name = gpuprobe.cuda.get_device_name(there[0])
show(there, name == first.name, memory.stats(1).limit_bytes == 1 << 28)
"""
    found = result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code)
    assert found == [[1, 0, 1], True, True]


def test_a_gpu_is_named_by_number_by_uuid_and_as_an_object(fakes: Fakes, tmp_path: Path):
    code = """
from gpuprobe import asarray, devices
second = next(each for each in devices() if each.ordinal == 1)
arrays = [make(counted, device=named) for make in (to_device, asarray)
          for named in (1, np.int64(1), second.uuid, second)]
show([each.device for each in arrays], asarray(arrays[0], device=second) is arrays[0])
"""
    assert result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [[1] * 8, True]


# -- what fails -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("to_device, [1.0]", "TypeError: array: expected a numpy.ndarray, got <class 'list'>"),
        ("to_device, np.ma.array([1.0])", "TypeError: array: a mask would be lost"),
        ("to_device, np.array([1j])", "TypeError: array: dtype('complex128') is not supported"),
        ("to_device, counted.astype('>f4')", "TypeError: array: dtype('>f4') is not supported"),
        ("to_device, counted, device=-1", "ValueError: to_device: device is -1; CUDA counts from"),
        ("to_device, counted, device=True", "TypeError: to_device: device is True: use None, CUDA"),
        ("to_device, counted, device='cpu'", "ValueError: to_device: device is 'cpu': use None, "),
        ("to_device, counted, device='GPU-5'", "ValueError: to_device: CUDA shows no GPU GPU-5"),
        ("to_device, counted, device=7", "ValueError: device is 7; CUDA shows 1 to this process"),
        ("to_device, counted, stream=2", "ValueError: stream is 2; use None"),
        ("to_device, counted, stream=-1", "ValueError: stream is -1; use None"),
        ("to_device, counted, stream=1 << 63", "ValueError: stream is 9223372036854775808; use"),
        ("to_device, counted, 1 << 40", "ValueError: device is 1099511627776; CUDA shows 1 to"),
        ("to_device, counted.reshape(24, *[1] * 32)", "ValueError: DeviceArray: 33 axes; at most"),
        ("to_device, np.zeros(1 << 28)", "OutOfMemory: GPU 0 is out of memory for 2.0 GiB"),
    ],
)
def test_what_cannot_be_taken_is_refused(call: str, complaint: str, fakes: Fakes, tmp_path: Path):
    code = f"show(raised({call}), memory.stats().in_use_bytes)"
    [[name, text], in_use] = result(ONE_CARD, fakes, tmp_path, code)  # type: ignore[misc]
    assert f"{name}: {text}".startswith(complaint)
    assert in_use == 0


@pytest.mark.parametrize("call", ["cuMemcpyHtoDAsync_v2", "cuStreamSynchronize"])
def test_a_copy_that_fails_is_named_and_keeps_no_memory(call: str, fakes: Fakes, tmp_path: Path):
    code = "show(raised(to_device, counted), memory.stats().in_use_bytes)"
    machine = replace(ONE_CARD, faults={f"{call}@1": 999})
    [[name, text], in_use] = result(machine, fakes, tmp_path, code)  # type: ignore[misc]
    assert name == "DriverError"
    assert f"{call} failed with CUDA_ERROR_UNKNOWN (999)" in text
    assert in_use == 0


def test_a_copy_back_that_fails_is_named_and_can_be_tried_again(fakes: Fakes, tmp_path: Path):
    code = """
there = to_device(counted)
show(raised(there.numpy)[0], same(there.numpy(), counted))
"""
    machine = replace(ONE_CARD, faults={"cuMemcpyDtoHAsync_v2@1": 999})
    assert result(machine, fakes, tmp_path, code) == ["DriverError", True]


def test_without_a_usable_gpu_the_doctor_says_why(fakes: Fakes, tmp_path: Path):
    code = """
try:
    to_device(counted)
except gpuprobe.GpuUnavailable as error:
    root = error.report.diagnosis.root.finding
    show(str(error).splitlines(), root.title[1:], root.fix.text, str(error.__cause__))
"""
    lines, title, fix, cause = result(CUINIT_46, fakes, tmp_path, code)  # type: ignore[misc]
    assert title in lines[0]
    assert lines[1] == fix
    assert lines[-1] == "gpuprobe.to_device needs a GPU."
    assert "cuInit failed with CUDA_ERROR_DEVICE_UNAVAILABLE (46)" in cause


def test_a_refusal_without_a_fault_gives_the_drivers_words(fakes: Fakes, tmp_path: Path):
    """The doctor looks in a process of its own, in which nothing fails here."""
    machine = replace(ONE_CARD, faults={"cuMemAddressReserve@1": 999})
    code = "show(raised(to_device, counted))"
    [[name, text]] = result(machine, fakes, tmp_path, code)  # type: ignore[misc]
    assert name == "GpuUnavailable"
    assert "cuMemAddressReserve failed with CUDA_ERROR_UNKNOWN (999)" in text


# -- how it ends ----------------------------------------------------------------------------------


def test_a_fork_has_none_of_it_and_says_why(fakes: Fakes, tmp_path: Path):
    code = BEGIN + """
there = to_device(counted)
child = os.fork()
if child == 0:
    show(raised(there.numpy), raised(to_device, counted)[0])
    del there
    os._exit(0)
os.waitpid(child, 0)
assert same(there.numpy(), counted)
"""  # fmt: skip
    [[name, text], other] = printed(stage(ONE_CARD, fakes, tmp_path), code)  # type: ignore[misc]
    assert (name, other) == ("RuntimeError", "RuntimeError")
    assert "forked from one that had used a GPU" in text


def test_at_the_end_of_the_process_it_can_no_longer_be_copied(fakes: Fakes, tmp_path: Path):
    """What was registered first runs last, after gpuprobe has given its memory back."""
    code = """
import atexit
kept = []
atexit.register(lambda: show(raised(kept[0].numpy), kept[0].shape))
kept.append(to_device(counted))
"""
    gone = "gpuprobe's memory of GPU 0 is gone: the process is ending"
    assert result(ONE_CARD, fakes, tmp_path, code) == [["RuntimeError", gone], [2, 3, 4]]


def test_calls_keep_no_memory_of_the_host(fakes: Fakes, tmp_path: Path):
    """What the interpreter itself keeps now and then is not kept in every round."""
    code = """
import gc, sys
def often():
    for _ in range(200):
        to_device(counted[::-1]).numpy()
        raised(to_device, counted, device=7)
    gc.collect()
    return sys.getallocatedblocks()
counts = [often() for _ in range(5)]
show(min(after - before for before, after in zip(counts, counts[1:])) < 100)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [True]

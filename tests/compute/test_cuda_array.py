"""`__cuda_array_interface__` on the fake driver: what is borrowed, in which order, how it ends."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import TWO_DIFFERENT_CARDS
from support.child import printed
from support.device_arrays import BEGIN, ONE_CARD, result
from support.dlpack import STREAMS
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if not hasattr(core.Arena, "copy_in"):
    pytest.skip("the C core was built without NumPy's headers", allow_module_level=True)
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")

OTHER = """
import gc, weakref
from gpuprobe import from_cuda_array
class Other:
    '''An array of another library.'''
    def __init__(self, device=0, read_only=False, **told):
        self.there = to_device(counted, device)
        data = self.there.address, read_only
        self.told = {"version": 3, "shape": (2, 3, 4), "typestr": "<f4", "data": data, **told}
    @property
    def __cuda_array_interface__(self): return self.told
"""


@pytest.mark.parametrize(
    ("told", "read_only"),
    [
        ("", False),
        ("version=2", False),
        ("strides=None, stream=None, mask=None", False),
        ("strides=(48, 16, 4), stream=1", False),
        ("read_only=True", True),
    ],
)
def test_an_array_is_borrowed_as_long_as_it_is_used(
    told: str, read_only: bool, fakes: Fakes, tmp_path: Path
):
    code = OTHER + f"""
other = Other({told})
address, owner = other.told["data"][0], weakref.ref(other)
there = from_cuda_array(other)
del other
facts = there.address == address, there.shape, there.strides, there.dtype, there.is_read_only
equal = same(there.numpy(), counted)
held = owner() is not None
del there
show(facts, equal, held, owner() is None)
"""  # fmt: skip
    facts = [True, [2, 3, 4], [48, 16, 4], "float32", read_only]
    assert result(ONE_CARD, fakes, tmp_path, code) == [facts, True, True, True]


def test_strides_are_followed(fakes: Fakes, tmp_path: Path):
    code = OTHER + """
other = Other(shape=(4, 3), strides=(4, -16))
other.told["data"] = (other.there.address + 80, False)
show(same(from_cuda_array(other).numpy(), counted[1, ::-1].T.copy()))
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [True]


def test_the_gpu_is_found_by_the_address(fakes: Fakes, tmp_path: Path):
    code = OTHER + """
show([from_cuda_array(Other(device)).device for device in (1, 0)])
"""  # fmt: skip
    assert result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [[1, 0]]


def test_an_array_without_elements_needs_no_address(fakes: Fakes, tmp_path: Path):
    code = OTHER + """
there = from_cuda_array(Other(shape=(3, 0), data=(0, False)))
show(there.address, there.device, there.numpy().shape)
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [0, 0, [3, 0]]


def test_what_each_type_is_called_is_understood(fakes: Fakes, tmp_path: Path):
    code = OTHER + """
types = {"<f8": np.float64, "<f4": np.float32, "<f2": np.float16, "<i4": np.int32, "|i1": np.int8,
         "<i1": np.int8}
def dtype(name, kind):
    here = to_device(np.zeros(3, kind))
    return from_cuda_array(Other(typestr=name, shape=(3,), data=(here.address, False))).dtype
show([dtype(*each) for each in types.items()])
"""  # fmt: skip
    dtypes = ["float64", "float32", "float16", "int32", "int8", "int8"]
    assert result(ONE_CARD, fakes, tmp_path, code) == [dtypes]


# -- order ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("worker", "named", "ours"),
    [
        ("one", "one.value", "None"),
        ("one", "one.value", "two.value"),
        ("None", "1", "two.value"),
        ("Pointer(2)", "2", "two.value"),
        ("Pointer(2)", "2", "None"),
    ],
)
def test_our_stream_waits_for_the_one_that_is_named(
    worker: str, named: str, ours: str, fakes: Fakes, tmp_path: Path
):
    """The fake driver ends a process in which a stream comes too early."""
    code = OTHER + STREAMS + f"""
other = Other(stream={named})
fill(other.there, 0, {worker})
there = from_cuda_array(other, stream={ours})
show(bool((there.numpy() == 0).all()))
del there, other, warm
end()
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [True]


@pytest.mark.parametrize("told", ["stream=None", "version=2"])
def test_where_no_stream_is_named_nobody_waits(told: str, fakes: Fakes, tmp_path: Path):
    code = OTHER + STREAMS + f"""
other = Other({told})
fill(other.there, 0, one)
from_cuda_array(other).numpy()
"""  # fmt: skip
    made = stage(ONE_CARD, fakes, tmp_path)
    with pytest.raises(AssertionError, match="is used on one stream before another"):
        printed(made, BEGIN + code + "show()")


def test_our_own_array_on_another_stream_keeps_its_memory(fakes: Fakes, tmp_path: Path):
    """What is freed serves its stream again only when the other one has done with it."""
    code = OTHER + STREAMS + """
there = to_device(counted, stream=one.value)
again = from_cuda_array(there, stream=two.value)
fill(again, 2, two)
del there, again
new = to_device(counted, stream=one.value)
fill(new, 0, one)
del new, warm
show()
end()
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == []


# -- what fails -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("array", "complaint"),
    [
        ("counted", "TypeError: array: expected one with __cuda_array_interface__, got <class"),
        ("Other(version=1)", "BufferError: __cuda_array_interface__ 1 is not known"),
        ("Other(version=4)", "BufferError: __cuda_array_interface__ 4 is not known"),
        ("Other(mask=3)", "BufferError: the array has a mask"),
        ("Other(typestr='<V2')", "BufferError: its type '<V2' is none of float64, float32"),
        ("Other(typestr='>f4')", "BufferError: its type '>f4' is none of"),
        ("Other(typestr='<c8')", "BufferError: its type '<c8' is none of"),
        ("Other(typestr='?!')", "BufferError: its type '?!' is none of"),
        ("Other(shape=(2, 'x'))", "BufferError: its shape are no whole numbers: (2, 'x')"),
        ("Other(shape=(2, -3, 4))", "BufferError: its shape (2, -3, 4) has fewer elements"),
        ("Other(strides=(4,))", "BufferError: shape (2, 3, 4) and strides (4,) do not fit"),
        ("Other(data=None)", "BufferError: its data is no pair of an address and a flag: None"),
        ("Other(data=(-1, False))", "BufferError: its data is no pair of an address and a flag"),
        ("Other(data=(1 << 64, False))", "BufferError: its data is no pair of an address"),
        ("Other(shape=(1 << 63, 3, 0))", "BufferError: its shape (9223372036854775808, 3, 0) with"),
        ("Other(strides=(1 << 63, 4, 1))", "BufferError: its shape (2, 3, 4) with strides of ("),
        ("Other(stream=0)", "BufferError: its stream is 0; 1 is the default stream"),
        ("Other(stream=1 << 63)", "BufferError: its stream is 9223372036854775808; 1 is"),
        ("Other(data=(counted.ctypes.data, False))", "BufferError: address 0x"),
    ],
)
def test_what_cannot_be_borrowed_is_refused(
    array: str, complaint: str, fakes: Fakes, tmp_path: Path
):
    code = OTHER + f"""
said = raised(from_cuda_array, {array})
gc.collect()
show(said, memory.stats().blocks)
"""  # fmt: skip
    [[name, text], blocks] = result(ONE_CARD, fakes, tmp_path, code)  # type: ignore[misc]
    assert f"{name}: {text}".startswith(complaint)
    assert blocks == 0


def test_a_stream_that_cannot_be_ours_is_refused(fakes: Fakes, tmp_path: Path):
    code = OTHER + "show(raised(from_cuda_array, Other(), stream=2))"
    [[name, text]] = result(ONE_CARD, fakes, tmp_path, code)  # type: ignore[misc]
    assert (name, text[:11]) == ("ValueError", "stream is 2")


def test_an_address_is_nobodys_where_cuda_was_not_started(fakes: Fakes, tmp_path: Path):
    code = """
from gpuprobe import _core
show(raised(_core.pointer_device, 4096))
"""
    [[name, text]] = result(ONE_CARD, fakes, tmp_path, code)  # type: ignore[misc]
    assert name == "BufferError"
    assert text.startswith("address 0x1000 is none of CUDA's: cuPointerGetAttribute failed")


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("cuPointerGetAttribute", "BufferError"),
        ("cuEventCreate", "DriverError"),
        ("cuEventRecord", "DriverError"),
        ("cuStreamWaitEvent", "DriverError"),
    ],
)
def test_a_call_that_fails_is_named_and_keeps_nothing(
    call: str, kind: str, fakes: Fakes, tmp_path: Path
):
    code = OTHER + STREAMS + """
other = Other(stream=one.value)
owner = weakref.ref(other)
said = raised(from_cuda_array, other)
del other, warm
show(said, owner() is None)
end()
"""  # fmt: skip
    machine = replace(ONE_CARD, faults={f"{call}@1": 999})
    [[name, text], gone] = result(machine, fakes, tmp_path, code)  # type: ignore[misc]
    assert (name, gone) == (kind, True)
    assert f"{call} failed with CUDA_ERROR_UNKNOWN (999)" in text


# -- how it ends ----------------------------------------------------------------------------------


def test_a_fork_borrows_nothing_and_says_why(fakes: Fakes, tmp_path: Path):
    code = BEGIN + OTHER + """
other = Other()
child = os.fork()
if child == 0:
    show(raised(from_cuda_array, other))
    os._exit(0)
os.waitpid(child, 0)
"""  # fmt: skip
    [[name, text]] = printed(stage(ONE_CARD, fakes, tmp_path), code)  # type: ignore[misc]
    assert name == "RuntimeError"
    assert "forked from one that had used a GPU" in text


def test_borrowing_keeps_no_memory_of_the_host(fakes: Fakes, tmp_path: Path):
    code = OTHER + """
import sys
other, wrong = Other(stream=1), Other(typestr="<c8")
def often():
    for _ in range(200):
        from_cuda_array(other)
        raised(from_cuda_array, wrong)
    gc.collect()
    return sys.getallocatedblocks()
often()
before = often()
show(often() - before < 100)
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [True]

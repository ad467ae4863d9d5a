"""DLPack on the fake driver: what is lent and borrowed, in which order, and who gives it back.

The other library is played by ctypes, with the structures as dlpack.h declares them.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from support.child import printed
from support.device_arrays import BEGIN, ONE_CARD
from support.dlpack import OTHER, STREAMS, result
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if not hasattr(core.Arena, "copy_in"):
    pytest.skip("the C core was built without NumPy's headers", allow_module_level=True)
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")

# -- lending --------------------------------------------------------------------------------------


def test_a_capsule_says_what_the_array_is(fakes: Fakes, tmp_path: Path):
    code = """
there = to_device(counted)
view = replace(there, shape=(3, 2), strides=(16, -48), address=there.address + 48)
capsule, new = there.__dlpack__(), view.__dlpack__(max_version=(1, 0))
seen = content(new)
show(there.__dlpack_device__(), name_of(capsule).decode(), told(content(capsule).tensor),
     name_of(new).decode(), list(seen.version), seen.flags, told(seen.tensor),
     seen.tensor.data == view.address and seen.tensor.byte_offset == 0)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [
        [2, 0],
        *("dltensor", [[2, 0], 2, 32, 1, [2, 3, 4], [12, 4, 1]]),
        *("dltensor_versioned", [1, 1], 0, [[2, 0], 2, 32, 1, [3, 2], [4, -12]]),
        True,
    ]


def test_each_type_has_its_code(fakes: Fakes, tmp_path: Path):
    code = """
types = [np.float64, np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn,
         ml_dtypes.float8_e5m2, np.int32, np.int8]
arrays = [np.arange(3).astype(each) for each in types]
capsules = [to_device(each).__dlpack__() for each in arrays]
show([told(content(each).tensor)[1:3] for each in capsules],
     [same(from_dlpack(to_device(each)).numpy(), each) for each in arrays])
"""
    codes = [[2, 64], [2, 16], [4, 16], [10, 8], [12, 8], [0, 32], [0, 8]]
    assert result(ONE_CARD, fakes, tmp_path, code) == [codes, [True] * 7]


@pytest.mark.parametrize("version", ["None", "(0, 8)", "(1, 0)", "(2, 0)"])
def test_memory_comes_back_once_whether_the_capsule_was_taken_or_not(
    version: str, fakes: Fakes, tmp_path: Path
):
    code = f"""
def in_use(): return memory.stats().blocks
there = to_device(counted)
capsule = there.__dlpack__(max_version={version})
del there
held = in_use()
del capsule
unused = in_use()
capsule = to_device(counted).__dlpack__(max_version={version})
taken = content(capsule)
rename(capsule, b"used_" + name_of(capsule))
del capsule
kept = in_use()
taken.deleter(ctypes.addressof(taken))
show(held, unused, kept, in_use())
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [1, 0, 1, 0]


def test_a_deleter_may_be_called_on_a_thread_that_python_does_not_know(
    fakes: Fakes, tmp_path: Path
):
    code = """
import threading
capsule = to_device(counted).__dlpack__()
taken = content(capsule)
rename(capsule, b"used_dltensor")
libc = ctypes.CDLL(None)
thread = c_void_p()
deleter = ctypes.cast(taken.deleter, c_void_p)
libc.pthread_create(ctypes.byref(thread), None, deleter, c_void_p(ctypes.addressof(taken)))
libc.pthread_join(thread, None)
show(memory.stats().blocks)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [0]


def test_the_consumers_stream_waits_for_the_arrays(fakes: Fakes, tmp_path: Path):
    """The fake driver ends a process in which a stream comes too early."""
    code = STREAMS + """
there = to_device(counted, stream=one.value)
fill(there, 1, one)
capsule = there.__dlpack__(stream=two.value)
fill(there, 2, two)
del there, capsule
again = to_device(counted, stream=one.value)  # only when the consumer has done with it
fill(again, 0, one)
driver("cuCtxGetCurrent", byref(current))
show(current.value == context.value)
del again
end()
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [True]


def test_a_consumer_that_orders_its_work_itself_makes_nobody_wait(fakes: Fakes, tmp_path: Path):
    code = STREAMS + """
there = to_device(counted, stream=one.value)
fill(there, 1, one)
capsule = there.__dlpack__(stream=-1)
fill(there, 2, two)
"""  # fmt: skip
    made = stage(ONE_CARD, fakes, tmp_path)
    with pytest.raises(AssertionError, match="fake"):
        printed(made, BEGIN + OTHER + code + "show()")


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ("stream=0", "ValueError: stream is 0, which DLPack forbids"),
        ("stream=2", "BufferError: the stream of each thread"),
        ("stream=-2", "ValueError: stream is -2"),
        ("dl_device=(2, 1)", "BufferError: the array is on (2, 0), not on (2, 1)"),
        ("dl_device=(1, 0), copy=False", "BufferError: the array is on a GPU: on the host"),
        ("dl_device=(1, 0), stream=1", "ValueError: stream is 1; the host has none"),
    ],
)
def test_what_cannot_be_lent_so_is_refused(more: str, complaint: str, fakes: Fakes, tmp_path: Path):
    code = f"""
there = to_device(counted)
show(raised(there.__dlpack__, {more}), name_of(there.__dlpack__(dl_device=(2, 0))).decode())
"""
    [[name, text], lent] = result(ONE_CARD, fakes, tmp_path, code)  # type: ignore[misc]
    assert f"{name}: {text}".startswith(complaint)
    assert lent == "dltensor"


def test_a_copy_is_lent_where_one_is_asked_for(fakes: Fakes, tmp_path: Path):
    code = """
other = Other(flags=1)
there = from_dlpack(other).T
capsule, new = there.__dlpack__(copy=True), there.__dlpack__(copy=True, max_version=(1, 0))
lent, marked = content(capsule), content(new)
facts = [lent.tensor.data != there.address, told(lent.tensor)[4:], marked.flags]
made = from_dlpack(type("Lent", (), {"__dlpack__": lambda self, **more: capsule,
                                     "__dlpack_device__": lambda self: (2, 0)})())
show(facts, same(made.numpy(), counted.T.copy()), made.is_read_only)
"""
    facts = [True, [[4, 3, 2], [6, 2, 1]], 2]
    assert result(ONE_CARD, fakes, tmp_path, code) == [facts, True, False]


def test_the_host_gets_a_copy(fakes: Fakes, tmp_path: Path):
    code = """
there, small = to_device(counted), to_device(np.arange(3).astype(ml_dtypes.bfloat16))
new = there.T.__dlpack__(dl_device=(1, 0), max_version=(1, 0))
old = small.__dlpack__(dl_device=(1, 0))
facts = [told(content(new).tensor), content(new).flags]
class OnTheHost:
    def __init__(self, array): self.array = array
    def __dlpack__(self, **more): return self.array.__dlpack__(dl_device=(1, 0))
    def __dlpack_device__(self): return (1, 0)
kept = [np.from_dlpack(OnTheHost(there.T))]
if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
    kept.append(np.from_dlpack(there.T, device="cpu"))
del there
show(facts, all(same(each, counted.T) for each in kept), memory.stats().blocks,
     told(content(old).tensor)[1:3])
"""
    facts = [[[1, 0], 2, 32, 1, [4, 3, 2], [6, 2, 1]], 2]
    assert result(ONE_CARD, fakes, tmp_path, code) == [facts, True, 1, [4, 16]]


@pytest.mark.parametrize("call", ["cuEventCreate", "cuEventRecord", "cuStreamWaitEvent"])
def test_a_call_that_fails_lends_nothing(call: str, fakes: Fakes, tmp_path: Path):
    code = STREAMS + """
there = to_device(counted)
show(raised(there.__dlpack__, stream=one.value))
del there, warm
end()
"""  # fmt: skip
    machine = replace(ONE_CARD, faults={f"{call}@1": 999})
    [[name, text]] = result(machine, fakes, tmp_path, code)  # type: ignore[misc]
    assert name == "DriverError"
    assert f"{call} failed with CUDA_ERROR_UNKNOWN (999)" in text


# -- borrowing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "asked"),
    [
        ("Other()", [[1, [1, 1]]]),
        ("Other(strides=False)", [[1, [1, 1]]]),
        ("Other(offset=64)", [[1, [1, 1]]]),
        ("Older(Legacy)", [[1, None]]),
    ],
)
def test_an_array_is_borrowed_and_given_back_once(
    other: str, asked: list[object], fakes: Fakes, tmp_path: Path
):
    code = f"""
other = {other}
there = from_dlpack(other)
before = other.returned
facts = [there.address == other.there.address, there.strides == (48, 16, 4), there.is_read_only]
kept = there.__dlpack__()
equal = same(there.numpy(), counted)
del there
lent_on = other.returned
del kept
show(facts, equal, before, lent_on, other.returned, name_of(other.capsule).decode()[:5],
     other.asked)
"""
    expected = [[True, True, False], True, 0, 0, 1, "used_", asked]
    assert result(ONE_CARD, fakes, tmp_path, code) == expected


def test_read_only_stays_read_only(fakes: Fakes, tmp_path: Path):
    code = """
other = Other(flags=1)
there = from_dlpack(other)
show(there.is_read_only, there.__cuda_array_interface__["data"][1], raised(there.__dlpack__),
     content(there.__dlpack__(max_version=(1, 1))).flags)
"""
    complaint = ["BufferError", "the array is read-only, which DLPack before 1.0 cannot say"]
    assert result(ONE_CARD, fakes, tmp_path, code) == [True, True, complaint, 1]


@pytest.mark.parametrize(
    ("other", "complaint", "returned"),
    [
        ("Other(version=(2, 0))", "BufferError: DLPack 2.0 is not known", 1),
        ("Other(code=(5, 64, 1))", "BufferError: DLPack's type (5, 64, 1)", 1),
        ("Other(code=(2, 32, 4))", "BufferError: DLPack's type (2, 32, 4)", 1),
        ("Other(place=(2, 1), told=(2, 0))", "BufferError: the array is said to be on GPU 0, ", 1),
        ("Other(rows=-2)", "BufferError: its shape (-2, 3, 4) has fewer elements than none", 1),
        ("Other(step=1 << 62)", "BufferError: its shape (2, 3, 4) with strides of (", 1),
        ("Other(place=(10, 0))", "BufferError: the array is on a device of DLPack's kind 10", 0),
    ],
)
def test_what_cannot_be_borrowed_goes_back(
    other: str, complaint: str, returned: int, fakes: Fakes, tmp_path: Path
):
    code = f"""
other = {other}
said = raised(from_dlpack, other)
gc.collect()
show(said, other.returned)
"""
    [[name, text], count] = result(ONE_CARD, fakes, tmp_path, code)  # type: ignore[misc]
    assert f"{name}: {text}".startswith(complaint)
    assert count == returned


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("from_dlpack, counted", "BufferError: the array is on a device of DLPack's kind 1"),
        ("from_dlpack, 3", "TypeError: array: expected one with __dlpack__, got <class 'int'>"),
        ("_core.dlpack_take, 3", "TypeError: expected a capsule of DLPack that nobody took"),
        ("_core.dlpack_take, used", "TypeError: expected a capsule of DLPack that nobody took"),
    ],
)
def test_what_is_no_such_array_is_refused(call: str, complaint: str, fakes: Fakes, tmp_path: Path):
    code = f"""
from gpuprobe import _core
used = to_device(counted).__dlpack__()
_core.dlpack_take(used)
show(raised({call}), memory.stats().blocks)
"""
    [[name, text], blocks] = result(ONE_CARD, fakes, tmp_path, code)  # type: ignore[misc]
    assert f"{name}: {text}".startswith(complaint)
    assert blocks == 0


@pytest.mark.parametrize("more", [{}, {"max_version": (1, 0)}])
def test_numpys_own_capsules_are_read(more: dict[str, tuple[int, int]]):
    """The one library here that has written such structures without us."""
    np = pytest.importorskip("numpy", minversion="2.1")
    array = np.arange(12.0).reshape(3, 4).T[:, 1:]  # NumPy before 2.3 tells no compact strides
    owner, address, place, code, shape, strides, is_read_only = core.dlpack_take(
        array.__dlpack__(**more)
    )
    assert address == array.__array_interface__["data"][0]
    assert (place, code, shape, strides) == ((1, 0), (2, 64, 1), (4, 2), (1, 4))
    assert not is_read_only
    held = sys.getrefcount(array)
    del owner
    assert sys.getrefcount(array) == held - 1


# -- how it ends ----------------------------------------------------------------------------------


def test_a_fork_lends_nothing_and_says_why(fakes: Fakes, tmp_path: Path):
    code = BEGIN + OTHER + """
there = to_device(counted)
child = os.fork()
if child == 0:
    show(raised(there.__dlpack__), raised(there.__dlpack__, stream=-1))
    os._exit(0)
os.waitpid(child, 0)
"""  # fmt: skip
    told = printed(stage(ONE_CARD, fakes, tmp_path), code)
    assert isinstance(told, list)
    assert [name for name, _ in told] == ["RuntimeError"] * 2
    assert all("forked from one that had used a GPU" in text for _, text in told)


def test_a_loan_that_nobody_returns_is_no_harm_at_the_end(fakes: Fakes, tmp_path: Path):
    code = """
import atexit
capsules = [to_device(counted).__dlpack__() for _ in range(3)]
taken = to_device(counted).__dlpack__()
rename(taken, b"used_dltensor")
borrowed = from_dlpack(to_device(counted))
show(memory.stats().blocks)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [5]


def test_a_loan_that_nobody_took_is_given_back_at_the_end():
    """The capsule goes while the interpreter ends, when PyGILState is not to be asked any more."""
    code = """
import os, sys
from gpuprobe import _core
class Owner:
    def __del__(self, write=os.write): write(1, b"back ")
sys.kept = [_core.dlpack_lend(Owner(), 4096, (2, 0), (2, 32), (3,), (1,), is_new, False, False)
            for is_new in (False, True)]
"""
    done = subprocess.run((sys.executable, "-c", code), check=True, capture_output=True, text=True)
    assert done.stdout == "back back "


def test_a_capsule_of_another_name_is_nobodys_to_give_back():
    """Who renames a capsule has taken what is in it; the name may be gone altogether."""
    code = """
import ctypes
from gpuprobe import _core
rename = ctypes.pythonapi.PyCapsule_SetName
rename.argtypes = (ctypes.py_object, ctypes.c_char_p)
class Owner:
    def __del__(self): print("back")
names = (None, b"", b"used_dltensor", b"dltensor_versioned_")
for is_new in (False, True):
    for name in names:
        capsule = _core.dlpack_lend(
            Owner(), 4096, (2, 0), (2, 32), (3,), (1,), is_new, False, False)
        rename(capsule, name)
        try: _core.dlpack_take(capsule)
        except TypeError: pass
        else: print("taken")
        del capsule
"""
    done = subprocess.run((sys.executable, "-c", code), check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_loans_keep_no_memory_of_the_host(fakes: Fakes, tmp_path: Path):
    code = """
import sys
there = to_device(counted)
def often():
    for _ in range(200):
        from_dlpack(there).__dlpack__(max_version=(1, 1))
        there.__dlpack__(copy=True), there.__dlpack__(dl_device=(1, 0))
        raised(there.__dlpack__, dl_device=(2, 1))
        raised(from_dlpack, Other(code=(5, 64, 1)))
    gc.collect()
    return sys.getallocatedblocks()
often()
before = often()
show(often() - before < 100)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [True]

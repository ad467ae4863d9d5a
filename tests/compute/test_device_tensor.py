"""The C base of DeviceArray: what it takes, keeps and refuses, and that it leaks nothing."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import weakref
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from support.device_arrays import ONE_CARD, result

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")

from gpuprobe.compute.device_array import DeviceArray  # noqa: E402

FORM = {"shape": (2, 3), "strides": (-12, 4), "dtype": "float32", "device": 1}
PLACE = {"stream": 7, "address": 2**62 + 4096, "owner": "kept", "is_read_only": True}


def test_what_it_is_made_of_can_be_read():
    array = DeviceArray(**FORM, **PLACE)
    assert {name: getattr(array, name) for name in FORM | PLACE} == FORM | PLACE
    scalar = DeviceArray((), (), "int8", 0, 0, 0, None)
    assert (scalar.shape, scalar.strides, scalar.is_read_only) == ((), (), False)


def test_an_address_and_a_stream_may_be_any_of_64_bits_and_of_any_whole_type():
    place = {**PLACE, "stream": np.uint64(2**64 - 1), "address": np.uint64(2**63)}
    array = DeviceArray(**FORM, **place)
    assert (array.stream, array.address) == (2**64 - 1, 2**63)


def test_nothing_of_it_can_be_changed():
    array = DeviceArray(**FORM, **PLACE)
    for name in (*FORM, *PLACE):
        with pytest.raises(AttributeError):
            setattr(array, name, getattr(array, name))
    with pytest.raises(AttributeError):
        array.other = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("changed", "kind", "told"),
    [
        ({"shape": [2, 3]}, TypeError, "its shape is no tuple"),
        ({"strides": [12, 4]}, TypeError, "its strides is no tuple"),
        ({"shape": (2, 3.0)}, TypeError, "integer"),
        ({"shape": (2, 2**70)}, OverflowError, "too big|too large"),
        ({"strides": (4,)}, ValueError, "2 axes, 1 strides"),
        ({"shape": (-1, 3)}, ValueError, r"no array of the shape \(-1, 3\) of float32"),
        ({"shape": (2**31, 2**31)}, ValueError, "no array of the shape"),
        ({"shape": (1,) * 33, "strides": (4,) * 33}, ValueError, "33 axes; at most 32"),
        ({"strides": (2**62, 4)}, ValueError, r"from 0x4\w+ the shape \(2, 3\) with strides of "),
        ({"strides": (4, -(2**63))}, ValueError, r"\(4, -9223372036854775808\) bytes reaches"),
        ({"strides": (-4, 4), "address": 3}, ValueError, "from 0x3 the shape"),
        ({"dtype": "complex64"}, ValueError, "no such type: complex64"),
        ({"dtype": 4}, TypeError, "dtype has to be a name, got 4"),
        ({"dtype": "int8\0"}, ValueError, "no such type: int8"),
        ({"address": 2**64 + 4096}, OverflowError, "too big|too large"),
        ({"address": -4096}, OverflowError, "negative"),
        ({"address": 4096.0}, TypeError, "integer"),
        ({"stream": 2**64}, OverflowError, "too big|too large"),
        ({"stream": -1}, OverflowError, "negative"),
        ({"device": "0"}, TypeError, "interpreted as an integer"),
        ({"owners": 1}, TypeError, "at most 8|owners"),
    ],
)
def test_what_is_no_array_is_refused(changed: dict[str, object], kind: type, told: str):
    with pytest.raises(kind, match=told):
        DeviceArray(**{**FORM, **PLACE, **changed})


def test_an_address_of_this_process_is_not_copied_into_another_one():
    array = DeviceArray(**FORM, **PLACE)
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            copied(array)


def test_its_owner_lives_as_long_as_it_and_no_longer():
    class Owner:
        """Counts itself."""

        alive = 0

        def __init__(self) -> None:
            Owner.alive += 1

        def __del__(self) -> None:
            Owner.alive -= 1

    arrays = [DeviceArray(**FORM, **{**PLACE, "owner": Owner()}) for _ in range(3)]
    view = arrays[0].T
    arrays.clear()
    assert Owner.alive == 1
    assert view.shape == (3, 2)
    del view
    assert Owner.alive == 0


@pytest.mark.parametrize("kind", [core.DeviceTensor, DeviceArray])
def test_what_holds_itself_through_its_owner_is_collected(kind: type):
    class Owner:
        """Keeps the array that keeps it."""

        array: object

    owner = Owner()
    owner.array = kind(**FORM, **{**PLACE, "owner": owner})
    kept = weakref.ref(owner)
    del owner
    gc.collect()
    assert kept() is None


#: The n-th allocation fails until a call goes through: no crash, nothing but MemoryError.
NO_MEMORY = """
import _testcapi
from gpuprobe.compute.device_array import DeviceArray
def made():
    array = DeviceArray((2, 2**40), (4, 8), "float32", 0, 2**40, 2**50, None)
    return array.shape, array.strides, array.address, array.stream
made()
for n in range(1000):
    _testcapi.set_nomemory(n, n + 1)
    try:
        made()
    except MemoryError:
        continue
    finally:
        _testcapi.remove_mem_hooks()
    break
print(n)
"""


def test_nth_allocation_that_fails_is_a_memory_error():
    pytest.importorskip("_testcapi", reason="this Python has no _testcapi")
    done = subprocess.run(
        [sys.executable, "-c", NO_MEMORY], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 3


LONG_CHAIN = """
import threading
from gpuprobe import _core
from gpuprobe.compute.device_array import DeviceArray
def end_a_chain(*kinds):
    last = None
    for i in range(20_000):
        last = kinds[i % len(kinds)]((), (), "int8", 0, 0, 0, last)
    kept = last.owner.owner
    del last
    assert kept.owner.owner is not None
    del kept
end_a_chain(DeviceArray)
end_a_chain(_core.DeviceTensor, DeviceArray)
threading.stack_size(256 << 10)
thread = threading.Thread(target=end_a_chain, args=(_core.DeviceTensor,))
thread.start()
thread.join()
"""


def test_a_long_chain_of_owners_ends_without_filling_the_stack():
    """Where a class of Python's own is in it Python bounds the depth, for a stack of usual size.

    On 3.13 lists inside each other would fill the small one, too.
    """
    done = subprocess.run(
        [sys.executable, "-c", LONG_CHAIN], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_making_and_reading_keep_no_memory():
    def often() -> int:
        for _ in range(200):
            array = DeviceArray(**FORM, **PLACE)
            for name in (*FORM, *PLACE):
                getattr(array, name)
            with pytest.raises(ValueError, match="no such type"):
                DeviceArray(**{**FORM, "dtype": "x"}, **PLACE)
        gc.collect()
        return sys.getallocatedblocks()

    often()
    before = often()
    assert often() - before < 200, "one object a round would be 200"


# -- on the fake driver --------------------------------------------------------------------------


def test_arenas_make_empty_arrays_and_say_what_they_cannot(fakes: Fakes, tmp_path: Path):
    code = """
from gpuprobe.memory.arenas import arena_of
to_device(counted)
arena = arena_of(0)
def made(shape, dtype="float32", kind=DeviceArray): return arena.empty(kind, shape, dtype, 0)
there = made((2, 3))
show([type(there).__name__, there.shape, there.strides, there.device, there.address > 0],
     made((0, 3)).address, *[raised(made, *each) for each in (
         ((2, -1),), ((2**40, 2**40),), ((2,), "x"), ((2,), "int8", int), ([2],))],
     raised(arena.empty, DeviceArray, (2,), "int8")[1], raised(made, (2**32,))[0])
"""
    form, address, *told, short, full = result(ONE_CARD, fakes, tmp_path, code)  # type: ignore[misc]
    assert form == ["DeviceArray", [2, 3], [12, 4], 0, True]
    assert address == 0
    assert [kind for kind, _ in told] == [*["ValueError"] * 3, "TypeError", "TypeError"]
    assert short == "empty takes 4 arguments, got 3"
    assert full == "ArenaFull"


def test_memory_that_only_a_cycle_holds_comes_back(fakes: Fakes, tmp_path: Path):
    code = """
import gc
class Owner: pass
def hold(kind):
    owner = Owner()
    owner.there = to_device(counted)
    owner.array = kind((2,), (4,), "float32", 0, 0, owner.there.address, owner)
for kind in (gpuprobe._core.DeviceTensor, DeviceArray): hold(kind)
held = memory.stats().blocks
gc.collect()
show(held, memory.stats().blocks)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [2, 0]


def test_an_arena_that_the_collector_closes_leaves_an_array_its_address(
    fakes: Fakes, tmp_path: Path
):
    """Making the array runs the collector, which may run anything."""
    code = """
import gc
arena = gpuprobe._core.Arena(0, 0.0, 0)
expected = arena.alloc(16, 0).address
class Closer:
    def __init__(self): self.myself = self
    def __del__(self): arena.close()
class WithDict(DeviceArray): pass
gc.collect()
Closer()
gc.set_threshold(1, 1, 1)
try: address = arena.empty(WithDict, (4,), "float32", 0).address
except RuntimeError: address = expected  # collected before the call, as from CPython 3.12 on
gc.set_threshold(700)
gc.collect()
show(raised(arena.stats), address == expected)
"""
    freed_is_overwritten = {
        "MALLOC_PERTURB_": "90",
        "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0",
    }
    machine = replace(ONE_CARD, environment=freed_is_overwritten)
    closed = ["RuntimeError", "the arena is closed"]
    assert result(machine, fakes, tmp_path, code) == [closed, True]


def test_calls_on_a_gpu_keep_no_memory(fakes: Fakes, tmp_path: Path):
    pytest.importorskip("numpy")
    if not hasattr(core.Arena, "matmul"):
        pytest.skip("the C core was built without NumPy's headers")
    code = """
import gc, sys
from gpuprobe import matmul
a, b = to_device(counted[0]), to_device(counted[0].T.copy())
c, wrong = matmul(a, b), to_device(counted)
def often():
    for _ in range(200):
        matmul(a, b); matmul(a, b, out=c); raised(matmul, a, a); raised(matmul, a, b, out=a)
        raised(matmul, a, b, out=wrong); raised(matmul, a, b, compute="tf32", backend="native")
    gc.collect()
    return sys.getallocatedblocks()
often()
before = often()
blocks = memory.stats().blocks
show(often() - before < 200, memory.stats().blocks - blocks)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [True, 0]


def test_where_a_library_is_keeps_no_memory(fakes: Fakes, tmp_path: Path):
    """It is asked for at each call until one has loaded the library."""
    pytest.importorskip("numpy")
    if not hasattr(core.Arena, "matmul"):
        pytest.skip("the C core was built without NumPy's headers")
    code = """
import gc, sys
from gpuprobe.memory.arenas import arena_of
a, x = to_device(counted[0].T @ counted[0]), to_device(counted[None])
arena, none = arena_of(0), (0, 0)
options = (0, 0, none, none, (1, 1), (1, 1), 1)
asked = []
def find(name):
    asked[:] = [*asked[-1:], name]
    return "/no/such/lib" + name
def often():
    for _ in range(200):
        told = [raised(arena.matmul, "cublas", find, (a, a), x, False, ("float32", "float32")),
                raised(arena.conv2d, "cudnn", find, (x, x), a, False,
                       ("float32", "float32", options))]
    gc.collect()
    return sys.getallocatedblocks(), told
often()
before, _ = often()
after, told = often()
show(after - before < 200, asked, [kind for kind, _ in told])
"""
    expected = [True, ["cublas", "cudnn"], ["ValueError", "ValueError"]]
    assert result(ONE_CARD, fakes, tmp_path, code) == expected


def test_nth_allocation_that_fails_on_a_gpu_is_a_memory_error(fakes: Fakes, tmp_path: Path):
    pytest.importorskip("_testcapi", reason="this Python has no _testcapi")
    if not hasattr(core.Arena, "matmul"):
        pytest.skip("the C core was built without NumPy's headers")
    code = """
import _testcapi, sys
from gpuprobe.memory.arenas import arena_of
x, w, bias = (to_device(np.ones(shape, np.float32))
              for shape in ((1, 2, 5, 5), (3, 2, 3, 3), (3,)))
a, b = to_device(counted[0]), to_device(counted[0].T.copy())
out, gaps = to_device(np.zeros((3, 3), np.float32)), to_device(np.zeros((3, 3), np.float32)).T
arena, rest = arena_of(0), ("float32", "float32")
options = (0, 0, (0, 0), (0, 0), (1, 1), (1, 1), 1)
def product(into, by="native"): arena.matmul(by, None, (a, b), into, False, rest)
def images(): arena.conv2d("native", None, (x, w, bias), None, True, (*rest, options))
def refused(into):
    try: product(into)
    except ValueError: pass
def missing():
    try: product(None, "cublas")
    except gpuprobe._core.ArenaError: pass
def failures(call):
    failed = 0
    for n in range(60):
        _testcapi.set_nomemory(n, n + 1)
        try: call()
        except MemoryError: failed += 1
        except SystemError as error:
            # CPython 3.11 loses an exception where there is no memory for the frame's object.
            if str(error) != "error return without exception set": raise
        finally: _testcapi.remove_mem_hooks()
    return failed
failed, kept = [], []
for call in (lambda: product(None), images, lambda: refused(x), lambda: refused(gaps), missing):
    call(), failures(call)
    before = sys.getallocatedblocks()
    failed.append(max(failures(call) for _ in range(4)))
    kept.append(sys.getallocatedblocks() - before)
product(out)
show(failed, kept, same(out.numpy(), counted[0] @ counted[0].T))
"""
    machine = replace(ONE_CARD, environment={"GPUPROBE_LIBCUBLASLT": "/no/such/file"})
    failed, kept, is_right = result(machine, fakes, tmp_path, code)  # type: ignore[misc]
    new, convolved, *_, missing = (
        failed  # CPython 3.10 refuses without words where it has no memory
    )
    assert min(new, convolved, missing) > 1
    assert max(failed) < 30  # of 60: behind the last of them the call goes through
    assert max(kept) < 4, "one block a failure would be more"
    assert is_right

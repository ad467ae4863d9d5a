"""The binding on NumPy's arrays: what it takes, what it refuses, and what it leaves behind."""

from __future__ import annotations

import contextlib
import gc
import subprocess
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

_core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")

FLOAT32 = np.dtype(np.float32)


def some(*shape: int, dtype: str = "float32") -> np.ndarray:
    return (np.arange(np.prod(shape)) % 7 - 3).reshape(shape).astype(dtype)


def conv2d(x: object, w: object, bias: object = None, **changed: object) -> np.ndarray:
    options = {
        "dtype": FLOAT32,
        "compute": "float32",
        "layout": 0,
        "padding": 0,
        "before": (0, 0),
        "after": (0, 0),
        "stride": (1, 1),
        "dilation": (1, 1),
        "groups": 1,
        **changed,
    }
    dtype, compute, *rest = options.values()
    result: np.ndarray = _core.conv2d_reference(x, w, bias, dtype, compute, tuple(rest))
    assert _core.conv2d_shape(x, w, tuple(rest))[0] == result.shape
    return result


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int8", "int32", "intc"])
def test_types_of_numpy_are_read(dtype: str):
    a, b = some(3, 4, dtype=dtype), some(4, 2, dtype=dtype)
    found = _core.matmul_reference(a, b, np.dtype("float64"), "float64")
    assert found.tolist() == (a.astype(float) @ b.astype(float)).tolist()


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_types_of_ml_dtypes_are_read_and_written(name: str):
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    dtype = np.dtype(getattr(ml_dtypes, name))
    a, b = some(3, 4).astype(dtype), some(4, 2).astype(dtype)
    found = _core.matmul_reference(a, b, dtype, "float32")
    assert found.dtype == dtype
    assert found.tolist() == (a.astype("f") @ b.astype("f")).astype(dtype).tolist()


def test_memory_that_only_calls_itself_a_number_is_refused():
    """Of no bytes and a name of ours, or of the right bytes, which may be anything."""
    for name, size in (("float8_e4m3fn", 0), ("float", 4)):
        dtype = np.dtype((type(name, (np.void,), {}), size))
        with pytest.raises(TypeError, match="is not supported"):
            _core.matmul_reference(some(2, 2), some(2, 2), dtype, "float32")
        with pytest.raises(TypeError, match="is not supported"):
            _core.matmul_reference(np.zeros((2, 2), dtype), some(2, 2), FLOAT32, "float32")


@pytest.mark.parametrize("call", ["matmul_reference", "conv2d_reference"])
def test_a_dtype_is_asked_for_once_and_before_the_arrays_are_read(call: str):
    """Whoever gives it may run any code, and give another one each time."""
    code = f"""
import numpy as np
from gpuprobe import _core
class Fickle:
    asked = 0
    @property
    def dtype(self):
        self.asked += 1
        for array in (wide, image):
            array.resize((1,) * array.ndim, refcheck=False)
        return np.dtype("float64" if self.asked == 1 else "int8")
wide, image, fickle = np.ones((512, 512)), np.ones((1, 1, 512, 512)), Fickle()
options = (0, 0, (0, 0), (0, 0), (1, 1), (1, 1), 1)
arguments = dict(
    matmul_reference=(wide, wide, fickle, "float64"),
    conv2d_reference=(image, np.ones((1, 1, 1, 1)), None, fickle, "float64", options))
found = _core.{call}(*arguments["{call}"])
print(found.dtype, found.size, fickle.asked)
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "float64 1 1\n"), done.stderr


def test_result_is_new_and_owns_its_memory():
    found = _core.matmul_reference(some(3, 4), some(4, 2), FLOAT32, "float32")
    assert found.flags.owndata
    assert found.flags.c_contiguous
    assert sys.getrefcount(found) == 2


@pytest.mark.parametrize(
    ("array", "told"),
    [
        ([[1.0]], "a: expected a numpy.ndarray, got <class 'list'>"),
        (some(2, 2, dtype="complex64"), "a: dtype.'complex64'. is not supported"),
        (some(2, 2, dtype="int64"), "a: dtype.'int64'. is not supported"),
        (some(2, 2).astype(">f4"), "in this machine's byte order"),
        (np.array([["x"]]), "is not supported"),
        (np.array([[None]]), "is not supported"),
    ],
)
def test_other_inputs_are_a_type_error(array: object, told: str):
    with pytest.raises(TypeError, match=told):
        _core.matmul_reference(array, some(2, 2), FLOAT32, "float32")
    with pytest.raises(TypeError, match=told):
        _core.prove_product(array, some(2, 2), some(2, 2), 1, "float32", 0)


def test_too_many_axes_are_a_value_error():
    # NumPy 1 itself refuses to make it.
    with pytest.raises(ValueError, match=r"33 axes; at most 32|is 32, found 33"):
        _core.matmul_reference(some(*[1] * 33), some(2, 2), FLOAT32, "float32")


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        (some(3, 4), some(3, 4), r"shapes \(3, 4\) and \(3, 4\) do not fit: the last axis of a"),
        (some(), some(3), r"shapes \(\) and \(3,\) do not fit: a scalar"),
        (some(2, 3, 4), some(3, 4, 5), "cannot be broadcast"),
    ],
)
def test_shapes_that_do_not_fit_are_told(a: np.ndarray, b: np.ndarray, told: str):
    with pytest.raises(ValueError, match=told):
        _core.matmul_reference(a, b, FLOAT32, "float32")
    with pytest.raises(ValueError, match=told):
        _core.matmul_shape(a, b)


def test_unknown_arithmetic_is_a_value_error():
    with pytest.raises(ValueError, match="compute=float31: no such arithmetic"):
        _core.matmul_reference(some(2, 2), some(2, 2), FLOAT32, "float31")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"groups": 2}, "groups must divide"),
        ({"stride": (0, 1)}, r"at least 1.*; given are stride \(0, 1\)"),
        ({"before": (-1, 0)}, r"padding at least 0.*padding \(-1, 0\) before"),
        ({"dilation": (1, 2**31 + 1)}, r"none above 2\*\*31.*dilation \(1, 2147483649\)"),
        ({"groups": -(2**63)}, r"groups -9223372036854775808"),
        ({"dilation": (9, 1)}, r"x of shape \(1, 3, 5, 5\) and w of shape \(2, 3, 3, 3\).*reaches"),
        ({"layout": 2}, "no layout 2"),
        ({"padding": 3}, "or no padding 3"),
    ],
)
def test_options_of_a_convolution_are_checked(changed: dict[str, object], told: str):
    with pytest.raises(ValueError, match=told):
        conv2d(some(1, 3, 5, 5), some(2, 3, 3, 3), **changed)


def test_a_shape_with_a_negative_extent_is_refused():
    odd, other = SimpleNamespace(shape=(2, -3)), SimpleNamespace(shape=(-3, 2))
    with pytest.raises(ValueError, match=r"a: \(2, -3\) is no shape"):
        _core.matmul_shape(odd, other)


def test_same_padding_tells_its_zeros():
    options = (0, 2, (0, 0), (0, 0), (1, 1), (1, 1), 1)
    found = _core.conv2d_shape(some(1, 3, 5, 5), some(2, 3, 3, 4), options)
    assert found == ((1, 2, 5, 5), (1, 1), (1, 2))


def test_a_filter_of_many_elements_is_summed():
    """More of them than are taken between two looks for Ctrl-C."""
    x, w = some(1, 2**17, 1, 1), some(2, 2**17, 1, 1)
    assert conv2d(x, w).ravel().tolist() == (w[:, :, 0, 0] @ x[0, :, 0, 0]).tolist()


def test_bias_has_one_element_a_filter():
    with pytest.raises(ValueError, match="bias: expected one axis of 2 elements"):
        conv2d(some(1, 3, 5, 5), some(2, 3, 3, 3), some(3))


def test_product_over_several_axes_is_that_of_tensordot():
    a, b = some(2, 3, 4, 5), some(4, 5, 6)
    right = np.tensordot(a, b, 2)
    assert _core.prove_product(a, b, right, 2, "float32", 1)["is_right"]
    right[1, 2, 3] += 1
    findings = _core.prove_product(a, b, right, 2, "float32", 1)
    assert not findings["is_right"]
    assert findings["elements"][0][:2] == (5, 3)


@pytest.mark.parametrize(("axes", "told"), [(3, "over 3 axes"), (-1, "over -1"), (2, "do not")])
def test_product_whose_axes_do_not_add_up_is_refused(axes: int, told: str):
    with pytest.raises(ValueError, match=told):
        _core.prove_product(some(2, 2), some(2, 2), some(2, 2), axes, "float32", 1)


def test_product_of_more_axes_apart_than_are_kept_is_refused():
    a, b = np.ones((3, 3, 3, 3, 3, 2), np.float32)[:2, :2, :2, :2, :2], some(2, 3)
    assert _core.prove_product(a[0], b, a[0] @ b, 1, "float32", 1)["is_right"]
    with pytest.raises(ValueError, match="more than 4 axes in one direction"):
        _core.prove_product(a, b, a @ b, 1, "float32", 1)


def test_product_of_other_shapes_is_refused():
    with pytest.raises(ValueError, match=r"\(2, 3\) times \(3, 4\) is not \(2, 5\)"):
        _core.prove_product(some(2, 3), some(3, 4), some(2, 5), 1, "float32", 1)


def test_threads_compute_side_by_side():
    """The GIL is released, and nothing is shared."""
    a, b = some(64, 65), some(65, 66)
    expected = (a @ b).tolist()
    found: list[bool] = []

    def compute() -> None:
        c = _core.matmul_reference(a, b, FLOAT32, "float32")
        found.append(
            c.tolist() == expected and _core.prove_product(a, b, c, 1, "float32", 1)["is_right"]
        )

    threads = [threading.Thread(target=compute) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8


@pytest.mark.parametrize(("rows", "columns"), [(8, 2**59), (2, 2**61), (1, 2**62)])
def test_arrays_that_no_memory_could_hold_are_a_memory_error(rows: int, columns: int):
    """With strides of 0 one byte is an array of any size; sizes must not wrap."""
    one = np.ones(1, np.int8)
    a = np.lib.stride_tricks.as_strided(one, (rows, columns), (0, 0))
    c = np.ones((rows, rows), np.int32)
    with pytest.raises(MemoryError):
        _core.matmul_reference(a, a.T, c.dtype, "int32")
    with pytest.raises(MemoryError):
        _core.prove_product(a, a.T, c, 1, "int32", 1)
    with pytest.raises(MemoryError):
        _core.prove_product(c[:, :1].astype(np.int8), a[:1], a, 1, "int32", 1)


INTERRUPTED = """
import signal, time
import numpy as np
from gpuprobe import _core

a = np.ones((1000, 1000), np.float32)
x, w = np.ones((1, 8, 300, 300), np.float32), np.ones((8, 8, 3, 3), np.float32)
pair = (1, 1)
wide = np.broadcast_to(np.float32(1), (1000, 40_000))
many = [np.broadcast_to(np.float32(each), (15_000, 15_000)) for each in (1, 1, 15_000)]
signal.signal(signal.SIGALRM, signal.default_int_handler)
for call in (
    lambda: _core.matmul_reference(a, a, a.dtype, "float32"),
    lambda: _core.matmul_reference(a[:8], wide, a.dtype, "float32"),
    lambda: _core.conv2d_reference(
        x, w, None, x.dtype, "float32", (0, 0, pair, pair, pair, pair, 1)),
    lambda: _core.prove_product(*many, 1, "float32", 1),
):
    begun = time.process_time()
    call()
    whole = time.process_time() - begun
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        call()
        print("finished")
    except KeyboardInterrupt:
        print("interrupted" if 2 * (time.process_time() - begun) < whole else "late")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGALRM")
def test_long_computation_can_be_interrupted():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], check=True, capture_output=True, text=True
    )
    assert done.stdout.split() == ["interrupted"] * 4


#: So many that even to count them would take hours.
EMPTY = """
import numpy as np
from gpuprobe import _core

a, b = np.empty((2**42, 0, 4), np.float32), np.empty((4, 3), np.float32)
x, w = np.empty((2**42, 0, 1, 1), np.float32), np.empty((0, 0, 1, 1), np.float32)
options = (0, 0, (0, 0), (0, 0), (1, 1), (1, 1), 1)
print(_core.matmul_reference(a, b, a.dtype, "float32").shape,
      _core.matmul_reference(b.T, a.swapaxes(1, 2), a.dtype, "float32").shape,
      _core.conv2d_reference(x, w, None, x.dtype, "float32", options).shape)
"""


def test_a_result_without_elements_is_there_at_once():
    done = subprocess.run(
        [sys.executable, "-c", EMPTY], check=False, capture_output=True, text=True, timeout=60
    )
    n = 2**42
    assert done.stdout == f"({n}, 0, 3) ({n}, 3, 0) ({n}, 0, 1, 1)\n", done.stderr


def calls(wrong: bool) -> None:
    """Each function once, as it should be or with what it refuses."""
    a = [1.0] if wrong else some(6, 5)
    wrong_c = np.ones((6, 4), np.float32)
    for call in (
        lambda: _core.matmul_reference(a, some(5, 4), FLOAT32, "float32"),
        lambda: _core.matmul_reference(some(6, 5), some(4, 4), FLOAT32, "float32"),
        lambda: _core.prove_product(a, some(5, 4), wrong_c, 1, "float32", 1),
        lambda: _core.matmul_reference(*[some(2, 2, dtype="int32")] * 2, FLOAT32, "int32"),
        lambda: conv2d(some(1, 3, 5, 5), some(2, 3, 3, 3), a if wrong else some(2)),
        lambda: conv2d(some(1, 3, 5, 5), some(2, 4, 3, 3)),
    ):
        with contextlib.suppress(ValueError, TypeError):
            call()


@pytest.mark.parametrize("wrong", [False, True])
def test_calls_keep_no_memory(wrong: bool):
    def call_often() -> int:
        for _ in range(100):
            calls(wrong)
        gc.collect()
        return sys.getallocatedblocks()

    call_often()  # what is made at a first use stays
    before = call_often()
    assert call_often() - before < 100, "one object a call would be 500"


#: The n-th allocation fails until a call goes through: no crash, nothing but MemoryError.
NO_MEMORY = """
import _testcapi, sys
import numpy as np
from gpuprobe import _core

a, b, c = (np.ones(shape, np.float32) for shape in ((6, 5), (5, 4), (6, 4)))
x, w = np.ones((1, 3, 5, 5), np.float32), np.ones((2, 3, 3, 3), np.float32)
pair = (1, 1)
calls = {
    "matmul": lambda: _core.matmul_reference(a, b, c.dtype, "float32"),
    "prove": lambda: _core.prove_product(a, b, c, 1, "float32", 1),
    "conv2d": lambda: _core.conv2d_reference(
        x, w, None, x.dtype, "float32", (0, 2, pair, pair, pair, pair, 1)),
    "state": _core.cuda_state,
}
def failures(call):
    for n in range(1000):
        _testcapi.set_nomemory(n, n + 1)
        try:
            call()
        except MemoryError:
            continue
        finally:
            _testcapi.remove_mem_hooks()
        return n
for name, call in calls.items():
    call(), failures(call)
    before = sys.getallocatedblocks()
    print(name, max(failures(call) for _ in range(4)), sys.getallocatedblocks() - before)
"""


def test_nth_allocation_that_fails_is_a_memory_error():
    pytest.importorskip("_testcapi", reason="this Python has no _testcapi")
    done = subprocess.run(
        [sys.executable, "-c", NO_MEMORY], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    failures = {name: int(count) for name, count, _ in rows}
    assert failures["prove"] > 5, "allocations of the findings did not fail"
    assert set(failures) == {"matmul", "prove", "conv2d", "state"}
    assert max(int(kept) for *_, kept in rows) < 4, "one block a failure would be more"

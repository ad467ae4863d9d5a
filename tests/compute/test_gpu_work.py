"""matmul and conv2d on the fake driver, whose kernels are ours, compiled for the host.

Every result is proved; what is given and what comes back, what is refused, what is not waited for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import TWO_DIFFERENT_CARDS
from support import device_arrays, gpu_work
from support.child import printed
from support.device_arrays import ONE_CARD
from support.gpu_work import shown
from support.machines import A100, A100_1G, A100_2G, DRIVER_580, with_mig
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if not hasattr(core.Arena, "matmul"):
    pytest.skip("the C core was built without NumPy's headers", allow_module_level=True)
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")


BEGIN = device_arrays.BEGIN + gpu_work.BEGIN


# -- results ------------------------------------------------------------------------------------


def test_products_of_every_type_are_proved(fakes: Fakes, tmp_path: Path):
    code = """
from gpuprobe.compute.arithmetic import ROWS
wrong = []
for dtype, row in ROWS["matmul"].items():
    for out in row.results:
        for make in (whole, floats) if "int" not in dtype else (whole,):
            a, b = make((2, 1, 19, 33), dtype, 1), make((3, 33, 17), dtype, 2)
            found = matmul(a, b, out_dtype=out)
            if not prove_matmul(a, b, found) or found.dtype.name != out:
                wrong.append([dtype, out, make.__name__])
show(wrong)
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [[]]


def test_products_of_any_shape_and_strides_are_those_of_numpy(fakes: Fakes, tmp_path: Path):
    code = """
shapes = [((5,), (5,)), ((5,), (5, 4)), ((3, 5), (5,)), ((1, 1), (1, 1)), ((0, 3), (3, 2)),
          ((2, 0), (0, 3)), ((2, 3, 5), (5, 4)), ((3, 5), (2, 1, 5, 4)), ((4, 1, 2, 3), (2, 3, 2))]
wrong = [[left, right, way] for left, right in shapes for way in WAYS
         if not same(matmul(strided(whole(left), way), strided(whole(right, seed=2), way)),
                     np.matmul(whole(left), whole(right, seed=2)))]
show(wrong)
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [[]]


def test_convolutions_of_every_type_and_option_are_proved(fakes: Fakes, tmp_path: Path):
    code = """
wrong = []
options = [{}, {"stride": (1, 2), "padding": ((1, 0), (2, 1)), "groups": 2}, {"padding": "same"},
           {"dilation": 2, "padding": 2}, {"groups": 4, "stride": 2}]
for dtype in ("float64", "float32", "float16", "bfloat16"):
    for each in options:
        groups = each.get("groups", 1)
        x, w, bias = (floats(s, dtype, i) for i, s in
                      enumerate([(2, 4, 9, 8), (8, 4 // groups, 3, 2), (8,)]))
        y = conv2d(x, w, bias, **each)
        last = [np.ascontiguousarray(array.transpose(0, 2, 3, 1)) for array in (x, w)]
        z = conv2d(*last, layout="NHWC", **each)
        if not prove_conv2d(x, w, y, bias, **each) or not prove_conv2d(
                *last, z, layout="NHWC", **each):
            wrong.append([dtype, each])
show(wrong)
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [[]]


def test_matrices_by_columns_stay_by_columns_on_their_way(fakes: Fakes, tmp_path: Path):
    code = """
from gpuprobe.compute.round_trip import _sent
arrays = [whole((3, 5)), whole((5, 3)).T, whole((2, 5, 3)).swapaxes(1, 2), whole((4, 5, 3)).T,
          whole((3, 10))[:, ::2], whole((4,))]
there = [_sent(array, 0) for array in arrays]
show([same(each.numpy(), array.copy()) for each, array in zip(there, arrays)],
     [each.strides == array.strides for each, array in zip(there, arrays)])
"""
    found = shown(ONE_CARD, fakes, tmp_path, code)
    assert found == [[True] * 6, [True, True, True, False, False, True]]


# -- what is given, and what comes back ---------------------------------------------------------


def test_the_result_is_of_the_kind_of_the_inputs(fakes: Fakes, tmp_path: Path):
    code = """
from types import SimpleNamespace
a, b = whole((3, 5)), whole((5, 2))
there = [to_device(each) for each in (a, b)]
borrowed = [SimpleNamespace(__cuda_array_interface__=each.__cuda_array_interface__, kept=each)
            for each in there]
class Lender:
    def __init__(self, array): self.__dlpack__, self.__dlpack_device__ = (
        array.__dlpack__, array.__dlpack_device__)
lent = [Lender(each) for each in there]
made = [matmul(*each) for each in ((a, b), there, borrowed, lent, (there[0], borrowed[1]))]
show([type(each).__name__ for each in made],
     [same(np.asarray(each) if each is made[0] else each.numpy(), a @ b) for each in made])
"""
    kinds = ["ndarray", *["DeviceArray"] * 4]
    assert shown(ONE_CARD, fakes, tmp_path, code) == [kinds, [True] * 5]


def test_nothing_waits_for_work_on_arrays_of_a_gpu(fakes: Fakes, tmp_path: Path):
    """Two copies wait; the third wait, which fails, is that of numpy()."""
    code = """
a, b = to_device(whole((3, 5))), to_device(whole((5, 3)))
c = matmul(matmul(a, b), matmul(a, b))
show(c.shape, raised(c.numpy)[0])
os._exit(0)
"""
    faults = {"cuStreamSynchronize@3": 999, "cuEventSynchronize": 999, "cuCtxSynchronize": 999}
    made = stage(replace(ONE_CARD, faults=faults), fakes, tmp_path)
    assert printed(made, BEGIN + code) == [[3, 3], "DriverError"]


def test_work_is_queued_after_that_of_all_streams_of_its_arrays(fakes: Fakes, tmp_path: Path):
    """The fake driver ends a process that uses memory before another stream is ready."""
    code = """
from support.dlpack import STREAMS
import gc
exec(STREAMS)
ones = np.ones((4, 4), np.int8)
a, b = to_device(ones, stream=one.value), to_device(ones, stream=two.value)
fill(a, 2, one)
fill(b, 3, two)
c = matmul(a, b)
fill(b, 5, two)  # waits until b was read
d = matmul(b, a, out=to_device(np.zeros((4, 4), np.int32)))
show(c.stream == one.value, d.stream, [int(each.numpy()[0, 0]) for each in (c, d)])
del a, b, c, d
end()
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [True, 0, [24, 40]]


def test_an_argument_that_is_neither_true_nor_false_raises_before_anything_is_queued(
    fakes: Fakes, tmp_path: Path
):
    code = """
from gpuprobe.memory.arenas import arena_of
class Neither:
    def __bool__(self): raise KeyError("neither")
a, b = to_device(whole((3, 5))), to_device(whole((5, 2)))
x, w = to_device(whole((1, 2, 5, 5))), to_device(whole((3, 2, 3, 3)))
arena, options = arena_of(0), (0, 0, (0, 0), (0, 0), (1, 1), (1, 1), 1)
work = ((arena.matmul, (a, b), ()), (arena.conv2d, (x, w), (options,)))
used = memory.stats().allocations
show([raised(call, "native", None, arrays, None, Neither(), ("float32", "float32", *more))
      for call, arrays, more in work], memory.stats().allocations - used)
"""
    refused = ["KeyError", "'neither'"]
    assert shown(ONE_CARD, fakes, tmp_path, code) == [[refused, refused], 0]


def test_what_the_binding_cannot_take_is_refused_before_the_driver_sees_it(
    fakes: Fakes, tmp_path: Path
):
    """Objects would be copied as addresses, and a size below 0 is one beyond all memory."""
    code = """
from gpuprobe.memory.arenas import arena_of
x, w = to_device(whole((1, 2, 5, 5))), to_device(whole((3, 2, 3, 3)))
arena, objects = arena_of(0), np.array([object()] * 4)
calls = (
    (arena.conv2d, "native", None, (x, w), None, False, ("float32", "float32", [0, 0])),
    (arena.copy_in, x.address, objects, 0),
    (arena.copy_out, x.address, objects, 0),
    (arena.copy_rows_out, x.address, objects, (1, 4, 8, 8, 4), 0),
    (arena.copy_across, x.address, 0, arena, w.address, 0, -1),
)
show(*(raised(call, *arguments) for call, *arguments in calls),
     same(x.numpy(), whole((1, 2, 5, 5))))
"""
    objects = ["TypeError", "the array holds references to objects of Python's"]
    assert shown(ONE_CARD, fakes, tmp_path, code) == [
        ["TypeError", "conv2d: its options are no tuple"],
        *([objects] * 3),
        ["ValueError", "copy_across: -1 bytes are fewer than none"],
        True,
    ]


def test_out_gets_the_result_and_is_returned(fakes: Fakes, tmp_path: Path):
    code = """
a, b = whole((3, 5)), whole((5, 2))
wide = np.zeros((3, 4), np.float32)
here, there = wide[:, ::2], to_device(np.zeros((3, 2), np.float32))
got = [matmul(a, b, out=here), matmul(to_device(a), to_device(b), out=there)]
y = np.zeros((1, 1, 2, 4), np.float32)
conv2d(a.reshape(1, 1, 3, 5), b[:2].reshape(1, 1, 2, 2), out=y, device="cpu")
show(got[0] is here, got[1] is there, same(here.copy(), a @ b), same(there.numpy(), a @ b),
     bool(prove_conv2d(a.reshape(1, 1, 3, 5), b[:2].reshape(1, 1, 2, 2), y)))
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [True] * 5


def test_info_says_what_ran_and_how_long(fakes: Fakes, tmp_path: Path):
    code = """
a, b = whole((3, 5)), whole((5, 2))
_, here = matmul(a, b, backend="native", info=True)
_, there = matmul(to_device(a), to_device(b), backend="native", info=1)
_, cpu = matmul(a, b, backend="cpu", info=True)
times = ("seconds", "submit_seconds", "kernel_seconds", "transfer_seconds")
told = [{k: v is not None and v >= 0 if k in times else v for k, v in each.to_dict().items()}
        for each in (here, there, cpu)]
show(*told, str(here).startswith("native back end on GPU 0, float32 arithmetic, float32 result"))
"""
    same = {"compute": "float32", "dtype": "float32", "seconds": True, "passed_over": []}
    same["algorithm"] = None
    gpu = {**same, "device": 0, "submit_seconds": True, "kernel_seconds": True}
    cpu = dict.fromkeys(("submit_seconds", "kernel_seconds", "transfer_seconds"), False)
    here, there, on_cpu, is_told = shown(ONE_CARD, fakes, tmp_path, code)
    assert here == {**gpu, "backend": "native", "transfer_seconds": True}
    assert there == {**gpu, "backend": "native", "transfer_seconds": False}
    assert on_cpu == {**same, **cpu, "backend": "cpu", "device": "cpu"}
    assert is_told


def test_the_gpu_is_that_of_the_arrays_or_the_one_that_is_named(fakes: Fakes, tmp_path: Path):
    code = """
a, b = whole((3, 5)), whole((5, 2))
there = [to_device(each, device=1) for each in (a, b)]
[second] = [each for each in gpuprobe.devices() if each.ordinal == 1]
ran = [matmul(a, b, device=each, info=True)[1].device for each in (1, second.uuid, second)]
ran.append(matmul(*there, info=True)[1].device)
show(ran, raised(matmul, *there, device=0), raised(matmul, there[0], to_device(b)),
     raised(matmul, a, b, device=7)[0], raised(matmul, a, b, device="GPU-no"),
     raised(matmul, *there, out=to_device(np.zeros((3, 2), np.float32))))
"""
    ran, named, apart, beyond, uuid, out = shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code)
    assert ran == [1, 1, 1, 1]
    assert named == ["ValueError", "matmul: device is 0, and the arrays are on GPU 1"]
    assert apart == [
        "ValueError",
        "matmul: the arrays are not on the same GPU: b is on GPU 0, and the work on GPU 1",
    ]
    assert beyond == "ValueError"
    assert uuid == ["ValueError", "matmul: CUDA shows no GPU GPU-no to this process"]
    assert out == ["ValueError", "matmul: out is on GPU 0, and the inputs on GPU 1"]


def test_a_part_of_a_gpu_is_named_by_its_uuid(fakes: Fakes, tmp_path: Path):
    code = """
a, b = whole((3, 5)), whole((5, 2))
[card] = gpuprobe.devices()
parts = [each for each in card.mig.instances if each.ordinal is not None]
show([matmul(a, b, device=each.uuid, info=True)[1].device for each in parts],
     [each.ordinal for each in parts], raised(matmul, a, b, device=card))
"""
    machine = replace(ONE_CARD, gpus=(with_mig(A100),), migs=(A100_2G, A100_1G), driver=DRIVER_580)
    used, known, (kind, told) = shown(machine, fakes, tmp_path, code)
    assert used == known != []
    assert kind == "ValueError"
    assert told.startswith(f"matmul: CUDA has no number for {A100.name}: ")


def test_threads_compute_side_by_side(fakes: Fakes, tmp_path: Path):
    code = """
from concurrent.futures import ThreadPoolExecutor
def job(seed): return all(proved(whole((20, 30), seed=seed), whole((30, 10))) for _ in range(5))
with ThreadPoolExecutor(4) as pool:
    show(list(pool.map(job, range(8))))
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [[True] * 8]


# -- what is refused ----------------------------------------------------------------------------


def test_bad_input_is_told_before_cuda_is_started(fakes: Fakes, tmp_path: Path):
    code = """
a, b = whole((3, 5)), whole((5, 2))
x, w = whole((1, 2, 5, 5)), whole((4, 2, 3, 3))
bad = [
    (matmul, (a, a), {}), (matmul, (a, b.astype(np.float64)), {}), (matmul, ([1.0], b), {}),
    (matmul, (a, b), {"compute": "int32"}), (matmul, (a, b), {"out_dtype": "int8"}),
    (matmul, (a, b), {"backend": "fast"}), (matmul, (a, b), {"backend": "cudnn"}),
    (matmul, (a, b), {"backend": "native", "device": "cpu"}),
    (matmul, (a, b), {"backend": "cpu", "device": 0}), (matmul, (a, b), {"device": -1}),
    (matmul, (a, b), {"device": 1.5}), (matmul, (a, b), {"device": "cuda"}),
    (matmul, (a, b), {"out": np.zeros((3, 3), np.float32)}),
    (matmul, (a, b), {"out": np.zeros((3, 2))}), (matmul, (a, b), {"out": [0.0]}),
    (matmul, (a, a.T), {"out": a[:, :3]}),
    (matmul, (a, b), {"out": np.broadcast_to(np.float32(0), (3, 2))}),
    (matmul, (a, b), {"backend": []}), (conv2d, (x, w), {"compute": {}}),
    (conv2d, (x, w[:, :1]), {}), (conv2d, (x, w), {"stride": 0}),
    (conv2d, (x, w, whole((3,))), {}), (conv2d, (x, w, whole((4,), "float64")), {}),
]
show(*[[*raised(call, *arguments, **more), started()] for call, arguments, more in bad])
"""
    told = shown(ONE_CARD, fakes, tmp_path, code)
    expected = [
        ("ValueError", "matmul: shapes (3, 5) and (3, 5) do not fit"),
        ("TypeError", "matmul: one input is float32, the other float64"),
        ("TypeError", "a: expected a numpy.ndarray"),
        ("ValueError", "matmul: compute='int32' is not there for float32"),
        ("ValueError", "matmul: out_dtype='int8' is not there for float32"),
        ("ValueError", "matmul: backend='fast': there are 'auto', "),
        ("ValueError", "matmul: backend='cudnn': there are 'auto', "),
        ("ValueError", "matmul: backend='native' computes on a GPU, and device is 'cpu'"),
        ("ValueError", "matmul: backend='cpu' computes on the CPU, and device is 0"),
        ("ValueError", "matmul: device is -1; CUDA counts from 0"),
        ("TypeError", "matmul: device is 1.5: use None, CUDA's number"),
        ("ValueError", "matmul: device is 'cuda': use None, CUDA's number"),
        ("ValueError", "matmul: out has the shape (3, 3), and the result (3, 2)"),
        ("TypeError", "matmul: out is float64, and the result float32"),
        ("TypeError", "matmul: out has to be a numpy.ndarray, as the inputs are"),
        ("ValueError", "matmul: out shares memory with an input"),
        ("ValueError", "matmul: out is read-only"),
        ("TypeError", "matmul: backend=[]: expected a name, got <class 'list'>"),
        ("TypeError", "conv2d: compute={}: expected a name, got <class 'dict'>"),
        ("ValueError", "conv2d: x of shape (1, 2, 5, 5) and w of shape (4, 1, 3, 3) do not fit"),
        ("ValueError", "conv2d: x of shape (1, 2, 5, 5) and w of shape (4, 2, 3, 3) do not fit"),
        ("ValueError", "conv2d: bias has the shape (3,); expected (4,), one element a filter"),
        ("TypeError", "conv2d: w is float32, and bias float64; convert the bias"),
    ]
    assert [(kind, text[: len(words)], state) for (kind, text, state), (_, words) in zip(
        told, expected, strict=True)] == [(*each, "not loaded") for each in expected]  # fmt: skip


def test_arrays_of_a_gpu_that_do_not_fit_are_told(fakes: Fakes, tmp_path: Path):
    code = """
a, b = to_device(whole((4, 4))), to_device(whole((4, 4)))
half = replace(a, shape=(2, 4), address=a.address + 32)
show(*[raised(matmul, *arguments, **more) for arguments, more in [
    ((a, whole((4, 4))), {}), ((a, b), {"device": "cpu"}), ((a, b), {"out": whole((4, 4))}),
    ((a, b), {"out": a}), ((half, b), {"out": replace(a, shape=(2, 4), address=a.address + 16)}),
    ((a, b), {"out": replace(to_device(whole((4, 4))), is_read_only=True)}),
    ((a, b), {"out": replace(to_device(whole((4, 4))), strides=(4, 16))}),
    ((a, b), {"out": replace(to_device(whole((9, 4))), shape=(4, 4), address=a.address + 2)}),
]], type(matmul(half, b, out=replace(b, shape=(2, 4), address=a.address))).__name__)
"""
    *told, apart = shown(ONE_CARD, fakes, tmp_path, code)
    expected = [
        "nothing is copied in silence",
        "the arrays are in the memory of GPU 0; use their numpy()",
        "matmul: out has to be a gpuprobe.DeviceArray, as the inputs are, got <class 'numpy.",
        "out shares memory with an input",
        "out shares memory with an input",
        "out is read-only",
        "out has gaps, or another order",
        "no multiple of its elements' size",
    ]
    assert apart == "DeviceArray"
    assert [
        words for words, (_, text) in zip(expected, told, strict=True) if words not in text
    ] == []


def test_what_no_back_end_can_do_is_told_with_each_reason(fakes: Fakes, tmp_path: Path):
    code = """
a, b = whole((3, 5)), whole((5, 2))
show(raised(matmul, a, b, compute="tf32", backend="native"))
"""
    [[kind, told]] = shown(ONE_CARD, fakes, tmp_path, code)
    assert kind == "Unsupported"  # a ValueError
    assert told.startswith("matmul: native: no kernel has this combination of types and arithmetic")
    assert 'device="cpu"' in told

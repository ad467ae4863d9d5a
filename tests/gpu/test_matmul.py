"""matmul and conv2d on a real GPU: every type of every back end is proved, streams keep order."""

from __future__ import annotations

import json
import os

import pytest

import gpuprobe
from gpuprobe.compute.place import BACKENDS
from support import device_arrays, gpu_work
from support.child import run_python

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")


def shown(code: str) -> list:
    """What the code shows, in a process of its own: this one starts no CUDA."""
    done = run_python(os.environ, "-c", device_arrays.BEGIN + gpu_work.BEGIN + code, timeout=300)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


def test_every_step_of_the_ladder_is_right():
    found = gpuprobe.verify(seed=1)
    assert found.outcome == "right", str(found)
    native = [step for step in found.steps if step.name.endswith(", native")]
    assert {step.name for step in native if step.outcome != "right"} == {
        "matmul float32 as tf32, native",
        "conv2d float32 as tf32, native",
    }


@pytest.mark.parametrize("backend", BACKENDS["matmul"])
def test_products_of_many_sizes_are_proved(backend: str):
    code = f"""
from gpuprobe.compute.failures import Unsupported
wrong, done = [], 0
for dtype in ("float64", "float32", "float16", "bfloat16", "int8", "int32"):
    for m, k, n in [(1, 1, 1), (0, 3, 2), (3, 0, 2), (1, 1000, 1), (17, 33, 1025), (512, 768, 640)]:
        for way in WAYS:
            a, b = strided(whole((m, k), dtype), way), strided(whole((k, n), dtype, 2), way)
            try:
                c = matmul(a, b, backend={backend!r})
            except Unsupported:
                continue
            done += 1
            if not prove_matmul(a, b, c):
                wrong.append([dtype, m, k, n, way])
show(wrong, done)
"""
    wrong, done = shown(code)
    assert wrong == []
    assert done > 0


def test_work_on_several_streams_keeps_its_order():
    """Each turn fills its input and multiplies; what is read too early is an older number."""
    code = """
from support.dlpack import STREAMS
import gc
exec(STREAMS)
ones = np.ones((1024, 1024), np.int8)
a, b = to_device(ones, stream=one.value), to_device(ones, stream=two.value)
results = []
for turn in range(1, 101):
    fill(a, turn, one)
    fill(b, turn % 3, two)
    results.append(matmul(a, b))
found = [sorted({int(each) for each in made.numpy().ravel()}) for made in results]
show(found == [[1024 * turn * (turn % 3)] for turn in range(1, 101)])
del a, b, results
end()
"""
    assert shown(code) == [True]


def test_info_measures_the_kernel_apart_from_the_copies():
    code = """
a, b = floats((2048, 2048)), floats((2048, 2048), seed=2)
matmul(a, b)
_, info = matmul(a, b, info=True)
parts = info.submit_seconds, info.kernel_seconds, info.transfer_seconds
show(all(0 < each < info.seconds for each in parts), info.device)
"""
    assert shown(code) == [True, 0]


def test_an_illegal_address_is_told_and_the_process_has_to_be_started_anew():
    code = """
a = to_device(whole((64, 64)))
wild = replace(a, address=1 << 20)
def failing():
    matmul(wild, a, backend="native").numpy()
show(raised(failing))
os._exit(0)
"""
    [[kind, told]] = shown(code)
    assert kind == "DriverError"
    assert "GPU 0" in told
    assert told.endswith("CUDA is lost to this process: end it, and start it anew.")

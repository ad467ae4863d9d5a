"""The real cuDNN on a real GPU: its descriptors keep the contract, its engines their promises."""

from __future__ import annotations

import json
import os

import pytest

from support import device_arrays, gpu_work
from support.child import run_python
from support.cudnn_contract import CONTRACT
from support.vendor import is_installed, wheel_library

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")

SONAME = "libcudnn.so.9"
#: What a machine with a GPU answers otherwise.
OF_NO_DEVICE = {
    "without_a_device_there_is_no_handle",
    "engines_are_announced_and_without_a_device_none_comes",
}


@pytest.fixture(scope="module")
def library() -> str:
    """The library, by a path or by its name."""
    found = str(wheel_library(SONAME) or SONAME)
    if not is_installed(found):
        pytest.skip(f"no {SONAME} (pip install nvidia-cudnn-cu13)")
    return found


def shown(code: str, library: str) -> list:
    """What the code shows, in a process of its own: this one starts no CUDA."""
    environment = {**os.environ, "GPUPROBE_LIBCUDNN": library}
    program = device_arrays.BEGIN + gpu_work.BEGIN + code
    done = run_python(environment, "-c", program, timeout=300)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("name", sorted(set(CONTRACT) - OF_NO_DEVICE))
def test_its_descriptors_keep_the_contract(name: str, library: str):
    done = run_python(os.environ, "-m", "support.cudnn_contract", library, name)
    assert done.returncode == 0, done.stderr[-2000:]


def test_every_type_and_option_is_proved_or_refused_with_a_reason(library: str):
    code = """
from gpuprobe.compute.failures import Unsupported
wrong, done = [], 0
options = [{}, {"stride": (1, 2), "padding": ((1, 0), (2, 1)), "groups": 2}, {"padding": "same"},
           {"dilation": 2, "padding": 2}, {"groups": 8, "stride": 2}]
for dtype in ("float64", "float32", "float16", "bfloat16"):
    for each in options:
        for last in (False, True):
            x, w, bias = (floats(s, dtype, i) for i, s in enumerate(
                [(2, 8, 19, 18), (16, 8 // each.get("groups", 1), 3, 2), (16,)]))
            if last:
                x, w = (np.ascontiguousarray(a.transpose(0, 2, 3, 1)) for a in (x, w))
            more = {**each, "layout": "NHWC" if last else "NCHW"}
            for b in (None, bias):
                try:
                    y = conv2d(x, w, b, backend="cudnn", **more)
                except Unsupported:
                    continue
                done += 1
                if not prove_conv2d(x, w, y, b, **more):
                    wrong.append([dtype, each, last, b is not None])
show(wrong, done)
"""
    wrong, done = shown(code, library)
    assert wrong == []
    assert done > 0


def test_whole_numbers_are_exact_and_float32_is_no_tf32(library: str):
    """A sum that is bit-exact comes of no Winograd and no FFT; one of long inputs of no TF32."""
    code = """
x, w = whole((2, 16, 30, 30)), whole((16, 16, 3, 3), seed=2)
y = [conv2d(x, w, padding=1, backend="cudnn") for _ in range(3)]
expected = conv2d(x, w, padding=1, device="cpu")
a, b = floats((2, 16, 30, 30)), floats((16, 16, 3, 3), seed=2)
z = conv2d(a, b, padding=1, backend="cudnn")
show([same(each, expected) for each in y], bool(prove_conv2d(a, b, z, padding=1)))
"""
    assert shown(code, library) == [[True] * 3, True]

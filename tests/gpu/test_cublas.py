"""The real cuBLAS on a real GPU: it does what its fake does, and its products are proved."""

from __future__ import annotations

import json
import os

import pytest

from support import device_arrays, gpu_work
from support.child import run_python
from support.cublaslt import BY_CUBLAS, EVERY_TYPE, SONAME
from support.cublaslt_contract import ON_A_DEVICE, WITHOUT_A_DEVICE
from support.vendor import is_installed, wheel_library

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")

CONTRACT = {*WITHOUT_A_DEVICE, *ON_A_DEVICE} - {"it_does_not_start_without_a_driver"}


@pytest.fixture(scope="module")
def library() -> str:
    """The library, by a path or by its name."""
    found = str(wheel_library(SONAME) or SONAME)
    if not is_installed(found):
        pytest.skip(f"no {SONAME} (pip install nvidia-cublas==13.*)")
    return found


def shown(library: str, code: str) -> list:
    """What the code shows, in a process of its own: this one starts no CUDA."""
    environment = {**os.environ, "GPUPROBE_LIBCUBLASLT": library}
    program = device_arrays.BEGIN + gpu_work.BEGIN + BY_CUBLAS + code
    done = run_python(environment, "-c", program, timeout=300)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("name", sorted(CONTRACT))
def test_it_keeps_the_contract_of_the_fake(name: str, library: str):
    done = run_python(os.environ, "-m", "support.cublaslt_contract", name, library)
    assert done.returncode == 0, done.stderr


def test_products_of_every_type_that_it_has_are_proved(library: str):
    assert shown(library, EVERY_TYPE) == [[]]


def test_float32_is_no_tf32_and_repeats_its_bits(library: str):
    code = """
a, b = floats((511, 1025)), floats((1025, 255), seed=1)
made = [product(a, b) for _ in range(3)]
show(bool(prove_matmul(a, b, made[0])), all(same(each, made[0]) for each in made),
     bool(prove_matmul(a, b, product(a, b, compute="tf32"))))
"""
    assert shown(library, code) == [True, True, False]


def test_arrays_that_begin_at_any_element_are_read(library: str):
    """A kernel that counts on a better alignment than was promised would fault."""
    code = """
wrong = []
for dtype in ("float64", "float32", "float16"):
    size = np.dtype(dtype).itemsize
    for skip in (1, 2, 3, 4, 8):
        a, b = whole((64, 128), dtype), whole((128, 96), dtype, 1)
        long = to_device(np.concatenate([np.zeros(skip, dtype), a.ravel()]))
        shifted = replace(long, shape=a.shape, strides=(128 * size, size),
                          address=long.address + skip * size)
        if not prove_matmul(a, b, product(shifted, to_device(b)).numpy()):
            wrong.append([dtype, skip])
show(wrong)
"""
    assert shown(library, code) == [[]]

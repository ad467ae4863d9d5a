"""A machine that has cuBLAS, as its fake plays it, and programs that multiply by it."""

from __future__ import annotations

from dataclasses import replace

from .device_arrays import ONE_CARD
from .machines import DRIVER_580
from .trees import library_folder

SONAME = "libcublasLt.so.13"
_DRIVER = {name: f"{library_folder()}/{name}" for name in ("libcuda.so.1", "libnvidia-ml.so.1")}

WITH_CUBLAS = replace(
    ONE_CARD,
    name="with cuBLAS",
    driver=DRIVER_580,
    libraries={**_DRIVER, SONAME: f"/usr/local/cuda/lib64/{SONAME}"},
)

#: After support.gpu_work.BEGIN.
BY_CUBLAS = """
def product(a, b, **more):
    return matmul(a, b, backend="cublas", **more)
def by_columns(array):
    there = to_device(np.ascontiguousarray(array.swapaxes(-1, -2)))
    strides = (*there.strides[:-2], there.strides[-1], there.strides[-2])
    return replace(there, shape=array.shape, strides=strides)
"""

#: Shows the types of which a product was wrong.
EVERY_TYPE = """
from gpuprobe.compute.arithmetic import ROWS
wrong = []
for dtype in ("float64", "float32", "float16", "bfloat16"):
    for out in ROWS["matmul"][dtype].results:
        for make in (whole, floats):
            a, b = make((2, 1, 19, 33), dtype, 1), make((3, 33, 17), dtype, 2)
            found = product(a, b, out_dtype=out)
            if not prove_matmul(a, b, found) or found.dtype.name != out:
                wrong.append([dtype, out, make.__name__])
for dtype in ("int8", "float8_e4m3fn"):
    a, b = whole((19, 48), dtype, 1), whole((48, 32), dtype, 2)
    if not prove_matmul(a, b, product(to_device(a), by_columns(b)).numpy()):
        wrong.append([dtype])
show(wrong)
"""

"""A machine that has cuBLAS: its fake stands where a toolkit puts the library."""

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

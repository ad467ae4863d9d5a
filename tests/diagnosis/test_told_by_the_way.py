"""What encoders, loaders of Compose, sleep and cuDNN's search tell; each with a near miss."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system."
LOGGED = "worker_1  | Loading the model\nworker_1  | " + NO_DRIVER
FLASH = "flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so"
NO_CODE = "\nCUDA error: no kernel image is available for execution on the device"
LIBC = "ImportError: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.32' not found (required by "


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Driver does not support the required nvenc API version.", "driver-too-old"),
        ("Required: NVENC API 13.0\nFound: 12.2", "driver-too-old"),
        ("the NVENC API is version 13.0", "unknown"),
        ("RuntimeError: Unable to find a valid cuDNN algorithm to run convolution",
         "oom-workload"),
        ("RuntimeError: Unable to find a valid algorithm", "unknown"),
        (f"{LIBC}/x/site-packages/{FLASH})", "extension-mismatch"),
        (f"{LIBC}/x/bin/tool)", "unknown"),
        (LOGGED, "container-no-gpu"),
        (LOGGED.replace("worker_1  |", "worker 1  :"), "driver-missing"),
        ("NameError: name '_C' is not defined", "toolkit-missing"),
        ("NameError: name 'C' is not defined", "unknown"),
        ("Using on K80 Tesla" + NO_CODE, "gpu-too-old"),
        ("Using on K80 boards" + NO_CODE, "unknown"),
        ("After resuming from sleep mode, it no longer utilizes the GPU", "device-nodes"),
        ("After resuming from sleep mode, it no longer shows the page", "unknown"),
        ("export CUDA_VISIBLE_DEVICES=1\nit cannot find the GPU", "hidden-by-visible-devices"),
        ("export CUDA_VISIBLE_DEVICES=0\nit cannot find the GPU", "unknown"),
    ],
)  # fmt: skip
def test_a_line_by_the_way_tells_the_cause(text: str, cause: str):
    assert ruled(text) == cause

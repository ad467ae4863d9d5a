"""A set-up that works, as CuPy, Numba, XGBoost and their like tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        # A line shows the GPU.
        ("[01/02/2024-10:11:12] [I] Selected Device: NVIDIA T400\n", "healthy"),
        ("[01/02/2024-10:11:12] [I] Selected Device:\n", "unknown"),
        (
            "I0102 10:11:12.000001 1 metrics.cc:650] Collecting metrics for GPU 0: Tesla T4\n",
            "healthy",
        ),
        ("I0102 10:11:12.000001 1 metrics.cc:543] Collecting CPU metrics\n", "unknown"),
        ('Added device "NVIDIA T400" with id "CUDA_NVIDIA T400_0000:01:00".\n', "healthy"),
        (
            'Added device "AMD Radeon RX 570" with id "HIP_AMD Radeon RX 570_0000:01:00".\n',
            "unknown",
        ),
        (
            "NumbaPerformanceWarning: Grid size 8 will likely result in GPU under-utilization\n",
            "healthy",
        ),
        (
            "NumbaPerformanceWarning: Grid size (2) < 2 * SM count (40) results in GPU under use\n",
            "healthy",
        ),
        ("NumbaPerformanceWarning: Host array used in CUDA kernel will incur copies\n", "healthy"),
        ("NumbaPerformanceWarning: '@' is faster on contiguous arrays\n", "unknown"),
        ("numba.cuda.gpus: <Managed Device 0>, <Managed Device 1>\n", "healthy"),
        ("numba.cuda.gpus:\n", "unknown"),
        ("train.py:12] devices: [CudaDevice(id=0), CudaDevice(id=1)]\n", "healthy"),
        ("train.py:12] devices: [cuda(id=0)]\n", "healthy"),
        ("train.py:12] devices: [CpuDevice(id=0)]\n", "unknown"),
        ("In tower 0 on device cuda:0\n", "healthy"),
        ("In tower 0 on device cpu\n", "unknown"),
        # Who finds fault with a result has a GPU that computes.
        ("When run on GPU the program runs fine except that some results are zero", "healthy"),
        ("NaNs only on GPU with a large convolution kernel", "healthy"),
        ("the gradients differ between CPU and GPU", "healthy"),
        ("outputs are not equal on the GPU and on the CPU", "healthy"),
        (">>> cupy.piecewise(x, [True, False], [1, 2])\narray([1, 1])", "healthy"),
        ("cp.sum(x, axis=0)\n# array([1, 1])", "healthy"),
    ],
)
def test_a_gpu_at_work_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


DEVICES = "XGBoost is running on: {on}, while the input data is on: {data}.\n"


@pytest.mark.parametrize(
    ("on", "data", "verdict"), [("cuda:1", "cpu", "healthy"), ("cpu", "cuda:0", "unknown")]
)
def test_xgboost_says_where_it_runs(on: str, data: str, verdict: str):
    assert ruled(DEVICES.format(on=on, data=data)) == verdict


PROFILED = (
    "f  :    CPU:   89.229 us   +/- 4.806 (min: 85.6) us     {other}:  103.849 us   +/- 4.9 us\n"
)


@pytest.mark.parametrize(("other", "cause"), [("GPU-0", "healthy"), ("CPU-1", "unknown")])
def test_cupy_timed_work_on_the_gpu(other: str, cause: str):
    assert ruled(PROFILED.format(other=other)) == cause


LIGHTGBM = """[LightGBM] [Info] Using GPU Device: {device}
[LightGBM] [Info] GPU programs have been built
[LightGBM] [Info] 12 dense feature groups (3.20 MB) transfered to GPU in 0.004 secs.
"""


@pytest.mark.parametrize(
    ("device", "cause"),
    [
        ("Quadro P2000, Vendor: NVIDIA Corporation", "healthy"),
        ("gfx900, Vendor: Advanced Micro Devices, Inc.", "unknown"),
    ],
)
def test_older_lightgbm_spells_its_transfer_otherwise(device: str, cause: str):
    assert ruled(LIGHTGBM.format(device=device)) == cause


LIGHTGBM_TRAINS = """[LightGBM] [Info] This is the GPU trainer!!
[LightGBM] [Info] Using GPU Device: {device}
[LightGBM] [Info] GPU programs have been built
[LightGBM] [Info] 12 dense feature groups (44.10 MB) transferred to GPU in 0.051234 secs. 0 sparse
"""


@pytest.mark.parametrize(
    ("device", "cause"),
    [
        ("NVIDIA A10, Vendor: NVIDIA Corporation", "healthy"),
        ("gfx1030, Vendor: Advanced Micro Devices, Inc.", "unknown"),
    ],
)
def test_lightgbm_computes_where_it_copied_the_features(device: str, cause: str):
    assert ruled(LIGHTGBM_TRAINS.format(device=device)) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "Should results differ between CPU and GPU?",
        "the program does not run on the GPU, and runs fine on the CPU",
        "cupy.zeros(3)\ncupy_backends.cuda.api.runtime.CUDARuntimeError: cudaErrorNoDevice",
        "numpy.sum(x)\narray([1, 1])",
        "if the gradients differ between CPU and GPU, tell us",
    ],
)
def test_of_a_question_or_a_failure_nothing_of_that_follows(pasted: str) -> None:
    assert ruled(pasted) != "healthy"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "d2.utils.events: eta: 4:58:26  iter: 659  total_loss: 1.619  time: 0.1999  lr: "
                "0.006593  max_mem: 2996M"
            ),
            "healthy",
        ),
        (
            (
                "d2.utils.events: eta: 4:58:26  iter: 659  total_loss: 1.619  time: 0.1999  lr: "
                "0.006593"
            ),
            "unknown",
        ),
    ],
)
def test_detectron2_tells_how_much_of_the_gpu_it_took(text: str, cause: str):
    assert ruled(text) == cause

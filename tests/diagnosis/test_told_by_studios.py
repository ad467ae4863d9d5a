"""What Blender, GROMACS, AMReX, audio-separator and batch jobs say in words of their own."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                'device_cuda.cpp:149] Ignoring device "GeForce GTX 580", this graphics card is no '
                "longer supported."
            ),
            "gpu-too-old",
        ),
        ("The vendor says that this graphics card is no longer supported.", "unknown"),
        ("amrex::Abort::2::Out of gpu memory. Free: 41943040 Asked: 268435456 !!!", "oom-workload"),
        (
            "NOTE: GPU(s) found, but the current simulation can not use GPUs",
            "silent-cpu-fallback",
        ),
        (
            (
                "WARNING - separator - CUDAExecutionProvider not available in ONNXruntime\n"
                "INFO - separator - ONNX Runtime GPU package installed with version: 1.17.1\n"
                "INFO - separator - ONNX Runtime CPU package installed with version: 1.17.1"
            ),
            "mixed-installs",
        ),
        ("INFO - separator - ONNX Runtime GPU package installed with version: 1.17.1", "unknown"),
        (
            "NoDevFiles\nCUDA error in cudaGetDeviceCount: no CUDA-capable device is detected",
            "hidden-by-visible-devices",
        ),
        ("Slurm writes NoDevFiles where a job gets no GPU", "unknown"),
    ],
)
def test_programs_in_their_own_words(text: str, cause: str):
    assert ruled(f"{text}\n") == cause


FULL = """pycuda._driver.MemoryError: cuMemAlloc failed: out of memory
|    0   N/A  N/A     88412      C   ...s/train/bin/python    8417MiB |
{told}
"""


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("pid 88412 is of my colleague", "oom-other-process"),
        ("pid 88412 belongs to another user", "oom-other-process"),
        ("pid 88412 is my own run", "oom-workload"),
    ],
)
def test_somebody_knows_whose_process_it_is(told: str, cause: str):
    assert ruled(FULL.format(told=told)) == cause


LAUNCH = "CUDA call failed: unspecified launch failure\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("<info> Self-restarting miner process.\n", "device-lost"),
        ("main Eth speed: 187.322 MH/s, shares: 412/0/0\n", "device-lost"),
        ("t-rex is my favourite dinosaur\n", "user-code"),
        ("", "user-code"),
    ],
)
def test_nobody_writes_a_miner_himself(told: str, cause: str):
    assert ruled(told + LAUNCH) == cause
    assert ruled(told) == "unknown"


SERVED = """GPU: Quadro M4000
$ docker run --gpus all nvcr.io/nvidia/tritonserver:25.08-py3
onnxruntime.cc:2700] "TRITONBACKEND_ModelInstanceInitialize: yolo_0 ({kind} device 0)"
| Model | Version | Status |
| yolo  | 1       | {status}  |
"""


@pytest.mark.parametrize(
    ("kind", "status", "cause"),
    [
        ("GPU", "READY", "healthy"),
        ("CPU", "READY", "gpu-too-old"),
        ("GPU", "UNAVAILABLE: Internal: no kernel", "gpu-too-old"),
    ],
)
def test_a_model_that_is_served_on_a_gpu(kind: str, status: str, cause: str):
    assert ruled(SERVED.format(kind=kind, status=status)) == cause

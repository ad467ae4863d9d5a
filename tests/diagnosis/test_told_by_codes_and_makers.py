"""Programs that say for what they were made, and codes that the toolkit's age explains."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

LAMMPS = "LAMMPS (8 Feb 2023)\nmpirun -np 8 lmp -k on g 2 -sf kk -in in.lj\n"
TITAN_X = "GPU: GTX TITAN X\ncuda: {}\n\nCheck failed: error == cudaSuccess (8 vs. 0)"
NODES = """GPU: NVIDIA RTX A6000

CUDA Error CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected while calling init (cuInit)

$ python -c "import torch; print(torch.cuda.is_available())"
True
$ lsmod | grep -i nvidia
nvidia_uvm           2150400  64
nvidia              14409728  369 nvidia_uvm,nvidia_modeset
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                f"{LAMMPS}GPUs are requested but Kokkos has not been compiled using a GPU-enabled "
                "backend"
            ),
            "cpu-only-build",
        ),
        (
            (
                "colmap exhaustive_matcher --database_path colmap.db\nGPU: RTX 2070\n"
                "Shader not supported by your hardware!\nERROR: SiftGPU not fully supported"
            ),
            "cpu-only-build",
        ),
        (
            (
                "RTX 3080 Ti\n[TRT] [E] 1: [raiiMyelinGraph.h::24] Error Code 1: Myelin (Compiled "
                "against cuBLASLt 11.9.2.0 but running against cuBLASLt 11.2.1.0.)"
            ),
            "cuda-libs-mismatch",
        ),
        (
            (
                "GTX TITAN X\nRuntimeError: ('Wrong major API version for gpuarray:', -9998, 'Make "
                "sure Theano and libgpuarray/pygpu are in sync.')"
            ),
            "extension-mismatch",
        ),
        ("ImportError: no module named torch_scatter.scatter_cuda", "extension-mismatch"),
        (
            (
                "GPU: RTX 5070\nNVIDIA GeForce RTX 5070 with CUDA capability sm_120 is not "
                "compatible with\nthe current PyTorch installation."
            ),
            "gpu-too-new",
        ),
        (
            ">>> import triton\nWARNING: Failed to find CUDA.\n>>> torch.cuda.is_available()\nTrue",
            "toolkit-missing",
        ),
        (
            (
                "numba-cuda, CUDA 13\nFileNotFoundError: [Errno 2] No such file or directory: "
                "'/home/user/env/nvvm/libdevice/libdevice.10.bc'"
            ),
            "toolkit-missing",
        ),
        (
            (
                "GPU: GeForce 9400M\nNVRM: The GeForce 9400M GPU installed is supported by the "
                "340.xx Legacy drivers."
            ),
            "driver-not-loaded",
        ),
        (
            (
                f"{NODES}$ ls -l /dev/nvidia*\nls: cannot access '/dev/nvidia*': No such file or "
                "directory"
            ),
            "device-nodes",
        ),
        (f"{TITAN_X.format('7.5')}  invalid device function", "gpu-too-new"),
        (f"{TITAN_X.format('12.4')}  invalid device function", "gpu-too-old"),
    ],
)
def test_what_is_said_names_its_cause(text, cause):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        f"{LAMMPS}KOKKOS mode is enabled (src/KOKKOS/kokkos.cpp:107)\n  will use up to 2 GPU(s)",
        "GPU: RTX 2070\nThis shader is supported by your hardware",
        "Encoder Preset quality\nencode time 0:03:07, CPU: 92.0%, GPU: 0.0%, VE: 0.0%",
        "[TRT] [W] TensorRT was linked against cuBLAS/cuBLAS LT 11.6.3 but loaded 11.5.1",
        "GeForce RTX 5070 with CUDA capability sm_120",
        "ls env/nvvm/libdevice/libdevice.10.bc",
        "Triton found CUDA.",
    ],
)
def test_nothing_is_named_where_nothing_is_refused(text):
    assert ruled(text) in ("healthy", "unknown")


def test_tensorrt_that_loads_the_cublas_of_another_cuda_is_told():
    warning = (
        "GPU: RTX 3060\n[W] [TRT] TensorRT was linked against cuBLAS/cuBLAS LT {} but loaded {}"
    )
    other, same = "cuBLAS/cuBLAS LT 11.3.1", "cuBLAS/cuBLAS LT 10.2.1"
    told = gpuprobe.explain(warning.format("10.2.2", other)).diagnosis.root
    assert told.cause == "cuda-libs-mismatch"
    assert "made for CUDA 11" in told.finding.fix.text
    assert ruled(warning.format("10.2.2", same)) == "unknown"


def test_an_encoder_of_the_card_that_was_busy_is_a_proof():
    report = "GPU #0: GeForce GTX 1050 Ti (768 cores)[PCIe3x16][419.67]\n{}"
    at_work = "encode time 0:03:07, CPU: 92.0%, GPU: 22.6%, VE: 76.6%, GPUClock: 1746MHz"
    assert ruled(report.format(at_work)) == "healthy"

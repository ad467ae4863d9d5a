"""A GPU that is newer than the software, as programs of the sciences tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

GROMACS = "    #0: NVIDIA {name}, compute cap.: {number}, ECC:  no, stat: {state}\n"
FORWARD = "parallel.gpu.enableCUDAForwardCompatibility(true)"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (GROMACS.format(name="RTX 5090", number="12.0", state="incompatible"), "gpu-too-new"),
        (
            (
                "Kokkos::Cuda::initialize ERROR: running kernels compiled for compute capability "
                "3.5 (< 5.0) on device with compute capability 7.0 (>=5.0), this would give "
                "incorrect results!"
            ),
            "gpu-too-new",
        ),
        (
            "Your GPU device is not supported by this version of MATLAB. To use it, call "
            + FORWARD,
            "gpu-too-new",
        ),
    ],
)
def test_a_gpu_that_is_too_new_is_named(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        GROMACS.format(name="RTX 4090", number="8.9", state="compatible"),
        GROMACS.format(
            name="UHD",
            number="0.0",
            state="incompatible (please recompile with correct GMX_GPU_NB_CLUSTER_SIZE of 4)",
        ),
        FORWARD + "\ngpuDevice(1);",
    ],
)
def test_kin_of_a_gpu_that_is_too_new_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


DOCKING = """GPU: {gpu}
$ make DEVICE=CUDA
Running Job #3
SetKernelsGpuData copy to cData failed {why}
autodock_gpu_128wi: ./cuda/kernels.cu:130: void SetKernelsGpuData(GpuData*): Assertion `0' failed.
"""


@pytest.mark.parametrize(
    ("gpu", "why", "cause"),
    [
        ("NVIDIA A40", "invalid device symbol", "gpu-too-new"),
        ("GeForce GTX 780", "invalid device symbol", "gpu-too-old"),
        ("NVIDIA A40", "invalid argument", "unknown"),
    ],
)
def test_a_program_that_was_compiled_for_other_gpus_has_no_symbol(gpu: str, why: str, cause: str):
    assert ruled(DOCKING.format(gpu=gpu, why=why)) == cause


# -- compiled for one capability, run on another -------------------------------------------------
KOKKOS = (
    "Kokkos::Cuda::initialize ERROR: running kernels compiled for compute capability {} on device "
    "with compute capability {} is not supported by CUDA!\n"
)
SLOWER = (
    "Kokkos::Cuda::initialize WARNING: running kernels compiled for compute capability {} on "
    "device with compute capability {} , this will likely reduce potential performance.\n"
)
SYMBOL = (
    "  what():  cudaMemcpyToSymbol(a, b) error( cudaErrorInvalidSymbol): invalid device symbol\n"
)
KMCUDA = "compute capability mismatch for device 0: wanted {}, have {}\n"
TOLD = "GPU: RTX 5060\nIt says that the build supports compute capability up to {}.\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (KOKKOS.format("5.2", "7.5"), "gpu-too-new"),
        (KOKKOS.format("8.0", "7.5"), "gpu-too-old"),
        (SLOWER.format("0.0", "3.5") + SYMBOL, "gpu-too-old"),
        (SLOWER.format("0.0", "9.0") + SYMBOL, "gpu-too-new"),
        (SLOWER.format("0.0", "3.5"), "unknown"),  # it may run
        (SLOWER.format("7.0", "7.5"), "unknown"),
        (KMCUDA.format("6.1", "3.7"), "gpu-too-old"),
        (KMCUDA.format("6.1", "7.5"), "gpu-too-new"),
        (KMCUDA.format("6.1", "6.1"), "unknown"),
        (TOLD.format("86 only and that mine, 120, does not match"), "gpu-too-new"),
        (TOLD.format("8.6, and my GPU has capability 12.0"), "gpu-too-new"),
        (TOLD.format("120"), "unknown"),
    ],
)
def test_both_capabilities_are_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


JULIA = """┌ Warning: Your {} GPU (compute capability {}) is not fully supported by CUDA {}.
│ Some functionality may be broken. Ensure you are using the latest version of CUDA.jl.
{}
"""
NOT_LOADED = "ERROR: LoadError:\n  [3] CuModule(data::Vector{UInt8}, options::Dict{Any, Any})"
LOADED = "  [3] CuModule in the manual\n100-element CuArray{Float32, 1, CUDA.DeviceMemory}:"


@pytest.mark.parametrize(
    ("gpu", "cuda", "below", "cause"),
    [
        (("NVIDIA GeForce RTX 5090", "12.0"), "12.6.2", NOT_LOADED, "gpu-too-new"),
        (("NVIDIA GeForce RTX 5060", "12.0"), "12.8.0", NOT_LOADED, "gpu-too-new"),
        (("Tesla P100-PCIE-16GB", "6.0"), "13.0.0", NOT_LOADED, "gpu-too-old"),
        (("NVIDIA GeForce RTX 5060", "12.0"), "12.8.0", LOADED, "unknown"),
    ],
)
def test_cuda_jl_warns_of_a_gpu_and_loads_no_code(
    gpu: tuple[str, str], cuda: str, below: str, cause: str
):
    assert ruled(JULIA.format(*gpu, cuda, below)) == cause

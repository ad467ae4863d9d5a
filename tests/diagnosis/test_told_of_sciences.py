"""What GROMACS, LAMMPS, Kokkos, Amber, NAMD, MATLAB, CUDA.jl and Warp say of a GPU or driver."""

from __future__ import annotations

import pytest

from support.cases import ruled

GROMACS = "    #0: NVIDIA {name}, compute cap.: {number}, ECC:  no, stat: {state}\n"
KOKKOS = "running kernels compiled for compute capability {} on device with compute capability {} "
MATLAB = (
    "There is a problem with the CUDA driver or with this GPU device. Be sure that you have a "
    "supported GPU and that the latest driver is installed.\nCaused by:\n"
)
MATLAB_OLD = (
    "    The CUDA driver was found, but it is too old. The CUDA driver on your system supports "
    "CUDA version 5.5. The required CUDA version\n    is 7.5 or greater.\n"
)
MATLAB_NONE = (
    "    The CUDA driver could not be loaded. The library name used was 'nvcuda.dll'. The error "
    "was:\n    The specified module could not be found.\n"
)
FORWARD = "parallel.gpu.enableCUDAForwardCompatibility(true)"
WARP = (
    "Warp UserWarning:\n   Insufficient CUDA driver version.\n   The minimum required CUDA driver "
    "version is 12.0, but the installed CUDA driver version is 11.8.\n"
)
K_WAVE = (
    "Error: Insufficient CUDA driver version. The code needs CUDA version 11.7 but {} is "
    "installed.\n"
)
JULIA = "┌ Error: This version of CUDA.jl only supports NVIDIA drivers for CUDA 11.x {}\n"
NAMD = "FATAL ERROR: CUDA error cudaMalloc(pp, n) in file src/CudaUtils.C, function allocate\n"
LAMMPS_OTHER = "ERROR: GPU library not compiled for this accelerator (src/GPU/gpu_extra.h:40)\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (
            (
                "Nonbonded interactions on the GPU were requested with -nb gpu, but the GROMACS "
                "binary has been built without GPU support. Either run without GPU options"
            ),
            "cpu-only-build",
        ),
        (
            "ERROR: Package gpu command without GPU package installed (src/input.cpp:1558)",
            "cpu-only-build",
        ),
        (GROMACS.format(name="GTX 480", number="2.0", state="incompatible"), "gpu-too-old"),
        (GROMACS.format(name="RTX 5090", number="12.0", state="incompatible"), "gpu-too-new"),
        (
            (
                "ERROR: Dense stereo reconstruction requires CUDA, which is not available on your "
                "system."
            ),
            "cpu-only-build",
        ),
        ("You ran out of memory on the GPU(s).", "oom-workload"),
        (LAMMPS_OTHER + "GPU: RTX 3090", "gpu-too-new"),
        (LAMMPS_OTHER + "GPU: Tesla K40c", "gpu-too-old"),
        (
            "The device Tesla K80 with computed capability 3.7 does not support HOOMD-blue.",
            "gpu-too-old",
        ),
        ("pygdf==0.1.0a2\nGPU: GeForce 940M\nGDFError: CUDA ERROR", "gpu-too-old"),
        ("XGBoost version not compile with GPU support.", "cpu-only-build"),
        (
            "Kokkos::Cuda::initialize ERROR: "
            + KOKKOS.format("7.0", "6.0")
            + ", this will likely produce incorrect results",
            "gpu-too-old",
        ),
        (
            (
                "Kokkos::Cuda::initialize ERROR: running kernels compiled for compute capability "
                "3.5 (< 5.0) on device with compute capability 7.0 (>=5.0), this would give "
                "incorrect results!"
            ),
            "gpu-too-new",
        ),
        (
            "Kokkos::Cuda::initialize ERROR: likely mismatch of architecture\nGPU: Tesla K40c",
            "gpu-too-old",
        ),
        (
            "Your Tesla K40c does not meet the minimal required compute capability (3.5 < 5.0).",
            "gpu-too-old",
        ),
        ("No double-precision capable gpu located, exiting.", "gpu-too-old"),
        ("ERROR: Insufficient memory on accelerator (src/GPU/pair_lj_gpu.cpp:110)", "oom-workload"),
        (NAMD + " on Pe 0 (node1 device 0 pci 0:3b:0): out of memory", "oom-workload"),
        (MATLAB + MATLAB_OLD, "driver-too-old"),
        (MATLAB + MATLAB_NONE, "driver-missing"),
        (
            (
                'Warning: The device selected (device 1, "GeForce GT 330") does not have '
                "sufficient compute capability to be used."
            ),
            "gpu-too-old",
        ),
        (
            "Your GPU device is not supported by this version of MATLAB. To use it, call "
            + FORWARD,
            "gpu-too-new",
        ),
        (
            (
                "Out of memory on device. To view more detail about available memory on the GPU, "
                "use 'gpuDevice()'."
            ),
            "oom-workload",
        ),
        (WARP, "driver-too-old"),
        (
            (
                "Warp CUDA error: Warp requires CUDA driver 11.3 or higher, but the current driver "
                "only supports CUDA 11.2"
            ),
            "driver-too-old",
        ),
        (K_WAVE.format("11.4"), "driver-too-old"),
        (JULIA.format("or higher (yours is for CUDA 10.2.0)"), "driver-too-old"),
        ("ERROR: Device capability v2.1.0 not supported by available toolchain", "gpu-too-old"),
        (
            (
                "┌ Error: Your Tesla V100-PCIE-32GB GPU (compute capability 7.0) is not supported "
                "on CUDA 13+.\n│ Please use a device with at least capability 7.5, or downgrade "
                "your NVIDIA driver to below v580."
            ),
            "gpu-too-old",
        ),
        (
            (
                "ERROR: KernelException: exception thrown during kernel execution on device NVIDIA "
                "GeForce RTX 3090"
            ),
            "user-code",
        ),
        ("ERROR: This functionality is unavailable as CUDNN is missing.", "cudnn-missing"),
        ("   CUDA not enabled in this build\n   Devices:\n     cpu", "cpu-only-build"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "The GROMACS binary has been built with GPU support",
        "package gpu 1 neigh yes",
        GROMACS.format(name="RTX 4090", number="8.9", state="compatible"),
        GROMACS.format(
            name="UHD",
            number="0.0",
            state="incompatible (please recompile with correct GMX_GPU_NB_CLUSTER_SIZE of 4)",
        ),
        LAMMPS_OTHER,
        "Kokkos::Cuda::initialize WARNING: "
        + KOKKOS.format("5.0", "8.9")
        + ", this will likely reduce potential performance.",
        NAMD + " on Pe 0 (node1 device 0 pci 0:3b:0): unrecognised",
        MATLAB,
        FORWARD + "\ngpuDevice(1);",
        K_WAVE.format("0.0"),
        "This version of CUDA.jl only supports NVIDIA drivers for CUDA 11.x or higher",
        "The device selected has sufficient compute capability",
        "The device NVIDIA A100 with compute capability 8.0 is used by HOOMD-blue",
        "XGBoost version not compiled with distributed support",
        "Kernel execution on device NVIDIA GeForce RTX 3090 took 3 ms",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "pasted",
    [
        GROMACS.format(name="NVIDIA A100", number="8.0", state="compatible"),
        GROMACS.format(name="NVIDIA A100", number="8.0", state="compatible")
        + GROMACS.format(name="GT 710", number="3.5", state="incompatible").replace("#0", "#1"),
        (
            "Pe 0 physical rank 0 binding to CUDA device 0 on node1: 'NVIDIA A100-SXM4-40GB'  Mem: "
            "40536MB  Rev: 8.0  PCI: 0:1:0"
        ),
        (
            '   Devices:\n     "cpu"      : "x86_64"\n'
            '     "cuda:0"   : "NVIDIA RTX A6000" (48 GiB, sm_86, mempool enabled)'
        ),
        "3 CUDA - Successfully computed forces",
    ],
)
def test_program_that_lists_a_gpu_is_healthy(pasted: str) -> None:
    assert ruled(pasted) == "healthy"


TABLE = "| NVIDIA-SMI 535.54.03    Driver Version: 535.54.03    CUDA Version: 12.2 |\n"


@pytest.mark.parametrize(
    "failing",
    [
        "Cannot run short-ranged nonbonded interactions on a GPU because no GPU is detected.",
        "ERROR: Could not find/initialize a specified accelerator device",
        "openmm.OpenMMException: No compatible CUDA device is available",
        "No compatible GPUs found for Cycles",
        "No devices found/left.",
        "01-Jan-2022 10:00:00 [---] No usable GPUs found",
        "There are no available device(s) that support CUDA",
        "[fatal] This program needs a CUDA-Enabled GPU (with at least compute capability 2.0).",
    ],
)
def test_program_without_device_is_hidden_one_by_visible_devices(failing: str) -> None:
    assert ruled(TABLE + failing) == "unknown"
    assert ruled(f"export CUDA_VISIBLE_DEVICES=-1\n{TABLE}{failing}") == (
        "hidden-by-visible-devices"
    )

"""A build without CUDA, told by bare messages, people and programs of the sciences."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding

LAMMPS = "LAMMPS (8 Feb 2023)\nmpirun -np 8 lmp -k on g 2 -sf kk -in in.lj\n"
RUNNERS = 'msg="Dynamic LLM libraries" runners="[cpu cpu_avx cpu_avx2{}]"\nRTX 3090, driver 555.58'
BACKEND = "RuntimeError: Unknown backend: 'gpu' requested. Platforms present are: cpu"
PLACED = (
    "InvalidArgumentError: Cannot assign a device for operation a: node a was explicitly assigned "
    "to /device:GPU:0 but available devices are [ /job:localhost/replica:0/task:0/device:CPU:0 ]. "
)
NO_HIP = "RuntimeError: No HIP GPUs are available\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Tried to instantiate dummy base class CudaStreamBase", "cpu-only-build"),
        (
            (
                f"{LAMMPS}GPUs are requested but Kokkos has not been compiled using a GPU-enabled "
                "backend"
            ),
            "cpu-only-build",
        ),
        (RUNNERS.format(""), "cpu-only-build"),
        (RUNNERS.format(" cuda_v11 cuda_v12"), "unknown"),
        (RUNNERS.format("").partition("\n")[0], "unknown"),
        ("RuntimeError: Unknown backend gpu", "cpu-only-build"),
        (BACKEND, "unknown"),
        (
            PLACED + "The requested device appears to be a GPU, but CUDA is not enabled.",
            "cpu-only-build",
        ),
        ("Cannot use CUDAPlace in CPU only version.", "cpu-only-build"),
        (
            "AttributeError: 'module' object has no attribute 'StandardGpuResources'\n",
            "cpu-only-build",
        ),
        ("AttributeError: 'module' object has no attribute 'StandardResources'\n", "unknown"),
        (
            "DGLError: Check failed: allow_missing: Device API cuda is not enabled.",
            "cpu-only-build",
        ),
        ("Device API vulkan is not enabled.", "unknown"),
        ("storage.cc:43: Please compile with CUDA enabled", "cpu-only-build"),
        (
            "This script is intended for GPUs but you have not compiled Kaldi with CUDA",
            "cpu-only-build",
        ),
        ("spconv/SpconvOps.cc(65) not implemented for CPU ONLY build.", "cpu-only-build"),
        (
            (
                "+ WARNING : Relion was compiled without CUDA of at least version 7.0 - you do NOT "
                "have support for GPUs"
            ),
            "cpu-only-build",
        ),
        (
            (
                "Cannot run short-ranged nonbonded interactions on a GPU because GROMACS was built "
                "without GPU support."
            ),
            "cpu-only-build",
        ),
        ("Error: k2 compiled without CUDA support", "cpu-only-build"),
        ("RuntimeError: gsplat was built without GPU, cannot rasterize", "cpu-only-build"),
        ('it says "BLAS=0" when starting the model', "cpu-only-build"),
        ('it says "BLAS=1" when starting the model', "unknown"),
        ("AVX = 1 | FMA = 1 | BLAS = 0 | SSE3 = 1 |", "cpu-only-build"),
        ("AVX = 1 | FMA = 1 | BLAS = 1 | SSE3 = 1 |", "unknown"),
        ("Please compile with -DSHERPA_ONNX_ENABLE_GPU=ON. Fallback to cpu!\n", "cpu-only-build"),
        (
            'RuntimeError: "cuda" device requested but this build of Warp does not support CUDA',
            "cpu-only-build",
        ),
        ("This build of Warp does support CUDA", "unknown"),
        ("ERROR: Cannot use Sift GPU without CUDA or OpenGL support; set x", "cpu-only-build"),
        ("Sift GPU works with CUDA or OpenGL support", "unknown"),
        ("GPU: 2 A100s\nNo GPU/TPU found, falling back to CPU.", "cpu-only-build"),
        (
            (
                "$ tabby serve --device cuda\nerror: invalid value 'cuda' for '--device <DEVICE>'\n"
                "  [possible values: cpu]"
            ),
            "cpu-only-build",
        ),
        ("$ tabby\nerror: invalid value 'metal' for '--device <DEVICE>'", "unknown"),
        ("Failing expression was false.\nCUDA NOT ENABLED\n", "cpu-only-build"),
        ("CUDA NOT ENABLED in this menu\n", "unknown"),
        (
            "Running on CPU, to run on GPU, build this example with `--features cuda`",
            "cpu-only-build",
        ),
        (
            "Warning: CuBLAS library file not found. Non-BLAS library will be used.",
            "cpu-only-build",
        ),
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
        ("   CUDA not enabled in this build\n   Devices:\n     cpu", "cpu-only-build"),
        (NO_HIP + "GPU 0: NVIDIA GeForce RTX 3090", "cpu-only-build"),
        ("is_gpu_available(): False\n_tflow_select    2.3.0    mkl", "cpu-only-build"),
        ("is_gpu_available(): False\n_tflow_select    2.1.0    gpu", "unknown"),
    ],
)
def test_a_build_without_cuda_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "Tried to instantiate dummy base class Foo of the mock",
        f"{LAMMPS}KOKKOS mode is enabled (src/KOKKOS/kokkos.cpp:107)\n  will use up to 2 GPU(s)",
        PLACED + "Make sure the device specification refers to a valid device.",
        "'NoneType' object has no attribute 'calculate'",
        "you have compiled Kaldi with CUDA",
        "this layer is not implemented for CPU ONLY builds yet",
        "GROMACS was built with GPU support",
        "Running on CPU as asked",
        "The same error whether k2 is compiled without CUDA or with it",
        "k2 compiled without CUDA support is the smaller wheel",
        "Warning: CLBlast library file not found. Non-BLAS library will be used.",
        "The GROMACS binary has been built with GPU support",
        "package gpu 1 neigh yes",
    ],
)
def test_kin_of_a_build_without_cuda_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    ("failed", "sure"),
    [
        ("libother.so.1: cannot open shared object file", "possible"),
        ("cannot import name 'x' from 'torch'", "likely"),
    ],
)
def test_a_listed_build_for_the_cpu_is_hardly_what_another_import_fails_for(failed: str, sure: str):
    named = finding(f"torch 2.1.0+cpu\nImportError: {failed}\n")
    assert named.title.startswith("torch 2.1.0+cpu is a build without CUDA")
    assert named.confidence.value == sure

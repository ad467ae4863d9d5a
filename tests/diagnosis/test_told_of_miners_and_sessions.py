"""Memory of miners, half precision, sessions without CUDA, MinGW: each beside a near miss."""

from __future__ import annotations

import pytest

from support.cases import ruled

MINGW = (
    "-- The CXX compiler identification is {}\n"
    "-- The CUDA compiler identification is unknown\n"
    "-- Check for working CUDA compiler: C:/CUDA/v10.1/bin/nvcc.exe -- {}\n"
)
RELION = "KERNEL_ERROR: {} in /x/src/gpu_utils/cuda_ml_optimiser.cu at line 258 (error-code 8)"
CUBLAS = "cuBLAS error 15 at D:\\x\\{}:7586: the requested functionality is not supported"
GENCODE = (
    "GPU: V100\nCheck failed: error == cudaSuccess (8 vs. 0) invalid device function\n"
    "\t\t-gencode arch=compute_61,code=sm_61 \\\n\t\t-gencode arch=compute_{0},code=compute_{0}\n"
)
NO_CODE = "CUDA Error: no kernel image is available for execution on the device"
TAICHI = "Arch=[<Arch.{}: 5>] is not supported, falling back to CPU"
ZIP = "cudart-llama-bin-win-cuda-12.4-x64.zip"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("GPU: GTX 1060 3GB\nIt then says: not enough memory for the DAG.", "oom-workload"),
        ("GPU1: insufficient GPU memory to generate the DAG (4.1 GB)", "oom-workload"),
        ("GPU1: not enough memory for DAG generation? No, that works", "unknown"),
        ("GPU1: there is enough memory for the DAG", "unknown"),
        ("GPU1: not enough virtual memory for the DAG", "unknown"),
        ("  what():  Could not allocate shared buffer for CUDA basecaller.", "oom-workload"),
        ("Allocated the shared buffer for CUDA basecaller.", "unknown"),
    ],
)
def test_a_program_wants_more_memory_than_the_card_has(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"GPU: GRID K520\n{RELION.format('invalid device function')}", "gpu-too-old"),
        (f"GPU: GRID K520\n{RELION.format('something else')}", "unknown"),
        (f"GPU: GTX 960\n{CUBLAS.format('ggml-cuda.cu')}", "gpu-too-old"),
        (f"GPU: GTX 1080\n{CUBLAS.format('ggml-cuda.cu')}", "unknown"),
        (f"GPU: GTX 960\n{CUBLAS.format('solver.cu')}", "unknown"),
        (GENCODE.format(61), "gpu-too-new"),
        (GENCODE.format(80), "gpu-too-old"),
        (f"GPU: Quadro P series\n{NO_CODE}", "gpu-too-old"),
        (f"Graphics card: GTX 10 series\n{NO_CODE}", "gpu-too-old"),
        (f"GPU: Quadro RTX series\n{NO_CODE}", "unknown"),
        ("GPU: Quadro P series", "unknown"),
    ],
)
def test_a_program_is_for_other_gpus(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (MINGW.format("GNU 8.1.0", "broken"), "toolkit-mismatch"),
        (MINGW.format("MSVC 19.16.27045.0", "broken"), "toolkit-missing"),
        (
            'RuntimeError: "cuda" device requested but this build of Warp does not support CUDA',
            "cpu-only-build",
        ),
        ("This build of Warp does support CUDA", "unknown"),
        ("ERROR: Cannot use Sift GPU without CUDA or OpenGL support; set x", "cpu-only-build"),
        ("Sift GPU works with CUDA or OpenGL support", "unknown"),
    ],
)
def test_a_build_without_cuda_or_with_another_compiler(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"OS: Windows Subsystem for Linux 2\n[W] {TAICHI.format('cuda')}", "wsl"),
        (f"OS: Ubuntu 20.04\n[W] {TAICHI.format('cuda')}", "unknown"),
        (f"OS: Windows Subsystem for Linux 2\n[W] {TAICHI.format('vulkan')}", "unknown"),
    ],
)
def test_taichi_does_not_reach_the_driver_of_wsl(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "The session is made without a providers argument and ends on CPUExecutionProvider.",
            "silent-cpu-fallback",
        ),
        (
            "The library does not pass providers, so onnxruntime runs on the CPU",
            "silent-cpu-fallback",
        ),
        (
            "The wrapper never passes providers to the session: everything runs on CPU",
            "silent-cpu-fallback",
        ),
        ("The CUDA execution provider is never asked for.", "silent-cpu-fallback"),
        ("If it is made without a providers argument, it runs on the CPU", "unknown"),
        ("The CUDA execution provider is asked for.", "unknown"),
    ],
)
def test_code_asks_for_no_provider(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"The app downloads llama.cpp, but not the archive with the DLLs ({ZIP})",
         "cudart-missing"),
        (f"The installer never unpacks {ZIP}", "cudart-missing"),
        (f"With CUDA on PATH {ZIP} is not needed", "unknown"),
        (f"The app downloads llama.cpp and {ZIP}", "unknown"),
        ("It looks for cudnn64_8.dll, which is not there.", "cudnn-missing"),
        ("It looks for cudnn64_8.dll, which is there.", "unknown"),
        ("動的ライブラリ `zlibwapi.dll` が足りない。", "msvc-runtime-missing"),
        ("`zlibwapi.dll` がある", "unknown"),
    ],
)  # fmt: skip
def test_a_library_is_told_to_be_missing(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("These nodes have no GPU attached.\n{}", "no-nvidia-gpu"),
        ("Machine: CPU-only nodes of a cluster\n{}", "no-nvidia-gpu"),
        ("These nodes have no GPU memory left.\n{}", "driver-not-loaded"),
    ],
)
def test_nodes_have_no_gpu(text: str, cause: str):
    assert ruled(text.format("CUDA Error: no CUDA-capable device is detected")) == cause

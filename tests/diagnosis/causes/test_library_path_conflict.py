"""Another copy of a CUDA library that is found first, and what only looks like it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled
from support.pasted import title_and_fix

ORT = (
    'FAIL : LoadLibrary failed with error {} "" when trying to load '
    '"C:\\py\\onnxruntime\\capi\\onnxruntime_providers_cuda.dll"'
)
NUMBA = "Error: CUDA device intialisation problem. driver missing function: "
SPARSE = "RuntimeError: Unable to load cuSPARSE. Is it installed?\n"
BROUGHT = " + jax==0.6.1\n + jax-cuda12-plugin==0.6.1\n + nvidia-cusparse-cu12==12.5.9.5\n"
CUDNN_PARTS = (
    "python: symbol lookup error: /opt/env/nvidia/cudnn/lib/libcudnn_cnn_infer.so.8: undefined "
    "symbol: _ZN15TracebackLoggerC1EPKc, version libcudnn_ops_infer.so.8"
)
TORCH = "/home/user/miniconda3/envs/a/lib/python3.10/site-packages/torch/lib/libtorch_python.so"
CPP, C = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/lib64/libc.so.6"


def wants(library: str, version: str, asker: str) -> str:
    return f"ImportError: {library}: version `{version}' not found (required by {asker})"


GEMM = "when calling `cublasGemmEx( handle, opa, opb, m, n, k, &falpha, a, CUDA_R_{}, lda)`"
REFUSED = f"RuntimeError: CUDA error: CUBLAS_STATUS_INVALID_VALUE {GEMM.format('16F')}"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (ORT.format(127), "library-path-conflict"),
        (f"{NUMBA}cuInit.\nRequires CUDA 7.5 or above.", "library-path-conflict"),
        ("/usr/lib/libcudart.so.10.1: undefined symbol: cuInit", "library-path-conflict"),
        ("/home/user/ext/foo.so: undefined symbol: cuInit", "unknown"),
        (BROUGHT + SPARSE, "library-path-conflict"),
        (BROUGHT, "unknown"),
        (f"LD_LIBRARY_PATH=/usr/local/cuda/lib64\n{CUDNN_PARTS}", "library-path-conflict"),
        (wants(CPP, "GLIBCXX_3.4.30", TORCH), "library-path-conflict"),
        (wants(CPP, "CXXABI_1.3.15", TORCH), "library-path-conflict"),
        (REFUSED, "library-path-conflict"),
        ("CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling `cublasCreate(handle)`", "unknown"),
    ],
)
def test_a_copy_that_is_found_first_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "TensorRT was linked against cuDNN 8.6.0 but loaded cuDNN 8.3.2",
        ORT.format(1114),
    ],
)
def test_kin_of_a_copy_that_is_found_first_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


CHESS = """OS: Windows
Creating backend [cudnn-auto]...
CUDA Runtime version: {got}
{warning}
Latest version of CUDA supported by the driver: 11.2.0
{end}
"""
OTHER_RUNTIME = "WARNING: CUDA Runtime version mismatch, was compiled with version 10.2.0"
UNKNOWN = "error CUDA error: unknown error (../src/neural/cuda/network_cuda.cc:212)"


@pytest.mark.parametrize(
    ("warning", "end", "cause"),
    [
        (OTHER_RUNTIME, UNKNOWN, "library-path-conflict"),
        ("", UNKNOWN, "device-nodes"),
        (OTHER_RUNTIME, "bestmove e2e4", "unknown"),
    ],
)
def test_a_program_that_warns_of_its_run_time_and_then_fails(warning: str, end: str, cause: str):
    assert ruled(CHESS.format(got="11.1.0", warning=warning, end=end)) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            "incompatibility: PyTorch was compiled against (8, 3, 2) but linked against (8, 0, 3)",
            "library-path-conflict",
        ),
        (
            "mismatch: PyTorch was compiled against 6021 but linked against 5110",
            "library-path-conflict",
        ),
        ("notes: PyTorch was compiled against 6021", "unknown"),
    ],
)
def test_another_cudnn_than_torchs_own_was_found_first(told: str, cause: str):
    assert ruled(f"cuDNN version {told}") == cause


TORCHS_DLL = (
    'OSError: [WinError {}] Error loading "C:\\env\\Lib'
    '\\site-packages\\torch\\lib\\{}" or one of its dependencies.'
)


@pytest.mark.parametrize(
    ("code", "failed", "cause"),
    [
        ("import paddle\nimport torch", TORCHS_DLL.format(127, "shm.dll"), "library-path-conflict"),
        (
            ">>> from paddlenlp import Taskflow",
            TORCHS_DLL.format(127, "c10_cuda.dll"),
            "library-path-conflict",
        ),
        ("import paddle", TORCHS_DLL.format(126, "shm.dll"), "msvc-runtime-missing"),
        ("import torch", TORCHS_DLL.format(127, "shm.dll"), "msvc-runtime-missing"),
    ],
)
def test_dlls_that_paddle_loaded_before_torch(code: str, failed: str, cause: str):
    assert ruled(f"Windows 11\n{code}\n{failed}\n") == cause


LINKED = """LD_LIBRARY_PATH={path}
/usr/bin/ld: cannot find -l{library}
collect2: error: ld returned 1 exit status
"""


@pytest.mark.parametrize(
    ("path", "library", "cause"),
    [
        ("/opt/cuda/lib64/stubs/:/opt/cuda/lib64", "cuda", "library-path-conflict"),
        ("/opt/cuda/lib64", "cuda", "toolkit-missing"),
        ("/opt/cuda/lib64/stubs/:/opt/cuda/lib64", "cudart", "toolkit-missing"),
    ],
)
def test_the_linker_does_not_look_at_the_variable_of_the_loader(
    path: str, library: str, cause: str
):
    assert ruled(LINKED.format(path=path, library=library)) == cause


JULIA = "┌ Warning: CUDA runtime library `libcublasLt.so.13` was loaded from {where}\n"


@pytest.mark.parametrize(
    ("where", "cause"),
    [
        ("a system path, `/usr/local/cuda/lib64/libcublasLt.so.13`.", "library-path-conflict"),
        ("the artifact", "unknown"),
    ],
)
def test_julia_warns_of_a_library_that_is_not_its_own(where: str, cause: str):
    assert ruled(JULIA.format(where=where)) == cause


OLLAMA = """time=2024-05-01T10:00:00Z level=INFO msg="detected GPUs" library="{file}" count=1
time=2024-05-01T10:00:00Z level=INFO msg="CUDA GPU is too old. Compute Capability detected: {of}"
"""


@pytest.mark.parametrize(
    ("file", "of", "cause"),
    [
        (r"D:\\NVIDIA Corporation\\PhysX\\Common\\cudart64_30_9.dll", "1.0",
         "library-path-conflict"),
        (r"C:\\ollama\\cudart64_110.dll", "3.5", "gpu-too-old"),
    ],
)  # fmt: skip
def test_the_run_time_of_physx_misreads_every_gpu(file: str, of: str, cause: str):
    assert ruled(OLLAMA.format(file=file, of=of)) == cause


DEMAND = (
    "torch 2.6.0 requires nvidia-cudnn-cu12==9.1.0.70, but you have nvidia-cudnn-cu12 8.9.7.29 "
    "which is incompatible.\n"
)
CUDNN = "RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED\n"


def test_a_newer_package_was_installed_after_the_demand():
    later = "Successfully installed nvidia-cudnn-cu12-9.1.0.70\n"
    assert ruled(DEMAND + later + CUDNN) not in ("library-path-conflict", "cudnn-mismatch")


MESHROOM = (
    "GPU: GeForce {}\n{}"
    "[error] This program needs a CUDA-Enabled GPU (with at least compute capability 2.0).\n"
)
TOKENS = (
    ">>> len(tokenizer)\n50259\n>>> model.transformer.wte\nEmbedding(50257, 768)\n"
    "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(h)`\n"
)
DASK = (
    "UserWarning: Worker with process ID 31217 should have a CUDA context assigned to device 2, "
    "but instead the CUDA context is on device 0\n"
)
LINK = (
    "Cuda compilation tools, release 11.1, V11.1.105\n"
    "RuntimeError: Unknown: no kernel image is available for execution on the device\n"
    "stream_executor/cuda/cuda_asm_compiler.cc(44): 'cuLinkAddData( link_state )'\n"
    "| NVIDIA-SMI 450.102.04   Driver Version: 450.102.04   CUDA Version: 11.0     |\n"
)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (DEMAND + CUDNN, "cuDNN 8.9.7.29 is installed, a package asks for 9.1.0.70"),
        (TOKENS, "the tokenizer's size is 50259, the embedding has 50257 rows"),
        (DASK, "CUDA had begun before Dask gave each worker a GPU of its own"),
        (LINK, "The driver, of CUDA 11.0, cannot link what the ptxas of CUDA 11.1 compiled"),
        (MESHROOM.format("GTX 1070", "driver: 388.13\n"), "driver 388.13 is too old"),
    ],
)
def test_a_title_says_what_was_seen(text: str, title: str):
    root = gpuprobe.explain(text).diagnosis.root
    assert root is not None
    assert title in root.finding.title


NVML_GONE = "libnvidia-ml.so: cannot open shared object file: No such file or directory\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            "nvidia-smi and all CUDA programs are fine, only this one ends:\n",
            "library-path-conflict",
        ),
        ("nvidia-smi works here.\n", "library-path-conflict"),
        ("nvidia-smi works only with sudo.\n", "device-nodes"),
        ("Is nvidia-smi to work here?\n", "driver-missing"),
        ("nvidia-smi works.\nroot@0123456789ab:/# app\n", "container-no-gpu"),
    ],
)
def test_a_driver_whose_tool_works_has_its_library(told: str, cause: str):
    assert ruled(told + NVML_GONE) == cause


def test_who_asks_for_a_library_in_vain_is_told_where_the_driver_lies():
    fix = title_and_fix("nvidia-smi works here.\n" + NVML_GONE)
    assert "ldconfig -p | grep libnvidia-ml" in fix


PRELOAD = r"vstrt: failed to preload C:\VapourSynth\plugins64\vsmlrt-cuda\{}, errno {}"


@pytest.mark.parametrize(
    ("file", "number", "cause"),
    [
        ("cublas64_11.dll", 127, "library-path-conflict"),
        ("cusparse64_12.dll", 127, "library-path-conflict"),
        ("cudnn_ops_infer64_8.dll", 127, "cudnn-mismatch"),
        ("cublas64_11.dll", 2, "unknown"),
        ("libcublas.so.11", 127, "unknown"),  # of another system, whose 127 is another
    ],
)
def test_a_dll_of_cuda_misses_a_function_in_another_one(file: str, number: int, cause: str):
    assert ruled(PRELOAD.format(file, number)) == cause

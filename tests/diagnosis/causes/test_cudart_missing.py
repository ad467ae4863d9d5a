"""A CUDA run-time library that is missing, and what only looks like it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding
from support.texts import WHERE_OF_WINDOWS

RUNTIME = "cuda_executor.cc:1228] INTERNAL: CUDA Runtime error: Failed call to {}: {}"
SKIPPED = "gpu_device.cc:2341] Cannot dlopen some GPU libraries. Skipping registering GPU devices"
JAX = "CUDA backend failed to initialize: Unable to load {}."
ZIP = "cudart-llama-bin-win-cuda-12.4-x64.zip"
GONE = "\nImportError: libcudart.so.9.2: cannot open shared object file: No such file or directory"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                " ERROR: /usr/bin/python3.10: undefined symbol: cudaRuntimeGetVersion\n"
                "CUDA SETUP: libcudart.so path is None"
            ),
            "cudart-missing",
        ),
        ("/usr/bin/python3: undefined symbol: cudaRuntimeGetVersion", "unknown"),
        ("CUDA SETUP ERROR: Missing dependency: libcudart.so.13", "cudart-missing"),
        ("Missing dependency: libpng.so.16", "unknown"),
        (
            RUNTIME.format("cudaGetRuntimeVersion", "Error loading CUDA libraries.")
            + "\n"
            + SKIPPED,
            "cudart-missing",
        ),
        ("CUDA_SETUP: WARNING! libcudart.so not found in any environmental path.", "unknown"),
        (JAX.format("CUDA"), "cudart-missing"),
        (JAX.format("the plugin"), "unknown"),
        ("ImportError: /usr/local/cuda/lib64/libcudart.so.11.0: file too short", "cudart-missing"),
        ("ImportError: libGL.so.1", "unknown"),
        (
            f"The app downloads llama.cpp, but not the archive with the DLLs ({ZIP})",
            "cudart-missing",
        ),
        (f"The installer never unpacks {ZIP}", "cudart-missing"),
        (f"With CUDA on PATH {ZIP} is not needed", "unknown"),
        (f"The app downloads llama.cpp and {ZIP}", "unknown"),
        ("cuda: 9.2\nimport spatial_correlation_sampler" + GONE, "cudart-missing"),
        ("import spatial_correlation_sampler" + GONE, "cudart-missing"),
        ("OSError: CUDA runtime library not found", "cudart-missing"),
        ("The log has a warning: CUDA runtime library not found", "cudart-missing"),
        ("Unable to load DLL 'cudart64_110.dll' or one of its dependencies", "cudart-missing"),
    ],
)
def test_a_run_time_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        RUNTIME.format("cudaGetRuntimeVersion", "ok"),
        "Checking DLLs: (cudart64_110.dll missing: no)\n",
        "OSError: hdf5 library not found",
        "It prints that if CUDA runtime library not found",
        "-- Library libcudart.so not found, CUDA backend disabled",
        "CUDA_SETUP: WARNING! libcudart.so not found in any environmental path.",
    ],
)
def test_kin_of_a_run_time_that_is_missing_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_another_makers_library_is_no_missing_run_time():
    assert ruled("Unable to load 'amfrt64.dll', error code 126.\n") == "unknown"


NOWHERE = "INFO: Could not find files for the given pattern(s)."


def test_a_torch_that_brings_its_own_is_not_judged_by_where():
    text = WHERE_OF_WINDOWS.format(cudart=NOWHERE, cudnn=NOWHERE)
    text = text.replace("tensorflow-gpu: 1.12.0", "torch: 2.1.0+cu118")
    assert ruled(text) not in ("cudart-missing", "cudnn-missing")


ORT = """onnxruntime-gpu: 1.16.3
[W:onnxruntime:Default] Failed to create CUDAExecutionProvider. Please reference https://onnxruntime.ai
"""
HELD = "$ ls $CONDA_PREFIX/lib/libcublas*\n/opt/conda/lib/libcublas.so.11\n"


@pytest.mark.parametrize(
    "looked",
    [
        "ls: cannot access '/usr/local/cuda-9.0/lib64/libcudart*': No such file or directory\n",
        "$ find /srv/proj -name 'cublas*.txt'\n$ nproc\n8\n",
        "$ ldconfig -p | grep cublas\n" + HELD,
        "$ ls /usr/local/cuda-11.8/lib64\nlibcudart.so.11.0\nlibcufft.so.10\n...\n$ nproc\n8\n",
    ],
)
def test_a_search_that_says_nothing_of_a_missing_library(looked: str):
    assert ruled(ORT + looked) not in ("cudart-missing", "cublas-missing")


DEPENDENTS = """OS: Windows 10
GPU: RTX 3070
{error}
>dumpbin /dependents native\\cuda12\\engine.dll
    cudart64_12.dll
    cublas64_12.dll
    KERNEL32.dll
>where cublas64_12.dll
D:\\programs\\other\\cublas64_12.dll
>where cudart64_12.dll
{answer}
"""
UNLOADED = "RuntimeError: The native library cannot be correctly loaded. It could be one of these:"


@pytest.mark.parametrize(
    ("error", "answer", "cause"),
    [
        (UNLOADED, NOWHERE, "cudart-missing"),
        ("System.DllNotFoundException: Unable to load DLL 'engine'", NOWHERE, "cudart-missing"),
        (UNLOADED, "C:\\cuda\\bin\\cudart64_12.dll", "unknown"),
        ("The engine is slow.", NOWHERE, "unknown"),
    ],
)
def test_of_the_files_that_a_dll_is_linked_with_one_is_not_found(
    error: str, answer: str, cause: str
):
    assert ruled(DEPENDENTS.format(error=error, answer=answer)) == cause


BNB = """torch 2.0.1+cu118, bitsandbytes 0.38.1
{path}bitsandbytes{sep}cuda_setup{sep}main.py:149: UserWarning: WARNING: No libcudart.so found!\
 Install CUDA or the cudatoolkit package (anaconda)!
"""


@pytest.mark.parametrize(
    ("path", "sep", "missing"),
    [("/opt/venv/lib/python3.10/site-packages/", "/", True), ("D:\\venv\\Lib\\", "\\", False)],
)
def test_bitsandbytes_finds_no_run_time_library(path: str, sep: str, missing: bool):
    assert (ruled(BNB.format(path=path, sep=sep)) == "cudart-missing") is missing


def test_the_run_time_library_is_not_the_drivers():
    failed = (
        "Environment: docker\nRuntimeError: CuPy failed to load {}: OSError: {}: cannot open shared"
    )
    cudart = "libcudart.so.13"
    assert ruled(f"{failed.format(cudart, cudart)} object file: No such file") == "cudart-missing"
    cuda = "libcuda.so.1"
    assert ruled(f"{failed.format(cuda, cuda)} object file: No such file") == "container-no-gpu"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("It stops because libcudart.so.10.0 cannot be opened.", "cudart-missing"),
        ("Check whether it can load libcudart.so.10.0 at all.", "unknown"),
        ("libcudart.so.10.0 is there.", "unknown"),
    ],
)
def test_a_sentence_names_the_library_that_is_not_found(told: str, cause: str):
    assert ruled(told) == cause


JAVA = "java.lang.UnsatisfiedLinkError: {}: Can't find dependent libraries"


@pytest.mark.parametrize(
    ("file", "cause"),
    [
        (r"C:\Users\user\.javacpp\cache\cuda-10.1-7.6-1.5.1\jnicudart.dll", "cudart-missing"),
        (r"C:\Temp\JCudaRuntime-10.0.0-windows-x86_64.dll", "cudart-missing"),
        (r"C:\Users\user\.javacpp\cache\jnicublas.dll", "cublas-missing"),
        (r"C:\Temp\JCublas2-0.8.0-windows-x86_64.dll", "cublas-missing"),
        (r"D:\dl4j\jnicudnn.dll", "cudnn-missing"),
        (r"D:\dl4j\jniopencv_core.dll", "msvc-runtime-missing"),
        (r"D:\dl4j\jnind4jcuda.dll", "unknown"),
    ],
)
def test_a_module_of_java_bears_the_name_of_the_library_that_it_is_linked_with(
    file: str, cause: str
):
    assert ruled(JAVA.format(file)) == cause


TRACE = """  File "/opt/lib/python3.8/site-packages/{}", line 12, in <module>
ImportError: libcudart.so.10.0: cannot open shared object file: No such file or directory
"""


@pytest.mark.parametrize(
    ("file", "cause"),
    [
        ("faiss/swigfaiss.py", "cudart-missing"),
        ("dgl/_ffi/base.py", "cudart-missing"),
        ("pytorch3d/ops/knn.py", "extension-mismatch"),
        ("mine/model.py", "extension-mismatch"),
    ],
)
def test_a_package_with_a_cuda_of_its_own_is_no_extension_of_torch(file: str, cause: str):
    assert ruled(f"torch==1.8.1+cu111\n{TRACE.format(file)}") == cause


TROUBLE = "Training fails to use the GPU, and nvidia-smi works. "


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("The CUDA libraries seem to be missing in the image.", "cudart-missing"),
        ("It lists no device since the CUDA libraries are not installed", "cudart-missing"),
        ("I made sure that the CUDA libraries are not installed twice.", "unknown"),
        ("If the CUDA libraries are missing, pip brings them.", "unknown"),
        ("Are the CUDA libraries missing?", "unknown"),
        ("The CUDA libraries are there.", "unknown"),
    ],
)
def test_somebody_misses_cudas_libraries_and_names_none(told: str, cause: str):
    assert ruled(f"{TROUBLE}{told}\n") == cause


def test_what_brings_them_depends_on_who_misses_them():
    told = TROUBLE + "The CUDA libraries are missing.\n"
    assert "TensorFlow" in finding(f"tensorflow\n{told}").fix.text
    assert "TensorFlow" not in finding(told).fix.text

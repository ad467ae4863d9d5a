"""Two or three lines that tell only together which library is missing or of another release."""

from __future__ import annotations

import pytest

from support.cases import ruled

FOLDER = """Windows 11, RTX 4060
OnnxRuntime.Gpu: Microsoft.ML.OnnxRuntime.Gpu 1.16.3
LoadLibrary failed with error 126 "" when trying to load "D:\\app\\onnxruntime_providers_cuda.dll"
PS> {listing} "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA" -Name
v{toolkit}
PS> Get-ChildItem $env:CUDA_PATH\\bin\\cu*.dll -Name
cublas64_{major}.dll
cudnn64_8.dll
"""


@pytest.mark.parametrize(
    ("listing", "toolkit", "cause"),
    [
        ("Get-ChildItem", "12.4", "framework-cuda-mismatch"),
        ("gci", "12.4", "framework-cuda-mismatch"),
        ("Get-ChildItem", "11.8", "cudnn-missing"),
    ],
)
def test_powershell_lists_the_only_toolkit(listing: str, toolkit: str, cause: str):
    major = toolkit.partition(".")[0]
    assert ruled(FOLDER.format(listing=listing, toolkit=toolkit, major=major)) == cause


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
NONE = "INFO: Could not find files for the given pattern(s)."


@pytest.mark.parametrize(
    ("error", "answer", "cause"),
    [
        (UNLOADED, NONE, "cudart-missing"),
        ("System.DllNotFoundException: Unable to load DLL 'engine'", NONE, "cudart-missing"),
        (UNLOADED, "C:\\cuda\\bin\\cudart64_12.dll", "unknown"),
        ("The engine is slow.", NONE, "unknown"),
    ],
)
def test_of_the_files_that_a_dll_is_linked_with_one_is_not_found(
    error: str, answer: str, cause: str
):
    assert ruled(DEPENDENTS.format(error=error, answer=answer)) == cause


JAVA = """Windows Server 2022, Tesla T4
Exception in thread "main" java.lang.UnsatisfiedLinkError: C:\\Temp\\{file}: {why}
"""
UNMET = "Can't find dependent libraries"


@pytest.mark.parametrize(
    ("file", "why", "cause"),
    [
        ("onnxruntime.dll", UNMET, "msvc-runtime-missing"),
        ("jnicublas.dll", UNMET, "unknown"),  # CUDA's own may be what it lacks
        ("JCudaDriver-11.8.0-windows-x86_64.dll", UNMET, "unknown"),
        ("onnxruntime.dll", "Access is denied", "unknown"),
    ],
)
def test_java_says_in_its_own_words_that_a_dll_lacks_another(file: str, why: str, cause: str):
    assert ruled(JAVA.format(file=file, why=why)) == cause


SYSTEM = """Windows 11, RTX 3080
The native library cannot be correctly loaded.
C:\\app>{command} C:\\Windows\\System32\\{asked}
{answer}
C:\\app>
"""


@pytest.mark.parametrize(
    ("command", "asked", "answer", "cause"),
    [
        ("dir /b", "*140*.dll", "File Not Found", "msvc-runtime-missing"),
        ("dir /b", "vcruntime140_1.dll", "Datei nicht gefunden", "msvc-runtime-missing"),
        ("Test-Path", "msvcp140.dll", "False", "msvc-runtime-missing"),
        ("Test-Path", "msvcp140.dll", "True", "unknown"),
        ("dir /b", "msvcp140*.dll", "msvcp140.dll", "unknown"),
        ("dir /b", "nvml.dll", "File Not Found", "unknown"),
    ],
)
def test_windows_folder_has_no_file_of_the_run_time(
    command: str, asked: str, answer: str, cause: str
):
    assert ruled(SYSTEM.format(command=command, asked=asked, answer=answer)) == cause


JAX = """GPU: NVIDIA RTX A5000, Driver Version: 565.57.01
$ pip list | grep -E "jax|nvidia"
jax                      0.4.35
jax-cuda12-plugin        0.4.35
jaxlib                   0.4.35
nvidia-{caller}    {release}
nvidia-nvjitlink-cu12    {linker}
RuntimeError: Unable to load {library}. Is it installed?
An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not installed.
"""


@pytest.mark.parametrize(
    ("caller", "release", "linker", "library", "cause"),
    [
        ("cusparse-cu12", "12.5.4.2", "12.1.105", "cuSPARSE", "cuda-libs-mismatch"),
        ("cusolver-cu12", "11.7.2.55", "12.6.85", "cuSOLVER", "cuda-libs-mismatch"),
        # Another copy is found first.
        ("cusparse-cu12", "12.5.4.2", "12.6.85", "cuSPARSE", "library-path-conflict"),
        ("cusparse-cu12", "12.3.1.170", "12.8.61", "cuSPARSE", "library-path-conflict"),
        ("cusparse-cu12", "12.1.0.106", "12.1.105", "cuSPARSE", "library-path-conflict"),
    ],
)
def test_nvjitlink_is_older_than_the_library_that_calls_it(
    caller: str, release: str, linker: str, library: str, cause: str
):
    shown = JAX.format(caller=caller, release=release, linker=linker, library=library)
    assert ruled(shown) == cause


POD = """GPU: NVIDIA A10, Driver Version: 550.90.07
root@pod:/app# ls lib
libggml-base.so  libggml-cuda.so  libggml.so  libllama.so
root@pod:/app# {command}
{packages}
root@pod:/app# ./llama-cli -m model.gguf -ngl 99
load_backend: loaded CPU backend from /app/libggml-cpu-haswell.so
warning: no usable GPU found, --gpu-layers option will be ignored
"""
RUNTIME = "ii  cuda-cudart-12-4  12.4.127-1  amd64  CUDA Runtime native Libraries"


@pytest.mark.parametrize(
    ("command", "packages", "cause"),
    [
        ("dpkg -l | grep -E 'cuda|cublas'", RUNTIME, "cublas-missing"),
        ("dpkg -l | awk '/cudart|cublas/ {print $2}'", "cuda-cudart-12-4", "cublas-missing"),
        (
            "dpkg -l | grep -E 'cuda|cublas'",
            f"{RUNTIME}\nii  libcublas-12-4  12.4.5.8-1",
            "unknown",
        ),
        ("dpkg -l | grep -E 'cuda|cublas'", "ii  cuda-libraries-12-4  12.4.1-1  amd64", "unknown"),
        ("dpkg -l | grep cuda", RUNTIME, "unknown"),  # nobody asked for it
        ("dpkg -l | grep -E 'cuda|cublas'", "", "unknown"),  # the answer may have been left out
    ],
)
def test_of_the_packages_that_were_asked_for_one_is_not_listed(
    command: str, packages: str, cause: str
):
    assert ruled(POD.format(command=command, packages=packages)) == cause

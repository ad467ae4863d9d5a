"""cuBLAS, or one of its siblings, that is missing."""

from __future__ import annotations

import pytest

from support.cases import root_by_rules, ruled


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("The container has no libcublas.so.12", "cublas-missing"),
    ],
)
def test_cublas_that_is_missing_is_named(text: str, cause: str):
    assert ruled(text) == cause


LLAMA_CLI = (
    "OS: Windows 11\nC:\\llama>llama-cli.exe -m a.gguf -ngl 99\n"
    "load_backend: loaded CPU backend from C:\\llama\\ggml-cpu-haswell.dll\n"
    "warning: no usable GPU found, --gpu-layers option will be ignored\n"
)
FILES = "C:\\llama>dir /b *.dll\ncudart64_12.dll\nggml-base.dll\n{cuda}ggml.dll\nllama.dll\n"
WHERE = "C:\\llama>where cublas64_12.dll\nINFO: Could not find files for the given pattern(s).\n"


def test_llama_has_its_backend_for_cuda_and_windows_no_cublas():
    assert ruled(LLAMA_CLI + FILES.format(cuda="ggml-cuda.dll\n") + WHERE) == "cublas-missing"


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


MISSING = "ImportError: libcublas.so.13: cannot open shared object file: No such file\n"


@pytest.mark.parametrize(
    "listing",
    [
        "$ ls /usr/local/lib/ollama/cuda_v12\nlibcublas.so.12\n",
        "$ ls venv/lib/python3.10/site-packages/nvidia/cublas/lib\nlibcublas.so.12\n",
        "$ ls /usr/lib/python3/dist-packages/nvidia/cublas/lib\nlibcublas.so.12\n",
        "$ ldd program | grep cublas\nlibcublas.so.12 => not found\n",
    ],
)
def test_a_folder_of_one_program_is_no_installed_cuda(listing: str):
    assert ruled(listing + MISSING) == "cublas-missing"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("make[2]: *** No rule to make target `{}', needed by `libx.so'.  Stop.", "cublas-missing"),
        ("make: *** Keine Regel vorhanden, um das Ziel „{}“, benötigt von „x“", "cublas-missing"),
        ("make[1]: *** 没有规则可制作目标“{}”\uff0c由“lib/x.so” 需求。 停止。", "cublas-missing"),
        ("make: *** 'lib/x.so' に必要なターゲット '{}' を make するルールが", "cublas-missing"),
        ("ninja: error: '{}', needed by 'x', missing and no known rule to make", "cublas-missing"),
        ("make[2]: *** [{}] Error 1", "unknown"),
        ("make: *** No rule to make target 'x', needed by '{}'.  Stop.", "unknown"),
    ],
)
def test_a_build_finds_no_library_at_its_path(line: str, cause: str):
    assert ruled(line.format("/usr/local/cuda-10.1/lib64/libcublas.so")) == cause


def test_a_build_finds_no_curl_which_is_no_library_of_cuda():
    line = "make: *** No rule to make target '/usr/lib/libcurl.so', needed by 'x'.  Stop."
    assert ruled(line) == "unknown"


JCUDA = 'java.lang.UnsatisfiedLinkError: Error while loading native library "{}"\n'
NATIVE = JCUDA.format("JCublas2-{}-{}-x86_64")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("DllNotFoundException: Unable to load DLL 'nppig64_11': The module", "nppig64_11.dll"),
        ("Unable to load DLL\u201cnppisu64_10\u201d:", "nppisu64_10.dll (CUDA 10.1 to 10.2)"),
        ('Unable to load DLL "cublas64_12"', "cublas64_12.dll (CUDA 12)"),
        (NATIVE.format("0.8.0", "windows"), "cublas64_80.dll (CUDA 8.0)"),
        (NATIVE.format("10.0.0", "linux"), "libcublas.so.10.0 (CUDA 10.0)"),
        (JCUDA.format("JCusolver-11.4.1-windows-x86_64"), "cusolver64_11.dll"),
    ],
)
def test_wrappers_of_net_and_java_tell_the_cuda_that_they_are_for(text: str, seen: str):
    assert ruled(text) == "cublas-missing"
    assert seen in root_by_rules(text).finding.title


def test_what_jcuda_does_not_find_beside_the_library():
    assert ruled(JCUDA.format("JCudaRuntime-0.9.2-linux-x86_64")) == "cudart-missing"
    assert ruled(JCUDA.format("JCudaDriver- 0.9.0d-linux-x86_64")) == "driver-missing"
    assert ruled(JCUDA.format("JCudnn-10.1.0-windows-x86_64")) == "cudnn-missing"


@pytest.mark.parametrize(
    "text",
    [
        NATIVE.format("0.8.0", "linux")
        + "java.io.IOException: No resource found with name '/lib/libJCublas2-0.8.0-linux.so'",
        NATIVE.format("0.8.0", "windows") + "Can't load AMD 64-bit .dll on a IA 32-bit platform",
        JCUDA.format("JOCL_2_0_0-windows-x86_64"),
        "Unable to load DLL 'curl64_7'",
    ],
)
def test_other_reasons_for_which_java_and_net_load_nothing(text: str):
    assert ruled(text) == "unknown"

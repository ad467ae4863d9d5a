"""A function that a program does not find in a library, in the words of languages."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding

JULIA = "ERROR: LoadError: ccall: could not find function {} in library {}\n"
#: cpm_kernels', where the library was looked for in vain as the module was imported.
CPM = "RuntimeError: Library {} is not initialized\n"
JAX = "XlaRuntimeError: INTERNAL: operation cudaGetLastError() failed: {} symbol not found.\n"
DOTNET = "EntryPointNotFoundException: Unable to find an entry point named '{}' in DLL '{}'.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (JULIA.format("cudnnGetStream", "/opt/cuda-9.0/lib64/libcudnn.so.7"), "cudnn-mismatch"),
        (JULIA.format("cudnnSetFilter4dDescriptor", "libcudnn"), "cudnn-mismatch"),
        (DOTNET.format("cudnnGetStream", "cudnn64_7.dll"), "cudnn-mismatch"),
        # Julia found no library: where its name should stand there is nothing.
        (JULIA.format("cudnnCreate", ""), "cudnn-missing"),
        (JULIA.format("cublasCreate_v2", ""), "cublas-missing"),
        (JULIA.format("cublasLtMatmul", "/usr/lib/libcublas.so.9"), "cuda-libs-mismatch"),
        (JULIA.format("cuMemAllocAsync", "libcuda"), "driver-too-old"),
        (CPM.format("cublasLt"), "cublas-missing"),
        (CPM.format("cudart"), "cudart-missing"),
        (CPM.format("curses"), "unknown"),
        (JAX.format("cudaGetErrorString"), "cudart-missing"),
        (JAX.format("myGetErrorString"), "unknown"),
        ('Error in fit(x) : could not find function "cudnnFit"\n', "unknown"),
        (JULIA.format("g_type_init", "libgobject"), "unknown"),
    ],
)
def test_a_function_that_a_language_does_not_find_in_a_library(text: str, cause: str):
    assert ruled(text) == cause


def test_the_function_that_the_loaded_cudnn_lacks_is_in_the_title():
    found = finding(JULIA.format("cudnnGetStream", "libcudnn"))
    assert found.title.startswith("A program needs cudnnGetStream, which the libcudnn")


@pytest.mark.parametrize(
    ("compiled", "loaded"), [("7005", "7003"), ("6021", "5110"), ("8204", "8101")]
)
def test_caffe2_tells_both_releases_of_cudnn(compiled: str, loaded: str):
    line = "[enforce fail at common_cudnn.h:118] version_match. cuDNN compiled "
    text = f"RuntimeError: {line}({compiled}) and runtime ({loaded}) versions mismatch"
    assert ruled(text) == "cudnn-mismatch"
    assert ruled("Is cuDNN compiled (into it) and runtime checked?") == "unknown"

"""cuBLAS, or one of its siblings, that is missing, as ONNX Runtime tells of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

PRELOAD = (
    '  File "/usr/lib/python3.6/onnxruntime/capi/_ld_preload.py", line 12, in <module>\n'
    '    _libcublas = CDLL("libcublas.so.10.0", mode=RTLD_GLOBAL)\n'
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (PRELOAD, "cublas-missing"),
        ('from ctypes import CDLL\nlib = CDLL("libcublas.so.11")\nprint(lib)', "unknown"),
        (f"{PRELOAD}ValueError: too many values to unpack", "unknown"),
        ("Loading failed: ONNX Runtime 1.19.0 (cublas64_11.dll missing)\n", "cublas-missing"),
    ],
)
def test_cublas_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "Warning: nvml.dll missing, temperature is not shown\nMining at 30 MH/s\n",
    ],
)
def test_kin_of_cublas_that_is_missing_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


PROVIDER = """OS: Windows 10
onnxruntime-gpu: 1.19.2
LoadLibrary failed with error 126 "" when trying to load "C:\\ort\\onnxruntime_providers_cuda.dll"
Failed to create CUDAExecutionProvider. Require cuDNN 9.* and CUDA 12.*, and the latest

C:\\ort>for %i in (cublas64_12 cudnn64_9 cufft64_11) do @where %i.dll
{answer}
"""
CUBLAS, CUDNN, CUFFT = (f"D:\\c\\{each}.dll" for each in ("cublas64_12", "cudnn64_9", "cufft64_11"))
NONE = "INFO: Could not find files for the given pattern(s)."


@pytest.mark.parametrize(
    ("answers", "cause"),
    [
        ((CUBLAS, CUDNN, NONE), "cublas-missing"),
        ((CUBLAS, f"E:{CUBLAS[2:]}", NONE, CUFFT), "cudnn-missing"),
        ((CUFFT, NONE), "cudnn-missing"),  # the turns are lost: by habit
    ],
)
def test_a_loop_asks_where_each_of_several_files_is(answers: tuple[str, ...], cause: str):
    assert ruled(PROVIDER.format(answer="\n".join(answers))) == cause


PROVIDER_LIBRARY = (
    "onnxruntime::ProviderLibrary::Get [ONNXRuntimeError] : 1 : FAIL : LoadLibrary failed with "
    'error 126 "" when trying to load "C:\\ort\\lib\\onnxruntime_providers_cuda.dll"\n'
)


def test_a_title_names_the_file_that_is_missing():
    assert ruled(
        "CUDA provider does not load (cublasLt64_11.dll missing)\n" + PROVIDER_LIBRARY
    ) == ("cublas-missing")
    assert (
        ruled("Is my cublasLt64_11.dll missing a function?\n" + PROVIDER_LIBRARY)
        != "cublas-missing"
    )


PROVIDER_1_20 = (
    "onnxruntime-gpu: 1.20.1\n[ONNXRuntimeError] : 1 : FAIL : LoadLibrary failed with error 126 "
    '"" when trying to load "C:\\v\\onnxruntime\\capi\\onnxruntime_providers_cuda.dll"\n'
)
FOUND = ">where cudart64_12.dll\nC:\\cuda12\\bin\\cudart64_12.dll\n"
LOST = ">where {file}\nINFO: Could not find files for the given pattern(s).\n"


def test_windows_is_asked_at_a_prompt_that_was_lost():
    assert ruled(PROVIDER_1_20 + FOUND + LOST.format(file="cublas64_12.dll")) == "cublas-missing"
    assert ruled(PROVIDER_1_20 + FOUND + LOST.format(file="zlib.dll")) == "cudnn-missing"


PROVIDER_1_16 = """onnxruntime-gpu: 1.16.3
[W:onnxruntime:Default] Failed to create CUDAExecutionProvider. Please reference https://onnxruntime.ai
$ ls /usr/local/cuda-11.8/lib64
libcudart.so.11.0  libcufft.so.10  libcurand.so.10 {cublas}
$ ls /usr/lib/x86_64-linux-gnu/libcudnn.so*
{cudnn}
"""
CUDNN_8 = "/usr/lib/x86_64-linux-gnu/libcudnn.so.8"
NO_CUDNN = "ls: cannot access '/usr/lib/x86_64-linux-gnu/libcudnn.so*': No such file or directory"


@pytest.mark.parametrize(
    ("cublas", "cudnn", "cause"),
    [
        ("", CUDNN_8, "cublas-missing"),
        ("libcublas.so.11", NO_CUDNN, "cudnn-missing"),
        ("libcublas.so.11", CUDNN_8, "unknown"),
    ],
)
def test_a_toolkits_folder_lacks_what_onnx_runtime_needs(cublas: str, cudnn: str, cause: str):
    assert ruled(PROVIDER_1_16.format(cublas=cublas, cudnn=cudnn)) == cause


IMAGE = """FROM nvidia/cuda:12.4.1-{flavour}-ubuntu22.04
RUN apt-get install -y libcudnn9-cuda-12 {more}
RUN pip install onnxruntime-gpu==1.20.1
[W:onnxruntime:Default] Failed to create CUDAExecutionProvider. Please reference https://onnxruntime.ai
"""


@pytest.mark.parametrize(
    ("flavour", "more", "named"),
    [("base", "", True), ("base", "libcublas-12-4", False), ("runtime", "", False)],
)
def test_the_smallest_image_has_the_run_time_alone(flavour: str, more: str, *, named: bool):
    assert (ruled(IMAGE.format(flavour=flavour, more=more)) == "cublas-missing") is named


ORT = """onnxruntime-gpu: 1.16.3
[W:onnxruntime:Default] Failed to create CUDAExecutionProvider. Please reference https://onnxruntime.ai
"""


def test_an_empty_cache_of_the_loader_says_it():
    assert ruled(ORT + "$ ldconfig -p | grep cublas\n$ nproc\n8\n") == "cublas-missing"


@pytest.mark.parametrize(
    ("packages", "named"),
    [
        ("onnxruntime-gpu", True),
        ("torch onnxruntime-gpu", False),
        ("onnxruntime-gpu[cuda,cudnn]", False),
    ],
)
def test_pip_brings_cublas_into_the_smallest_image(packages: str, *, named: bool):
    image = f"FROM nvidia/cuda:12.2.0-base-ubuntu22.04\nRUN pip install {packages}\n"
    assert (ruled(image + ORT.replace("1.16.3", "1.20.1")) == "cublas-missing") is named

"""Another CUDA than a framework was built for, told of by a name, a sentence or a file."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding

MISMATCH = "framework-cuda-mismatch"
WANTED_11 = "ImportError: libcudart.so.11.0: cannot open shared object file: No such file"


@pytest.mark.parametrize(
    ("named", "cause"),
    [
        ("FROM nvidia/cuda:12.1.0-runtime-ubuntu22.04", "framework-cuda-mismatch"),
        ("export PATH=/usr/local/cuda-12.4/bin:$PATH", "framework-cuda-mismatch"),
        ("CUDA 12.1 is what it runs with", "framework-cuda-mismatch"),
        ("one machine has CUDA 12.3, another one CUDA 11.8", "cudart-missing"),
        ("The program needs CUDA 12", "cudart-missing"),
        ("it was built for CUDA 12.1", "cudart-missing"),
        ("Driver Version: 550.54.15   CUDA Version: 12.4", "cudart-missing"),  # its ceiling
        ("there are CUDA 12.1 wheels", "cudart-missing"),
        ("$ tar xf cuda-12.tar.gz", "cudart-missing"),
    ],
)
def test_a_text_names_another_cuda_only(named: str, cause: str):
    assert ruled(f"{named}\n{WANTED_11}\n") == cause


JULIA = (
    "Error: This version of CUDA.jl only supports NVIDIA drivers for CUDA {} (yours is for CUDA {})"
)


@pytest.mark.parametrize(
    ("known", "served", "cause"),
    [
        ("11.x or 12.x", "13.0.0", MISMATCH),
        ("10.x or 11.x", "12.2.0", MISMATCH),
        ("11.x or 12.x", "10.2.0", "driver-too-old"),
    ],
)
def test_a_cuda_jl_of_before_the_driver(known: str, served: str, cause: str):
    assert ruled(JULIA.format(known, served)) == cause
    if cause == MISMATCH:
        assert "Pkg.update" in (finding(JULIA.format(known, served)).fix.commands or ("",))[0]


def test_a_cuda_that_is_only_named_is_not_called_installed():
    named = finding(f"export PATH=/usr/local/cuda-12.4/bin:$PATH\n{WANTED_11}\n")
    assert named.title.endswith("; the text speaks of CUDA 12.4")
    assert named.confidence.value == "likely"
    stated = finding(f"I have CUDA 12.4\n{WANTED_11}\n")
    assert stated.title.endswith("; installed is CUDA 12.4")
    assert stated.confidence.value == "certain"


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ("TensorFlow 1.11.0 is still looking for cublas 9.0 despite CUDA 10", "libcublas.so.9.0"),
        ("it keeps asking for libcudart.so.10.1, though CUDA 11 is there", "libcudart.so.10.1"),
    ],
)
def test_library_of_another_cuda_that_a_sentence_says_is_sought(told: str, wanted: str):
    assert ruled(told) == "framework-cuda-mismatch"
    assert f"asks for {wanted} (CUDA " in finding(told).title


@pytest.mark.parametrize("file", ["libcudart.so.7.0", "libnvrtc.so.7.5", "nvrtc64_70.dll"])
def test_files_of_cuda_7_are_of_that_cuda_alone(file: str):
    missed = f"ImportError: {file}: cannot open shared object file: No such file\n"
    assert ruled(f"I have CUDA 8.0\n{missed}") == "framework-cuda-mismatch"
    assert ruled(missed) in ("cudart-missing", "cublas-missing")


@pytest.mark.parametrize(
    ("beside", "cause"),
    [
        ("Driver Version: 546.33, CUDA Version: 12.3", "cudart-missing"),  # what the driver serves
        ("Driver 546.33, CUDA version: 12.3", "framework-cuda-mismatch"),
    ],
)
def test_the_cuda_that_a_driver_serves_is_not_installed(beside: str, cause: str) -> None:
    asked = "Could not load dynamic library 'cudart64_110.dll'; dlerror: cudart64_110.dll not found"
    assert ruled(f"RTX 3080, {beside}\n>>> import tensorflow as tf\n{asked}\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("TF only looks for cusolver64_10.dll while CUDA has cusolver64_11.dll.", "other"),
        ("It still wants libcusolver.so.10 although there is a libcusolver.so.11.", "other"),
        ("All DLLs are taken in version 11 except cusolver: it searches for number 10.", "other"),
        ("It looks for cudart64_101.dll, but I have only cudart64_111.dll", "other"),
        ("It wants libcublas.so.10.0 (what is here is libcublas.so.11).", "other"),
        ("For cublas it searches version 10.0, but I have 11.1 installed.", "other"),
        ("It should look for cusolver64_11.dll instead of cusolver64_10.dll", "none"),
        ("It looks for cusolver64_11.dll, but I do not know where it is.", "none"),
        ("It wanted cusolver64_10.dll, but I copied cusolver64_11.dll, and it works.", "none"),
        ("Does it look for cusolver64_10.dll although CUDA has cusolver64_11.dll?", "none"),
    ],
)
def test_a_library_is_sought_in_another_release_than_there_is(told: str, cause: str) -> None:
    expected = {"other": "framework-cuda-mismatch", "none": "unknown"}[cause]
    assert ruled(f"TensorFlow 2.4\nCUDA: 11.1\n{told}\n") == expected


@pytest.mark.parametrize(
    ("releases", "cuda", "said", "cause"),
    [
        ("2.3", "11.1", "My GPU isn't recognized.", "framework-cuda-mismatch"),
        (
            "2.2 / 2.3/ 2.5.0.dev20201028",
            "11.1",
            "The GPU is not listed.",
            "framework-cuda-mismatch",
        ),
        ("1.15", "10.1", "None of them sees the GPU.", "framework-cuda-mismatch"),
        ("2.3 / 2.4", "11.0", "My GPU isn't recognized.", "unknown"),
        ("2.3", "10.1", "My GPU isn't recognized.", "unknown"),
        ("2.3", "11.1", "How do I make it use two GPUs?", "unknown"),
    ],
)
def test_a_gpu_that_a_release_of_tensorflow_does_not_recognize(
    releases: str, cuda: str, said: str, cause: str
) -> None:
    form = f"TensorFlow version: {releases}\nCUDA version: {cuda}\nGPU: GeForce GTX 1080\n"
    assert ruled(f"{form}{said}") == cause


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("cuda 10.1 has to go because tensorflow-gpu works with cuda 10.0 only", MISMATCH),
        ("tensorflow 1.13 only supports CUDA 10.0, and I have CUDA 10.1", MISMATCH),
        ("My TF 2.1 runs only with CUDA 10.1 and CUDA 10.2 is what we have", MISMATCH),
        ("tensorflow only works with cuda 10.0 and I have cuda 10.0", "unknown"),
        ("Should cuda 10.1 go, if tensorflow works with cuda 10.0 only?", "unknown"),
        ("tensorflow 1.13 only supports CUDA 10.0, please install that", "unknown"),
    ],
)
def test_the_one_cuda_that_serves_and_the_one_that_is_there(said: str, cause: str) -> None:
    assert ruled(said) == cause


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        (
            "I installed cudatoolkit 11.2, but its tensorflow needs the 10.1 CUDA libraries",
            MISMATCH,
        ),
        ("I have CUDA toolkit 11.2 here, but the program looks for CUDA 10.0. Why?", MISMATCH),
        ("I installed the CUDA toolkit 12.1, but it asks for CUDA 12.0", "unknown"),  # it serves
        ("I installed the CUDA toolkit 11.0, but my GPU needs CUDA 11.8", "unknown"),
        ("If I installed CUDA toolkit 11.2, but it needs CUDA 10.1, what then?", "unknown"),
        ("I have the CUDA toolkit 11.2, and it needs CUDA 11.2", "unknown"),
    ],
)
def test_what_was_installed_is_not_what_a_program_turns_out_to_want(said: str, cause: str):
    assert ruled(said) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("It ends with: libcublas.so.12 and libcudart.so.12 not found", MISMATCH),
        ("libnvrtc.so.12 / `libcudart.so.12` are not found, says the server", MISMATCH),
        ("libnvrtc.so.13 / libcudart.so.13 are found, something else is not", "unknown"),
    ],
)
def test_of_several_libraries_each_is_missed(told: str, cause: str):
    assert ruled(f"| CUDA toolkit | 13.0 |\n{told}\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            "> install_torch()\nCuda 11.6 detected but torch only supports: cpu, 10.2, 11.3",
            MISMATCH,
        ),
        ("> library(torch)\nCuda 11.0 detected but torch only supports: cpu, 10.1", MISMATCH),
        ("Cuda 11.3 detected, torch supports: cpu, 10.2, 11.3", "unknown"),
    ],
)
def test_torch_of_r_has_no_build_for_the_cuda_that_is_there(told: str, cause: str):
    assert ruled(told) == cause

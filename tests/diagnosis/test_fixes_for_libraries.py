"""How a CUDA library, cuDNN or a toolkit comes where the program that asks for it looks."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.diagnosis.model import Safety
from gpuprobe.knowledge.driver_functions import first_of_library
from support.pasted import commands, finding, fix

SYMBOL = "ImportError: {file}: undefined symbol: {symbol}, version {version}\n"
PIPS = (
    "/opt/venv/lib/python3.11/site-packages/torch/lib/../../nvidia/cusparse/lib/libcusparse.so.12"
)


def test_the_library_that_asks_for_a_symbol_is_not_the_one_that_lacks_it():
    text = SYMBOL.format(file=PIPS, symbol="__nvJitLinkComplete_12_4", version="libnvJitLink.so.12")
    assert finding(text).title == (
        "libcusparse.so.12 needs __nvJitLinkComplete_12_4, which the libnvJitLink.so.12 that is "
        "loaded does not have (it is older than 12.4)"
    )
    assert fix(text).commands == (
        'env -u LD_LIBRARY_PATH python -c "import torch"',
        'pip install --force-reinstall "nvidia-nvjitlink-cu12==12.4.*"',
    )


def test_nccls_release_is_told_by_its_function():
    text = "torch/lib/libtorch_cuda.so: undefined symbol: ncclCommRegister\n"
    assert finding(text).title.endswith("(it is older than 2.19)")
    assert "nvidia-nccl-cu12>=2.19" in commands(text)


def test_the_version_of_a_symbol_is_no_file_that_asks_for_it():
    text = "undefined symbol: cudaGetDriverEntryPointByVersion, version libcudart.so.12\n"
    assert finding(text).title == (
        "A program needs cudaGetDriverEntryPointByVersion, which the libcudart.so.12 that is "
        "loaded does not have (it is older than 12.5)"
    )


def test_without_a_release_what_asks_is_installed_anew():
    file = PIPS.replace("cusparse/lib/libcusparse.so.12", "cublas/lib/libcublas.so.11")
    text = SYMBOL.format(file=file, symbol="cublasLtGetStatusString", version="libcublasLt.so.11")
    assert "older than" not in finding(text).title
    assert "--force-reinstall" not in commands(text)
    assert "--force-reinstall torch==1.13.1" in commands(text + "torch==1.13.1\n")


@pytest.mark.parametrize(
    ("function", "first"),
    [
        ("__nvJitLinkComplete_12_4", "12.4"),
        ("__nvJitLinkCreate_13_0", "13.0"),
        ("ncclMemAlloc", "2.19"),
        ("ncclAllReduce", None),
        ("nvJitLinkVersion", None),
    ],
)
def test_the_first_release_with_a_function(function: str, first: str | None):
    found = first_of_library(function)
    assert (None if found is None else str(found[1])) == first


MISSING = "{file}: cannot open shared object file: No such file or directory\n"
TF = "Could not load dynamic library '{0}'; dlerror: {0}: cannot open shared object file\n"


def test_a_program_that_is_no_pythons_gets_no_package_of_pips():
    text = "./reduction: error while loading shared libraries: " + MISSING.format(
        file="libcublasLt.so.12"
    )
    assert "pip" not in commands(text)
    assert "sudo apt install" not in commands(text)
    assert "sudo apt install cuda-libraries-12-9" in commands("OS: Ubuntu 22.04\n" + text)
    assert fix(text).safety is Safety.ADMIN
    assert "cuda-libraries" in fix(text).text
    assert "cuda-libraries" not in fix(text.replace(".so.12", ".so.7.5")).text


def test_what_pip_installs_is_made_known_to_the_loader():
    text = "ImportError: " + MISSING.format(file="libcublas.so.11")
    first, then = fix(text).commands
    assert first == "pip install nvidia-cublas-cu11"
    assert then.startswith("export LD_LIBRARY_PATH=$(python3 ")


def test_a_release_that_is_told_to_be_there_is_to_be_found():
    text = (
        "cuda 12.2\nCupy v13.0.0\nRuntimeError: CuPy failed to load libnvrtc.so.12: OSError: "
        + MISSING.format(file="libnvrtc.so.12")
    )
    assert "export CUDA_PATH=/usr/local/cuda-12.2" in fix(text).commands
    assert "pip install nvidia-cuda-nvrtc-cu12" in fix(text.replace("cuda 12.2\n", "")).commands


def test_a_library_without_a_release_is_looked_for_in_toolkits():
    text = "The third-party dynamic library (libcublas.so) that Paddle depends on is not configured"
    assert "ls /usr/local/cuda*/lib64/libcublas.so*" in commands(text)
    assert fix(text).safety is Safety.USER


def test_the_drivers_library_is_no_run_time():
    text = "The third-party dynamic library (libcuda.so) that Paddle depends on is not configured"
    diagnosis = gpuprobe.explain(text).diagnosis
    assert "GP401" not in [placed.rule.code for placed in diagnosis.placed]
    again = gpuprobe.explain(text.replace("libcuda.so", "libcudart.so")).diagnosis
    assert "GP401" in [placed.rule.code for placed in again.placed]


@pytest.mark.parametrize(
    ("version", "file", "command"),
    [
        ("2.8.4", "libcudart.so.11.0", "nvidia-cudnn-cu11==8.*"),
        ("1.11.0", "libcublas.so.9.0", "cudatoolkit=9.0 cudnn=7"),
        ("2.17.0", "libcudart.so.12", 'pip install "tensorflow[and-cuda]==2.17.0"'),
    ],
)
def test_tensorflow_gets_all_that_its_release_opens(version: str, file: str, command: str):
    text = f"tensorflow=={version}\nOS: Linux\n" + TF.format(file)
    assert command in commands(text)


def test_on_windows_the_release_of_tensorflow_tells_cuda_and_cudnn():
    text = "tensorflow==2.9.1\nWindows 10\n" + TF.format("cudart64_110.dll")
    assert commands(text) == "conda install -c conda-forge cudatoolkit=11.2 cudnn=8.1"
    assert commands(text.replace("tensorflow==2.9.1\n", "")) == "where cudart64_110.dll"


@pytest.mark.parametrize(
    ("told", "command"),
    [
        # one for the CUDA that is there
        ("tensorflow-gpu==1.12.0\nCUDA 10.0\n", "python3 -m pip install tensorflow-gpu==1.13.1"),
        ("tensorflow-gpu==2.0.0b1\nCUDA 9.0\n", "python3 -m pip install tensorflow-gpu==1.12.0"),
        # none is: the libraries of its own
        ("tensorflow-gpu==1.12.0\nCUDA 9.1\n", "cudatoolkit=9.0 cudnn=7"),
        # one that brings its own, as this Python takes one
        ("Python 3.10.12\ntensorflow==2.9.1\nCUDA 12.2\n", '--upgrade "tensorflow[and-cuda]"'),
        # and as this one does not
        ("Python 3.8.10\ntensorflow==2.9.1\nCUDA 12.2\n", "nvidia-cudnn-cu11==8.*"),
    ],
)
def test_a_tensorflow_beside_another_cuda(told: str, command: str):
    version = told.partition("==")[2]
    files = {"1.12.0": "libcublas.so.9.0", "2.0.0b": "libcudart.so.10.0"}
    file = next((f for v, f in files.items() if version.startswith(v)), "libcudart.so.11.0")
    text = f"OS: Linux\n{told}" + TF.format(file)
    assert gpuprobe.explain(text).diagnosis.root is not None
    assert command in commands(text)


def test_ctranslate2_for_cuda_twelve_takes_cudnn_nine():
    text = "CUDA 11.8\nRuntimeError: Library libcublas.so.12 is not found or cannot be loaded\n"
    assert '"ctranslate2>=4.5" nvidia-cublas-cu12 "nvidia-cudnn-cu12==9.*"' in commands(text)


def test_cudnn_by_the_cuda_that_the_asker_is_built_for():
    load = "Failed to load library libonnxruntime_providers_cuda.so with error: "
    text = load + MISSING.format(file="libcudnn.so.9")
    assert 'pip install "nvidia-cudnn-cu12>=9,<10"' in commands(text)
    assert "from 1.27 on is of CUDA 13" in fix(text).text
    other = "ImportError: " + MISSING.format(file="libcudnn.so.9")
    assert "pip install" not in commands(other)
    assert "nvidia-cudnn-cu13==9.* or nvidia-cudnn-cu12==9.*" in fix(other).text


def test_cudnn_eight_beside_nine_on_ubuntu():
    text = "OS: Ubuntu 22.04\ncudnn-9.2\nCould not load library libcudnn_ops_infer.so.8. Error: "
    text += MISSING.format(file="libcudnn_ops_infer.so.8")
    assert commands(text).startswith("sudo apt install libcudnn8")
    assert fix(text).safety is Safety.ADMIN
    assert "sudo" not in commands(text.replace("Ubuntu 22.04", "Fedora 39"))


def test_the_release_of_cudnn_that_torch7_names():
    text = "libcudnn (R5) not found in library path.\n"
    assert finding(text).title == "cuDNN 5 is not found: a program asks for libcudnn (R5)"
    assert "export CUDNN_PATH=/usr/local/cuda/lib64/libcudnn.so.5" in commands(text)


def test_the_cuda_of_an_older_tensorflow_that_is_there_is_to_be_found():
    text = "OS: Linux\ntensorflow==2.9.1\nCUDA 11.2\n" + TF.format("libcudart.so.11.0")
    assert "export LD_LIBRARY_PATH=/usr/local/cuda-11.2/lib64:$LD_LIBRARY_PATH" in commands(text)
    assert "cuda-11.2" not in commands(text.replace("CUDA 11.2\n", ""))
    newer = text.replace("2.9.1", "2.17.0").replace("11.2", "12.3").replace(".so.11.0", ".so.12")
    assert "and-cuda" in commands(newer)

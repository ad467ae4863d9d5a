"""How TensorFlow gets the CUDA libraries that its release opens."""

from __future__ import annotations

import pytest

import gpuprobe
from support.pasted import commands, printed

TENSORFLOW = "GPU: {}\ntensorflow: {}\ncuda: 10.1\ntensorflow/stream_executor/cuda/cuda_blas.cc"
TENSORFLOW += ":428] failed to run cuBLAS routine: CUBLAS_STATUS_EXECUTION_FAILED"


def test_tensorflow_1_for_newer_gpus_is_nvidias() -> None:
    assert "tf1-py3" in printed(TENSORFLOW.format("GeForce RTX 3080", "1.15"))
    assert "tf1-py3" not in printed(TENSORFLOW.format("GeForce RTX 3080", "2.1"))
    assert "tf1-py3" not in printed(TENSORFLOW.format("GeForce RTX 5090", "1.15"))


TF = "Could not load dynamic library '{0}'; dlerror: {0}: cannot open shared object file\n"


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
    assert commands(text.replace("tensorflow==2.9.1\n", "")) == "where.exe cudart64_110.dll"


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


def test_the_cuda_of_an_older_tensorflow_that_is_there_is_to_be_found():
    text = "OS: Linux\ntensorflow==2.9.1\nCUDA 11.2\n" + TF.format("libcudart.so.11.0")
    assert "export LD_LIBRARY_PATH=/usr/local/cuda-11.2/lib64:$LD_LIBRARY_PATH" in commands(text)
    assert "cuda-11.2" not in commands(text.replace("CUDA 11.2\n", ""))
    newer = text.replace("2.9.1", "2.17.0").replace("11.2", "12.3").replace(".so.11.0", ".so.12")
    assert "and-cuda" in commands(newer)


UNNAMED = "{}Python 3.12\nW0000 gpu_device.cc:2344] Cannot dlopen some GPU libraries. Please make"
UNNAMED += " sure the missing libraries mentioned above are installed properly\n"


def test_tensorflow_by_pip_gets_its_libraries_by_pip() -> None:
    told = printed(UNNAMED.format("tensorflow==2.18.0\n"))
    assert "tensorflow[and-cuda]==2.18.0" in told
    assert "env -u LD_LIBRARY_PATH" in told
    assert "and-cuda" not in printed(UNNAMED.format(""))

"""How the cuDNN comes that a program asks for."""

from __future__ import annotations

from gpuprobe.diagnosis.model import Safety
from support.pasted import commands, finding, fix, printed


def test_cudnn_8_by_apt_is_there_for_two_cudas() -> None:
    missing = (
        "OS: Ubuntu 22.04\ncuDNN: 9.2\nCould not load library libcudnn_ops_infer.so.8. Error:"
        " libcudnn_ops_infer.so.8: cannot open shared object file: No such file or directory"
    )
    assert "libcudnn8=*+cuda11.*" in printed(missing)
    assert "libcudnn8" not in printed(missing.replace("Ubuntu 22.04", "CentOS 7"))


def test_cudnn_of_the_torch_that_is_there() -> None:
    missing = "torch=={}\nImportError: libcudnn.so.9: cannot open shared object file: No such file"
    assert "nvidia-cudnn-cu12>=9" in printed(missing.format("2.9.1"))
    assert "nvidia-cudnn-cu12>=9" not in printed(missing.format("1.13.1"))  # of cuDNN 8


def test_ctranslate2_for_cuda_twelve_takes_cudnn_nine():
    text = "CUDA 11.8\nRuntimeError: Library libcublas.so.12 is not found or cannot be loaded\n"
    assert '"ctranslate2>=4.5" nvidia-cublas-cu12 "nvidia-cudnn-cu12==9.*"' in commands(text)


MISSING = "{file}: cannot open shared object file: No such file or directory\n"


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


PART = (
    "torch {}\nCould not load library libcudnn_cnn_train.so.8. Error: {}/libcudnn_cnn_train.so.8:"
)
PART += " undefined symbol: _ZN5cudnn3cnn34layerNormFwd_execute_internal_implERKNS_7backend11Var\n"


def test_a_part_of_another_cudnn_leaves_the_search_path() -> None:
    system = "/usr/local/cuda-12.3/lib64"
    assert f"taken from {system}" in printed(PART.format("2.2.0+cu121", system))
    assert "taken from" not in printed(PART.format("2.2.0", system))
    own = "/opt/venv/lib/python3.10/site-packages/nvidia/cudnn/lib"
    assert "taken from" not in printed(PART.format("2.2.0+cu121", own))


def test_zlib_is_for_cudnn_8_alone() -> None:
    told = "OS: Windows 10\nCould not load dynamic library 'cudnn64_{}.dll'; dlerror: not found\n"
    assert "zlibwapi.dll" in printed(told.format(8))
    assert "zlibwapi.dll" not in printed(told.format(9))

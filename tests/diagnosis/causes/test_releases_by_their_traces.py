"""Releases that nobody names, and that a line of a source, a wheel or an index tells."""

from __future__ import annotations

import pytest

from support.cases import root_by_rules, ruled

FAILED = (
    "[ErrorCode:RuntimeException] D:\\a\\_work\\1\\s\\onnxruntime\\core\\session\\"
    "provider_bridge_ort.cc:{} onnxruntime::ProviderLibrary::Get LoadLibrary failed with error "
    '126 "" when trying to load "C:\\app\\onnxruntime_providers_cuda.dll"\n'
)


@pytest.mark.parametrize(
    ("line", "cuda", "cause"),
    [
        (1193, "CUDA 12.2", "framework-cuda-mismatch"),
        (1778, "NVIDIA CUDA Tool Kit (VERSION 11.8)", "framework-cuda-mismatch"),
        (1778, "CUDA（11.7）", "framework-cuda-mismatch"),  # noqa: RUF001
        (1193, "CUDA 11.8", "cudnn-missing"),
        (1209, "CUDA 12.2", "cudnn-missing"),  # of this release there are builds for both
        (77, "CUDA 12.2", "cudnn-missing"),
    ],
)
def test_the_line_of_its_source_tells_the_release_of_onnx_runtime(line: int, cuda: str, cause: str):
    assert ruled(f"I installed {cuda} before.\n{FAILED.format(line)}") == cause


def test_the_release_is_told():
    root = root_by_rules(f"Toolkit: CUDA 12.4\n{FAILED.format(1193)}")
    assert root.finding.title.startswith("ONNX Runtime 1.16 needs CUDA 11.8")


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ('✖ Unsupported CUDA version "12.6"', "framework-cuda-mismatch"),
        ('x Unsupported CUDA version "10.2"', "framework-cuda-mismatch"),
        ('the docs say: Unsupported CUDA version "10.2"', "unknown"),
    ],
)
def test_torch_of_r_refuses_a_cuda(line: str, cause: str):
    assert ruled(f"> install_torch()\nError in `check_supported_version()`:\n{line}\n") == cause


NONE = "ERROR: Could not find a version that satisfies the requirement {} (from versions: none)\n"
NO_MATCH = "ERROR: No matching distribution found for {}\n"


@pytest.mark.parametrize(
    ("wheel", "cause"),
    [
        ("torch-2.5.1%2Bcu121-cp313-cp313-linux_x86_64.whl (780.4 MB)", "python-unsupported"),
        ("torch-2.5.1%2Bcu121-cp312-cp312-linux_x86_64.whl (780.4 MB)", "unknown"),
        ("tool-1.2-cp38-abi3-manylinux_2_17_x86_64.whl", "unknown"),
    ],
)
def test_a_wheel_that_pip_fetches_tells_the_python(wheel: str, cause: str):
    text = f"  Downloading https://download.pytorch.org/whl/cu121/{wheel}\n"
    assert ruled(text + NO_MATCH.format("torchvision==0.20.1+cu121")) == cause


def test_a_wheel_below_the_failure_may_be_fetched_by_another_python():
    asked = "pip install torch==2.1.0 --index-url https://download.pytorch.org/whl/cu121\n"
    wheel = "  Downloading https://x/whl/torch-2.1.0%2Bcu121-cp311-cp311-linux_x86_64.whl (2 MB)\n"
    failed = NONE.format("torch==2.1.0") + NO_MATCH.format("torch==2.1.0")
    assert ruled(f"{asked}{failed}With the other Python:\n{wheel}") == "python-unsupported"


@pytest.mark.parametrize(
    ("python", "cause"), [("3.14.1", "python-unsupported"), ("3.12", "unknown")]
)
def test_an_index_has_builds_for_the_pythons_of_its_time(python: str, cause: str):
    asked = "pip install torch --index-url https://download.pytorch.org/whl/cu118\n"
    assert ruled(f"Python: {python}\n{asked}{NO_MATCH.format('torch')}") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"Python version: 3.13\n{NO_MATCH.format('qiskit-aer-gpu')}", "python-unsupported"),
        (f"Python version: 3.13\n{NO_MATCH.format('qiskit-aer-gpu==0.1')}", "unknown"),
        (f"Python version: 3.13\n{NO_MATCH.format('requests')}", "unknown"),
        (f"OS: Windows 11\n{NONE.format('faiss-gpu-cu12')}{NO_MATCH.format('faiss-gpu-cu12')}",
         "python-unsupported"),
        (f"Jetson Orin NX, JetPack 6.0\n{NO_MATCH.format('torch==1.12.1+cu116')}",
         "python-unsupported"),
        ("OS: Windows 10\nPython: 3.9\nMy python is 32 bit, and pip finds no onnxruntime-gpu.",
         "python-unsupported"),
        ("OS: Windows 10\nPython: 3.9\nMy python is 64 bit, and pip finds no onnxruntime-gpu.",
         "unknown"),
    ],
)  # fmt: skip
def test_a_package_without_a_file_for_this_python_or_platform(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("The wheel was looking for CUDA 11 libraries, instead of 12.", "framework-cuda-mismatch"),
        ("It searches for CUDA 10.0, not the 10.2 of mine.", "framework-cuda-mismatch"),
        ("It looks for CUDA 12 instead of 12.4 in its folder.", "unknown"),
        ("Should it look for CUDA 11 instead of 12?", "unknown"),
        (
            "OSError: libcublas.so.9.0 -- despite having cuda10.0 installed",
            "framework-cuda-mismatch",
        ),
    ],
)
def test_a_sentence_tells_which_cuda_is_looked_for_and_which_is_there(line: str, cause: str):
    assert ruled(line) == cause

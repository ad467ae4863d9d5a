"""The build with GPU support of a framework that has a way of its own."""

from __future__ import annotations

import pytest

from gpuprobe import explain
from gpuprobe.diagnosis.fixes.framework import install_gpu_build
from gpuprobe.diagnosis.fixes.ground import Ground
from gpuprobe.diagnosis.questions.packages import Package
from support.pasted import printed

NOTHING = Ground((), None, None, None, None)
WINDOWS = Ground((), None, None, None, "windows")


@pytest.mark.parametrize(
    ("package", "ground", "words"),
    [
        (Package("jaxlib", "JAX", "", "cpu"), NOTHING, '"jax[cuda12]"'),
        (Package("jaxlib", "JAX", "", "cpu"), WINDOWS, "WSL 2"),
        (Package("onnxruntime", "ONNX Runtime", "", "cpu"), NOTHING, "install onnxruntime-gpu"),
        (Package("opencv-python", "OpenCV", "", "cpu"), NOTHING, "-D WITH_CUDA=ON"),
        (Package("llama-cpp-python", "llama.cpp", "", "cpu"), NOTHING, "CMAKE_ARGS=-DGGML_CUDA=on"),
        (Package("tensorflow", "TensorFlow", "", "cpu"), NOTHING, '"tensorflow[and-cuda]"'),
        (Package("dgl", "DGL", "", "cpu"), NOTHING, "a build of DGL with CUDA"),
    ],
)
def test_each_framework_has_its_own_way(package: Package, ground: Ground, words: str) -> None:
    fix = install_gpu_build(package, ground)
    assert words in "\n".join((fix.text, *fix.commands))


NO_JAXLIB = "{}Python 3.10\nERROR: No matching distribution found for jaxlib==0.4.9+cuda12.cudnn88"


def test_windows_has_no_jax_with_cuda() -> None:
    assert "inside WSL 2" in printed(NO_JAXLIB.format("Windows 11\n"))
    linux = explain(NO_JAXLIB.format("Ubuntu 22.04\n")).diagnosis.root
    assert linux is None or "Windows" not in linux.finding.title

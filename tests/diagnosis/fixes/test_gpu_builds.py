"""The build with GPU support of a framework that has a way of its own."""

from __future__ import annotations

import pytest

from gpuprobe import explain
from gpuprobe.diagnosis.fixes.framework import install_gpu_build
from gpuprobe.diagnosis.fixes.ground import Ground
from gpuprobe.diagnosis.fixes.jax import by_extra, in_one_release
from gpuprobe.diagnosis.questions.packages.frameworks import Package
from gpuprobe.facts.version import Version
from support.pasted import printed

INDEX = "https://www.paddlepaddle.org.cn/packages/stable"
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
        (Package("dgl", "DGL", "", "cpu"), NOTHING, "data.dgl.ai/wheels"),
        (Package("faiss-cpu", "Faiss", "", "cpu"), NOTHING, "-c nvidia faiss-gpu"),
        (Package("xgboost", "XGBoost", "", "cpu"), NOTHING, "pip install xgboost"),
        (Package("mxnet", "MXNet", "", "cpu"), NOTHING, "pip install mxnet-cu112"),
        (Package("dlib", "dlib", "", "cpu"), NOTHING, "DLIB WILL USE CUDA"),
        (Package("tvm", "TVM", "", "cpu"), NOTHING, "a build of TVM with CUDA"),
        (Package("nnabla", "NNabla", "", "cpu"), NOTHING, "pip install nnabla-ext-cuda120"),
        (Package("libtorch-shared-with-deps", "LibTorch", "", "cpu"), NOTHING, "a folder such as"),
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


V = Version


@pytest.mark.parametrize(
    ("driver", "driver_cuda", "capability", "extra"),
    [
        (None, None, None, "cuda12"),
        ("580.65.06", None, None, "cuda13"),
        ("550.54", None, None, "cuda12"),
        (None, "13.0", None, "cuda13"),
        (None, "12.4", "8.6", "cuda12"),
        # CUDA 13 has no code for Volta.
        ("580.65.06", None, "7.0", "cuda12"),
        ("580.65.06", None, "7.5", "cuda13"),
    ],
)
def test_jaxs_extra_is_that_of_the_driver_wherever_it_is_named(
    driver: str | None, driver_cuda: str | None, capability: str | None, extra: str
) -> None:
    ground = Ground(
        () if capability is None else (V(capability),),
        None,
        None if driver is None else V(driver),
        None if driver_cuda is None else V(driver_cuda),
        "linux_x86_64",
    )
    told = (
        install_gpu_build(Package("jaxlib", "JAX", "", "cpu"), ground),
        by_extra(ground),
        in_one_release(ground),
    )
    assert {fix.commands[0] for fix in told} == {f'pip install --upgrade "jax[{extra}]"'}


def test_a_driver_that_serves_no_jax_of_today_is_told_of() -> None:
    old = Ground((), None, V("470.57"), None, "linux_x86_64")
    assert "driver from 525" in in_one_release(old).text
    assert "driver from" not in in_one_release(NOTHING).text


@pytest.mark.parametrize(
    ("driver_cuda", "capability", "package"),
    [
        (None, None, "cupy-cuda12x"),
        ("12.2", None, "cupy-cuda12x"),
        ("13.0", None, "cupy-cuda13x"),
        # CUDA 13 has no code for Volta.
        ("13.0", "7.0", "cupy-cuda12x"),
    ],
)
def test_cupys_package_is_that_of_the_drivers_cuda(
    driver_cuda: str | None, capability: str | None, package: str
) -> None:
    ground = Ground(
        () if capability is None else (V(capability),),
        None,
        None,
        None if driver_cuda is None else V(driver_cuda),
        None,
    )
    fix = install_gpu_build(Package("cupy", "CuPy", "", None), ground)
    assert fix.commands[-1] == f"pip install {package}"


@pytest.mark.parametrize(
    ("version", "driver_cuda", "command"),
    [
        ("2.4.2", "12.4", "pip install paddlepaddle-gpu==2.4.2"),
        ("3.1.0", "12.0", f"pip install paddlepaddle-gpu==3.1.0 -i {INDEX}/cu118/"),
        ("3.1.0", "12.8", f"pip install paddlepaddle-gpu==3.1.0 -i {INDEX}/cu126/"),
        ("", None, f"pip install paddlepaddle-gpu -i {INDEX}/cu118/"),
    ],
)
def test_paddle_with_cuda_has_a_name_and_an_index_of_its_own(
    version: str, driver_cuda: str | None, command: str
) -> None:
    ground = Ground((), None, None, None if driver_cuda is None else V(driver_cuda), None)
    fix = install_gpu_build(Package("paddlepaddle", "paddlepaddle", version, "cpu"), ground)
    assert fix.commands == ("pip uninstall --yes paddlepaddle", command)

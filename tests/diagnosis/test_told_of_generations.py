"""Builds that are older than the GPU: what befalls them, and where nothing of it follows."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

TF_ON_AMPERE = "tensorflow-gpu 1.15, GeForce RTX 3080 Ti\n"
CUDNN = "Could not create cudnn handle: CUDNN_STATUS_INTERNAL_ERROR"
CUBLAS = "failed to create cublas handle: CUBLAS_STATUS_NOT_INITIALIZED"
GEMM = "Blas GEMM launch failed : a.shape=(100, 17), b.shape=(17, 64), m=100, n=64, k=17"
MXNET = "cuDNN: CUDNN_STATUS_EXECUTION_FAILED"
#: What Paddle logs before version 2 when it takes a GPU.
PADDLE = (
    "device_context.cc:261] Please NOTE: device: 0, CUDA Capability: {}, Driver API Version: 11.1,"
    " Runtime API Version: {}\n"
)

TIMED = (
    "t = datetime.now()\nx.cuda()\nprint(i, datetime.now() - t)\n"
    "0 0:0{}:01.451538\n1 0:00:00.000205\nGPU: GTX 1080\n"
)


@pytest.mark.parametrize(
    "pasted",
    [
        TF_ON_AMPERE + CUDNN,
        TF_ON_AMPERE + CUBLAS,
        TF_ON_AMPERE + GEMM,
        TF_ON_AMPERE + "Creating the session takes 5-10 minutes",
        TF_ON_AMPERE + "It hangs at the first session.run",
        TF_ON_AMPERE + "loss: nan",
        "pytorch 1.6, RTX 3090\ntraining is stuck on model.cuda()",
        "mxnet-cu92 1.5, RTX 2080 Ti\n" + MXNET,
        "torch 1.0.0, CUDA 9.0, RTX 2070\nRuntimeError: CuDNN error: CUDNN_STATUS_EXECUTION_FAILED",
        PADDLE.format(75, "9.0") + "EnforceNotMet: Invoke operator mul error.",
        PADDLE.format(86, "10.2") + "Cublas error, CUBLAS_STATUS_EXECUTION_FAILED",
        "GTX 1080: the first .cuda() call takes about 5 minutes, then everything is fast",
        "Titan Xp\nMoving the model to GPU takes 10 minutes",
        TIMED.format(2),
    ],
)
def test_a_build_that_is_older_than_the_gpu_is_the_cause(pasted: str) -> None:
    assert ruled(pasted) == "gpu-too-new"


@pytest.mark.parametrize(
    "pasted",
    [
        "tensorflow-gpu 1.15, GeForce GTX 1080\n" + CUBLAS,
        "tensorflow-gpu 1.15.5+nv20.12, GeForce RTX 3080 Ti\n" + CUBLAS,
        "tensorflow-gpu 1.15, CUDA 11.1, GeForce RTX 3080 Ti\n" + CUBLAS,
        "tensorflow 2.10, GeForce RTX 3090\nCreating the session takes 5-10 minutes",
        TF_ON_AMPERE + "Compiling the kernels takes 5-10 minutes at the first run",
        TF_ON_AMPERE + "An epoch takes 5-10 minutes",
        "torch 2.1.0+cu121, RTX 4090\nmodel.cuda() hangs",
        "mxnet-cu100 1.5, RTX 2080 Ti\n" + MXNET,
        PADDLE.format(70, "9.0") + "EnforceNotMet: Invoke operator mul error.",
        PADDLE.format(75, "9.0") + "EnforceNotMet: Invoke operator lookup_table error.",
        "torch 2.1.0+cu121, RTX 4090\nThe first .cuda() call takes 3 minutes",
        "GTX 1080\nThe first epoch takes 10 minutes, .to(device) is instant",
        "GTX 1080\nx.cuda() is slow the first time. Loading the data takes several minutes.",
        TIMED.format(0),
    ],
)
def test_of_a_build_of_the_gpus_time_this_is_not_said(pasted: str) -> None:
    assert ruled(pasted) != "gpu-too-new"


def test_paddles_line_about_a_gpu_that_it_took_shows_that_it_works() -> None:
    assert ruled(PADDLE.format(61, "10.0") + "infer results: dog") == "healthy"


NO_GPU = "tf.test.is_gpu_available() returns False\n"
LISTED = (
    "$ pip list\n"
    "tensorboard            1.14.0\n"
    "tensorflow             1.14.0\n"
    "tensorflow-estimator   1.14.0\n"
)


@pytest.mark.parametrize(
    "pasted",
    [
        NO_GPU + LISTED,
        NO_GPU + "pip install tensorflow==1.14",
        NO_GPU + "installed from binary (pip install tensorflow)\nTensorFlow version: 1.13.1",
    ],
)
def test_tensorflow_of_that_age_has_no_gpu_support_under_its_plain_name(pasted: str) -> None:
    assert ruled(pasted) == "cpu-only-build"


@pytest.mark.parametrize(
    "pasted",
    [
        LISTED,
        NO_GPU + LISTED.replace("1.14", "1.15"),
        NO_GPU + LISTED + "tensorflow-gpu         1.14.0\n",
        NO_GPU + "TensorFlow version: 1.14",
        NO_GPU + "pip install tensorflow-gpu==1.14",
    ],
)
def test_without_a_sign_of_that_package_this_is_not_said(pasted: str) -> None:
    assert ruled(pasted) != "cpu-only-build"


def test_the_fix_names_the_first_release_of_the_gpus_time() -> None:
    root = gpuprobe.explain(TF_ON_AMPERE + CUDNN).diagnosis.root
    assert root is not None
    assert root.finding.fix.text.endswith("CUDA 11.1 or later, as tensorflow is since 2.5.0.")


def test_the_fix_names_the_package_for_gpus_of_that_release() -> None:
    root = gpuprobe.explain(NO_GPU + LISTED).diagnosis.root
    assert root is not None
    assert root.finding.fix.commands[-1] == "pip install tensorflow-gpu==1.14.0"

"""A GPU that is newer than the software, as TensorFlow tells of it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled
from support.pasted import finding

JIT = "TensorFlow was not built with CUDA kernel binaries compatible with compute capability {}."
UNLEARNT = "TensorFlow version: {}\nGPU: RTX 3080\nthe GPU run never surpassed 0.1 accuracy"
PTX = (
    "2025-06-17 09:04:11.340111: W tensorflow/compiler/mlir/tools/kernel_gen/"
    "tf_gpu_runtime_wrappers.cc:40] 'cuModuleLoadData(&module, data)' failed with "
    "'CUDA_ERROR_INVALID_PTX'\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (JIT.format("12.0") + "\nfailed with 'CUDA_ERROR_INVALID_HANDLE'", "gpu-too-new"),
        (
            "failed with 'CUDA_ERROR_INVALID_HANDLE'",
            "unknown",
        ),  # a handle alone tells nothing of the GPU
        (JIT.format("12.0") + "\nfailed with 'CUDA_ERROR_INVALID_PTX'", "gpu-too-new"),
        # It takes long and works.
        (JIT.format("9.0") + " CUDA kernels will be jit-compiled from PTX.", "healthy"),
        ("tensorflow: 1.15\nGPU: RTX 3090\nLoss is inf. : Tensor had NaN values", "gpu-too-new"),
        ("torch==2.1.0+cu121\nGPU: RTX 3090\nloss: nan", "unknown"),
        ("torch==1.13.1+cu117\nGPU: RTX 4090\nloss: nan", "unknown"),
        (UNLEARNT.format("2.3.1"), "gpu-too-new"),
        (f"GPU: RTX 5xxx series\n\n{PTX}", "gpu-too-new"),
        (f"GPU: NVIDIA RTX 50 series\n\n{PTX}", "gpu-too-new"),
        (f"GPU: RTX 30 series\n\n{PTX}", "gpu-too-new"),
        (f"GPU: a new RTX\n\n{PTX}", "unknown"),
    ],
)
def test_a_gpu_that_is_too_new_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        UNLEARNT.format("2.9.1"),
    ],
)
def test_kin_of_a_gpu_that_is_too_new_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


REFUSED = "CUDA runtime implicit initialization on GPU:0 failed. Status: device kernel image is"


@pytest.mark.parametrize(
    ("gpu", "cause"),
    [
        ("GPU: GeForce RTX 30 series", "gpu-too-new"),
        ("GPU: NVIDIA RTX 40xx", "gpu-too-new"),
        ("GPU: GeForce GTX 10 series", "unknown"),
        ("It worked on a card of the RTX 30 series.", "unknown"),
    ],
)
def test_of_a_refused_gpu_the_series_alone_may_be_told(gpu: str, cause: str):
    line = f"tensorflow/core/session.cc:91] Failed to create session: Internal: {REFUSED} invalid"
    assert ruled(f"{gpu}\n{line}\n") == cause


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
        TF_ON_AMPERE + "The first call on the GPU takes about five minutes",
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


def test_the_fix_names_the_first_release_of_the_gpus_time() -> None:
    root = gpuprobe.explain(TF_ON_AMPERE + CUDNN).diagnosis.root
    assert root is not None
    assert root.finding.fix.text.endswith("CUDA 11.1 or later, as tensorflow is since 2.5.0.")


IMAGE = (
    "RuntimeError: CUDA runtime implicit initialization on GPU:0 failed. Status: device kernel "
    "image is invalid\ntensorflow==2.3.1\nGPU: {}\n"
)


def test_a_gpu_that_is_newer_than_tensorflows_cuda_takes_none_of_its_code():
    assert ruled(IMAGE.format("GeForce RTX 3080")) == "gpu-too-new"
    assert ruled(IMAGE.format("GeForce RTX 2080")) != "gpu-too-new"


OLD = "GPU: {}\ntensorflow: {}\n\n{}\n"
NOT = "It does not run on the RTX 3090. Those cards want CUDA 11.1 or newer."


@pytest.mark.parametrize(
    ("gpu", "release", "said", "cause"),
    [
        ("RTX 3090", "1.12.0", NOT, "gpu-too-new"),
        ("RTX 4090", "2.3", "TensorFlow 2.3 does not get anything done on it.", "gpu-too-new"),
        ("RTX 3080", "1.15", "Training doesn't start on my new GPU", "gpu-too-new"),
        ("RTX 2070", "1.11", "The training is over, with no error at all.", "gpu-too-new"),
        ("GTX 1080", "1.12.0", "It does not run on the GPU.", "unknown"),
        ("RTX 3090", "2.10", NOT, "unknown"),
        ("RTX 3090", "1.12.0", "It runs on the RTX 3090.", "unknown"),
        ("RTX 3090", "1.12.0", "Why does it run on the RTX 3090?", "unknown"),
        ("RTX 3090", "1.12.0", "If it does not run on the RTX 3090, take another.", "unknown"),
    ],
)
def test_a_tensorflow_older_than_the_gpu(gpu: str, release: str, said: str, cause: str) -> None:
    assert ruled(OLD.format(gpu, release, said)) == cause


LOADED_BESIDE = """{told}

I tensorflow/stream_executor/platform/default/dso_loader.cc:49] Successfully opened dynamic \
library {file}
I tensorflow/core/common_runtime/gpu/gpu_device.cc:1720] Found device 0 with properties:
pciBusID: 0000:01:00.0 name: {name} computeCapability: {capability}
"""
AMPERE = {"name": "NVIDIA GeForce RTX 3060", "capability": "8.6"}
TURING = {"name": "NVIDIA GeForce RTX 2060", "capability": "7.5"}
NEITHER = "A server and a laptop were tried; GPU mode works on neither."


@pytest.mark.parametrize(
    ("told", "file", "gpu", "cause"),
    [
        (NEITHER, "libcudart.so.10.1", AMPERE, "gpu-too-new"),
        ("GPU mode does not work here.", "libcudart.so.10.1", AMPERE, "gpu-too-new"),
        ("In Docker the quick start with GPU does not get through", "libcudart.so.10.1", AMPERE,
         "gpu-too-new"),
        (NEITHER, "cudart64_101.dll", AMPERE, "gpu-too-new"),
        (NEITHER, "libcudart.so.11.1", AMPERE, "healthy"),  # the first that knows it
        (NEITHER, "libcudart.so.12", AMPERE, "healthy"),
        (NEITHER, "cudart64_12.dll", AMPERE, "healthy"),
        (NEITHER, "libcudart.so.10.1", TURING, "healthy"),
        ("GPU mode works on both.", "libcudart.so.10.1", AMPERE, "healthy"),
        ("Does GPU mode not work on this?", "libcudart.so.10.1", AMPERE, "healthy"),
        ("Training ends with a segmentation fault", "libcudart.so.10.1", AMPERE, "healthy"),
        ("CUDA_ERROR_INVALID_PTX", "libcudart.so.10.1", AMPERE, "gpu-too-new"),
        ("The loss is nan on the GPU, not on the CPU", "libcudart.so.10.1", AMPERE, "gpu-too-new"),
        ("The loss is nan on the GPU, not on the CPU", "libcudart.so.9.0", TURING, "gpu-too-new"),
        ("The loss is nan on the GPU, not on the CPU", "libcudart.so.11.0", AMPERE, "healthy"),
        ("It fails at the first convolution.", "libcudart.so.10.1", AMPERE, "gpu-too-new"),
        ("Training stops with an internal error", "cudart64_101.dll", AMPERE, "gpu-too-new"),
        ("Training stops with an internal error", "libcudart.so.11.0", AMPERE, "healthy"),
        ("What if it fails at the first convolution?", "libcudart.so.10.1", AMPERE, "healthy"),
        ("Not found: No algorithm worked!", "libcudart.so.10.1", AMPERE, "gpu-too-new"),
        ("Not found: No algorithm worked!", "libcudart.so.11.0", AMPERE, "oom-preallocation"),
        ("It is fine.", "libcudart.so.10.1", AMPERE, "healthy"),
    ],
)  # fmt: skip
def test_a_run_time_of_before_the_gpu(
    told: str, file: str, gpu: dict[str, str], cause: str
) -> None:
    assert ruled(LOADED_BESIDE.format(told=told, file=file, **gpu)) == cause


def test_a_run_time_that_no_tensorflow_opened() -> None:
    text = (
        f"{NEITHER}\nGPU: NVIDIA GeForce RTX 3060\nlibcudart.so.10.1 => /usr/lib/libcudart.so.10.1"
    )
    assert ruled(text + "\n") == "unknown"


def test_the_run_time_that_tensorflow_opened_tells_the_age_of_its_cublas() -> None:
    opened = "Successfully opened dynamic library libcudart.so.{}\n"
    text = f"GPU: GeForce RTX 3060\ntensorflow\n{opened}{GEMM}\n"
    assert ruled(text.format("10.1")) == "gpu-too-new"
    assert "CUDA 11.1" in finding(text.format("10.1")).title
    assert ruled(text.format("11.2")) != "gpu-too-new"


PTX = (
    "TensorFlow was not built with CUDA kernel binaries compatible with compute capability 12.0."
    " CUDA kernels will be jit-compiled from PTX, which could take 30 minutes or longer.\n"
)


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("The compiling costs some 10 minutes for every video.", "gpu-too-new"),
        ("It worked at once.", "healthy"),
    ],
)
def test_code_is_compiled_from_ptx_for_minutes(told: str, cause: str):
    assert ruled(f"GPU: 5090RTX\n{PTX}{told}\n") == cause


SEES = "Created TensorFlow device (/job:localhost/device:GPU:0 with 7000 MB memory) -> physical GPU"
OPENED = "dso_loader.cc:44] Successfully opened dynamic library {}\n"


@pytest.mark.parametrize(
    ("gpu", "library", "cause"),
    [
        ("RTX 3090", "cusolver64_100.dll", "gpu-too-new"),
        ("RTX 3090", "libcufft.so.10.0", "gpu-too-new"),
        ("GTX 1080", "cublas64_75.dll", "gpu-too-new"),
        ("RTX 3090", "libcublas.so.11", "healthy"),
        ("RTX 3090", "cusolver64_11.dll", "healthy"),
        ("GTX 1080", "cublas64_80.dll", "healthy"),
    ],
)
def test_any_library_tells_the_cuda_of_a_tensorflow_that_does_not_begin(
    gpu: str, library: str, cause: str
):
    seen = f"GPU: {gpu}\n{OPENED.format(library)}{SEES}\n"
    assert ruled(f"{seen}Training never starts on this card.\n") == cause
    assert ruled(seen) == "healthy"


def test_a_loss_that_jumps_beside_a_cpu_that_does_well_is_wrong():
    seen = f"GPU: GTX 1080\nCUDA 7.5\n{SEES}\n"
    told = "The loss jumps to 523454323; on the CPU it trains well.\n"
    assert ruled(seen + told) == "gpu-too-new"
    assert ruled(seen.replace("7.5", "8.0") + told) == "healthy"


OF_PTXAS = "Falling back to the CUDA driver for PTX compilation; ptxas does not support CC 12.0"


@pytest.mark.parametrize(
    ("below", "cause"),
    [
        (f"{OF_PTXAS}\nI cannot train on my new card", "gpu-too-new"),
        ("I train on my new card", "healthy"),
        (f"{OF_PTXAS}\nThat is all.", "healthy"),
        (f"{OF_PTXAS}\nI train on my new card\nepoch 2, 3.1 it/s", "healthy"),
    ],
)
def test_kernels_and_ptxas_of_before_the_gpu_are_a_build_of_before_it(below: str, cause: str):
    assert ruled(f"{JIT.format('12.0')}\n{below}") == cause


@pytest.mark.parametrize(
    "failed",
    [
        "Blas xGEMMBatched launch failed",
        "InternalError: Blas xGEMMStridedBatched launch failed : a.shape=[2,3,4]",
        "InternalError: Blas xGEMV launch failed : a.shape=[1,2,3]",
    ],
)
@pytest.mark.parametrize(
    ("told", "is_newer"),
    [
        ("windows10, rtx2080ti, cuda9.0", True),  # the CUDA is named, and that it is there is not
        ("GPU: RTX 3090\nCUDA: 10.1", True),
        ("gtx1080ti, cuda9.0", False),
        ("rtx2080ti, tried cuda9.0 and cuda10.0", False),
    ],
)
def test_cublas_has_no_kernel_of_whatever_form(failed: str, told: str, *, is_newer: bool) -> None:
    assert (ruled(f"{failed}\ntensorflow, {told}\n") == "gpu-too-new") is is_newer


@pytest.mark.parametrize(
    ("capability", "said", "cause"),
    [
        ("12.0", "Please add support for compute capability 12.0.", "gpu-too-new"),
        ("12.0a", "Are there plans to support Blackwell?", "gpu-too-new"),
        ("9.0", "When the jit-compiling is over my code fails while allocating.", "gpu-too-new"),
        (
            "8.6",
            "It compiles the PTX for half an hour, and then the notebook hangs.",
            "gpu-too-new",
        ),
        ("9.0", "My H100 does its work. How do I silence this message?", "healthy"),
        ("9.0", "Support for compute capability 9.0 was added, thanks.", "healthy"),
        ("9.0", "Epoch 1/10\n9/9 [====] - 4s 4ms/step\nPlease add support for 9.0.", "healthy"),
    ],
)
def test_a_gpu_that_tensorflow_has_no_kernels_for(capability: str, said: str, cause: str) -> None:
    warned = JIT.format(capability) + " CUDA kernels will be jit-compiled from PTX."
    assert ruled(f"{warned}\n{said}") == cause


SASS = "ptxas returned an error during compilation of ptx to sass"


@pytest.mark.parametrize(
    ("machine", "line", "cause"),
    [
        ("tensorflow-gpu==2.4.0\nGPU: RTX 3070", SASS, "gpu-too-new"),
        ("CUDA toolkit: 11.0\nGPU: RTX 3080", f"jaxlib ends: {SASS}: 'output: '", "gpu-too-new"),
        ("CUDA toolkit: 11.2\ntensorflow-gpu==2.4.0\nGPU: RTX 3070", SASS, "unknown"),
        ("tensorflow-gpu==2.4.0\nGPU: RTX 2070", SASS, "unknown"),
        ("torch==1.7.1+cu110\nGPU: RTX 3070", f"jaxlib ends: {SASS}", "unknown"),
        (
            "tensorflow-gpu==2.4.0\nGPU: RTX 3070",
            f"{SASS}: 'Internal: Failed to launch ptxas'",
            "toolkit-missing",
        ),
    ],
)
def test_the_ptxas_of_xla_is_as_old_as_its_cuda(machine: str, line: str, cause: str):
    assert ruled(f"{machine}\n{line}\n") == cause


PRODUCT = (
    "E tensorflow/stream_executor/cuda/cuda_blas.cc:428] failed to run cuBLAS routine: {}\n"
    "InternalError: Blas GEMM launch failed : a.shape=(64, 64), b.shape=(64, 64), m=64, n=64, k=64"
)


@pytest.mark.parametrize(
    ("machine", "code", "cause"),
    [
        ("GPU: A100", "CUBLAS_STATUS_EXECUTION_FAILED", "gpu-too-new"),
        ("GPU: RTX 2080 Ti", "CUBLAS_STATUS_EXECUTION_FAILED", "gpu-too-new"),
        ("GPU: GTX 1080", "CUBLAS_STATUS_EXECUTION_FAILED", "oom-preallocation"),
        ("GPU: A100", "CUBLAS_STATUS_NOT_INITIALIZED", "oom-preallocation"),
        ("GPU: A100\ntensorflow 2.11.0", "CUBLAS_STATUS_EXECUTION_FAILED", "oom-preallocation"),
    ],
)
def test_a_product_that_cublas_cannot_execute(machine: str, code: str, cause: str) -> None:
    assert ruled(f"{machine}\n{PRODUCT.format(code)}\n") == cause


@pytest.mark.parametrize(
    ("release", "gpu", "cause"),
    [
        ("2.4.1", "H100", "gpu-too-new"),  # of the same major, and nothing that a Hopper runs
        ("2.18.0", "RTX 5090", "gpu-too-new"),
        ("2.4.1", "RTX 4090", "unknown"),  # which runs what was made for an A100
        ("2.12.0", "H100", "unknown"),
    ],
)
def test_a_cuda_of_the_gpus_major_may_have_nothing_for_its_kind(release: str, gpu: str, cause: str):
    trouble = f"It needs TensorFlow {release}. Training falls back to the CPU, or ends with errors."
    assert ruled(f"tensorflow: {release}\nGPU: {gpu}\n{trouble}\n") == cause

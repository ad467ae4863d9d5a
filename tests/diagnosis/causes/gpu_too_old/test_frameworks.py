"""A GPU that is too old for the software, told by TensorFlow, TensorRT, JAX and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

PADDLE = (
    "The GPU architecture in your current machine is {}, which is not compatible with Paddle "
    "installation with arch: {} , it is recommended to install the corresponding wheel"
)
TENSORRT = "[TRT] [E] 1: [caskUtils.cpp::trtSmToCask::114] Error Code 1: (Unsupported SM: {})"
PADDLE_MISMATCH = (
    "Mismatched GPU Architecture: The installed PaddlePaddle package was compiled for 75 80 86 89 "
    ",but your current GPU is {} Solution: Install the correct wheel package"
)
RAPIDS = "GeForce GTX {}\ncuDF Version: 22.06.01\n801 cudaErrorNotSupported\n"
IMAGE = "GPU: {gpu}\n$ docker run --gpus all nvcr.io/nvidia/tritonserver:{release}-py3\n"
BANNER = "GPU: {gpu}\n== TensorRT Inference Server ==\n\nNVIDIA Release 19.12 (build 1)\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("(Target GPU SM 61 is not supported by this TensorRT release.)", "gpu-too-old"),
        (
            (
                "XlaRuntimeError: FAILED_PRECONDITION: Triton support is only enabled for Ampere "
                "GPUs (compute capability 8.0) and up, but got compute capability 7.5."
            ),
            "gpu-too-old",
        ),
        (PADDLE.format("Pascal", "70 75 80 86"), "gpu-too-old"),
        (PADDLE.format("Pascal", "70 75 8 6"), "gpu-too-new"),  # damaged: it is a list all the same
        (
            (
                "The GPU compute capability in your current machine is 61, which is not supported "
                "by Paddle, it is recommended"
            ),
            "gpu-too-old",
        ),
        (
            (
                "numba.cuda.cudadrv.error.NvvmSupportError: GPU compute capability 3.0 "
                "is not supported(requires >=3.5)\n"
            ),
            "gpu-too-old",
        ),
        (TENSORRT.format("0x601"), "gpu-too-old"),
        (TENSORRT.format("unknown"), "unknown"),
        (TENSORRT.format("0x700"), "gpu-too-old"),
        (PADDLE_MISMATCH.format(61), "gpu-too-old"),
        (RAPIDS.format("1070") + "This is WSL2", "gpu-too-old"),
        (RAPIDS.format("1070"), "unknown"),
        # An image serves GPUs from a capability on.
        (IMAGE.format(gpu="GeForce GTX 980", release="22.07"), "gpu-too-old"),
        (IMAGE.format(gpu="Tesla P40", release="22.07"), "unknown"),
        (IMAGE.format(gpu="Tesla P40", release="25.02"), "gpu-too-old"),
        (IMAGE.format(gpu="Tesla P40", release="24.05"), "unknown"),  # the table is silent of it
        (BANNER.format(gpu="Tesla M60"), "gpu-too-old"),
        (BANNER.format(gpu="Tesla T4"), "unknown"),
    ],
)
def test_a_gpu_that_is_too_old_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "Triton support is only enabled for Linux",
        "The compute capability of the GPU in your current machine is 61",
    ],
)
def test_kin_of_a_gpu_that_is_too_old_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_a_weak_gpu_beside_the_one_that_is_used():
    ignored = (
        "Ignoring gpu device (device: 1, name: NVS 310, pci bus id: 0000:03:00.0) with Cuda compute"
        " capability 2.1. The minimum required Cuda capability is 3.0.\n"
    )
    created = (
        "Creating TensorFlow device (/gpu:0) -> (device: 0, name: GeForce GTX 1080, pci bus id:"
        " 0000:02:00.0)\n"
    )
    assert ruled(f"tensorflow-gpu 1.3.0\n{ignored}") == "gpu-too-old"
    assert ruled(f"tensorflow-gpu 1.3.0\n{created}{ignored}") == "healthy"


SERVED = """GPU: Quadro M4000
$ docker run --gpus all nvcr.io/nvidia/tritonserver:25.08-py3
onnxruntime.cc:2700] "TRITONBACKEND_ModelInstanceInitialize: yolo_0 ({kind} device 0)"
| Model | Version | Status |
| yolo  | 1       | {status}  |
"""


@pytest.mark.parametrize(
    ("kind", "status", "cause"),
    [
        ("GPU", "READY", "healthy"),
        ("CPU", "READY", "gpu-too-old"),
        ("GPU", "UNAVAILABLE: Internal: no kernel", "gpu-too-old"),
    ],
)
def test_a_model_that_is_served_on_a_gpu(kind: str, status: str, cause: str):
    assert ruled(SERVED.format(kind=kind, status=status)) == cause


CUDF = "This strings_udf installation is missing the necessary PTX files that are <={}."


@pytest.mark.parametrize(("number", "cause"), [("52", "gpu-too-old"), ("75", "unknown")])
def test_cudf_has_no_ptx_for_a_gpu_below_all_that_it_served(number: str, cause: str):
    assert ruled(CUDF.format(number)) == cause


NONE_SERVED = """GPU: {gpu}
statusor.cc:34] Internal: no supported devices found for platform CUDA
"""


@pytest.mark.parametrize(
    ("gpu", "cause"), [("Quadro K600", "gpu-too-old"), ("Quadro P600", "unknown")]
)
def test_xla_lists_no_device_that_is_too_old_for_it(gpu: str, cause: str):
    assert ruled(NONE_SERVED.format(gpu=gpu)) == cause


BOARD = "Board: Jetson Nano\ntensorflow: {}\nGPU: Jetson Nano, compute capability 5.3"


@pytest.mark.parametrize("release", ["2.7.0+nv22.1", "2.3.1"])
def test_tensorflow_on_a_board_is_not_the_build_of_the_same_release(release: str):
    assert ruled(BOARD.format(release)) != "gpu-too-old"


def test_gpu_that_tensorflow_ignores_is_not_busy() -> None:
    refused = "cuDevicePrimaryCtxRetain: CUDA_ERROR_INVALID_DEVICE\n"
    ignored = (
        "Ignoring visible gpu device (device: 0, name: GeForce GTX 460, pci bus id: 0000:03:00.0)"
        " with Cuda compute capability 2.1. The minimum required Cuda capability is 3.0."
    )
    assert ruled(refused + ignored) == "gpu-too-old"
    assert ruled(refused) == "device-busy"


LEAST = "The minimum required Cuda capability is 6.0."


@pytest.mark.parametrize(
    ("gpu", "cause"), [("GeForce GTX 960M", "gpu-too-old"), ("GeForce GTX 1060", "unknown")]
)
def test_tensorflow_tells_the_least_capability(gpu: str, cause: str) -> None:
    assert ruled(f"GPU: {gpu}\n{LEAST}\n") == cause
    assert ruled(f"GPU: {gpu}\nIgnoring a visible gpu device. {LEAST}\n") == "unknown"  # another


@pytest.mark.parametrize(
    ("toolkit", "gpu", "said", "cause"),
    [
        ("11.0", "GTX 770", "export TORCH_CUDA_ARCH_LIST='3.0'", "gpu-too-old"),
        ("11.0", "not told", "export TORCH_CUDA_ARCH_LIST='3.0;'", "gpu-too-old"),
        ("12.1", "Tesla K40", "cmake -B b -DCMAKE_CUDA_ARCHITECTURES='35;50'", "gpu-too-old"),
        ("11.5", "RTX 4090", "TCNN_CUDA_ARCHITECTURES=89 pip install .", "gpu-too-new"),
        ("10.2", "RTX 3070", "cmake -D WITH_CUDA=ON -D CUDA_ARCH_BIN=8.6 ..", "gpu-too-new"),
        ("10.2", "GTX 1060", "export TORCH_CUDA_ARCH_LIST='6.1;8.0'", "toolkit-mismatch"),
        ("11.3", "GTX 1080", "export TORCH_CUDA_ARCH_LIST='6.1;7.5+PTX'", "unknown"),
        ("11.3", "GTX 1080", "cmake -B b -DCMAKE_CUDA_ARCHITECTURES=native", "unknown"),
        ("11", "GTX 770", "export TORCH_CUDA_ARCH_LIST='3.0'", "unknown"),
    ],
)
def test_an_architecture_that_the_toolkit_of_a_failing_build_does_not_know(
    toolkit: str, gpu: str, said: str, cause: str
) -> None:
    told = f"CUDA version: {toolkit}\nGPU: {gpu}\n{said}\n"
    assert ruled(f"{told}the build fails somewhere in the middle") == cause
    assert ruled(told) == "unknown"


@pytest.mark.parametrize(
    ("gpu", "cuda", "cause"),
    [
        ("GeForce GTX 1080 Ti computeCapability: 6.1", "10.1", "gpu-too-old"),
        ("Quadro M2000 computeCapability: 5.2", "10.2", "gpu-too-old"),
        ("Tesla T4 computeCapability: 7.5", "10.1", "unknown"),  # the newest that this CUDA knows
        ("GeForce RTX 3080 computeCapability: 8.6", "10.1", "gpu-too-new"),
    ],
)
def test_a_build_of_tensorflow_whose_cuda_knows_the_gpu_is_for_later_ones(
    gpu: str, cuda: str, cause: str
):
    opened = f"tensorflow/dso_loader.cc:48] Successfully opened dynamic library libcudart.so.{cuda}"
    refused = "CUDA runtime implicit initialization on GPU:0 failed. Status: device kernel image is"
    log = f"pciBusID: 0000:01:00.0 name: {gpu}\n{opened}\n{refused} invalid\n"
    assert ruled(log) == cause

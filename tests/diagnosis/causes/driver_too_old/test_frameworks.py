"""A driver that is too old for the software, told by TensorFlow, CuPy or XGBoost and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

PADDLE = (
    "You are using GPU version Paddle, but your CUDA device is not set properly.\n"
    "Paddle version: 2.4.2\nPaddle With CUDA: True\nCUDA version: {cuda}\n"
    "Nvidia driver version: {driver}\n"
)
JULIA = "┌ Error: This version of CUDA.jl only supports NVIDIA drivers for CUDA 11.x {}\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "Error: cudaGetDeviceCount failed in paddle::platform::GetCUDADeviceCountImpl, "
                "error code : 35, Please see detail in the manual"
            ),
            "driver-too-old",
        ),
        (PADDLE.format(cuda="11.2.142", driver="440.33.01"), "driver-too-old"),
        (JULIA.format("or higher (yours is for CUDA 10.2.0)"), "driver-too-old"),
        (JULIA.format("or 12.x (yours is for CUDA 10.2.0)"), "driver-too-old"),
    ],
)
def test_a_driver_that_is_too_old_is_named(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "make: the shell ended with error code : 35",
        PADDLE.format(cuda="11.2.142", driver="470.33.01"),
        "This version of CUDA.jl only supports NVIDIA drivers for CUDA 11.x or higher",
    ],
)
def test_kin_of_a_driver_that_is_too_old_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


NVCC = "Cuda compilation tools, release {toolkit}, V{toolkit}.105\n"
LINK = (
    "RuntimeError: Unknown: no kernel image is available for execution on the device\n"
    "in external/org_tensorflow/tensorflow/stream_executor/cuda/cuda_asm_compiler.cc(44): "
    "'cuLinkAddData( link_state, CU_JIT_INPUT_CUBIN, static_cast<void*>(image.data()) )'\n"
)
DRIVER = "| NVIDIA-SMI 450.102.04   Driver Version: 450.102.04   CUDA Version: 11.0     |\n"


def test_the_driver_cannot_link_what_a_newer_toolkit_compiled():
    assert ruled(NVCC.format(toolkit="11.1") + LINK + DRIVER) == "driver-too-old"
    assert ruled(NVCC.format(toolkit="11.0") + LINK + DRIVER) != "driver-too-old"


@pytest.mark.parametrize(
    ("driver", "tensorflow", "cause"),
    [
        ("418.87", "2.4.1", "driver-too-old"),
        ("410.48", "2.3.0", "driver-too-old"),
        ("470.103.01", "2.4.1", "unknown"),
    ],
)
def test_a_release_of_tensorflow_asks_for_a_driver(driver: str, tensorflow: str, cause: str):
    text = f"Driver Version: {driver}\ntensorflow: {tensorflow}\n"
    text += ">>> tf.config.list_physical_devices('GPU')\n[]\n"
    assert ruled(text) == cause


def test_conda_builds_tensorflow_for_the_toolkit_that_it_brings():
    text = "Driver Version: 418.87.01\ncudatoolkit   10.1.243   h6bb024c_0\n"
    text += "tensorflow   2.4.1\n>>> tf.config.list_physical_devices('GPU')\n[]\n"
    assert ruled(text) != "driver-too-old"


@pytest.mark.parametrize(
    ("pin", "cause"),
    [
        ("cudatoolkit==12.*", "driver-too-old"),
        ("cuda-version==12.4.*", "driver-too-old"),
        ("- cuda-version=12.4.1-0", "driver-too-old"),
        ("  - cudatoolkit=12.4rc1", "driver-too-old"),
        ("cudatoolkit   12.0.0_0   h6bb024c_0", "driver-too-old"),
        ("nothing provides __cuda>=12.", "driver-too-old"),
        ("cudatoolkit==11.*", "unknown"),
        ("- cuda-version=11.8.0-0", "unknown"),
        ("nothing provides __cuda>=11.", "unknown"),
    ],
)
def test_a_pin_that_is_no_plain_release_is_compared_as_well(pin: str, cause: str):
    assert (
        ruled(f"NVIDIA-SMI 470.57.02   Driver Version: 470.57.02   CUDA Version: 11.4\n{pin}\n")
        == cause
    )


_MINOR = "requires minor version compatibility, which is not yet supported"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (f"toolkit version (12, 3) with CUDA driver version (12, 2) {_MINOR}", "driver-too-old"),
        ("toolkit version (12, 2) of the environment.", "unknown"),
    ],
)
def test_rapids_compares_the_toolkit_with_the_driver(line: str, cause: str):
    assert ruled(f"UserWarning: Using CUDA {line}") == cause


def test_rapids_finds_the_toolkit_newer_than_the_driver():
    told = "CUDA Toolkit is newer than CUDA driver. Numba features will not work"
    assert ruled(f"UserWarning: {told} in this configuration.") == "driver-too-old"


SUSPECTED = (
    "E tensorflow/stream_executor/cuda/cuda_dnn.cc:385] could not create cudnn handle: "
    "CUDNN_STATUS_NOT_INITIALIZED\n"
    "E tensorflow/stream_executor/cuda/cuda_dnn.cc:393] possibly insufficient driver version: {}\n"
)


@pytest.mark.parametrize(
    ("driver", "cause"),
    [("384.69.0", "driver-too-old"), ("384.90.0", "oom-preallocation")],
)
def test_the_driver_that_tensorflow_suspects_is_held_against_its_build(driver: str, cause: str):
    assert ruled(f"tensorflow version: 1.5.0\n{SUSPECTED.format(driver)}") == cause

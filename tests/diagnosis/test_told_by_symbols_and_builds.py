"""What a missing symbol, a build's own list, a compiler or a library's folder says of a fault."""

from __future__ import annotations

import pytest

from support.cases import ruled

MISSING_ENTRY = """ImportError: /opt/venv/lib/libkernels.so: undefined symbol: {symbol}
NVIDIA-SMI {driver}    Driver Version: {driver}    CUDA Version: {cuda}
"""


@pytest.mark.parametrize(
    ("symbol", "driver", "cuda", "cause"),
    [
        ("cuGreenCtxCreate", "525.60.13", "12.0", "driver-too-old"),
        ("cuMemcpyBatchAsync_ptsz", "550.54.14", "12.4", "driver-too-old"),
        ("cuGreenCtxCreate", "570.86.15", "12.8", "unknown"),  # it was not linked with libcuda
        ("cuDeviceGetAttribute", "525.60.13", "12.0", "unknown"),
    ],
)
def test_a_function_came_with_a_later_cuda_than_the_drivers(
    symbol: str, driver: str, cuda: str, cause: str
):
    assert ruled(MISSING_ENTRY.format(symbol=symbol, driver=driver, cuda=cuda)) == cause


@pytest.mark.parametrize(
    ("driver", "cause"), [("535.86.10", "driver-too-old"), ("560.28.03", "unknown")]
)
def test_a_driver_is_no_version_of_cuda_where_a_form_calls_it_so(driver: str, cause: str):
    text = f"CUDA Driver Version: {driver}\nundefined symbol: cuGreenCtxDestroy\n"
    assert ruled(text) == cause


PTXAS = """GPU 0: {gpu}
ptxas kernels.ptx, line 120; error   : Feature 'f16 arithemetic and compare instructions' requires \
.target sm_53 or higher
"""


@pytest.mark.parametrize(
    ("gpu", "cause"), [("GeForce GTX 980", "gpu-too-old"), ("GeForce RTX 3090", "unknown")]
)
def test_ptxas_names_the_first_gpu_that_has_a_feature(gpu: str, cause: str):
    assert ruled(PTXAS.format(gpu=gpu)) == cause


@pytest.mark.parametrize(("gpu", "cause"), [("GP100", "gpu-too-old"), ("GX100", "unknown")])
def test_a_chip_that_gave_a_card_its_name_is_a_gpu(gpu: str, cause: str):
    told = "ERROR: CUDA kernel soft_max has no device code compatible with CUDA arch 520."
    assert ruled(f"GPU: {gpu}\n{told}\n") == cause


CUDF = "This strings_udf installation is missing the necessary PTX files that are <={}."


@pytest.mark.parametrize(("number", "cause"), [("52", "gpu-too-old"), ("75", "unknown")])
def test_cudf_has_no_ptx_for_a_gpu_below_all_that_it_served(number: str, cause: str):
    assert ruled(CUDF.format(number)) == cause


OF_HOST = "sim: ./kernels.cu:130: void Upload(Data*): Assertion `0' failed."
OF_KERNEL = "kernels.cu:130: gather: block: [0,0,0], thread: [3,0,0] Assertion `i < n` failed."


@pytest.mark.parametrize(("line", "cause"), [(OF_HOST, "unknown"), (OF_KERNEL, "user-code")])
def test_an_assertion_of_the_host_is_none_of_a_kernel(line: str, cause: str):
    assert ruled(line) == cause


NVCC = """GPU 0: GeForce GTX 1080
GPU 1: {second}
nvcc fatal : Value '{value}' is not defined for option '{option}'
"""


@pytest.mark.parametrize(
    ("second", "value", "option", "cause"),
    [
        ("Quadro M6000", "sm_61", "gpu-architecture", "gpu-too-new"),
        ("Quadro M6000", "sm_61", "gpu-code", "gpu-too-new"),
        ("GeForce GTX 1080", "sm_61", "gpu-architecture", "gpu-too-old"),
        ("Quadro M6000", "c++17", "std", "toolkit-mismatch"),
    ],
)
def test_an_older_gpu_beside_it_shows_which_side_nvcc_is_on(
    second: str, value: str, option: str, cause: str
):
    assert ruled(NVCC.format(second=second, value=value, option=option)) == cause


OPENCV = """cv2.error: OpenCV(4.5.1) dnn.cpp:2353: error: (-216:No CUDA support) OpenCV was not \
built to work with the selected device.
cmake -D CUDA_ARCH_BIN={asked} ..
NVIDIA GPU arch:             {built}
"""


@pytest.mark.parametrize(
    ("asked", "built", "cause"),
    [
        ("8.6", "52 60 61", "gpu-too-new"),
        ("5.2", "60 61", "gpu-too-old"),
        ("6.1", "60 61", "extension-mismatch"),
        ("6.0,6.1", "75", "extension-mismatch"),
    ],
)
def test_opencv_lists_what_it_was_compiled_for(asked: str, built: str, cause: str):
    assert ruled(OPENCV.format(asked=asked, built=built)) == cause


@pytest.mark.parametrize(
    ("call", "cause"),
    [("Cv2.GetCudaEnabledDeviceCount()", "cpu-only-build"), ("Cv2.ImRead()", "unknown")],
)
def test_opencv_without_cuda_matters_to_who_asks_it_for_gpus(call: str, cause: str):
    assert ruled(f"{call}\nOther third-party libraries:\n  Use Cuda:            NO\n") == cause

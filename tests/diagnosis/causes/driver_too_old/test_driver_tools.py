"""A driver that is too old for the software, told by nvidia-smi and the driver's module."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding

SMI = "| NVIDIA-SMI 440.33.01    Driver Version: 440.33.01    CUDA Version: 10.2     |\n"
NVML = "AttributeError: /usr/lib/{}: undefined symbol: {}"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (SMI + "  └─ __cuda >=11.4 *, which is missing on the system.", "driver-too-old"),
        (
            NVML.format("libnvidia-ml.so.1", "nvmlDeviceGetComputeRunningProcesses_v3"),
            "driver-too-old",
        ),
        (NVML.format("libaudio.so.1", "nvmlike_open"), "unknown"),
    ],
)
def test_a_driver_that_is_too_old_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


MESHROOM = (
    "GPU: GeForce {}\n{}"
    "[error] This program needs a CUDA-Enabled GPU (with at least compute capability 2.0).\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "       virtual packages : __cuda=12.2=0",
        MESHROOM.format("RTX 3080", ""),
    ],
)
def test_kin_of_a_driver_that_is_too_old_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


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
    ("text", "cause", "confidence"),
    [
        ("libkernels.so: undefined symbol: cuTensorMapEncodeTiled", "driver-too-old", "possible"),
        ("libkernels.so: undefined symbol: cuDeviceGetAttribute", "unknown", None),
        (
            "could not find cuStreamAddCallback in libcuda DSO; dlerror: x",
            "driver-too-old",
            "likely",
        ),
        ("cuDevicePrimaryCtxSetFlags not found", "driver-too-old", "likely"),
        ("cuteBoxes not found", "unknown", None),
        ("AttributeError: function 'nvmlDeviceGetUUIDs' not found", "driver-too-old", "likely"),
        ("AttributeError: function 'nvmlish' not found", "unknown", None),
        ("It ends with: cuStreamWaitValue32 not found", "driver-too-old", "likely"),
        ("[loader] Function cuMemAllocAsync not found\n", "driver-too-old", "likely"),
        ("'Function cuLaunchHostFunc not found' occurred when asked", "driver-too-old", "likely"),
        ("Driver Version: 450.80\nFunction cuMemAllocAsync not found", "driver-too-old", "likely"),
        ("Driver Version: 535.54\nFunction cuMemAllocAsync not found", "unknown", None),
        ("Function cuteBoxes not found", "unknown", None),
        ("error C3861: 'cuCtxCreate': identifier not found", "unknown", None),
        ("-- Looking for cuDeviceGetUuid - not found", "unknown", None),
        ("warning: function cuMemAlloc not found in cuda.py, skipped", "unknown", None),
        ("app: undefined symbol: nvmlInit_v2", "driver-too-old", "likely"),
        (
            "app: undefined symbol: nvmlInit_v2\nDriver Version: 304.131",
            "driver-too-old",
            "certain",
        ),
        ("app: undefined symbol: nvmlInit_v2\nDriver Version: 319.17", "unknown", None),
        ("./gpu: undefined symbol: nvmlDeviceGetGpuInstanceId", "driver-too-old", "likely"),
        (
            "./gpu: undefined symbol: nvmlDeviceGetGpuInstanceId\nDriver Version: 470.57",
            "unknown",
            None,
        ),
        ("app: undefined symbol: nvmlDeviceGetCount_v2", "unknown", None),
        (
            "app: undefined symbol: nvmlDeviceGetPcieThroughput\nNVIDIA driver: 340",
            "driver-too-old",
            "likely",
        ),
        (
            "undefined symbol: nvmlDeviceGetPciInfo_v3\nDriver Version: 375.66",
            "driver-too-old",
            "likely",
        ),
        ("undefined symbol: nvmlDeviceGetPciInfo_v3\nDriver Version: 550.54", "unknown", None),
    ],
)
def test_a_missing_function_alone_is_as_sure_as_the_table_makes_it(
    text: str, cause: str, confidence: str | None
):
    assert ruled(text) == cause
    assert confidence is None or finding(text).confidence.value == confidence


LIBGPUARRAY = """CUDA 9.1
GpuArrayException: ('cublasCreate: (cublas) {error}.', 11)
| NVIDIA-SMI {driver}                 Driver Version: {driver}                    |
"""


@pytest.mark.parametrize(
    ("driver", "error", "found"),
    [
        ("384.111", "Library not initialized", True),
        ("396.26", "Library not initialized", False),
        ("384.111", "Mapping error", False),
    ],
)
def test_the_cublas_of_a_toolkit_that_the_driver_cannot_serve(driver: str, error: str, found: bool):
    pasted = LIBGPUARRAY.format(driver=driver, error=error)
    assert (ruled(pasted) == "driver-too-old") is found


NOUVEAU = (
    "01:00.0 VGA compatible controller: NVIDIA Corporation GP104 [GeForce GTX 1070]\n"
    "\tKernel driver in use: nouveau\n"
)


def test_the_driver_is_another_makers():
    assert ruled(MESHROOM.format("GTX 1070", NOUVEAU)) != "driver-too-old"

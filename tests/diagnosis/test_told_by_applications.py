"""What programs that people use, not write, say of a GPU: of pictures, molecules, chess, films."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

DOCKING = """GPU: {gpu}
$ make DEVICE=CUDA
Running Job #3
SetKernelsGpuData copy to cData failed {why}
autodock_gpu_128wi: ./cuda/kernels.cu:130: void SetKernelsGpuData(GpuData*): Assertion `0' failed.
"""


@pytest.mark.parametrize(
    ("gpu", "why", "cause"),
    [
        ("NVIDIA A40", "invalid device symbol", "gpu-too-new"),
        ("GeForce GTX 780", "invalid device symbol", "gpu-too-old"),
        ("NVIDIA A40", "invalid argument", "unknown"),
    ],
)
def test_a_program_that_was_compiled_for_other_gpus_has_no_symbol(gpu: str, why: str, cause: str):
    assert ruled(DOCKING.format(gpu=gpu, why=why)) == cause


DEPTH_MAP = """OS: Windows 10
GPU: {gpu}
driver: {driver}
[error] This program needs a CUDA-Enabled GPU (with at least compute capability 2.0).
"""


@pytest.mark.parametrize(
    ("gpu", "driver", "is_old"),
    [
        ("GeForce GTX 1070", "388.13", True),
        ("GeForce GTX 1070", "560.94", False),
        ("GeForce GTX 285", "341.92", False),
        ("Radeon RX 580", "20.4.2", False),
    ],
)
def test_a_driver_does_not_count_a_gpu_that_would_serve(gpu: str, driver: str, *, is_old: bool):
    found = ruled(DEPTH_MAP.format(gpu=gpu, driver=driver))
    assert (found == "driver-too-old") is is_old


CHOICE = (
    "main.py: error: argument --execution-provider: invalid choice: {asked} (choose from {has})"
)


@pytest.mark.parametrize(
    ("asked", "has", "cause"),
    [
        ("'cuda'", "'cpu'", "cpu-only-build"),
        ("'cuda'", "'openvino', 'cpu'", "cpu-only-build"),
        ("cuda", "cpu", "cpu-only-build"),
        ("'cudnn'", "'cuda', 'cpu'", "unknown"),
        ("'cuda'", "'coreml', 'cpu'", "unknown"),
    ],
)
def test_a_program_offers_the_providers_of_its_onnxruntime(asked: str, has: str, cause: str):
    assert ruled(CHOICE.format(asked=asked, has=has)) == cause


MATCHING = """Matching block [1/9, 1/9] in 231.020s
WARNING: {whose} of SiftGPU only supports a maximum of 8192 matches - consider changing to \
CUDA-based feature matching to avoid this limitation.
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (MATCHING.format(whose="OpenGL version"), "cpu-only-build"),
        ("Matching block [1/9, 1/9] in 0.231s\nSiftGPU with CUDA, 8192 matches", "unknown"),
    ],
)
def test_colmap_without_cuda_matches_by_opengl(text: str, cause: str):
    assert ruled(text) == cause


CHESS = """OS: Windows
Creating backend [cudnn-auto]...
CUDA Runtime version: {got}
{warning}
Latest version of CUDA supported by the driver: 11.2.0
{end}
"""
OTHER_RUNTIME = "WARNING: CUDA Runtime version mismatch, was compiled with version 10.2.0"
UNKNOWN = "error CUDA error: unknown error (../src/neural/cuda/network_cuda.cc:212)"


@pytest.mark.parametrize(
    ("warning", "end", "cause"),
    [
        (OTHER_RUNTIME, UNKNOWN, "library-path-conflict"),
        ("", UNKNOWN, "device-nodes"),
        (OTHER_RUNTIME, "bestmove e2e4", "unknown"),
    ],
)
def test_a_program_that_warns_of_its_run_time_and_then_fails(warning: str, end: str, cause: str):
    assert ruled(CHESS.format(got="11.1.0", warning=warning, end=end)) == cause


BASECALLER = """[error] Invalid CUDA device index '{asked}' from device string "cuda:{asked}", \
there are {there} visible CUDA devices.
{banner}"""
TABLE = "| NVIDIA-SMI {tool}       Driver Version: {driver}      CUDA Version: {cuda}      |\n"
ANOTHER = TABLE.format(tool="450.80.02", driver="535.104.05", cuda="N/A")
OWN = TABLE.format(tool="535.104.05", driver="535.104.05", cuda="N/A")


@pytest.mark.parametrize(
    ("there", "banner", "cause"),
    [
        ("0", ANOTHER, "driver-library-mismatch"),
        ("0", "Inside WSL2:\n" + ANOTHER, None),
        ("0", OWN, None),
        ("2", OWN, "user-code"),
    ],
)
def test_nvidia_smi_of_another_driver_than_the_one_that_runs(
    there: str, banner: str, cause: str | None
):
    found = ruled(BASECALLER.format(asked="3", there=there, banner=banner))
    assert found == cause if cause else found not in ("driver-library-mismatch", "user-code")


def test_the_title_names_both_releases():
    root = gpuprobe.explain(BASECALLER.format(asked="0", there="0", banner=ANOTHER)).diagnosis.root
    assert root is not None
    assert root.finding.title == (
        "The program nvidia-smi is of driver 450.80.02, the driver that runs is 535.104.05"
    )


BLOCKED = "Failed to initialize NVML: GPU access blocked by the operating system\n"
REFUSED = "Failed to initialize NVML: Insufficient Permissions\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (REFUSED + BLOCKED, "device-nodes"),
        (BLOCKED, "wsl"),
        ("Ubuntu in WSL2\n" + REFUSED + BLOCKED, "wsl"),
    ],
)
def test_a_container_of_linux_that_refuses_the_device_files_is_no_wsl(text: str, cause: str):
    assert ruled(text) == cause


TRANSCODING = """OS: {system}
GPU: Quadro P400, Driver version 470.182.03
[hevc_nvenc @ 0x55] Cannot load libnvidia-encode.so.1
"""


@pytest.mark.parametrize(
    ("system", "cause"),
    [
        ("Docker on Debian 11", "container-no-gpu"),
        ("Debian 11", "driver-missing"),
        ("Debian 11, without Docker on it", "driver-missing"),
    ],
)
def test_the_system_that_a_form_names_is_a_container(system: str, cause: str):
    assert ruled(TRANSCODING.format(system=system)) == cause


TORN = """torch: 2.5.1+cu124
    from .ops import fused
{words} {symbol}
"""


@pytest.mark.parametrize(
    ("words", "symbol", "cause"),
    [
        ("efined symbol:", "_ZN3c104cuda14ExchangeDeviceEa", "extension-mismatch"),
        ("ned symbol:", "_ZNK5torch8autograd4Node4nameEv", "extension-mismatch"),
        ("exported symbol:", "_ZN3c104cuda14ExchangeDeviceEa", "unknown"),
        ("ned symbol:", "_ZN7mylib5startEv", "unknown"),
    ],
)
def test_a_symbol_of_torch_is_lacked_where_the_line_lost_its_beginning(
    words: str, symbol: str, cause: str
):
    assert ruled(TORN.format(words=words, symbol=symbol)) == cause


IN_R = """OS: Windows 11
> tensorflow::tf_config()
TensorFlow v2.13.0 (C:\\R\\envs\\r-tensorflow\\Lib\\site-packages\\tensorflow\\__init__.p)
> tf$config$list_physical_devices({kind})
[[1]]
PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')
{more}
"""
SECOND = "[[2]]\nPhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')"


@pytest.mark.parametrize(
    ("kind", "more", "cause"),
    [
        ("", "", "cpu-only-build"),
        ('"CPU"', "", "unknown"),
        ("", SECOND, "healthy"),
    ],
)
def test_the_list_of_devices_as_r_prints_it(kind: str, more: str, cause: str):
    assert ruled(IN_R.format(kind=kind, more=more)) == cause


GRAPHS = "OS: Windows 10\nGPU: RTX 2060\nRendering frames: {there}, the task manager only {here}."


@pytest.mark.parametrize(
    ("there", "here", "cause"),
    [
        ("GPU-Z shows 97% load", "5%", "healthy"),
        ("GPU-Z shows 4% load", "5%", "unknown"),
        ("GPU-Z shows 97% load", "95%", "unknown"),
    ],
)
def test_windows_task_manager_does_not_show_the_work_of_cuda(there: str, here: str, cause: str):
    assert ruled(GRAPHS.format(there=there, here=here)) == cause

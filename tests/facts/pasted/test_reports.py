"""Programs' reports about themselves, and lines that name a device."""

# The samples are as long as programs print them.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from support.pasted import some, told

JULIA = """
CUDA toolchain:
- runtime 13.0, artifact installation
- driver 580.65.6 for 13.0
- compiler 13.0

CUDA libraries:
- NVML: 13.0.0+580.65.6

Julia packages:
- CUDA: 5.8.3
- CUDA_Driver_jll: 13.0.0+0

1 device:
  0: Tesla V100-SXM2-32GB (sm_70, 27.902 GiB / 32.000 GiB available)
"""

OLD_JULIA = """
julia> CUDA.versioninfo()
CUDA toolkit 10.2.89, artifact installation
CUDA driver 11.0.0

1 device(s):
- Quadro RTX 5000 (14.251 GiB, sm_75)
"""

CUPY = """
OS                           : Linux-5.4.0-42-generic-x86_64-with-debian-buster-sid
CuPy Version                 : 8.0.0rc1
NumPy Version                : 1.19.1
CUDA Root                    : /usr/local/cuda-10.2
CUDA Build Version           : 10020
CUDA Driver Version          : 11000
CUDA Runtime Version         : 10020
cuDNN Build Version          : 7600
cuDNN Version                : 7605
Device 0 Name                : GeForce RTX 2080 Ti
Device 0 Compute Capability  : 75
"""

XFORMERS = """
xFormers 0.0.22.post7+cu118
memory_efficient_attention.cutlassF:               unavailable
pytorch.version:                                   2.0.1+cu118
pytorch.cuda:                                      available
gpu.compute_capability:                            6.0
gpu.name:                                          Tesla P100-PCIE-16GB
build.env.TORCH_CUDA_ARCH_LIST:                    5.0+PTX 6.0 6.1 7.0 7.5 8.0+PTX 9.0
"""

BITSANDBYTES = """
CUDA SETUP: CUDA runtime path found: /usr/local/cuda-12.1/lib64/libcudart.so
CUDA SETUP: Highest compute capability among GPUs detected: 7.0
CUDA SETUP: Detected CUDA version 121
"""

NUMBA = """
__CUDA Information__
CUDA Device Initialized                       : True
CUDA Driver Version                           : 12.4
CUDA Runtime Version                          : 11.8
Found 2 CUDA devices
id 0    b'NVIDIA Quadro RTX 8000'                              [SUPPORTED]
                      Compute Capability: 7.5
                           PCI Device ID: 0
id 1    b'GeForce GTX 960M'                              [SUPPORTED]
                      Compute Capability: 5.0
"""

DEVICE_QUERY = """
Device 0: "Tesla K80"
  CUDA Driver Version / Runtime Version          11.2 / 10.2
  CUDA Capability Major/Minor version number:    3.7
"""


def test_julias_run_time_is_its_packages() -> None:
    found = told(JULIA)
    assert found["package.cuda-jl.cuda"] == "13.0"
    assert found["package.cuda-jl.version"] == "5.8.3"
    assert found["driver.version"] == "580.65.6"
    assert found["gpu.0.capability"] == "7.0"
    assert "toolkit.version" not in found


def test_julias_old_report() -> None:
    found = told(OLD_JULIA)
    assert found["package.cuda-jl.cuda"] == "10.2"
    assert found["driver.cuda"] == "11.0"
    assert (found["gpu.0.name"], found["gpu.0.capability"]) == ("Quadro RTX 5000", "7.5")


def test_cupys_configuration() -> None:
    found = told(CUPY)
    assert found["package.cupy.version"] == "8.0.0rc1"
    assert found["package.cupy.cuda"] == "10.2"
    assert found["driver.cuda"] == "11.0"
    assert found["cudnn.version"] == "7.6.5"
    assert (found["gpu.0.name"], found["gpu.0.capability"]) == ("GeForce RTX 2080 Ti", "7.5")


def test_xformers_info() -> None:
    found = told(XFORMERS)
    assert found["package.xformers.cuda"] == "11.8"
    assert found["package.torch.version"] == "2.0.1+cu118"
    assert found["framework.torch.sees_gpu"] is True
    assert (found["gpu.0.name"], found["gpu.0.capability"]) == ("Tesla P100-PCIE-16GB", "6.0")
    listed = found["framework.xformers.architectures"]
    assert listed[:3] == ("sm_50", "compute_50", "sm_60")
    assert listed[-3:] == ("sm_80", "compute_80", "sm_90")


def test_bitsandbytes_setup() -> None:
    found = told(BITSANDBYTES)
    assert found["package.torch.cuda"] == "12.1"
    assert found["gpu.0.capability"] == "7.0"


def test_numbas_report() -> None:
    found = told(NUMBA)
    assert found["framework.numba.device_count"] == 2
    assert found["framework.numba.sees_gpu"] is True
    assert found["driver.cuda"] == "12.4"
    assert found["gpu.0.capability"] == "7.5"
    assert (found["gpu.1.name"], found["gpu.1.capability"]) == ("GeForce GTX 960M", "5.0")


def test_device_query() -> None:
    found = told(DEVICE_QUERY)
    assert found["driver.cuda"] == "11.2"
    assert found["toolkit.version"] == "10.2"
    assert (found["gpu.0.name"], found["gpu.0.capability"]) == ("Tesla K80", "3.7")


@pytest.mark.parametrize(
    ("line", "name", "capability"),
    [
        ("name: GeForce GTX 1080 major: 6 minor: 1 memoryClockRate(GHz): 1.8475", "GeForce GTX 1080", "6.1"),
        ("pciBusID: 0000:01:00.0 name: NVIDIA GeForce RTX 3060 computeCapability: 8.6", "NVIDIA GeForce RTX 3060", "8.6"),
        ("Created device /job:localhost/replica:0/task:0/device:GPU:0 with 4096 MB memory:  -> device: 0, name: Tesla V100-SXM2-16GB, pci bus id: 0000:00:1e.0, compute capability: 7.0", "Tesla V100-SXM2-16GB", "7.0"),
        ("Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with 10 MB memory) -> physical GPU (device: 0, name: GeForce GTX 1080 Ti, pci bus id: 0000:01:00.0, compute capability: 6.1)", "GeForce GTX 1080 Ti", "6.1"),
        ("StreamExecutor device (0): NVIDIA A100-SXM4-40GB, Compute Capability 8.0", "NVIDIA A100-SXM4-40GB", "8.0"),
        ("  Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6, VMM: yes", "NVIDIA GeForce RTX 3090", "8.6"),
        ("    Found GPU0 GeForce GTX 670M which is of cuda capability 2.1.", "GeForce GTX 670M", "2.1"),
        ("NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation.", "NVIDIA GeForce RTX 5090", "12.0"),
        ("Please NOTE: device: 0, GPU Compute Capability: 8.6, Driver API Version: 11.2, Runtime API Version: 10.2", None, "8.6"),
        ("Ultralytics YOLOv8.0.20 Python-3.10 torch-2.0.0+cu118 CUDA:0 (Tesla T4, 15102MiB)", "Tesla T4", None),
        ("Device 0 [GeForce GTX 1080 Ti] PCIe GEN 3@16x", "GeForce GTX 1080 Ti", None),
        ('inference compute id=GPU-1 library=cuda compute=8.9 driver=12.2 name="NVIDIA GeForce RTX 4090" total="23.6 GiB"', "NVIDIA GeForce RTX 4090", "8.9"),
    ],
)  # fmt: skip
def test_lines_that_name_a_device(line: str, name: str | None, capability: str | None) -> None:
    found = told(line)
    assert found.get("gpu.0.name") == name
    assert found.get("gpu.0.capability") == capability


def test_the_oldest_tensorflow_names_a_device_over_several_lines() -> None:
    found = told("""
        I tensorflow/core/common_runtime/gpu/gpu_device.cc:885] Found device 0 with properties:
        name: GeForce GTX 1080
        major: 6 minor: 1 memoryClockRate (GHz) 1.7335
        pciBusID 0000:01:00.0
        """)
    assert (found["gpu.0.name"], found["gpu.0.capability"]) == ("GeForce GTX 1080", "6.1")


@pytest.mark.parametrize(
    "line",
    [
        "Device 0: cpu",
        "device: 0, name: XLA_CPU_DEVICE",
        "Using device: mps",
        "name: convolution major: 2",
        "GPUs of compute capability 8.6 and higher are supported",
    ],
)
def test_what_is_no_gpu_is_not_named(line: str) -> None:
    assert some(told(line), "gpu") == {}


def test_torchs_list_of_architectures() -> None:
    found = told(
        "The current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_70 compute_70."
    )
    assert found["framework.torch.architectures"] == ("sm_50", "sm_60", "sm_70", "compute_70")


SPCONV = (
    "[WARNING]your gpu arch (8, 9) isn't compiled in prebuilt, may cause invalid device function"
)


@pytest.mark.parametrize("end", [". available: {}", " error. available: {}"])
def test_spconv_lists_what_it_was_compiled_for(end: str) -> None:
    found = told(SPCONV + end.format("{(8, 6), (7, 5), (10, 0)}"))
    assert found["framework.spconv.architectures"] == ("sm_75", "sm_86", "sm_100")
    assert found["gpu.0.capability"] == "8.9"


def test_a_list_that_breaks_off_is_none() -> None:
    assert some(told(SPCONV + ". available: {(8, 6), (7, 5"), "framework", "gpu") == {}

"""collect_env's outputs from PyTorch 1.0 to today."""

# The samples are as long as programs print them.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from gpuprobe.facts import names, said
from gpuprobe.facts.model import Absent
from gpuprobe.facts.pasted import read
from gpuprobe.facts.version import Version
from support.pasted import some, told

OLD = """
PyTorch version: 1.0.0
Is debug build: No
CUDA used to build PyTorch: 9.0.176

OS: Ubuntu 16.04.5 LTS
GCC version: (Ubuntu 5.4.0-6ubuntu1~16.04.10) 5.4.0 20160609
CMake version: version 3.5.1

Python version: 3.6
Is CUDA available: Yes
CUDA runtime version: 9.0.176
GPU models and configuration:
GPU 0: GeForce GTX 1080 Ti
GPU 1: GeForce GTX 1080

Nvidia driver version: 390.87
cuDNN version: Probably one of the following:
/usr/local/cuda-9.0/lib64/libcudnn.so.7.0.5
/usr/local/cuda-9.0/lib64/libcudnn_static.a

Versions of relevant libraries:
[pip] numpy (1.15.4)
[pip] torch (1.0.0)
[conda] pytorch                   1.0.0           py3.6_cuda9.0.176_cudnn7.4.1_1    pytorch
"""

NEW = """
Collecting environment information...
PyTorch version: 2.6.0+cpu
Is debug build: False
CUDA used to build PyTorch: None
ROCM used to build PyTorch: N/A

OS: Ubuntu 24.10 (x86_64)
GCC version: (Ubuntu 14.2.0-4ubuntu2) 14.2.0
Libc version: glibc-2.40

Python version: 3.12.9 | packaged by Anaconda, Inc. | (main, Feb  6 2025) [GCC 11.2.0] (64-bit runtime)
Python platform: Linux-6.14.0-061400-generic-x86_64-with-glibc2.40
Is CUDA available: False
CUDA runtime version: No CUDA
CUDA_MODULE_LOADING set to: N/A
GPU models and configuration: No CUDA
Nvidia driver version: No CUDA
cuDNN version: No CUDA
HIP runtime version: N/A
MIOpen runtime version: N/A
Is XNNPACK available: True

Versions of relevant libraries:
[pip3] numpy==2.1.3
[pip3] torch==2.6.0+cpu
[conda] Could not collect
"""

ROCM = """
PyTorch version: 1.7.0a0+9ddd3df
CUDA used to build PyTorch: N/A
ROCM used to build PyTorch: 3.7.20315-077bcfa0
Is CUDA available: True
CUDA runtime version: N/A
GPU models and configuration: Device 66a1
Nvidia driver version: Could not collect
HIP runtime version: 3.18.2
"""


def test_the_old_form_is_read_whole() -> None:
    found = told(OLD)
    assert found["package.torch.version"] == "1.0.0"
    assert found["package.torch.cuda"] == "9.0"
    assert found["framework.torch.sees_gpu"] is True
    assert found["toolkit.version"] == "9.0.176"
    assert found["driver.version"] == "390.87"
    assert found["cudnn.version"] == "7.0.5"
    assert found["cudnn.built_with"] == "7.4.1"
    assert found["gpu.1.name"] == "GeForce GTX 1080"
    assert found["os.name"] == "Ubuntu 16.04.5 LTS"
    assert found["python.version"] == "3.6"
    assert found["toolkit.host_compiler"] == "gcc 5.4.0"


def test_a_cpu_build_is_told_by_none() -> None:
    found = told(NEW)
    assert found["package.torch.build"] == "cpu"
    assert found["package.torch.cuda"] is None
    assert found["framework.torch.sees_gpu"] is False
    assert found["os.libc"] == "glibc 2.40"
    assert found["os.kernel"] == "6.14.0-061400-generic"
    assert found["python.environment"] == "conda"
    assert not some(found, "gpu", "driver", "toolkit", "cudnn") or set(some(found, "toolkit")) == {
        "toolkit.host_compiler"
    }


def test_a_torch_without_cuda_is_a_cpu_build_whatever_stands_in_the_field() -> None:
    found = told(
        NEW.replace("2.6.0+cpu", "2.1.0").replace("PyTorch: None", "PyTorch: Could not collect")
    )
    assert found["package.torch.build"] == "cpu"
    assert found["package.torch.cuda"] is None


def test_a_rocm_build_is_no_cuda_build() -> None:
    found = told(ROCM)
    assert found["package.torch.build"] == "rocm"
    assert found["package.torch.cuda"] is None
    assert "driver.version" not in found


def test_could_not_collect_says_nothing() -> None:
    found = told(
        "Nvidia driver version: Could not collect\nCUDA runtime version: Could not collect"
    )
    assert found == {}


def test_two_managers_with_different_torches_are_two_copies() -> None:
    found = told("""
        [pip3] torch==1.2.0
        [conda] pytorch                   1.3.0           py3.7_cuda10.1.243_cudnn7.6.3_0    pytorch
        """)
    assert found["package.torch.copies"] == ("1.2.0 of pip", "1.3.0 of conda")


@pytest.mark.parametrize(
    "conda",
    [
        "[conda] pytorch   1.2.0   py3.7_cuda10.0.130_cudnn7.6.2_0    pytorch",
        "[conda] torch     1.2.0   pypi_0    pypi",
    ],
)
def test_one_torch_that_both_managers_list_is_one(conda: str) -> None:
    assert "package.torch.copies" not in told(f"[pip3] torch==1.2.0\n{conda}")


def test_cudnn_of_windows_is_read_from_the_dll() -> None:
    found = told(
        "cuDNN version: C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.2\\bin\\cudnn_ops_train64_8.dll"
    )
    assert found["cudnn.version"] == "8"


def test_prose_about_its_fields_is_not_read() -> None:
    assert told("Please tell us the PyTorch version and whether Is CUDA available says yes") == {}


def test_vllms_program_pads_the_names() -> None:
    found = told("""
        PyTorch version              : 2.5.1+cu124
        CUDA used to build PyTorch   : 12.4
        Is CUDA available            : True
        CUDA runtime version         : 12.1.105
        GPU models and configuration : GPU 0: NVIDIA A100-SXM4-80GB
        GPU 1: NVIDIA A100-SXM4-80GB
        Nvidia driver version        : 535.183.01
        vLLM Version                 : 0.8.5.post1
        """)
    assert found["package.torch.cuda"] == "12.4"
    assert found["framework.torch.sees_gpu"] is True
    assert found["toolkit.version"] == "12.1.105"
    assert found["driver.version"] == "535.183.01"
    assert found["gpu.1.name"] == "NVIDIA A100-SXM4-80GB"
    assert found["package.vllm.version"] == "0.8.5.post1"


AS_JSON = """"Torch env info": {
    "torch_version": "2.2.0+cu121",
    "cuda_compiled_version": "12.1",
    "os": "Microsoft Windows 11 Pro",
    "is_cuda_available": "False",
    "nvidia_driver_version": DRIVER,
    "nvidia_gpu_models": GPUS,
"""


def test_as_json_null_is_what_was_not_found() -> None:
    facts = read(AS_JSON.replace("DRIVER", "null").replace("GPUS", "null"))
    assert facts.known(names.PACKAGE_VERSION("torch")) == "2.2.0+cu121"
    assert facts.known(said.FRAMEWORK_SEES_GPU("torch")) is False
    assert isinstance(facts.fact(names.DRIVER_VERSION), Absent)
    assert facts.known(names.OS_SYSTEM) == "Windows"


def test_as_json_lists_gpus_in_one_value() -> None:
    gpus = r'"GPU 0: NVIDIA A100-SXM4-40GB\nGPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-1)"'
    facts = read(AS_JSON.replace("DRIVER", '"535.104.05"').replace("GPUS", gpus))
    assert facts.known(names.DRIVER_VERSION) == Version("535.104.05")
    assert facts.subjects(names.GPU_NAME) == ("0", "1")
    assert facts.known(names.GPU_NAME("1")) == "NVIDIA A100-SXM4-40GB"


def test_json_of_another_program_is_not_read() -> None:
    text = AS_JSON.replace("is_cuda_available", "cuda").replace("cuda_compiled_version", "cuda")
    facts = read(text.replace("nvidia_gpu_models", "gpus").replace("DRIVER", "null"))
    assert facts.known(names.PACKAGE_VERSION("torch")) is None

"""Issue forms as people fill them in, and GPUs as they write them."""

# The samples are as long as programs print them.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from gpuprobe.facts.pasted.gpu_names import other_makers, typed
from support.pasted import some, told

TENSORFLOW = """
### System information
- **Have I written custom code (as opposed to using a stock example script provided in TensorFlow)**: Yes
- **OS Platform and Distribution (e.g., Linux Ubuntu 16.04)**: Linux Ubuntu 18.04
- **TensorFlow installed from (source or binary)**: binary
- **TensorFlow version (use command below)**: 1.13.1
- **Python version**: 3.6.7
- **Bazel version (if compiling from source)**: N/A
- **GCC/Compiler version (if compiling from source)**: N/A
- **CUDA/cuDNN version**: 10.0/7.4.2
- **GPU model and memory**: 2x GeForce GTX 1080 Ti (11 GB)
"""

GITHUB = """
### Platform

Linux

### OS Version

Ubuntu 22.04

### ONNX Runtime Version or Commit ID

1.18.0

### Execution Provider Library Version

CUDA 12.1

### GPU model and memory

_No response_
"""

TABLE = """
| item | value |
|------|-------|
| **OS** | Windows 11 Pro 22H2 |
| **GPU** | NVIDIA RTX 5090 (24 GB) |
| **CUDA runtime** | 12.8 (from NVIDIA toolkit) |
| **ONNX Runtime** | 1.18.0 |
| **Torch** | 2.8.0 + cu128 |
"""


def test_tensorflows_old_form() -> None:
    found = told(TENSORFLOW)
    assert found["os.name"] == "Linux Ubuntu 18.04"
    assert found["package.tensorflow.version"] == "1.13.1"
    assert found["python.version"] == "3.6.7"
    assert found["toolkit.version"] == "10.0"
    assert found["cudnn.version"] == "7.4.2"
    assert found["gpu.0.name"] == found["gpu.1.name"] == "GeForce GTX 1080 Ti"
    assert "toolkit.host_compiler" not in found


def test_githubs_form_has_the_value_below_its_heading() -> None:
    found = told(GITHUB)
    assert found["os.system"] == "Linux"
    assert found["os.name"] == "Ubuntu 22.04"
    assert found["toolkit.version"] == "12.1"
    assert some(found, "gpu") == {}


def test_a_table_is_a_form() -> None:
    found = told(TABLE)
    assert found["os.system"] == "Windows"
    assert found["gpu.0.name"] == "NVIDIA RTX 5090"
    assert found["toolkit.version"] == "12.8"
    assert found["package.onnxruntime.version"] == "1.18.0"
    assert "package.onnxruntime.build" not in found  # a project's name, and no package's
    assert found["package.torch.version"].startswith("2.8.0")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("field", "cuda", "cudnn"),
    [
        ("CUDA/cuDNN version: 11.8/8.6", "11.8", "8.6"),
        ("CUDA/cuDNN version: CUDA 11.2, cuDNN 8.1.0", "11.2", "8.1.0"),
        ("CUDA/cuDNN version: 10.1 and 7.6.5", "10.1", "7.6.5"),
        ("CUDA/cuDNN version: cuda_11.2, cudnn8", "11.2", "8"),
        ("CUDA/cuDNN version: 9.0", "9.0", None),
        ("CUDA/cuDNN version: 11.2 as of 2/4/2021", "11.2", None),
        ("CUDA/cuDNN version: cuDNN 7.6", None, "7.6"),
        ("CUDA/cuDNN version: CUDA v11.2, cudnn-11.2-windows-x64-v8.1.0.77", "11.2", "8.1.0.77"),
        ("CUDA/cuDNN version: release 11.0, V11.0.194", "11.0", None),
        ("Installed version of CUDA and cuDNN: CUDA 8.0 cuDNN 6.0", "8.0", "6.0"),
        ("cuda: 10.1", "10.1", None),
        ("CUDA version - N/A", None, None),
        ("CUDA Version: 12.x", "12", None),
        ("CUDA: v11.7", "11.7", None),
        ("nvcc: 10.0", "10.0", None),
        ("cudnn: 7.6.5.32", None, "7.6.5.32"),
        ("cudnn-9.2", None, "9.2"),
        ("CUDA:0 NVIDIA RTX A6000, 48685.3125MB", None, None),
        ("CUDA: >=11.2", None, None),
        ("requires CUDA: 12.1", None, None),
        ("built with CUDA 12.1", None, None),
        ("- CUDA 11 support: yes", None, None),
        ("CUDA available: True", None, None),
    ],
)
def test_toolkit_and_cudnn(field: str, cuda: str | None, cudnn: str | None) -> None:
    found = told(field)
    assert found.get("toolkit.version") == cuda
    assert found.get("cudnn.version") == cudnn


@pytest.mark.parametrize(
    ("field", "version"),
    [
        ("NVIDIA driver version: 418.87.00", "418.87.00"),
        ("Driver: 570.124.06", "570.124.06"),
        ("- NVIDIA-SMI: 535.183.01, CUDA 12.2", "535.183.01"),
        ("Driver: latest", None),
        ("Driver: 31.0.15.3623", "536.23"),  # as Windows writes it
        ("Bluetooth driver: 535.10", None),
        ("drivers 535", "535"),
        ("NVIDIA driver: nvidia-driver-535-open", "535"),
        ("Driver: 19", None),
    ],
)
def test_the_driver(field: str, version: str | None) -> None:
    assert told(field).get("driver.version") == version


@pytest.mark.parametrize(
    ("field", "facts"),
    [
        ("Environment: docker", {"container.kind": "docker"}),
        ("Environment: kubernetes", {"container.kind": "kubernetes"}),
        ("Container: no docker used", {}),
        ("Environment: WSL2", {"os.system": "Linux", "wsl.version": 2}),
        ("Environment: conda", {"python.environment": "conda"}),
        ("Secure Boot: enabled", {"secure_boot.enabled": True}),
        ("Compute Capability: 6.1", {"gpu.0.capability": "6.1"}),
    ],
)
def test_where_it_runs(field: str, facts: dict[str, object]) -> None:
    assert told(field) == facts


@pytest.mark.parametrize(
    ("field", "facts"),
    [
        (
            "torch built for CUDA: 12.4",
            {"package.torch.cuda": "12.4", "package.torch.build": "cuda"},
        ),
        ("PyTorch version: 2.0.1", {"package.torch.version": "2.0.1"}),
        ("vllm: 0.22.0", {"package.vllm.version": "0.22.0"}),
        ("TensorFlow version: tf 2.8", {"package.tensorflow.version": "2.8"}),
        ("TensorFlow version: tf2.9.1", {"package.tensorflow.version": "2.9.1"}),
        (
            "TensorFlow version: tf-nightly-2.21.0.dev20250722",
            {"package.tensorflow.version": "2.21.0.dev20250722"},
        ),
        ("TensorFlow version: tf serving 2.8", {}),
        ("torch: a tensor library", {}),
        ("Tensorflow: 2 GPUs were found", {}),
        ("CUDA_VISIBLE_DEVICES=0", {}),
        ("NVIDIA-SMI 430.64 Driver: 3", {}),
    ],
)
def test_packages_in_forms(field: str, facts: dict[str, object]) -> None:
    assert some(told(field), "package") == facts


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("2x RTX 5090 (32 GB each)", ("RTX 5090",) * 2),
        ("RTX 3090 x 2", ("RTX 3090",) * 2),
        ("8xA100 80GB", ("A100",) * 8),
        ("GeForce GTX 1080 Ti (x4)", ("GeForce GTX 1080 Ti",) * 4),
        ("2 (RTX 3090)", ("RTX 3090",) * 2),
        ("two RTX 3090s", ("RTX 3090",) * 2),
        ("Nvidia GeForce GTX 1060 (6 GB memory)", ("Nvidia GeForce GTX 1060",)),
        ("GTX1080Ti", ("GTX 1080 Ti",)),
        ("GEFORCE GTX 4090", ("GEFORCE RTX 4090",)),
        ("3090", ("GeForce RTX 3090",)),
        ("1080ti", ("GeForce GTX 1080 ti",)),
        ("GTX 960M and Intel HD 530", ("GTX 960M",)),
        ("RTX 2080, GTX 1070", ("RTX 2080", "GTX 1070")),
        ("A100 (MIG enabled)", ("A100",)),
        ("none", ()),
        ("8 GB", ()),
        ("2080 steps", ()),
        ("AMD Radeon RX 580", ()),
        ("AMD EPYC, NVIDIA A10", ("NVIDIA A10",)),
        ("APU AMD A10 - AMD GPU R6 M340DX 2GB", ()),
        ("AMD A10-7850K with Radeon R7", ()),
        ("A10-9600P", ()),
    ],
)
def test_gpus_as_people_write_them(text: str, names: tuple[str, ...]) -> None:
    assert typed(text) == names


@pytest.mark.parametrize(
    ("text", "makers"),
    [
        ("Intel HD Graphics 4000", ("intel",)),
        ("AMD Radeon RX 580", ("amd",)),
        ("Apple M1 Pro", ("apple",)),
        ("NVIDIA GTX 1050 and Intel UHD 630", ()),
        ("some GPU", ()),
    ],
)
def test_makers_of_other_gpus(text: str, makers: tuple[str, ...]) -> None:
    assert other_makers(text) == makers


def test_a_form_with_another_makers_gpu_says_that_there_is_none_of_nvidia() -> None:
    found = told("GPU: Intel HD Graphics 4000")
    assert found == {"pci.nvidia_gpu_count": 0, "pci.gpu_count": 1, "pci.0.vendor": "intel"}


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("GPU: none", 0),
        ("Graphics card: none", 0),
        ("GPU: None", None),  # what a program printed
        ("GPU: n/a", None),  # somebody did not answer
        ("GPU model and memory: none", None),
        ("CUDA: none", None),
    ],
)
def test_a_form_says_that_there_is_no_gpu(line: str, count: int | None) -> None:
    assert told(line).get("pci.nvidia_gpu_count") == count


def test_lines_that_name_one_gpu_each_are_counted_on() -> None:
    found = told("GPU: NVIDIA GeForce RTX 4090\nGPU: NVIDIA GeForce GTX 1080 Ti\n")
    assert found["gpu.1.name"] == "NVIDIA GeForce GTX 1080 Ti"


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        (
            "win10, RTX3060, cuda 11.1, cudnn 8.1.1, torch 1.8.1",
            {
                "os.system": "Windows",
                "os.name": "win10",
                "gpu.0.name": "RTX 3060",
                "toolkit.version": "11.1",
                "cudnn.version": "8.1.1",
                "package.torch.version": "1.8.1",
            },
        ),
        (
            "Ubuntu 20.04, Python 3.8, CUDA 11.3",
            {"python.version": "3.8", "toolkit.version": "11.3"},
        ),
        ("nvidia GeForce RTX3060,", {"gpu.0.name": "nvidia GeForce RTX 3060"}),
        (
            "I have 2 GTX 1070 GPUs. Linuxmint 18.3.",
            {"gpu.0.name": "GTX 1070", "gpu.1.name": "GTX 1070"},
        ),
        ("CUDA version 10.2", {"toolkit.version": "10.2"}),
        ("GPU 3060 12G", {"gpu.0.name": "GeForce RTX 3060"}),
        ("Driver Version: 460.84\nCUDA Version: 11.2", {"driver.cuda": "11.2"}),
        (
            "Driver Version: 570.86.10, CUDA Version: 12.8",
            {"driver.version": "570.86.10", "driver.cuda": "12.8", "toolkit.version": None},
        ),
        (
            "RTX 3080, Driver Version: 546.33, CUDA Version: 12.3",
            {"driver.cuda": "12.3", "toolkit.version": None},
        ),
        (
            "CUDA Version: 12.8, driver version: 570.86",
            {"driver.cuda": "12.8", "toolkit.version": None},
        ),
        (
            "driver version 570.86, cuda toolkit version 12.4",
            {"driver.version": "570.86", "driver.cuda": None},
        ),
        (
            "CUDA Toolkit Version: 11.8, Driver Version: 546.33",
            {"toolkit.version": "11.8", "driver.cuda": None},
        ),
        ("Ubuntu 20.04, CUDA version 11.3", {"toolkit.version": "11.3", "driver.cuda": None}),
        ("MxNet Version: mxnet-cu101: 1.8.0", {"package.mxnet-cu101.cuda": "10.1"}),
        ("OS: nt", {"os.system": "Windows"}),
        ("- PyTorch version 1.10.1", {"package.torch.version": "1.10.1"}),
        ("Driver 470.57.02", {"driver.version": "470.57.02"}),
        ("cuda version\uff1acuda10.2", {"toolkit.version": "10.2"}),
    ],
)
def test_set_ups_in_few_words(line: str, facts: dict[str, object]) -> None:
    found = told(line)
    assert {name: found.get(name) for name in facts} == facts


@pytest.mark.parametrize(
    "line",
    [
        "In version 2.0, we added CUDA 11.3 wheels, and more",
        "This needs a GPU such as an RTX 3090",
        "Faster on RTX cards, slower elsewhere",
        "model = Torch(hidden=20, layers=3)",
    ],
)
def test_sentences_about_versions_and_cards_are_no_set_up(line: str) -> None:
    assert told(line) == {}


@pytest.mark.parametrize(
    ("named", "cudnn"),
    [
        ("cudnn-windows-x86_64-8.3.1.22_cuda11.5-archive", "8.3.1.22"),
        ("cudnn-linux-x86_64-8.9.7.29_cuda12-archive", "8.9.7.29"),
        ("cudnn-linux-sbsa-9.1.0.70_cuda12-archive", "9.1.0.70"),
        ("cudnn-11.2-windows-x64-v8.1.0.77", "8.1.0.77"),
        ("cudnn-9.0-linux-x64-v7", "7"),
    ],
)
def test_the_name_of_cudnns_archive_tells_its_release(named: str, cudnn: str) -> None:
    assert told(f"- CUDA/cuDNN version: {named}")["cudnn.version"] == cudnn
    assert told(f"- cuDNN version: {named}")["cudnn.version"] == cudnn
    assert "cudnn.version" not in told(f"- cuDNN version: my-{named[:6]}archive")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("NVIDIA Corporation GP106 [GeForce GTX 1060 6GB] (rev a1)", ("GeForce GTX 1060",)),
        ("NVIDIA Corporation GM107M [GeForce GTX 960M]", ("GeForce GTX 960M",)),
        ("NVIDIA Corporation GP106 [rev a1]", ("NVIDIA Corporation GP106",)),
        ("NVIDIA Corporation Device [10de:2204]", ()),
    ],
)
def test_a_gpu_by_its_name_of_lspci_is_the_product(text: str, names: tuple[str, ...]) -> None:
    assert typed(text) == names


def test_what_is_no_release_of_its_field() -> None:
    assert "python.version" not in told("python -m pip install paddlepaddle-gpu==2.5.1.post116")
    assert told("CUDA version -9.0")["toolkit.version"] == "9.0"
    assert told("pytorch 0.4.1, cuda92")["toolkit.version"] == "9.2"
    old = "Cuda compilation tools, release {}"
    assert told(old.format("4.0, V0.2.1221"))["toolkit.version"] == "4.0"
    assert told(old.format("11.8, V11.8.89"))["toolkit.version"] == "11.8.89"

"""Programs say in a sentence or a list whether they see a GPU."""

from __future__ import annotations

import pytest

from gpuprobe.facts.pasted.frameworks import available, devices
from gpuprobe.facts.pasted.text import Text


def facts(pasted: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for reader in (available, devices):
        for key, fact in reader.read(Text(pasted)):
            found.setdefault(key.name, str(getattr(fact, "value", None)))
    return found


WANTED = "we expect the following devices to be available: "
HAS = "this machine only has: "
CPU = '[name: "/device:CPU:0"\ndevice_type: "CPU"\nmemory_limit: 268435456\n'


@pytest.mark.parametrize(
    ("pasted", "sees"),
    [
        (CPU, "False"),
        (CPU + 'name: "/device:XLA_GPU:0"\ndevice_type: "XLA_GPU"\n', "False"),
        (CPU + 'name: "/device:GPU:0"\ndevice_type: "GPU"\n', "True"),
        (">>> [x.name for x in list_local_devices()]\n['/cpu:0']\n", "False"),
        ("list_local_devices()\nOut[3]: ['/device:CPU:0', '/device:XLA_GPU:0']\n", "False"),
        ("list_local_devices()\n[u'/cpu:0', u'/gpu:0', u'/gpu:1']\n", "True"),
        (f"ValueError: {WANTED}['/cpu:0', '/gpu:0']. However this machine only has: {{}}", "None"),
        (f"{WANTED}['/cpu:0', '/gpu:0']. However {HAS}['/device:CPU:0', '/device:GPU:0'].", "True"),
        (f"{WANTED}['/cpu:0', '/gpu:0']. However {HAS}['/cpu:0'].", "False"),
    ],
)
def test_a_list_of_tensorflows_devices_tells_whether_it_has_a_gpu(pasted: str, sees: str) -> None:
    assert facts(pasted).get("framework.tensorflow.sees_gpu", "None") == sees


@pytest.mark.parametrize(
    "pasted",
    [
        "Device: cuda:0 NVIDIA GeForce RTX 4060 Ti : cudaMallocAsync",
        "2024-09-30 10:05:25,812 - root - INFO - Device: cuda:0 NVIDIA RTX A6000 : native",
        "- **Name:** cuda:0 NVIDIA GeForce RTX 4090 : cudaMallocAsync",
    ],
)
def test_the_device_that_comfyui_chose_is_one_that_torch_sees(pasted: str) -> None:
    assert facts(pasted)["framework.torch.sees_gpu"] == "True"


@pytest.mark.parametrize(
    "pasted",
    [
        "Device: cpu",
        "Device: privateuseone",
        "device: cuda:0",  # a setting
        "Set Device: cuda:0 in the file, as I read: it says nothing",
        'device_type: "TPU"',
        '"device_type": "CPU"',  # of some program's configuration
    ],
)
def test_settings_and_other_devices_say_nothing(pasted: str) -> None:
    assert facts(pasted) == {}


def test_the_properties_that_torch_prints_name_a_device() -> None:
    line = "Using cuda _CudaDeviceProperties(name='GeForce RTX 2080 Ti', major=7, minor=5, total_m"
    found = facts(line)
    assert found["gpu.0.name"] == "GeForce RTX 2080 Ti"
    assert found["gpu.0.capability"] == "7.5"
    assert found["cuda.device_count"] == "1"


@pytest.mark.parametrize(
    ("pasted", "sees"),
    [
        ("CUDA available: False", "False"),
        ('"cuda available" | True', None),
        ("cuda available  True", "True"),
        ("CUDA available:" + " " * 60 + "True", "True"),
        ("**CUDA available**: `True`", "True"),
        ("torch.cuda is available - no", "False"),
        ("cuda.is_available() is False", "False"),
        ("use_cuda = True", "True"),
        ("use cuda True", None),
        ("CUDA available, is it True", None),
        ("CUDA available: whether True", None),
    ],
)
def test_an_answer_stands_apart_from_its_question(pasted: str, sees: str | None) -> None:
    assert facts(pasted).get("framework.torch.sees_gpu") == sees


@pytest.mark.parametrize(
    ("pasted", "name", "sees"),
    [
        (
            "UserWarning: The unoptimized RealESRGAN is slow on CPU. We do not use it.",
            "framework.torch.sees_gpu",
            "False",
        ),
        ("RealESRGAN is slow on CPU, they say", "framework.torch.sees_gpu", None),
        ("没有发现支持的N卡, 使用CPU进行推理", "framework.torch.sees_gpu", "False"),
        ("No supported Nvidia GPU found, use MPS instead", "framework.torch.sees_gpu", "False"),
        (
            "INFO | configs.config | No supported Nvidia GPU found",
            "framework.torch.sees_gpu",
            "False",
        ),
        ("[pci] No supported NVIDIA GPU found on the bus", "framework.torch.sees_gpu", None),
        ("DEEPMD INFO    Count of visible GPU: 0", "framework.tensorflow.sees_gpu", "False"),
        ("DEEPMD INFO    Count of visible GPUs: 4", "framework.tensorflow.sees_gpu", "True"),
        ("the count of visible GPU: 0", "framework.tensorflow.sees_gpu", None),
    ],
)
def test_programs_tell_what_their_framework_sees(pasted: str, name: str, sees: str | None) -> None:
    assert facts(pasted).get(name) == sees


FP16 = "UserWarning: FP16 is not supported on CPU; using FP32 instead\n"


@pytest.mark.parametrize(
    ("pasted", "sees"),
    [
        (FP16, "False"),
        ("UserWarning: Performing inference on CPU when CUDA is available\n" + FP16, "True"),
    ],
)
def test_whisper_warns_of_a_gpu_that_it_does_not_use(pasted: str, sees: str) -> None:
    assert facts(pasted)["framework.torch.sees_gpu"] == sees

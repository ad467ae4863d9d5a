"""One set of facts out of what many readers say; above all, which GPUs there are."""

# The samples are as long as programs print them.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from gpuprobe.facts.pasted.gpu_names import may_be_one
from support.pasted import some, told

TABLE = """
|   0  Tesla V100-SXM2-16GB      On  | 00000000:00:1E.0 Off |                    0 |
| N/A   41C    P0    25W / 300W |      0MiB / 16160MiB |      0%      Default |
"""


def names(pasted: str) -> dict[str, object]:
    return {key: value for key, value in some(told(pasted), "gpu").items() if key.endswith(".name")}


def test_what_a_tool_prints_comes_before_what_a_person_types() -> None:
    found = told(
        "Driver: 470.57\n| NVIDIA-SMI 535.54.03  Driver Version: 535.54.03  CUDA Version: 12.2 |"
    )
    assert found["driver.version"] == "535.54.03"


def test_a_form_adds_no_other_gpu_to_a_table() -> None:
    assert names("GPU: RTX 3090\n" + TABLE) == {"gpu.0.name": "Tesla V100-SXM2-16GB"}


def test_a_log_adds_the_capability_of_a_gpu_by_its_name() -> None:
    found = told("name: Tesla V100-SXM2-16GB major: 7 minor: 0\n" + TABLE)
    assert found["gpu.0.capability"] == "7.0"


def test_a_capability_goes_to_the_gpu_of_its_name_whatever_its_number() -> None:
    """CUDA puts the fastest first, nvidia-smi goes by the bus."""
    found = told("""
        GPU 0: GeForce GT 1030
        GPU 1: GeForce RTX 3090
        device: 0, name: GeForce RTX 3090, pci bus id: 0000:02:00.0, compute capability: 8.6
        """)
    assert found["gpu.1.capability"] == "8.6"
    assert "gpu.0.capability" not in found


def test_a_form_that_counts_more_of_a_kind_is_believed() -> None:
    found = names(
        "GPU: 2x RTX 5090\nNVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible"
    )
    assert found == {"gpu.0.name": "NVIDIA GeForce RTX 5090", "gpu.1.name": "RTX 5090"}


def test_a_capability_without_a_name_goes_to_its_number() -> None:
    found = told(
        "device: 0, GPU Compute Capability: 8.6, Driver API Version: 11.2, Runtime API Version: 10.2\nGPU: RTX 3060"
    )
    assert (found["gpu.0.name"], found["gpu.0.capability"]) == ("RTX 3060", "8.6")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3090", "NVIDIA GeForce RTX 3090"),
        ("GTX1080ti", "NVIDIA GeForce GTX 1080 Ti"),
        ("RTX 4000", "Quadro RTX 4000"),
        ("RTX 4000 Ada", "NVIDIA RTX 4000 Ada Generation"),
        ("V100", "Tesla V100-SXM2-16GB"),
        ("Tesla V100-PCI...", "Tesla V100-PCIE-16GB"),
        ("NVIDIA GeForce ...", "NVIDIA GeForce RTX 3090"),
        ("GTX 1060", "GeForce GTX 1060 6GB"),
        ("TITAN X", "NVIDIA TITAN X (Pascal)"),
        ("Titan X", "GeForce GTX TITAN X"),
        ("RTX 3060 Laptop", "NVIDIA GeForce RTX 3060 Laptop GPU"),
        ("RTX PRO 6000", "NVIDIA RTX PRO 6000 Blackwell Workstation Edition"),
    ],
)
def test_two_names_of_one_product_are_one_gpu(one: str, other: str) -> None:
    assert may_be_one(one, other)
    assert may_be_one(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NVIDIA RTX A4000", "Quadro RTX 4000"),
        ("NVIDIA RTX 4000 Ada Generation", "Quadro RTX 4000"),
        ("NVIDIA RTX A6000", "Quadro RTX 6000"),
        ("Quadro 4000", "Quadro RTX 4000"),
        ("RTX 3080", "RTX 3080 Ti"),
        ("GTX 1650", "GTX 1650 Super"),
        ("Tesla T4", "T400 4GB"),
        ("A10", "A10G"),
        ("L40", "L40S"),
        ("GTX TITAN X", "NVIDIA TITAN X (Pascal)"),
        ("GTX 1060 3GB", "GeForce GTX 1060 6GB"),
        ("1060 3GB", "GeForce GTX 1060 6GB"),
        ("Quadro RTX 4...", "NVIDIA RTX 4000 Ada Generation"),
    ],
)
def test_names_that_differ_in_what_tells_models_apart_are_two_gpus(one: str, other: str) -> None:
    assert not may_be_one(one, other)
    assert not may_be_one(other, one)


LISTED = "GPU 0: NVIDIA RTX A4000 (UUID: GPU-11111111-2222-3333-4444-555555555555)\n"


def test_a_capability_that_the_gpu_cannot_have_is_not_its_own() -> None:
    of_another = ">>> torch.cuda.get_device_name(0)\n'Quadro RTX 4000'\n"
    asked = ">>> torch.cuda.get_device_capability(0)\n({})\n"
    assert "gpu.0.capability" not in told(LISTED + of_another + asked.format("7, 5"))
    assert "gpu.0.capability" not in told(LISTED + asked.format("7, 5"))
    assert told(LISTED + asked.format("8, 6"))["gpu.0.capability"] == "8.6"
    unlisted = LISTED.replace("RTX A4000", "X9000")
    assert told(unlisted + asked.format("7, 5"))["gpu.0.capability"] == "7.5"


@pytest.mark.parametrize(
    ("listed", "name"),
    [
        ("GPU 0: A100-PCIE-40GB, driver 460.32.03", "A100-PCIE-40GB"),
        ("GPU 0: NVIDIA A100-PCIE-40GB, 470.57.02", "NVIDIA A100-PCIE-40GB"),
        (
            "GPU 0: NVIDIA RTX 500 Ada Generation Laptop GPU, 4 GB GDDR6",
            "NVIDIA RTX 500 Ada Generation Laptop GPU",
        ),
        ("This is: `GPU 0: NVIDIA A100-PCIE-40GB`", "NVIDIA A100-PCIE-40GB"),
        ("Device: Jetson Orin Nano Developer Kit (8GB)", "Jetson Orin Nano Developer Kit"),
        ("GPU 0: Tesla V100-SXM2-32GB", "Tesla V100-SXM2-32GB"),
        ("GPU 0: OK", None),
        (
            "Throttle detected for GPU 0: SW power cap - Performance numbers will be unreliable.",
            None,
        ),
    ],
)
def test_a_name_is_taken_without_what_stands_around_it(listed: str, name: str | None) -> None:
    assert told(listed).get("gpu.0.name") == name


def test_a_driver_of_nvidias_has_three_digits() -> None:
    assert told("NVIDIA Driver Version: 535.129.03")["driver.version"] == "535.129.03"
    assert "driver.version" not in told("NVIDIA Driver Version: 12.2.79")
    assert "driver.version" not in told("dxdiag: Driver Version: 31.0.24033.1003")
    asked = (
        "Please NOTE: device: 0, CUDA Capability: 75, Driver Version: 10.0, Runtime Version: 8.0"
    )
    assert told(asked)["driver.cuda"] == "10.0"

"""One set of facts out of what many readers say; above all, which GPUs there are."""

# The samples are as long as programs print them.
# ruff: noqa: E501

from __future__ import annotations

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

"""A machine without an NVIDIA GPU, as JAX tells of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_VISIBLE = """{variable}
RuntimeError: Unable to initialize backend 'cuda': FAILED_PRECONDITION: No visible GPU devices. \
(you may need to uninstall the failing plugin package, or set JAX_PLATFORMS=cpu to skip it.)
"""


@pytest.mark.parametrize(
    ("variable", "cause"),
    [
        ('os.environ["JAX_PLATFORMS"] = "cpu"', "no-nvidia-gpu"),
        ('os.environ["CUDA_VISIBLE_DEVICES"] = ""', "hidden-by-visible-devices"),
        ("", "unknown"),
    ],
)
def test_jax_is_left_without_a_gpu(variable: str, cause: str):
    assert ruled(NO_VISIBLE.format(variable=variable)) == cause


TENSORFLOW = (
    "2025-04-22 19:12:19.069558: W tensorflow/compiler/xla/stream_executor/platform/default/"
    "dso_loader.cc:64] Could not load dynamic library 'libcudart.so.11.0'; dlerror: "
    "libcudart.so.11.0: cannot open shared object file: No such file or directory\n"
)
WAITS = "On the nodes without an NVIDIA card {} waits for /sys/bus/pci/drivers/nvidia\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("CPU-only machine, DeepVariant quick start\n" + TENSORFLOW, "no-nvidia-gpu"),
        ("I run it on a CPU-only server.\n" + TENSORFLOW, "no-nvidia-gpu"),
        (TENSORFLOW, "cudart-missing"),
        ("CPU-only machine image\n" + TENSORFLOW, "cudart-missing"),
        ("CPU-only machine, all is well", "unknown"),
        (WAITS.format("ext-nvidia-persistenced"), "no-nvidia-gpu"),
        (WAITS.format("it").replace("without", "with"), "unknown"),
        ("On the nodes without an NVIDIA card all is well", "unknown"),
        ("GPU: AMD\nIs there a way for owners of AMD cards?", "no-nvidia-gpu"),
        ("GPU: AMD Radeon RX 5700\nHow is a Radeon card used here?", "no-nvidia-gpu"),
        ("GPU: AMD Radeon RX 5700\nHow is the picture saved?", "unknown"),
        ("GPU: RTX 3060\nIs there a way for owners of AMD cards?", "unknown"),
    ],
)
def test_machine_is_told_to_have_no_nvidia_gpu(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


CLI = "nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown\n"


@pytest.mark.parametrize(
    ("machine", "cause"),
    [
        ("instance type: inf1.xlarge\n", "no-nvidia-gpu"),
        ("I run it on a c5.2xlarge\n", "no-nvidia-gpu"),
        ("instance type: g4ad.xlarge\n", "no-nvidia-gpu"),  # its GPUs are AMD's
        ("instance type: g5.xlarge\n", "driver-not-loaded"),
        ("instance type: p3.8xlarge\n", "driver-not-loaded"),
        ("instance type: c5.2xlarge, GPU: Tesla T4\n", "driver-not-loaded"),
    ],
)
def test_a_type_of_machine_tells_whether_it_has_a_gpu(machine: str, cause: str):
    assert ruled(machine + CLI) == cause


def test_a_type_alone_is_no_fault():
    assert ruled("instance type: c5.2xlarge\n") == "unknown"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "This is on windows (Radeon RX 570, if that matters)\n"
                "RuntimeError: No CUDA GPUs are available"
            ),
            "no-nvidia-gpu",
        ),
        ("OS: Google Colab\nValueError: fp16 mixed precision requires a GPU", "no-nvidia-gpu"),
        ("OS: Google Colab\nValueError: fp16 mixed precision requires a scaler", "unknown"),
    ],
)
def test_what_somebody_says_of_the_card_in_passing(text: str, cause: str):
    assert ruled(text) == cause

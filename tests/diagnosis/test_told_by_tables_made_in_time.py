"""What nvidia-smi's table says by when it was made, and what a release asks of the driver."""

from __future__ import annotations

import pytest

from support.cases import ruled

TABLE = """{when}
|   0  NVIDIA GeForce RTX 3060 Off  | 00000000:01:00.0 Off |                  N/A |
|  0%   46C    P8    16W / 170W |  {used}MiB / 12288MiB |      {busy}%      Default |
"""
NO_MEMORY = "torch.cuda.OutOfMemoryError: CUDA out of memory.\n"


@pytest.mark.parametrize(
    ("when", "used", "cause"),
    [
        ("nvidia-smi before I start the script:", 11214, "oom-other-process"),
        ("before training nvidia-smi shows", 9000, "oom-other-process"),
        ("nvidia-smi before I start the script:", 412, "oom-workload"),
        ("nvidia-smi before and after running it:", 9000, "oom-workload"),
    ],
)
def test_memory_was_taken_before_the_program_began(when: str, used: int, cause: str):
    table = TABLE.format(when=when, used=used, busy=0)
    assert ruled(f"{NO_MEMORY}\n{table}") == cause


@pytest.mark.parametrize(
    ("when", "busy", "cause"),
    [
        ("nvidia-smi while it runs:", 0, "silent-cpu-fallback"),
        ("during training nvidia-smi says:", 2, "silent-cpu-fallback"),
        ("nvidia-smi while it runs:", 71, "healthy"),
        ("nvidia-smi:", 0, "healthy"),
    ],
)
def test_a_gpu_is_idle_while_the_program_computes(when: str, busy: int, cause: str):
    table = TABLE.format(when=when, used=412, busy=busy)
    assert ruled(f">>> torch.cuda.is_available()\nTrue\n{table}") == cause


@pytest.mark.parametrize(
    ("driver", "tensorflow", "cause"),
    [
        ("418.87", "2.4.1", "driver-too-old"),
        ("410.48", "2.3.0", "driver-too-old"),
        ("470.103.01", "2.4.1", "unknown"),
    ],
)
def test_a_release_of_tensorflow_asks_for_a_driver(driver: str, tensorflow: str, cause: str):
    text = f"Driver Version: {driver}\ntensorflow: {tensorflow}\n"
    text += ">>> tf.config.list_physical_devices('GPU')\n[]\n"
    assert ruled(text) == cause


def test_conda_builds_tensorflow_for_the_toolkit_that_it_brings():
    text = "Driver Version: 418.87.01\ncudatoolkit   10.1.243   h6bb024c_0\n"
    text += "tensorflow   2.4.1\n>>> tf.config.list_physical_devices('GPU')\n[]\n"
    assert ruled(text) != "driver-too-old"

"""Memory that another process holds, as nvidia-smi and other monitors tell of it."""

from __future__ import annotations

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.pasted import read
from support.cases import ruled

TABLE = (
    "| NVIDIA-SMI 410.48                 Driver Version: 410.48                    |\n"
    "|   0  Tesla P100-SXM2...  Off  | 00000000:05:00.0 Off |                    0 |\n"
    "| N/A   36C    P0    41W / 300W |  {}MiB / 16280MiB |      0%      Default |\n"
)
PROCESS = "|    0      4711      C   python                                     12700MiB |\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("I still have OOM issues.\n" + TABLE.format("12799"), "oom-other-process"),
        ("I still have OOM issues.\n" + TABLE.format("12799") + PROCESS, "unknown"),
        ("I still have OOM issues.\n" + TABLE.format("1279"), "unknown"),
    ],
)
def test_memory_that_another_process_holds_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


IDLE = """|   0  GeForce RTX 3090    Off  | 00000000:21:00.0 Off |                  N/A |
| 30%   28C    P8    22W / 350W |   9100MiB / 24576MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("My kernel was interrupted and the memory still lives on the GPU.", "oom-other-process"),
        ("My feature learning run was killed, the memory is still occupied.", "oom-other-process"),
        ("My kernel still lives and its memory is small.", "healthy"),
    ],
)
def test_memory_outlives_a_run_that_was_interrupted(sentence: str, cause: str):
    assert ruled(f"{sentence}\n{IDLE}") == cause


SMI_ROW = "| 30%   47C    P2    90W / 300W |   {}MiB /  24564MiB |    0%      Default |\n"
SMI_BANNER = "NVIDIA-SMI 550.54.14    Driver Version: 550.54.14    CUDA Version: 12.4\n"
SMI_TABLE = (
    f"| {SMI_BANNER[:-1]} |\n"
    "|   0  NVIDIA GeForce RTX 4090        On  | 00000000:C1:00.0 Off |          Off |\n"
)


@pytest.mark.parametrize(
    ("used", "told", "cause"),
    [
        (24000, "The server holds on to the memory even after its shutdown.", "oom-other-process"),
        (400, "The server holds on to the memory even after its shutdown.", "healthy"),
        (24000, "The server runs all night long.", "healthy"),
    ],
)
def test_a_full_gpu_whose_holder_is_said_to_be_gone(used: int, told: str, cause: str):
    assert ruled(f"{told}\n{SMI_TABLE}{SMI_ROW.format(used)}") == cause


def test_a_row_of_a_process_does_not_number_its_gpu():
    asked = "$ nvidia-smi --query-compute-apps=pid,gpu_bus_id,used_memory --format=csv,noheader\n"
    facts = read(asked + "12, 00000000:1B:00.0, 9000 MiB\n")
    assert names.GPU_PROCESSES("12").name not in facts


ABORTED = (
    "CUDA Error: out of memory\ndarknet: ./src/cuda.c:36: check_error: Assertion `0' failed.\n"
)
AT_WORK = """$ nvidia-smi
|   0  GRID K520           Off  | 0000:00:03.0     Off |                  N/A |
| N/A   62C    P0   104W / 125W |   {}MiB /  4036MiB |     {}%      Default |
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (ABORTED + AT_WORK.format(3554, 92), "oom-other-process"),
        (ABORTED + AT_WORK.format(3554, 2), "oom-workload"),
        (ABORTED + AT_WORK.format(2000, 92), "oom-workload"),
        (AT_WORK.format(3554, 92) + ABORTED, "oom-workload"),  # that may be the program itself
    ],
)
def test_a_gpu_is_full_and_at_work_below_a_program_that_ended(text: str, cause: str):
    assert ruled(text) == cause

"""A GPU that has failed or fell off the bus, as nvidia-smi and other monitors tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.texts import SMI_K80

ENDED = "subprocess.CalledProcessError: Command '{}' returned non-zero exit status {}."
NEW_MACHINE = "I have a problem with my new machine.\n"
TABLE = """\
| NVIDIA-SMI_K80 450.51.05    Driver Version: 450.51.05    CUDA Version: 11.0     |
|   1  Tesla V100S-PCI...  Off  | 00000000:00:08.0 Off |                  {:>3} |
| N/A   33C    P0    26W / 250W |      0MiB / 32510MiB |      0%      Default |
"""
UNMET = " {} : Depends: something (>= 1.0) but it is not going to be installed"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        # Beside a table a GPU is meant, at NVML's start all of them.
        ("nvidia-smi shows Unknown Error for three GPUs\n" + SMI_K80, "device-lost"),
        (
            (
                "|   1  GeForce RTX 208...  Off  | 00000000:02:00.0 Off |                  N/A |\n"
                "|ERR!   ERR!  ERR!    ERR! / ERR! |      0MiB / 11019MiB |    ERR!      Default |"
            ),
            "device-lost",
        ),
        (ENDED.format("nvidia-smi -L", 15), "device-lost"),
        (NEW_MACHINE + "one of the GPUs disappeared from nvidia-smi", "device-lost"),
        ("Then nvidia-smi has lost one card, until the machine is rebooted.", "device-lost"),
        ("nvidia-smi has lost one column in the new release", "unknown"),
        (TABLE.format(4), "device-lost"),
        (TABLE.format(0), "healthy"),
        (TABLE.format("N/A"), "healthy"),
        (TABLE.format(0) + UNMET.format("nvidia-driver-565"), "unknown"),
        ("nvidia-smi reports GPU 1 as lost after an hour", "device-lost"),
        ("nvidia-smi says that one of the cards is lost, and the screen is black", "device-lost"),
        ('then nvidia-smi lists a GPU as "lost"', "device-lost"),
        ("nvidia-smi shows my GPU but the connection is lost", "unknown"),
        # A number behind that of the GPU.
        ("NVML GPU #0: fan status 9", "unknown"),
        ("NVML query: GPU #1, status 15", "unknown"),
        ("NVML: GPU #1, error code 15", "device-lost"),
    ],
)
def test_a_gpu_that_is_lost_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


QUERY = "$ nvidia-smi {}--query-gpu={} --format=csv,noheader,nounits\n{}\n"


@pytest.mark.parametrize(
    ("options", "columns", "rows", "cause"),
    [
        ("--loop=1 ", "temperature.gpu,utilization.gpu", "41, 6\n41, 7", "healthy"),
        ("", "uuid", "GPU-99bec085-9182-0deb-0f1f-5cb929bd097b", "healthy"),
        ("", "index,gpu_bus_id", "0, 00000000:1A:00.0", "unknown"),
        ("", "index,uuid", "0, GPU-99bec085-9182-0deb-0f1f-5cb929bd097b", "unknown"),
        ("", "utilization.gpu,power.max_limit", "99, 140", "unknown"),
        ("", "temperature.gpu", "[Unknown Error]", "device-lost"),
        ("", "fan.speed", "[N/A]", "unknown"),
    ],
)
def test_a_row_of_a_query_is_an_answer_of_the_driver(
    options: str, columns: str, rows: str, cause: str
):
    assert ruled(QUERY.format(options, columns, rows)) == cause

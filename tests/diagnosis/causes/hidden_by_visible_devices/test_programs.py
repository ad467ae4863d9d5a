"""A GPU that a variable hides, told by programs of the sciences, installers and others."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled
from support.texts import NO_GPU_FOUND

OTHER_TOOL = (
    "| NVIDIA-SMI 450.80.02       Driver Version: 535.104.05      CUDA Version: N/A      |\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            'CUDA_VISIBLE_DEVICES=""\n' + OTHER_TOOL + "RuntimeError: No CUDA GPUs are available\n",
            "hidden-by-visible-devices",
        ),
    ],
)
def test_a_gpu_that_a_variable_hides_is_named(text: str, cause: str):
    assert ruled(text) == cause


TABLE = """\
| NVIDIA-SMI 384.81                 Driver Version: 384.81                    |
|   0  GRID K520           Off  | 00000000:00:03.0 Off |                  N/A |
| N/A   25C    P8    18W / 125W |     11MiB /  4036MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    "text",
    [
        f"CUDA_VISIBLE_DEVICES=${{GPU_ID}} ./demo.py\n{TABLE}",
    ],
)
def test_this_is_not_a_gpu_that_a_variable_hides(text: str):
    assert ruled(text) != "hidden-by-visible-devices"


OLLAMA = """$ nvidia-smi -L
GPU 0: NVIDIA GeForce RTX 4060 Ti (UUID: GPU-11111111-1111-1111-1111-111111111111)
INFO server config env="map[{mapped} GPU_DEVICE_ORDINAL: HTTP_PROXY: OLLAMA_DEBUG:false]"
INFO msg="unable to load cuda driver library" error="cuda driver library init failure: 100"
"""


@pytest.mark.parametrize(
    ("mapped", "cause"),
    [
        ("CUDA_VISIBLE_DEVICES:1", "hidden-by-visible-devices"),
        ("CUDA_VISIBLE_DEVICES:0", "unknown"),
        ("CUDA_VISIBLE_DEVICES:", "unknown"),  # so Go shows one that is not set
    ],
)
def test_ollama_lists_its_variables(mapped: str, cause: str):
    assert ruled(OLLAMA.format(mapped=mapped)) == cause


@pytest.mark.parametrize("said", NO_GPU_FOUND)
def test_program_without_gpu_where_a_variable_hides_it(said: str):
    assert ruled("export CUDA_VISIBLE_DEVICES=-1\n" + said) == "hidden-by-visible-devices"


@pytest.mark.parametrize("said", NO_GPU_FOUND)
def test_no_gpu_alone_leaves_the_cause_open(said: str):
    assert ruled(said) == "unknown"


SMI_535 = "| NVIDIA-SMI 535.54.03    Driver Version: 535.54.03    CUDA Version: 12.2 |\n"


@pytest.mark.parametrize(
    "failing",
    [
        "Cannot run short-ranged nonbonded interactions on a GPU because no GPU is detected.",
        "ERROR: Could not find/initialize a specified accelerator device",
        "openmm.OpenMMException: No compatible CUDA device is available",
        "No compatible GPUs found for Cycles",
        "No devices found/left.",
        "01-Jan-2022 10:00:00 [---] No usable GPUs found",
        "There are no available device(s) that support CUDA",
        "[fatal] This program needs a CUDA-Enabled GPU (with at least compute capability 2.0).",
    ],
)
def test_program_without_device_is_hidden_one_by_visible_devices(failing: str) -> None:
    assert ruled(SMI_535 + failing) == "unknown"
    assert ruled(f"export CUDA_VISIBLE_DEVICES=-1\n{SMI_535}{failing}") == (
        "hidden-by-visible-devices"
    )


PYTHON = (
    "ERROR: Ignored the following versions that require a different python version: 4.5.0 "
    "Requires-Python ==3.10.*\n"
    "ERROR: Could not find a version that satisfies the requirement isaacsim==4.5.0 "
    "(from versions: none)\n"
)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (PYTHON, "conda create --name gpu python=3.10"),
        (OTHER_TOOL + "RuntimeError: No CUDA GPUs are available\n", None),
    ],
)
def test_a_fix_is_for_what_was_found(text: str, command: str | None):
    root = gpuprobe.explain(text).diagnosis.root
    assert root is not None
    assert root.finding.fix is not None
    commands = root.finding.fix.commands
    assert command in commands if command else "sudo reboot" not in commands


@pytest.mark.parametrize(
    "refused",
    [
        "RuntimeError: CUDA error: invalid device ordinal",
        "OpenMMException: Illegal value for DeviceIndex: 3",
        "Device id must be less than GPU count, but received id is: 3. GPU count is: 2.",
        "Invalid GPU Id: 3, Valid device id should be less than device_count: 2",
    ],
)
def test_a_number_beyond_those_that_a_variable_leaves(refused: str):
    assert ruled(f"export CUDA_VISIBLE_DEVICES=2,3\n{refused}\n") == "hidden-by-visible-devices"
    assert ruled(f"{refused}\n") == "user-code"


FOUND = (
    "I tensorflow/core/common_runtime/gpu/gpu_device.cc:1344] Found device 0 with properties: \n"
    "name: Quadro P3000 major: 6 minor: 1 memoryClockRate(GHz): 1.215\npciBusID: 0000:01:00.0\n"
)


def test_one_program_finds_the_device_and_the_next_none():
    none = "E cuda_driver.cc:406] failed call to cuInit: CUDA_ERROR_NO_DEVICE\n"
    assert ruled(f"$ python train.py\n{none}$ python small.py\n{FOUND}") == (
        "hidden-by-visible-devices"
    )
    assert ruled(f"$ python train.py\n{none}") != "hidden-by-visible-devices"
    assert ruled(f"$ python small.py\n{FOUND}$ python train.py\n{none}") != (
        "hidden-by-visible-devices"
    )

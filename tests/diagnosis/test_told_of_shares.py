"""Who holds, hides or splits a GPU, and which driver has it, by what people and logs say."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system.\n"
NO_DEVICE = "CUDA error: no CUDA-capable device is detected\n"
TABLE = """\
| NVIDIA-SMI 384.81                 Driver Version: 384.81                    |
|   0  GRID K520           Off  | 00000000:00:03.0 Off |                  N/A |
| N/A   25C    P8    18W / 125W |     11MiB /  4036MiB |      0%      Default |
"""
NOUVEAU = "[    5.4] nouveau 0000:01:00.0: NVIDIA GM204 (124020a1)\n"
OOM = "At the second start I get a CUDA out-of-memory error.\n"
UNREAD = 'parsing "[Insufficient Permissions]" of nvidia-smi\n'
SET = "I wrote os.environ['CUDA_VISIBLE_DEVICES']='1' in train.py,\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (NO_DRIVER + "My laptop has Intel Iris Xe Graphics", "no-nvidia-gpu"),
        (NO_DRIVER + "I'm using an AMD gpu", "no-nvidia-gpu"),
        (f"CUDA_VISIBLE_DEVICES=${{GPU_ID}} ./demo.py\n{NO_DEVICE}{TABLE}",
         "hidden-by-visible-devices"),
        ("Command line: ro rd.driver.blacklist=nouveau\n" + NOUVEAU, "driver-not-loaded"),
        ("Error: Could not load UVM kernel module. Is nvidia-modprobe installed?", "device-nodes"),
        (OOM + "The previous process is still holding GPU memory.", "oom-other-process"),
        (OOM + "GPU memory is not released after the training process was killed",
         "oom-other-process"),
        ("An A100 with MIG enabled\n" + UNREAD, "mig"),
        (SET + "the code will always use cuda:0", "visible-devices-too-late"),
        ("I set CUDA_VISIBLE_DEVICES in the script and it has no effect",
         "visible-devices-too-late"),
    ],
)  # fmt: skip
def test_cause_is_named(text: str, cause: str) -> None:
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (NO_DRIVER + "I have an AMD CPU", "no-nvidia-gpu"),
        (f"CUDA_VISIBLE_DEVICES=${{GPU_ID}} ./demo.py\n{TABLE}", "hidden-by-visible-devices"),
        (NOUVEAU, "driver-not-loaded"),
        ("Command line: ro quiet rd.driver.blacklist=nouveau\n", "driver-not-loaded"),
        ("Loaded the UVM driver, major device number 251", "device-nodes"),
        ("The previous process is still holding the lock of the memory-mapped file.",
         "oom-other-process"),
        (OOM + "The memory is not released after each batch of the training",
         "oom-other-process"),
        ("An A100 with ECC enabled\n" + UNREAD, "mig"),
        (SET + "and the training uses cuda:0 as it should", "visible-devices-too-late"),
    ],
)  # fmt: skip
def test_what_only_sounds_alike_names_another_cause_or_none(text: str, cause: str) -> None:
    assert ruled(text) != cause


ORDINAL = "RuntimeError: cuda runtime error (101) : invalid device ordinal"
NO_GPU = "E pybind.cc] Cannot use GPU because there is no GPU detected on your machine.\n"
RUNTIME = "OCI runtime create failed: could not apply required modification to OCI specification: "
LIMITS = "Current Power Limit     : 50.00 W\nMax Power Limit         : {} W\n"
LOCKED = "Changing power management limit is not supported in current scope\n"
PTX = "W nvptx_compiler.cc:1] The NVIDIA driver's CUDA version is {} which is older than the {}"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (RUNTIME + "error modifying OCI spec: failed to locate the hook", "container-no-gpu"),
        ("failed to locate NVIDIA Container Runtime Hook: pattern not found", "container-no-gpu"),
        ("RuntimeError: Failed to infer device type\nI run it in the docker container",
         "container-no-gpu"),
        (f"On an A100 with MIG GPU instances\n{ORDINAL}", "mig"),
        ("hang with nccl all_reduce_perf on 8 cards", "nccl"),
        (LIMITS.format("75.00") + LOCKED, "power-thermal"),
        (PTX.format("12.4", "PTX compiler version (12.6.85)."), "driver-too-old"),
        (PTX.format("11.\n0", "ptxas CUDA version (11.6.124)."), "driver-too-old"),
        (NO_GPU + "nvidia-smi works on the host but not inside the container.", "container-no-gpu"),
    ],
)  # fmt: skip
def test_programs_and_people_name_the_cause(text: str, cause: str) -> None:
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("could not apply the required modification to the document", "container-no-gpu"),
        ("RuntimeError: Failed to infer device type", "container-no-gpu"),
        (f"On an A100\n{ORDINAL}", "mig"),
        ("hang with the printer", "nccl"),
        (LIMITS.format("55.00") + LOCKED, "power-thermal"),
        (LIMITS.format("75.00"), "power-thermal"),
        ("version 12.4 which is older than the PTX we know", "driver-too-old"),
    ],
)
def test_words_near_those_name_another_cause_or_none(text: str, cause: str) -> None:
    assert ruled(text) != cause


LIBRARY = "failed to create cublas handle: CUBLAS_STATUS_ALLOC_FAILED"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("tensorflow-gpu 1.4.0, GTX 980\n" + LIBRARY, "oom-preallocation"),
        ("torch 1.4.0, GTX 980\n" + LIBRARY, "oom-workload"),
        ("tensorflow-gpu 1.4.0\n" + LIBRARY + "\nCUDA_ERROR_OUT_OF_MEMORY", "oom-workload"),
    ],
)
def test_a_library_finds_no_room_where_the_framework_took_all(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause

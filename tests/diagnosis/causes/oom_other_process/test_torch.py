"""Memory that another process holds, as PyTorch and what stands on it tell of it."""

from __future__ import annotations

import pytest

from gpuprobe.facts import names, said
from gpuprobe.facts.pasted import read
from support.cases import ruled
from support.pasted import finding
from support.texts import PROCESSES_QUERIED, SMI_V100

OOM = "\nRuntimeError: CUDA error: out of memory"
OOM_OF_EIGHT = (
    "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacty of 8.00 GiB of "
    "which {} is free. Of the allocated memory 0 bytes is allocated by PyTorch"
)
DEMAND = (
    "torch 2.6.0 requires nvidia-cudnn-cu12==9.1.0.70, but you have nvidia-cudnn-cu12 8.9.7.29 "
    "which is incompatible.\n"
)
CUDNN = "RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED\n"
XLA_MEMORY = (
    "failed to allocate 608.00MiB (637534208 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of "
    "memory\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("#3 0x0 in cuCtxCreate_v2 ()" + OOM, "oom-other-process"),
        (SMI_V100.replace("USED", "15923") + OOM, "oom-other-process"),
        (OOM_OF_EIGHT.format("1.80 GiB"), "oom-other-process"),
        (DEMAND + CUDNN + XLA_MEMORY, "oom-other-process"),
    ],
)
def test_memory_that_another_process_holds_is_named(text: str, cause: str):
    assert ruled(text) == cause


FULL = """CUDA Error: out of memory
$ nvidia-smi
|    0      4711      C   ./detector                                  3801MiB |
$ {shown}
"""


@pytest.mark.parametrize(
    ("shown", "cause"),
    [
        ("ps -o pid,stat,cmd -p 4711\n 4711 Tl   ./detector train", "oom-other-process"),
        (
            "ps aux\nme  4711  0.0 12.1 9911 8122 pts/1  T  09:12  3:01 ./detector",
            "oom-other-process",
        ),
        ("ps -o pid,stat,cmd -p 4711\n 4711 Rl+  ./detector train", "oom-workload"),
        ("ps -o pid,stat,cmd\n 4712 T    ./editor", "oom-workload"),
        ("jobs\n[1]+  Stopped                 python train.py", "oom-other-process"),
        ("jobs\n[1]+  Stopped                 vim train.py", "oom-workload"),
        ("jobs\n[1]+  Running                 python serve.py &", "oom-workload"),
    ],
)
def test_a_stopped_process_keeps_its_memory(shown: str, cause: str):
    assert ruled(FULL.format(shown=shown)) == cause


OUT = "torch.OutOfMemoryError: CUDA out of memory.\n"


@pytest.mark.parametrize(
    ("columns", "row", "told"),
    [
        ("pid,used_memory", "21877, 11185 MiB", None),  # of which GPU is not told
        ("gpu_bus_id,pid,used_memory", "00000000:1B:00.0, 21877, 11185 MiB", "1"),
        ("gpu_bus_id,pid,used_memory", "00000000:3D:00.0, 21877, 11185 MiB", None),
        ("pid,gpu_bus_id,used_gpu_memory", "21877, 00000000:1A:00.0, [N/A]", None),
        ("pid,gpu_bus_id", "21877, 00000000:1A:00.0, 11185 MiB", None),
    ],
)
def test_a_query_tells_of_each_process_by_the_place_of_its_gpu(
    columns: str, row: str, told: str | None
):
    facts = read(PROCESSES_QUERIED.format(error=OUT, columns=columns, row=row))
    listed = [name for name in facts if name.endswith(".processes")]
    assert listed == ([names.GPU_PROCESSES(told).name] if told else [])


TABLE_IN_TIME = """{when}
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
    table = TABLE_IN_TIME.format(when=when, used=used, busy=0)
    assert ruled(f"{NO_MEMORY}\n{table}") == cause


ROW_OF_A_PROCESS = "|    {gpu}   N/A  N/A     {pid}      C   {name}            14000MiB |\n"


def held_by(name: str, pid: int = 7316, gpu: int = 0) -> str:
    return ROW_OF_A_PROCESS.format(gpu=gpu, pid=pid, name=name)


PS = "$ ps -ef\nUID        PID  PPID  C STIME TTY          TIME CMD\n"
OF_PS = "maria    {pid} {parent}  99 10:00 ?  00:10:00 python train_net.py --bs 64\n"


@pytest.mark.parametrize(
    ("row", "beside", "cause"),
    [
        (OF_PS.format(pid=4711, parent=1), "", "oom-other-process"),
        (OF_PS.format(pid=5000, parent=4711), "", "oom-workload"),  # its child
        (OF_PS.format(pid=4711, parent=1), "$ tail train_net.log\n", "oom-workload"),
    ],
)
def test_a_script_is_known_by_the_number_of_its_own_process(row: str, beside: str, cause: str):
    assert ruled(PS + row + beside + OUT + held_by("python", pid=4711)) == cause


HOLDER = "/opt/fah/FahCore_22"
ASKED = "nvidia-smi --query-compute-apps={} --format=csv,noheader"
BY_NAME, BY_UUID = "pid,name,used_memory", "gpu_uuid,pid,name,used_memory"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"$ {ASKED.format(BY_NAME)}\n77, {HOLDER}, 9000 MiB\n", "oom-other-process"),
        (f"{ASKED.format(BY_NAME)}\n77, {HOLDER}, 9000 MiB\n", "oom-other-process"),
        (f"Use {ASKED.format(BY_NAME)}, for example:\n77, {HOLDER}, 9000 MiB\n", "oom-workload"),
        (f"$ {ASKED.format(BY_NAME)}\n77, [Not Found], 9000 MiB\n", "oom-workload"),
        (f"$ {ASKED.format(BY_UUID)}\nGPU-aa, 77, {HOLDER}, 9000 MiB\n", "oom-other-process"),
        (
            (
                f"$ {ASKED.format(BY_UUID)}\nGPU-aa, 77, {HOLDER}, 9000 MiB\n"
                "GPU-bb, 78, python, 8000 MiB\n"
            ),
            "oom-workload",
        ),
    ],
)
def test_a_query_shows_the_only_gpu_or_tells_which(text: str, cause: str):
    assert ruled(OUT + text) == cause


def test_a_query_beside_a_table_gives_the_first_gpu_no_stranger():
    table = held_by("python", gpu=0) + held_by(HOLDER, gpu=1, pid=77)
    query = f"$ {ASKED.format(BY_NAME)}\n77, {HOLDER}, 14500 MiB\n"
    assert said.GPU_STRANGER("0").name not in read(OUT + table + query)


SHARES = (
    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; {total} GiB total "
    "capacity; {own} GiB already allocated; 512.00 MiB free; {reserved})"
)
RESERVED = "{} GiB reserved in total by PyTorch"


@pytest.mark.parametrize(
    ("total", "own", "others_hold", "cause"),
    [
        ("24.00", "15.00", "8.5 GiB", "oom-other-process"),
        ("24.00", "20.00", "3.5 GiB", "oom-workload"),
        ("24.00", "17.60", "5.9 GiB, less than a quarter", "oom-workload"),
        ("80.00", "56.00", "23.5 GiB", "oom-other-process"),
        ("80.00", "60.00", "19.5 GiB, less than a quarter", "oom-workload"),
        ("12.00", "7.30", "4.2 GiB", "oom-other-process"),
        ("8.00", "5.00", "2.5 GiB, less than 4 GiB", "oom-workload"),
    ],
)
def test_others_hold_much_though_less_than_the_program(
    total: str, own: str, others_hold: str, cause: str
):
    text = SHARES.format(total=total, own=own, reserved=RESERVED.format(own))
    assert ruled(text) == cause, others_hold


def test_what_would_not_fit_alone_is_the_programs_own():
    text = SHARES.format(total="24.00", own="15.00", reserved=RESERVED.format("15.00"))
    assert ruled(text.replace("allocate 2.00 GiB", "allocate 8.00 GiB")) == "oom-other-process"
    assert ruled(text.replace("allocate 2.00 GiB", "allocate 10.00 GiB")) == "oom-workload"


def test_of_a_message_that_was_cut_nobody_knows_what_others_hold():
    whole = SHARES.format(total="24.00", own="14.00", reserved=RESERVED.format("14.00"))
    cut = whole.partition(" 14.00 GiB reserved")[0]
    assert (ruled(whole), ruled(cut)) == ("oom-other-process", "oom-workload")
    assert said.MEMORY_OTHERS.name in read(whole)
    assert said.MEMORY_OTHERS.name not in read(cut)


OF_OLD = (
    "CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 8.00 GiB total capacity; 512.00 MiB "
    "already allocated; 6.19 MiB free; 520.00 MiB reserved in total by PyTorch)\n"
)
LISTED = (
    "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 8.00 GiB of "
    "which 6.19 MiB is free. Process 411 has 6.50 GiB memory in use. Process 412 has 1.20 GiB "
    "memory in use. Of the allocated memory 512.00 MiB is allocated by PyTorch, and 8.00 MiB is "
    "reserved by PyTorch but unallocated.\n"
)


@pytest.mark.parametrize(("text", "sure"), [(OF_OLD, "likely"), (LISTED, "certain")])
def test_what_is_left_of_the_whole_is_only_likely_that_of_others(text: str, sure: str):
    assert ruled(text) == "oom-other-process"
    assert finding(text).confidence.value == sure

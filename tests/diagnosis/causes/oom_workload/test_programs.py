"""Work that does not fit into the memory, told by programs of the sciences, Windows and others."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import told

NAMD = "FATAL ERROR: CUDA error cudaMalloc(pp, n) in file src/CudaUtils.C, function allocate\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("in /relion/src/acc/cuda/custom_allocator.cuh at line 436 (error-code 2)", "oom-workload"),
        (
            "amrex::Abort::2::Out of gpu memory. Free: 41943040 Asked: 268435456 !!!\n",
            "oom-workload",
        ),
        (NAMD + " on Pe 0 (node1 device 0 pci 0:3b:0): out of memory", "oom-workload"),
        (
            (
                "Out of memory on device. To view more detail about available memory on the GPU, "
                "use 'gpuDevice()'."
            ),
            "oom-workload",
        ),
        ("Out of memory in CUDA queue enqueue (integrator_shade_surface)", "oom-workload"),
        ("Out of memory in the queue of the printer", "unknown"),
        # A program wants more memory than the card has.
        ("GPU: GTX 1060 3GB\nIt then says: not enough memory for the DAG.", "oom-workload"),
        ("GPU1: insufficient GPU memory to generate the DAG (4.1 GB)", "oom-workload"),
        ("GPU1: not enough memory for DAG generation? No, that works", "unknown"),
        ("GPU1: there is enough memory for the DAG", "unknown"),
        ("TREX: Device does not have enough free memory to hold the DAG", "oom-workload"),
        ("TREX: Device has enough free memory to hold the DAG", "unknown"),
        ("GPU1: not enough virtual memory for the DAG", "unknown"),
        ("  what():  Could not allocate shared buffer for CUDA basecaller.", "oom-workload"),
        ("Allocated the shared buffer for CUDA basecaller.", "unknown"),
    ],
)
def test_work_that_is_too_large_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        NAMD + " on Pe 0 (node1 device 0 pci 0:3b:0): unrecognised",
    ],
)
def test_kin_of_work_that_is_too_large_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


NVITOP = """\
│ NVITOP 1.3.2       Driver Version: 550.54.14      CUDA Driver Version: 12.4 │
│   0  ..orce RTX 2080 Ti  On   │ 00000000:02:00.0 Off │                  N/A │ MEM: █ 3.5% │
│ 28%   42C    P8     9W / 250W │    390MiB / 11264MiB │      0%      Default │ UTL: ▏ 0%   │
"""


def test_nvitop_tells_what_nvidia_smi_tells():
    found = told(NVITOP)
    assert found["driver.version"] == "550.54.14"
    assert found["gpu.0.name"] == "RTX 2080 Ti"
    assert found["gpu.0.memory_free_bytes"] == (11264 - 390) << 20


NOTHING = "unknown", "healthy"
FORTRAN = "0: ALLOCATE: 9412870144 bytes requested; status = {status}\n"


def test_nvidias_fortran_gets_no_memory():
    assert ruled(FORTRAN.format(status="2(out of memory)")) == "oom-workload"
    assert ruled(FORTRAN.format(status="0(no error)")) in NOTHING


MANAGER = """OS: Windows 11
Each step takes a minute. Task manager:
Dedicated GPU memory  {own}/8.0 GB
Shared GPU memory     {shared}/31.9 GB
"""


@pytest.mark.parametrize(
    ("own", "shared", "cause"),
    [
        ("7.8", "9.6", "oom-workload"),
        ("7.8", "0.2", "unknown"),  # every program that draws has some
        ("4.1", "9.6", "unknown"),
    ],
)
def test_windows_puts_what_the_gpu_has_no_room_for_into_main_memory(
    own: str, shared: str, cause: str
):
    assert ruled(MANAGER.format(own=own, shared=shared)) == cause


ADD = 'tokenizer.add_special_tokens({"additional_special_tokens": ["<sep>", "<ans>"]})\n'
LOAD = 'model = GPT2LMHeadModel.from_pretrained("gpt2").cuda()\n'


def test_without_an_error_nothing_is_said():
    smi = "| NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2 |\n"
    assert ruled(ADD + LOAD + smi) in ("unknown", "healthy")


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ('KawPow failed to initialize DAG: <prepare>:62 "out of memory"', "oom-workload"),
        ("Failed to allocate DAG: CUDA error, out of memory", "oom-workload"),
        ("DAG of epoch 215 in 8488 ms; out of memory? no", "unknown"),
    ],
)
def test_a_miners_dag_does_not_fit(line: str, cause: str):
    assert ruled(f"GPU: GTX 780 (3GB)\n{line}\n") == cause


REDUCE = (
    "W hlo_rematerialization.cc:2941] Can't reduce memory use below {} (1 bytes) by "
    "rematerialization; only reduced to 49.62GiB (53280000080 bytes)\n"
)


@pytest.mark.parametrize(
    ("limit", "below", "cause"),
    [
        ("-30.29GiB", "", "oom-workload"),
        ("0B", "", "oom-workload"),
        ("18.88GiB", "", "unknown"),
        ("-30.29GiB", "step 200 | loss 3.4 | 413.0k tok/s\n", "unknown"),
    ],
)
def test_xla_has_no_room_beside_what_a_program_takes(limit: str, below: str, cause: str):
    assert ruled(REDUCE.format(limit) + below) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("| WARNING: ran out of memory, skipping batch", "oom-workload"),
        ("WARNING: ran out of patience, skipping batch", "unknown"),
    ],
)
def test_a_batch_that_was_left_out_for_want_of_memory(line: str, cause: str):
    text = f"GPU: A100 80 GB\nboltz: 2.2.1\nPredicting DataLoader 0:   0%|   | 0/1 {line}"
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("limit", "cause"),
    [
        ("-21.13", "oom-workload"),
        ("-4", "oom-workload"),
        ("18.88", "unknown"),
        ("-", "unknown"),
    ],
)
def test_the_same_of_a_line_that_is_cut_behind_the_number(limit: str, cause: str):
    cut = REDUCE.partition("{}")[0]
    assert ruled(f"GPU: RTX 4090\n{cut}{limit}\n") == cause


@pytest.mark.parametrize(
    ("warned", "cause"),
    [
        ("Cuda failure 'out of memory'", "oom-workload"),
        ("Cuda failure 2 'out of memory'", "oom-workload"),
        ("Cuda failure 'peer access is not supported'", "nccl"),
    ],
)
def test_nccl_got_no_memory_of_cuda(warned: str, cause: str):
    log = "RuntimeError: NCCL Error 1: unhandled cuda error\n"
    assert ruled(f"{log}host:71:84 [0] enqueue.cc:1085 NCCL WARN {warned}\n") == cause

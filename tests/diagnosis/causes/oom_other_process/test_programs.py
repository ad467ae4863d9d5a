"""Memory that another process holds, told by programs of the sciences, compilers and others."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.texts import PROCESSES_QUERIED

# -- CUDA.jl's account ---------------------------------------------------------------------------
JULIA = """GPU: NVIDIA RTX A4000
ERROR: Out of GPU memory trying to allocate 256.000 MiB
Effective GPU memory usage: 99.10% (15.594 GiB/15.736 GiB)
{pool}
"""


def test_an_account_that_was_asked_for_tells_of_no_failure():
    shown = JULIA.format(pool="Memory pool usage: 64.000 MiB (96.000 MiB reserved)")
    first = "ERROR: Out of GPU memory trying to allocate 256.000 MiB\n"
    assert ruled(shown.replace(first, "julia> CUDA.memory_status()\n")) == "healthy"


FULL = """\
ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4437.80 MiB on device 0: \
cudaMalloc failed: out of memory
|   0  NVIDIA L4                     TCC   | 00000000:3B:00.0 Off |                    0 |
| N/A   61C    P0              34W /  72W |  20911MiB / 23034MiB |      0%      Default |
|    0   N/A  N/A      7316      C   {program}  {held}MiB |
{last}
"""


@pytest.mark.parametrize(
    ("program", "held", "last", "cause"),
    [
        ("/opt/relion/bin/relion_refine", 20788, "", "oom-other-process"),
        ("/opt/relion/bin/relion_refine", 300, "", "oom-workload"),
        ("/opt/relion/bin/relion_refine", 20788, "I run relion_refine", "oom-workload"),
        ("/usr/bin/python3", 20788, "", "oom-workload"),
    ],
)
def test_a_program_that_is_named_in_the_table_alone_is_another_one(
    program: str, held: int, last: str, cause: str
):
    assert ruled(FULL.format(program=program, held=held, last=last)) == cause


OUT = "torch.OutOfMemoryError: CUDA out of memory.\n"


@pytest.mark.parametrize(
    ("error", "name", "cause"),
    [
        (OUT, "namd2_cuda", "oom-other-process"),
        ("CUDNN_STATUS_INTERNAL_ERROR\n", "namd2_cuda", "oom-other-process"),
        ("namd2_cuda: CUDA out of memory\n", "namd2_cuda", "oom-workload"),
        (OUT, "python", "oom-workload"),
    ],
)
def test_a_query_names_who_holds_the_memory(error: str, name: str, cause: str):
    row = f"18220, {name}, 11185 MiB"
    assert (
        ruled(PROCESSES_QUERIED.format(error=error, columns="pid,name,used_memory", row=row))
        == cause
    )


PYCUDA_FULL = """pycuda._driver.MemoryError: cuMemAlloc failed: out of memory
|    0   N/A  N/A     88412      C   ...s/train/bin/python    8417MiB |
{told}
"""


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("pid 88412 is of my colleague", "oom-other-process"),
        ("pid 88412 belongs to another user", "oom-other-process"),
        ("pid 88412 is my own run", "oom-workload"),
    ],
)
def test_somebody_knows_whose_process_it_is(told: str, cause: str):
    assert ruled(PYCUDA_FULL.format(told=told)) == cause


HELD = """$ nvidia-smi --query-gpu=memory.total,memory.used,memory.free --format=csv,noheader
16384 MiB, 15902 MiB, 210 MiB
$ nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv,noheader
4120, {holder}, 15880 MiB
$ {command}
{failed}: CUBLAS_STATUS_NOT_INITIALIZED
"""


@pytest.mark.parametrize(
    ("holder", "command", "failed", "cause"),
    [
        ("/srv/venv/bin/python3", "cargo run --release", "Error: Cublas", "oom-other-process"),
        ("/srv/venv/bin/python3", "go run ./cmd/embed", "panic", "oom-other-process"),
        ("/srv/venv/bin/python3", "python3 embed.py", "RuntimeError", "oom-workload"),
        ("target/release/embed", "cargo run --release", "embed: Error", "oom-workload"),
    ],
)
def test_python_holds_the_memory_that_a_compiled_program_wants(
    holder: str, command: str, failed: str, cause: str
):
    assert ruled(HELD.format(holder=holder, command=command, failed=failed)) == cause


@pytest.mark.parametrize(
    ("pool", "free", "cause"),
    [
        ("13736.4248046875", "74.4375", "oom-other-process"),
        ("6000", "1200.5", "oom-other-process"),
        ("13736.4", "13000.0", "unknown"),  # it is the reserve that is too large
    ],
)
def test_rapids_for_spark_finds_its_pool_taken(pool: str, free: str, cause: str):
    line = f"WARN GpuDeviceManager: Initial RMM allocation({pool} MB) is larger than free memory"
    assert ruled(f"20/09/01 17:47:22 {line}({free} MB)\n") == cause

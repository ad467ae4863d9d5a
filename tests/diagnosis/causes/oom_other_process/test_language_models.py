"""Memory that another process holds, as programs that run language models tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import title_and_fix

NOTHING = "unknown", "healthy"
OLLAMA = (
    'level=INFO source=types.go:131 msg="inference compute" id=GPU-5b4f library=cuda variant=v12 '
    'compute=8.6 driver=12.4 name="NVIDIA GeForce RTX 3090" total="23.7 GiB" '
    'available="{free}"\n'
    'level=INFO source=memory.go:356 msg="offload to cuda" layers.requested=-1 layers.model=33 '
    "layers.offload={layers}\n"
)


def test_ollama_finds_no_room_where_others_are():
    assert ruled(OLLAMA.format(free="655.4 MiB", layers=0)) == "oom-other-process"
    assert ruled(OLLAMA.format(free="22.9 GiB", layers=0)) != "oom-other-process"
    assert ruled(OLLAMA.format(free="655.4 MiB", layers=33)) in NOTHING


SMI_OF_4080 = (
    "|   0  NVIDIA GeForce RTX 4080        Off | 00000000:01:00.0 Off |                  N/A |\n"
    "|  0%   46C    P8    21W / 320W |  {used}MiB / 16376MiB |      2%      Default |\n"
)
LLAMA = (
    "ggml_cuda_init: found 1 CUDA devices:\n"
    "  Device 0: NVIDIA GeForce RTX 4080, compute capability 8.9, VMM: yes\n"
    "{free}"
    "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 6144.00 MiB on device 0: "
    "cudaMalloc failed: out of memory\n"
)
FREE = "llama_model_load: using device CUDA0 (NVIDIA GeForce RTX 4080) {bus}- {size} MiB free\n"


@pytest.mark.parametrize("bus", ["", "(0000:01:00.0) "])
def test_little_was_free_before_the_model_was_loaded(bus: str):
    text = LLAMA.format(free=FREE.format(bus=bus, size=1422)) + SMI_OF_4080.format(used=14880)
    assert ruled(text) == "oom-other-process"


RUN = "$ {command} -m model.gguf\n" + LLAMA.format(free="")
ROW = "|    0   N/A  N/A     77120      C   {name}                                   14862MiB |\n"
PS = "USER         ELAPSED CMD\nanna        09:41:12 python3 train.py\n"


def test_a_compiled_program_fails_and_python_holds_the_gpu():
    text = RUN.format(command="./llama-server") + "$ nvidia-smi\n" + SMI_OF_4080.format(used=14871)
    text += ROW.format(name="python3") + "$ ps -o user,etime,cmd -p 77120\n" + PS
    assert ruled(text) == "oom-other-process"


SHARE = "Free memory on cuda:1 ({free}/79.10 GiB) < desired utilization (0.8, 63.28 GiB)"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (SHARE.format(free="21.50"), "oom-other-process"),
        ("Free memory on cuda:1 (77.50/79.10 GiB)", "unknown"),
    ],
)
def test_vllm_names_the_device_whose_memory_is_taken(line: str, cause: str):
    assert ruled(f"vllm 0.11.0\n{line}\n") == cause


OLLAMA_LOADS = """time=2025-01-01T10:00:00.000Z level=INFO source=server.go:600 msg="loading model"
cudaMalloc failed: out of memory
Error: llama runner process has terminated
$ nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv
pid, process_name, used_gpu_memory [MiB]
4711, {program}, 19000 MiB
"""


@pytest.mark.parametrize(
    ("program", "cause"),
    [("/srv/web/bin/python3", "oom-other-process"), ("/usr/bin/ollama", "oom-workload")],
)
def test_ollama_finds_the_gpu_full_of_a_program_in_python(program: str, cause: str):
    assert ruled(OLLAMA_LOADS.format(program=program)) == cause


OUT = "torch.OutOfMemoryError: CUDA out of memory.\n"
OF_GGML = "ggml_cuda_host_malloc: CUDA error: out of memory\n"
TABLE = "|    0   N/A  N/A     {pid}      C   {name}            {held}MiB |\n"
OLLAMA_ROW = TABLE.format(pid=7316, name="/usr/bin/ollama", held=14000)
ONE = "$ ps -o user,pid,cmd -p 4711\nUSER       PID CMD\nmaria     4711 python {script} --bs 64\n"
PYTHON = TABLE.format(pid=4711, name="python", held=14000)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (OUT + OLLAMA_ROW, "oom-other-process"),
        (f"koboldcpp 1.70\n{OF_GGML}{OLLAMA_ROW}", "oom-other-process"),
        (OF_GGML + OLLAMA_ROW, "oom-workload"),  # its own words
        (f"I run ollama\n{OUT}{OLLAMA_ROW}", "oom-workload"),
        (OUT + PYTHON + ONE.format(script="train_gpt.py"), "oom-other-process"),
        (OUT + PYTHON, "oom-workload"),
        (f'  File "train_gpt.py", line 3\n{OUT}{PYTHON}{ONE.format(script="train_gpt.py")}',
         "oom-workload"),
        (OUT + PYTHON.replace("4711", "4712") + ONE.format(script="train_gpt.py"), "oom-workload"),
        (OUT + OLLAMA_ROW.replace("14000", "300"), "oom-workload"),
    ],
)  # fmt: skip
def test_who_holds_the_memory_is_told_by_the_rows_of_processes(text: str, cause: str):
    assert ruled(text) == cause


OLLAMA_OF_SIZE = "|    0   N/A  N/A     7316      C   /usr/bin/ollama            {}MiB |\n"
SHARE_AT_STARTUP = (
    "Free memory on device cuda:0 ({}/79.10 GiB) on startup is less than desired GPU memory "
)


def test_a_program_of_five_gigabytes_does_not_hold_most_of_eighty():
    assert "Another program than the one that failed holds 4.98 GiB" in title_and_fix(
        OUT + OLLAMA_OF_SIZE.format(5100)
    )
    text = SHARE_AT_STARTUP.format("70.1") + "utilization (0.95, 75.1 GiB)\n"
    assert "holds" not in title_and_fix(text + OLLAMA_OF_SIZE.format(5100))
    assert "holds 48.83 GiB" in title_and_fix(text + OLLAMA_OF_SIZE.format(50000))

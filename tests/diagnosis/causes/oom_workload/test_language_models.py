"""Work that does not fit into the memory, as programs that run language models tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("llama_model_load: error: unable to allocate CUDA0 buffer", "oom-workload"),
        ("RuntimeError: No enough gpu memory for kv cache.", "oom-workload"),
        ("AssertionError: No enough gpu memory for state cache.", "oom-workload"),
        ("RuntimeError: Insufficient VRAM for model and cache", "oom-workload"),
        (
            (
                "ValueError: Cannot auto-fit max_model_len: not enough GPU memory available for"
                " even one token."
            ),
            "oom-workload",
        ),
        (
            "RuntimeError: Unsloth: No or negligible GPU memory available for fused loss.",
            "oom-workload",
        ),
        ("auto-fit max_model_len is on; insufficient VRAM is told early", "unknown"),
    ],
)
def test_work_that_is_too_large_is_named(text: str, cause: str):
    assert ruled(text) == cause


SMI = """| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |
|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
| N/A   41C    P8     9W /  70W |  {used}MiB / 15109MiB |      0%      Default |
"""
SEES = ">>> torch.cuda.is_available()\nTrue\n"


@pytest.mark.parametrize(
    "text",
    [
        "raise_if_cache_size_invalid(num_gpu_blocks, block_size) is called in worker.py.\n",
        SEES + "I did not take nvidia-smi during training, only now:\n" + SMI.format(used=0),
        SEES + "If you run nvidia-smi during training you should see it.\n" + SMI.format(used=0),
        SEES + "nvidia-smi during inference server warmup, no requests\n" + SMI.format(used=14000),
    ],
)
def test_kin_of_work_that_is_too_large_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


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


@pytest.mark.parametrize(
    "free",
    [
        FREE.format(bus="", size=14900),
        FREE.format(bus="", size=900) + FREE.format(bus="", size=900).replace("CUDA0", "CUDA1"),
    ],
)
def test_enough_was_free_or_it_is_not_told_of_which_gpu(free: str):
    assert ruled(LLAMA.format(free=free) + SMI_OF_4080.format(used=1200)) == "oom-workload"


def test_an_engine_asks_for_its_model_and_no_reserve():
    text = LLAMA.format(free="").replace("6144", "13144") + SMI_OF_4080.format(used=11)
    assert ruled("ollama 0.3.9\n" + text) == "oom-workload"


RUN = "$ {command} -m model.gguf\n" + LLAMA.format(free="")
ROW = "|    0   N/A  N/A     77120      C   {name}                                   14862MiB |\n"


def test_python_itself_may_be_what_failed():
    text = (
        RUN.format(command="./serve.py")
        + SMI_OF_4080.format(used=14871)
        + ROW.format(name="python3")
    )
    assert ruled(text) == "oom-workload"


NOTHING = "unknown", "healthy"


def test_a_traceback_that_ends_where_vllm_refuses_its_cache():
    frame = '  File "vllm/worker/worker.py", line 171, in initialize_cache\n    {}\n'
    assert ruled(frame.format("raise_if_cache_size_invalid(num_gpu_blocks,")) == "oom-workload"
    assert ruled(frame.format("self.check_cache_size(num_gpu_blocks,")) in NOTHING


OUT = "torch.OutOfMemoryError: CUDA out of memory.\n"
HOLDER = "/opt/fah/FahCore_22"
ROW_OF_A_PROCESS = "|    {gpu}   N/A  N/A     {pid}      C   {name}            14000MiB |\n"


def held_by(name: str, pid: int = 7316, gpu: int = 0) -> str:
    return ROW_OF_A_PROCESS.format(gpu=gpu, pid=pid, name=name)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("llama runner process has terminated: CUDA error: out of memory\n"
         + held_by("/usr/bin/ollama"), "oom-workload"),
        ("model runner has unexpectedly stopped: cudaMalloc failed: out of memory\n"
         + held_by("/opt/cuda_v12/ollama_llama_server"), "oom-workload"),
        ("ggml_cuda_host_malloc: CUDA error: out of memory\n" + held_by("/opt/koboldcpp-linux"),
         "oom-workload"),
        ("ggml_cuda_host_malloc: CUDA error: out of memory\n" + held_by(HOLDER),
         "oom-other-process"),
        (OUT + held_by("[Not Found]"), "oom-workload"),
        (OUT + held_by("[Insufficient Permissions]"), "oom-workload"),
        (OUT + held_by("nvidia-cuda-mps-server"), "oom-workload"),
        (OUT + held_by(HOLDER), "oom-other-process"),
    ],
)  # fmt: skip
def test_the_program_itself_or_nobody_is_named_in_the_row(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "title", ["pt_main_thread", "VLLM::EngineCore", "ray::train_worker", "ipykernel_launcher",
              "/opt/venv/bin/uvicorn"]
)  # fmt: skip
def test_a_title_that_a_program_gives_itself_is_no_stranger(title: str):
    row = f"|    0   N/A  N/A      7316      C   {title}                14000MiB |\n"
    assert ruled(OUT + SMI.format(used=14000) + row) == "oom-workload"

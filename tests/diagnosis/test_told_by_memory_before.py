"""Who holds a GPU's memory: what engines print before they load, processes, packages beside."""

from __future__ import annotations

import pytest

from support.cases import ruled

NOTHING = "unknown", "healthy"
SMI = (
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
    text = LLAMA.format(free=FREE.format(bus=bus, size=1422)) + SMI.format(used=14880)
    assert ruled(text) == "oom-other-process"


@pytest.mark.parametrize(
    "free",
    [
        FREE.format(bus="", size=14900),
        FREE.format(bus="", size=900) + FREE.format(bus="", size=900).replace("CUDA0", "CUDA1"),
    ],
)
def test_enough_was_free_or_it_is_not_told_of_which_gpu(free: str):
    assert ruled(LLAMA.format(free=free) + SMI.format(used=1200)) == "oom-workload"


def test_an_engine_asks_for_its_model_and_no_reserve():
    text = LLAMA.format(free="").replace("6144", "13144") + SMI.format(used=11)
    assert ruled("ollama 0.3.9\n" + text) == "oom-workload"


TORCH = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
    "capacity of 23.52 GiB of which 1.61 GiB is free. Including non-PyTorch memory, this process "
    "has {this} GiB memory in use. Of the allocated memory {own} GiB is allocated by PyTorch, and "
    "20.00 MiB is reserved by PyTorch but unallocated.\n"
)


def test_jax_is_installed_and_most_is_not_torchs():
    text = "jax: 0.4.38\ntorch: 2.6.0+cu124\n" + TORCH.format(this="18.40", own="0.10")
    assert ruled(text) == "oom-preallocation"


@pytest.mark.parametrize(
    "text",
    [
        "jax: 0.4.38\ntorch: 2.6.0+cu124\n" + TORCH.format(this="18.40", own="17.90"),
        "jax: 0.4.38\nXLA_PYTHON_CLIENT_PREALLOCATE=false\n"
        + TORCH.format(this="18.40", own="0.10"),
        "cupy: 13.0\ntorch: 2.6.0+cu124\n" + TORCH.format(this="18.40", own="0.10"),
    ],
)
def test_torch_holds_it_or_nothing_keeps_so_much(text: str):
    assert ruled(text) == "oom-workload"


RUN = "$ {command} -m model.gguf\n" + LLAMA.format(free="")
ROW = "|    0   N/A  N/A     77120      C   {name}                                   14862MiB |\n"
PS = "USER         ELAPSED CMD\nanna        09:41:12 python3 train.py\n"


def test_a_compiled_program_fails_and_python_holds_the_gpu():
    text = RUN.format(command="./llama-server") + "$ nvidia-smi\n" + SMI.format(used=14871)
    text += ROW.format(name="python3") + "$ ps -o user,etime,cmd -p 77120\n" + PS
    assert ruled(text) == "oom-other-process"


def test_python_itself_may_be_what_failed():
    text = RUN.format(command="./serve.py") + SMI.format(used=14871) + ROW.format(name="python3")
    assert ruled(text) == "oom-workload"


NO_NVCC = "'nvcc' is not recognized as an internal or external command,\n"
WEB_UI = (
    "    RuntimeError: Not enough memory, use lower resolution (max approx. 1024x1024). "
    "Need: 8.0GB free, Have:2.9GB free\n"
)


def test_a_shell_that_knows_no_nvcc_is_not_why_memory_is_wanting():
    assert ruled("torch: 2.0.1+cu118\n" + NO_NVCC + WEB_UI) == "oom-workload"
    assert ruled("torch: 2.0.1+cu118\n" + NO_NVCC) == "toolkit-missing"


def test_a_traceback_that_ends_where_vllm_refuses_its_cache():
    frame = '  File "vllm/worker/worker.py", line 171, in initialize_cache\n    {}\n'
    assert ruled(frame.format("raise_if_cache_size_invalid(num_gpu_blocks,")) == "oom-workload"
    assert ruled(frame.format("self.check_cache_size(num_gpu_blocks,")) in NOTHING


XLA = (
    "E external/org_tensorflow/tensorflow/compiler/xla/stream_executor/cuda/cuda_driver.cc:628] "
    "failed to allocate 608.00MiB (637534208 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of "
    "memory\n"
)
TOOK = (
    "I tensorflow/core/common_runtime/gpu/gpu_device.cc:1613] Created device /job:localhost/"
    "replica:0/task:0/device:GPU:0 with {size} MB memory:  -> device: 0, name: NVIDIA GeForce RTX "
    "3090, pci bus id: 0000:0a:00.0, compute capability: 8.6\n"
)


def test_tensorflow_took_what_jax_asks_for():
    assert ruled("jaxlib: 0.4.4\n" + TOOK.format(size=22281) + XLA) == "oom-preallocation"
    assert ruled("jaxlib: 0.4.4\n" + TOOK.format(size=310) + XLA) == "oom-other-process"
    assert ruled("jaxlib: 0.4.4\n" + XLA) == "oom-other-process"

"""Memory that a framework took in advance, as JAX tells of it."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.facts import said
from support.cases import ruled

OTHERS = (
    "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 14.76 GiB total capacity; 3.00 GiB "
    "already allocated; 0.50 GiB free; 3.20 GiB reserved in total by PyTorch)\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "jaxlib 0.4.13\nCould not create cudnn handle: CUDNN_STATUS_INTERNAL_ERROR",
            "oom-preallocation",
        ),
        (
            (
                "RuntimeError: jaxlib/gpu/solver_kernels.cc:45: operation "
                "gpusolverDnCreate(&handle) failed: cuSolver internal error"
            ),
            "oom-preallocation",
        ),
        ("torch and jax share one process.\n" + OTHERS, "oom-preallocation"),
    ],
)
def test_memory_that_was_taken_in_advance_is_named(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "operation cublasCreate(&handle) is called once a process",
    ],
)
def test_kin_of_memory_that_was_taken_in_advance_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_what_is_free_after_the_reserve_tells_nothing_of_others():
    failed = "xla/stream_executor/cuda/cuda_dnn.cc:439] Could not create cudnn handle: "
    told = f"jax 0.4.20\n{failed}CUDNN_STATUS_INTERNAL_ERROR\n"
    usage = "cuda_dnn.cc:443] Memory usage: 6123456 bytes free, 25417023488 bytes total."
    assert ruled(told + usage) == "oom-preallocation"


# -- JAX before PyTorch, by its log --------------------------------------------------------------
NO_TPU = "INFO:jax._src.xla_bridge:Unable to initialize backend 'tpu': INTERNAL: no libtpu.so"
NO_ROCM = "I0301 09:00:01.000 71 xla_bridge.py:353] Unable to initialize backend 'rocm': NOT_FOUND"
FOLDED = "I0301 09:01:17 run.py:190] Total JAX model model_3 predict time (includes compile): 9s"
FAILED = (
    "RuntimeError: CUDA out of memory. Tried to allocate 40.00 MiB (GPU 0; 31.75 GiB total "
    "capacity; 0 bytes already allocated; 20.50 MiB free; 0 bytes reserved in total by PyTorch)"
)


@pytest.mark.parametrize("log", [NO_TPU, NO_ROCM, FOLDED])
def test_jax_began_in_the_log_above_what_pytorch_did_not_get(log: str):
    assert ruled(f"{log}\n{FAILED}\n") == "oom-preallocation"


TORCH = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
    "capacity of 23.52 GiB of which 1.61 GiB is free. Including non-PyTorch memory, this process "
    "has {this} GiB memory in use. Of the allocated memory {own} GiB is allocated by PyTorch, and "
    "20.00 MiB is reserved by PyTorch but unallocated.\n"
)


def test_jax_is_installed_and_most_is_not_torchs():
    text = "jax: 0.4.38\ntorch: 2.6.0+cu124\n" + TORCH.format(this="18.40", own="0.10")
    assert ruled(text) == "oom-preallocation"


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


XLA_CONVOLUTION = (
    "{where}] INTERNAL: custom call 'xla.gpu.conv.forward' failed: CUDNN_STATUS_ALLOC_FAILED\n"
)


@pytest.mark.parametrize(
    ("where", "cause"),
    [
        ("E external/xla/xla/pjrt/pjrt_stream_executor_client.cc:2644", "oom-preallocation"),
        ("E src/engine.cc:12", "oom-workload"),
    ],
)
def test_libraries_beside_xla_find_no_room(where: str, cause: str):
    assert ruled(XLA_CONVOLUTION.format(where=where)) == cause


RESERVE = """XLA backend allocating 19049078784 bytes on device 0 for BFCAllocator.
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 5.00 GiB (GPU 0; 23.69 GiB \
total capacity; 612.40 MiB already allocated; 4.31 GiB free; 640.00 MiB reserved in total by \
PyTorch)
"""


def test_what_xla_takes_in_advance_is_not_what_was_asked_for_in_vain():
    report = gpuprobe.explain(RESERVE)
    assert report.facts.known(said.MEMORY_ASKED) == 5 << 30
    assert report.diagnosis.root is not None
    assert report.diagnosis.root.cause == "oom-preallocation"


OLD_TORCH = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 50.00 MiB (GPU 0; 23.70 "
    "GiB total capacity; 418.22 MiB already allocated; 31.56 MiB free; 440.00 MiB reserved in "
    "total by PyTorch)\n"
)


def test_jax_and_torch_in_one_process():
    told = "the environment is jax 0.4.4 and the policy torch 1.13.1, {}\n"
    assert ruled(told.format("same process") + OLD_TORCH) == "oom-preallocation"
    assert ruled(told.format("each in its own") + OLD_TORCH) == "oom-other-process"
    assert ruled("torch 1.13.1, always the same process\n" + OLD_TORCH) == "oom-other-process"


OLD = """{code}
RuntimeError: CUDA out of memory. Tried to allocate 50.00 MiB (GPU 0; 23.70 GiB total capacity;\
 1.10 GiB already allocated; 31.00 MiB free; {own} reserved in total by PyTorch)
"""


@pytest.mark.parametrize(
    ("code", "own", "cause"),
    [
        ("import torch, jax", "1.20 GiB", "oom-preallocation"),
        ("import torch, jax", "22.90 GiB", "oom-workload"),
        ("import torch", "1.20 GiB", "oom-other-process"),
        # It is wanted for its log files as often as for its tensors.
        ("import tensorflow as tf", "1.20 GiB", "oom-other-process"),
    ],
)
def test_an_older_message_counts_the_reserve_among_what_others_hold(
    code: str, own: str, cause: str
):
    assert ruled(OLD.format(code=code, own=own)) == cause


def test_xla_found_no_algorithm_in_the_memory_that_is_left():
    text = "RuntimeError: UNKNOWN: Failed to determine best cudnn convolution algorithm\n"
    assert ruled(f"jax 0.2.25, RTX 3080\n{text}") == "oom-preallocation"
    assert ruled("jax 0.2.25, RTX 3080\nbest convolution algorithm found\n") == "unknown"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("but Tensorflow still fills up all GPUs' memory", "oom-preallocation"),
        ("JAX takes almost all of the GPU memory at once", "oom-preallocation"),
        ("does tensorflow take all the memory?", "unknown"),
        ("keras takes a minute to load", "unknown"),
    ],
)
def test_somebody_says_that_a_framework_takes_all_memory(told: str, cause: str):
    assert ruled(f"GPU: GTX 1080 Ti\n{told}\n") == cause


# -- memory that is kept in advance --------------------------------------------------------------
OLD_WITHOUT_CODE = (
    "RuntimeError: CUDA out of memory. Tried to allocate 50.00 MiB (GPU 0; 23.70 GiB total"
    " capacity; 1.10 GiB already allocated; 31.00 MiB free; 1.20 GiB reserved in total by PyTorch)"
)
FRAME = '  File "/srv/app/numbers.py", line 3, in <module>\n    import jax.numpy as jnp'
SMI = "|    0   N/A  N/A      1200      C   {name}      18000MiB |"
XORG = "|    0   N/A  N/A      900      G   /usr/lib/xorg/Xorg      60MiB |"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("import jax", "oom-preallocation"),
        (">>> import jax", "oom-preallocation"),
        (f"import jax\n{SMI.format(name='python')}", "oom-preallocation"),
        ("# import jax", "oom-other-process"),
        ("I do not import jax anywhere, only torch.", "oom-other-process"),
        (FRAME, "oom-other-process"),
        (f"import jax\n{SMI.format(name='/opt/other/bin/python')}", "oom-other-process"),
        (f"import jax\n{SMI.format(name='python')}\n{XORG}", "oom-preallocation"),
        ('import jax\njax.config.update("jax_platform_name", "cpu")', "oom-other-process"),
        ('import jax\n# jax.config.update("jax_platforms", "cpu")', "oom-preallocation"),
    ],
)
def test_an_import_is_a_line_of_code_beside_numbers_that_it_explains(told: str, cause: str):
    assert ruled(f"{told}\n{OLD_WITHOUT_CODE}") == cause


NEW = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total"
    " capacity of 31.36 GiB of which 2.20 GiB is free. Including non-PyTorch memory, this process"
    " has 29.10 GiB memory in use. Of the allocated memory 4.10 GiB is allocated by PyTorch, and"
    " 40.00 MiB is reserved by PyTorch but unallocated."
)
ENVIRON = 'os.environ["{}"] = "{}"'


@pytest.mark.parametrize(
    ("framework", "setting", "keeps"),
    [
        ("jax", ENVIRON.format("XLA_PYTHON_CLIENT_MEM_FRACTION", ".2"), False),
        ("jax", ENVIRON.format("XLA_PYTHON_CLIENT_MEM_FRACTION", ".59"), True),
        ("jax", ENVIRON.format("XLA_PYTHON_CLIENT_MEM_FRACTION", "0.9"), True),
        ("jax", 'jax.config.update("jax_platform_name", "cpu")', False),
        ("jax", SMI.format(name="/opt/other/bin/python"), True),
        ("tensorflow", "config.gpu_options.allow_growth = True", False),
        ("tensorflow", "gpu_options=tf.GPUOptions(allow_growth=True)))  # less", False),
        ("tensorflow", "gpu_options.allow_growth = True did not help because it is old.", True),
        ("jax", ENVIRON.format("JAX_PLATFORMS", "cpu"), False),
        ("jax", ENVIRON.format("TF_FORCE_GPU_ALLOW_GROWTH", "true"), True),
        ("tensorflow", ENVIRON.format("TF_FORCE_GPU_ALLOW_GROWTH", "true"), False),
        ("tensorflow", ENVIRON.format("JAX_PLATFORMS", "cpu"), True),
        ("tensorflow", "tf.config.experimental.set_memory_growth(gpu, True)", False),
        ("tensorflow", "# tf.config.experimental.set_memory_growth(gpu, True)", True),
        ("tensorflow", "tf.config.set_visible_devices([], 'GPU')", False),
    ],
)
def test_a_framework_keeps_no_memory_that_was_told_not_to(
    framework: str, setting: str, keeps: bool
):
    text = f"import {framework}\n{setting}\n{NEW}"
    assert (ruled(text) == "oom-preallocation") is keeps


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("jax seems to take all of the GPU's memory as soon as it is imported.", True),
        ("TensorFlow grabs nearly all GPU memory on import", True),
        ("Once JAX is imported, most of the GPU's memory is gone", True),
        ("When I import jax, it immediately takes 75% of GPU memory", True),
        ("TensorFlow takes all of the GPU memory when I import it", True),
        ("When I import jax, it takes 75% of the time", False),
        ("Once JAX is imported, most of the code is gone", False),
        ("jax takes all of the GPU's memory that it is given", False),
        ("Does JAX take all of the GPU's memory as soon as it is imported?", False),
    ],
)
def test_memory_that_is_taken_by_an_import(told: str, *, cause: bool):
    assert ruled(told) == ("oom-preallocation" if cause else "unknown")
    beside = f"{told}\ndrjit: CUDA error: out of memory\n"
    assert ruled(beside) == ("oom-preallocation" if cause else "oom-workload")

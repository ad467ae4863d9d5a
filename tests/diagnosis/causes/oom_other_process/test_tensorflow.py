"""Memory that another process holds, as TensorFlow tells of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

POOL = "E cuda_driver.cc:924] failed to allocate {} from device: CUDA_ERROR_OUT_OF_MEMORY"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (POOL.format("190.31M (199557120 bytes)"), "oom-other-process"),
    ],
)
def test_memory_that_another_process_holds_is_named(text: str, cause: str):
    assert ruled(text) == cause


TF_STARTS = """tensorflow-gpu 1.10.0
Found device 0 with properties:
name: GeForce GTX 1070 major: 6 minor: 1 memoryClockRate(GHz): 1.683
totalMemory: 7.93GiB freeMemory: {free}
E tensorflow/stream_executor/cuda/cuda_dnn.cc:455] could not create cudnn handle: {code}
"""


@pytest.mark.parametrize(
    ("free", "cause"), [("91.25MiB", "oom-other-process"), ("6.81GiB", "oom-preallocation")]
)
def test_next_to_nothing_was_free_before_the_reserve(free: str, cause: str):
    assert ruled(TF_STARTS.format(free=free, code="CUDNN_STATUS_NOT_INITIALIZED")) == cause


CREATED = "Created device /job:localhost/replica:0/task:0/device:GPU:0 with {size} MB memory:\n"
OWN_POOL = CREATED + "ResourceExhaustedError: OOM when allocating tensor with shape[64,512]\n"
BESIDE = CREATED + (
    "RuntimeError: CUDA out of memory. Tried to allocate 256.00 MiB (GPU 0; 7.79 GiB total "
    "capacity; 0 bytes already allocated; 64.81 MiB free; 0 bytes reserved in total by PyTorch)\n"
)


@pytest.mark.parametrize(
    ("told", "size", "cause"),
    [
        (OWN_POOL, 305, "oom-other-process"),
        (OWN_POOL, 21500, "oom-workload"),
        (BESIDE, 6942, "oom-preallocation"),
        (BESIDE, 305, "oom-other-process"),
    ],
)
def test_tensorflow_tells_how_much_it_took(told: str, size: int, cause: str):
    assert ruled(told.format(size=size)) == cause


HELD = """GPU: 2x Titan X
{told}

failed initializing StreamExecutor for CUDA device ordinal {number}
"""


@pytest.mark.parametrize(
    ("told", "number", "cause"),
    [
        ("A training job is running that holds all the memory of gpu0.", 0, "oom-other-process"),
        ("Another process is still running which uses most of the GPU memory.", 1,
         "oom-other-process"),
        ("A training job is running on gpu1.", 0, "unknown"),
        ("", 0, "unknown"),
    ],
)  # fmt: skip
def test_a_device_that_tensorflow_could_not_open(told: str, number: int, cause: str) -> None:
    assert ruled(HELD.format(told=told, number=number)) == cause


DEVICE = (
    "Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with {mb} MB memory)"
    " -> physical GPU (device: 0, name: {name}, pci bus id: 0000:01:00.0)\n"
)
NO_ROOM = "ResourceExhaustedError: failed CUDA_ERROR_OUT_OF_MEMORY: out of memory\n"
OF_ITS_OWN = (
    "E tensorflow/stream_executor/cuda/cuda_driver.cc:802] failed to alloc 4294967296 bytes on"
    " host: cuMemAlloc returned CUDA_ERROR_OUT_OF_MEMORY: out of memory\n"
)
SCRAP = DEVICE.format(mb=256, name="GeForce RTX 2080") + NO_ROOM


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (SCRAP, "oom-other-process"),
        (DEVICE.format(mb=256, name="GeForce GT 1030") + NO_ROOM, "oom-workload"),
        (f"tf.config.LogicalDeviceConfiguration(memory_limit=256)\n{SCRAP}", "oom-workload"),
        (f"tf.GPUOptions(per_process_gpu_memory_fraction=0.05)\n{SCRAP}", "oom-workload"),
        (f"GPUOptions(per_process_gpu_memory_fraction=args.share)\n{SCRAP}", "oom-workload"),
        (f"GPUOptions(per_process_gpu_memory_fraction=0.9)\n{SCRAP}", "oom-other-process"),
        (f"python train.py --gpu_memory_fraction 0.1\n{SCRAP}", "oom-workload"),
        (DEVICE.format(mb=9500, name="GeForce RTX 2080 Ti") + OF_ITS_OWN, "oom-workload"),
    ],
)
def test_a_small_device_of_tensorflow_may_be_what_was_asked_for(text: str, cause: str):
    assert ruled(text) == cause


STATISTICS = """\
Found device 0 with properties: name: Tesla V100-PCIE-16GB computeCapability: 7.0
bfc_allocator.cc:1010] Stats:
Limit:    {limit:>16}
InUse:                2048
NumAllocs:               6
"""


@pytest.mark.parametrize(
    ("limit", "told", "cause"),
    [
        (55_115_776, "", "oom-other-process"),
        (15_600_000_000, "", "oom-workload"),
        (55_115_776, "set_logical_device_configuration(memory_limit=52)\n", "oom-workload"),
    ],
)
def test_the_limit_of_tensorflows_allocator_is_what_others_left(
    limit: int, told: str, cause: str
) -> None:
    assert ruled(told + STATISTICS.format(limit=limit)) == cause


@pytest.mark.parametrize("line", ["Rate Limit:    60", "Limit: 12 GPUs", "memory_limit_: unset"])
def test_other_limits_are_none_of_the_allocators(line: str) -> None:
    assert ruled(f"tensorflow 2.2\n{line}\n") == "unknown"

"""Work that does not fit into the memory, told by bare messages and people."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

LEFT = "the rest of the memory reserved for KV Cache is {}GiB."
COPY = (
    "InternalError: Failed copying input tensor from /job:localhost/device:{} to "
    "/job:localhost/device:{} in order to run _EagerConst: Dst tensor is not initialized."
)
OOM = "CUDA out of memory. Tried to allocate {} MiB (GPU 0; 10.92 GiB total capacity; "
LOADED = "Failed to load CUDA kernel from '/home/user/kernel_sm_61.cubin' ({})\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("OOM when allocating tensor with shape[64,512,512,64] and type float", "oom-workload"),
        ("ValueError: No available memory for the cache blocks.", "oom-workload"),
        (LEFT.format("-3.71"), "oom-workload"),
        (LEFT.format("13.71"), "unknown"),
        ("Available KV cache memory: -1.87 GiB", "oom-workload"),
        ("executor_base.py:111] # cuda blocks: 0, # CPU blocks: 4681", "oom-workload"),
        ("executor_base.py:111] # cpu blocks: 4681, # CPU blocks: 0", "unknown"),
        (COPY.format("CPU:0", "GPU:0"), "oom-workload"),
        (
            (
                "Out of memory error on GPU 0. Cannot allocate 200.000000MB memory on GPU 0, "
                "available memory is only 3.437500MB."
            ),
            "oom-workload",
        ),
        ("skcuda_internal.cufft.cufftAllocFailed", "oom-workload"),
        ("RuntimeError: Unable to find a valid cuDNN algorithm to run convolution", "oom-workload"),
        ("RuntimeError: Unable to find a valid algorithm", "unknown"),
        ("CUDA\n  (0) Resource exhausted: failed to allocate memory\n\n", "oom-workload"),
        ("TensorFlow, GPU\nResource exhausted error with a batch of 8", "oom-workload"),
        ("it throws OOM when allocating tensor with shape...", "oom-workload"),
        (OOM.format("12.50") + "8.57 MiB already allocated; 9.28 GiB free)", "oom-workload"),
        ("CUDA out of memory: 22 GB are used by the model", "oom-workload"),
        (
            (
                "[HAMI-core ERROR (pid:30 thread=1 allocator.c:53)]: Device 0 OOM 3171158016 /"
                " 3145728000"
            ),
            "oom-workload",
        ),
        (LOADED.format("Out of memory"), "oom-workload"),
        (LOADED.format("File not found"), "unknown"),
        ("System is out of GPU and shared host memory", "oom-workload"),
        ("Your GPU memory is full", "oom-workload"),
        ("Peak GPU memory: 2048 M", "unknown"),
        ("cuSolver error: CUSOLVER_STATUS_ALLOC_FAILED", "oom-workload"),
        ("CUSPARSE_STATUS_ALLOC_FAILED", "oom-workload"),
        ("CuFFTError: CUFFT_ALLOC_FAILED", "oom-workload"),
        ("CURAND_STATUS_ALLOCATION_FAILED", "oom-workload"),
        ("nvjpegDecode: NVJPEG_STATUS_ALLOCATOR_FAILURE", "oom-workload"),
        ("nppiMalloc: NPP_MEMORY_ALLOCATION_ERR", "oom-workload"),
        ("You ran out of memory on the GPU(s).", "oom-workload"),
        ("ERROR: Insufficient memory on accelerator (src/GPU/pair_lj_gpu.cpp:110)", "oom-workload"),
        ("cudaCustomAllocator out of memory\n[requestedSpace: 44135424 B]", "oom-workload"),
        ("Error: OOM when allocating tensor\n", "oom-workload"),
        (
            (
                "Allocation on device 0 would exceed allowed memory. (out of memory)\n"
                "Currently allocated     : 5.19 GiB\nRequested               : 20.00 MiB\n"
                "Device limit            : 6.00 GiB\nFree (according to CUDA): 0 bytes"
            ),
            "oom-workload",
        ),
        (
            "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.",
            "oom-workload",
        ),
        ("NvMapMemAllocInternalTagged: 1075072515 error 12", "oom-workload"),
        ("NvMapMemAllocInternalTagged: 1075072515 error 0", "unknown"),
    ],
)
def test_work_that_is_too_large_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        COPY.format("CPU:0", "CPU:0"),
        "the OOM killer was idle when allocating the tensor",
        "the CUDA sample throws 3 dice",
        "nvjpegDecode: NVJPEG_STATUS_SUCCESS",
        "nppiMalloc: NPP_SUCCESS",
    ],
)
def test_kin_of_work_that_is_too_large_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_who_asks_for_nothing_lacks_no_memory():
    refused = "failed to allocate {} from device: CUDA_ERROR_INVALID_VALUE: invalid argument\n"
    assert ruled(refused.format("0B (0 bytes)")) != "oom-workload"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("out-of-memory CUDNN_STATUS_SUCCESS (8 vs. 0) CUDNN_STATUS_EXECUTION_FAILED", True),
        ("out-of-memory handling of CUDNN_STATUS_EXECUTION_FAILED", False),
    ],
)
def test_status_of_cudnn_for_want_of_memory(line: str, cause: bool):
    assert (ruled(line) == "oom-workload") is cause


def test_a_size_is_told_in_the_unit_that_shows_it() -> None:
    pasted = "failed to allocate 2.2KiB (2304 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY"
    root = gpuprobe.explain(pasted).diagnosis.root
    assert root is not None
    assert "2.2 KiB" in root.finding.title


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("GPU 1上出现内存不足错误。无法在GPU 1上分配2.250000GB内存\uff0c已分配10.5GB内存。", True),
        ("RuntimeError: CUDA 内存不足。试图分配 20.00 MiB", True),
        ("如果显存不足\uff0c请减小批大小", False),
        ("内存不足时无法在主机上分配", False),
    ],
)
def test_what_frameworks_say_in_chinese_of_memory_that_does_not_suffice(line: str, cause: bool):
    assert (ruled(line) == "oom-workload") is cause

"""What programs of the sciences, and those that learn from tables, print; each with its kin."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_GPU = (
    "[10:00:00] WARNING: context.cc:44: No visible GPU is found, setting device to CPU.",
    (
        "WARNING: context.cc:196: Device is changed from GPU to CPU as we couldn't find any "
        "available GPU on the system."
    ),
    "ERROR (nnet3-train[5.2]:SelectGpuId():cu-device.cc:80) No CUDA GPU detected!",
    "[error] CUDA device requested but no devices found.",
    "ValueError: No GPU devices detected",
    "OpenMMException: No compatible CUDA device is available",
    "Cannot run short-ranged nonbonded interactions on a GPU because there is none detected.",
    "$ cryosparcw gpulist\n  Detected 0 CUDA devices.",
)
KALDI = (
    "Failed to allocate a memory region of 5242880 bytes.  Possibly this is due to sharing the "
    "GPU.  Try switching the GPUs to exclusive mode (nvidia-smi -c 3) and using the option "
    "--use-gpu=wait to scripts like steps/nnet3/chain/train.py.  Memory info: free:0M, "
    "used:11178M, total:11178M, free/total:0 CUDA error: '{}'"
)


@pytest.mark.parametrize("said", NO_GPU)
def test_program_without_gpu_in_a_container_that_got_none(said: str):
    assert ruled("docker run --rm -it image bash\n" + said) == "container-no-gpu"


@pytest.mark.parametrize("said", NO_GPU)
def test_program_without_gpu_where_a_variable_hides_it(said: str):
    assert ruled("export CUDA_VISIBLE_DEVICES=-1\n" + said) == "hidden-by-visible-devices"


@pytest.mark.parametrize("said", NO_GPU)
def test_no_gpu_alone_leaves_the_cause_open(said: str):
    assert ruled(said) == "unknown"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (
            (
                "CatBoostError: catboost/libs/train_lib/trainer_env.cpp:9: Environment for task "
                "type [GPU] not found"
            ),
            "cpu-only-build",
        ),
        ("common.cpp:66] Cannot use GPU in CPU-only Caffe: check mode.", "cpu-only-build"),
        (
            "This script is intended for GPUs but you have not compiled Kaldi with CUDA",
            "cpu-only-build",
        ),
        ("spconv/SpconvOps.cc(65) not implemented for CPU ONLY build.", "cpu-only-build"),
        (
            (
                "+ WARNING : Relion was compiled without CUDA of at least version 7.0 - you do NOT "
                "have support for GPUs"
            ),
            "cpu-only-build",
        ),
        (
            (
                "Cannot run short-ranged nonbonded interactions on a GPU because GROMACS was built "
                "without GPU support."
            ),
            "cpu-only-build",
        ),
        ("ERROR (nnet3-train) Failed to create CUDA context, no more unused GPUs?", "device-busy"),
        ("Error: All GPUs are in use, quit.", "device-busy"),
        (KALDI.format("out of memory"), "oom-workload"),
        ("[LightGBM] [Fatal] [CUDA] out of memory /x/cuda_utils.hu 66", "oom-workload"),
        (
            (
                "MemoryError: std::bad_alloc: out_of_memory: RMM failure "
                "at:/x/pool_memory_resource.hpp:193: Maximum pool size exceeded"
            ),
            "oom-workload",
        ),
        ("skcuda_internal.cufft.cufftAllocFailed", "oom-workload"),
        ("in /relion/src/acc/cuda/custom_allocator.cuh at line 436 (error-code 2)", "oom-workload"),
        (
            "in /relion/src/ml_optimiser_mpi.cpp at line 131 (error-code 803)",
            "driver-library-mismatch",
        ),
        (
            (
                "TORCH CUDA version not installed/working.\npackage: torch 2.1.0+cpu\n"
                "torch 2.1.0+cpu pypi_0"
            ),
            "cpu-only-build",
        ),
    ],
)
def test_cause_is_named(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "catboost: Environment for task type [CPU] found",
        "Caffe runs in CPU mode: check mode.",
        "you have compiled Kaldi with CUDA",
        "GROMACS was built with GPU support",
        "this layer is not implemented for CPU ONLY builds yet",
        "all GPUs are in use by this job, and run well",
        KALDI.format("no error"),
        "[postgres] [Fatal] out of memory /x/pool.c 66",
        "at line 436 (exit-code 2)",
        "** TORCH CUDA version installed and working. **",
    ],
)
def test_kin_of_these_texts_names_no_cause(pasted: str):
    assert ruled(pasted) in ("unknown", "healthy")

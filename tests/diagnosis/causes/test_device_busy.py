"""A GPU that is reserved for another process, and what only looks like it."""

from __future__ import annotations

import pytest

from support.cases import ruled

BUSY = "CUDA error: all CUDA-capable devices are busy or unavailable"
ORDINAL = "CUDA_ERROR_INVALID_DEVICE: invalid device ordinal"
INVALID = "CUDA_ERROR_INVALID_DEVICE (101) at CudaContext.cpp:167\n"
SESSION = "----> 3 with tf.Session(config=config) as sess:\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (BUSY, "device-busy"),
        (
            (
                "CUDA_ERROR_INVALID_DEVICE\n|   0  Tesla K80  On | 00000000:00:1E.0 "
                "Off |        0 |\n"
                "| N/A   38C    P0    55W / 149W |    100MiB / 11441MiB |      0%    E. Process |"
            ),
            "device-busy",
        ),
        ("MPS client failed to connect to the MPS control daemon", "device-busy"),
        ("ERROR (nnet3-train) Failed to create CUDA context, no more unused GPUs?", "device-busy"),
        ("Error: All GPUs are in use, quit.", "device-busy"),
        ("cuda devices unavailable or busy", "device-busy"),
        ("cuda devices available", "unknown"),
        (f"failed call to cuDevicePrimaryCtxRetain: {ORDINAL}", "device-busy"),
        (f"cuCtxCreate failed: {ORDINAL}", "device-busy"),
        (INVALID + "Our GPUs are in compute exclusive mode.", "device-busy"),
        (INVALID + "The card is set to exclusive process mode here", "device-busy"),
        (
            "cuda driver library failed to get device context 46time=2024-12-31T01:21:28",
            "device-busy",
        ),
        ("cuda driver library failed to load", "unknown"),
        # Devices are said to be busy.
        ("The job ends: CUDA device busy or not available\n", "device-busy"),
        ("The server is busy or not available\n", "unknown"),
        # A card for one process refuses the next session.
        (f"sudo nvidia-smi -c 1\n\n{SESSION}", "device-busy"),
        (f"I've set `nvidia-smi -c 3`.\n\n{SESSION}", "device-busy"),
        (f"sudo nvidia-smi -c 0\n\n{SESSION}", "unknown"),
        ("sudo nvidia-smi -c EXCLUSIVE_PROCESS\n\n3 + 3\n", "unknown"),
        (f"Try switching the GPUs to exclusive mode (nvidia-smi -c 3)\n\n{SESSION}", "unknown"),
    ],
)
def test_a_gpu_that_is_reserved_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "all GPUs are in use by this job, and run well",
        "CUDA devices busy or not available? No: they are free.\n",
    ],
)
def test_kin_of_a_gpu_that_is_reserved_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        INVALID + "If the GPUs are in exclusive mode, use MPS.",
        INVALID + "Our GPUs are not in exclusive mode.",
    ],
)
def test_this_is_not_a_gpu_that_is_reserved(text: str):
    assert ruled(text) != "device-busy"


ONE_PROCESS = """{error}
|   3  Tesla V100-SXM2...  On   | 00000035:03:00.0 Off |                    0 |
| N/A   28C    P0    35W / 300W |  {used:>7}MiB / 16130MiB |      0%   {mode} |
"""


@pytest.mark.parametrize(
    ("used", "mode", "cause"),
    [
        (0, "E. Process", "user-code"),  # nobody is there to keep others out
        (812, "E. Process", "device-busy"),
        (0, "Prohibited", "device-busy"),
    ],
)
def test_a_gpu_that_nobody_holds_is_not_reserved(used: int, mode: str, cause: str):
    error = "CUDA error: invalid device ordinal"
    assert ruled(ONE_PROCESS.format(error=error, used=used, mode=mode)) == cause


@pytest.mark.parametrize(("number", "cause"), [(46, "device-busy"), (0, "unknown")])
def test_charm_tells_what_a_call_returned(number: int, cause: str):
    line = f"Return value {number} from 'cudaStreamCreate(&kernel_stream)'.  Exiting."
    assert ruled(f"Fatal CUDA Error at cuda-hybrid-api.cu:450.\n{line}\n") == cause


LAMMPS = "ERROR: Accelerator sharing is not currently supported on system (../gpu_extra.h:47)\n"


@pytest.mark.parametrize(
    ("mode", "cause"), [("Exclusive_Process", "device-busy"), ("Default", "unknown")]
)
def test_lammps_shares_no_gpu_in_exclusive_mode(mode: str, cause: str):
    shown = f"$ nvidia-smi -q -d COMPUTE\nGPU 00000000:3B:00.0\n    Compute Mode : {mode}\n"
    assert ruled(LAMMPS + shown) == cause


@pytest.mark.parametrize(
    ("state", "cause"), [("unavailable", "device-busy"), ("compatible", "healthy")]
)
def test_gromacs_finds_a_gpu_that_lets_nobody_in(state: str, cause: str):
    text = f"    #0: NVIDIA A40, compute cap.: 8.6, ECC: yes, stat: {state}\nFatal error:\n"
    assert ruled(text) == cause


CHECK = "F stream_executor/cuda.cc:216] Check failed: CUDA_SUCCESS == dynload::{} (0 vs. {})"


@pytest.mark.parametrize(
    ("call", "number", "cause"),
    [
        ("cuCtxSetCurrent(ctx->context())", 216, "device-busy"),
        ("cuCtxCreate(&context, flags, device)", 216, "unknown"),  # of the same process
        ("cuCtxSynchronize()", 214, "device-lost"),
        ("cuCtxSetCurrent(context)", 0, "unknown"),
    ],
)
def test_a_failed_check_compares_success_with_the_drivers_number(
    call: str, number: int, cause: str
):
    assert ruled(CHECK.format(call, number)) == cause


ONE_THREAD = """| NVIDIA-SMI 361.42     Driver Version: 361.42         |
|   0  Tesla K20m          Off  | 0000:02:00.0     Off |                    0 |
| N/A   25C    P8    17W / 225W |     13MiB /  4799MiB |      0%    {mode} |

I tensorflow/core/common_runtime/gpu/gpu_init.cc:102] Found device 0 with properties:
{end}
"""
CUT_SHORT = "Training ends with an error of CUDA here."
NO_RUNTIME = (
    "ImportError: libcudart.so.7.5: cannot open shared object file: No such file or directory"
)


@pytest.mark.parametrize(
    ("mode", "end", "cause"),
    [
        ("E. Thread", CUT_SHORT, "device-busy"),
        ("  Default", CUT_SHORT, "healthy"),
        ("E. Thread", "It trains well.", "healthy"),
        ("E. Thread", NO_RUNTIME, "cudart-missing"),
    ],
)
def test_tensorflow_has_more_threads_than_the_mode_for_one_admits(mode: str, end: str, cause: str):
    assert ruled(ONE_THREAD.format(mode=mode, end=end)) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("The cards of this node are in exclusive process mode.", "device-busy"),
        ("The cards of this node are in the default mode.", "unknown"),
    ],
)
def test_a_program_finds_no_gpu_where_each_admits_one_process(told: str, cause: str):
    assert ruled(f"exception: No compatible CUDA device is available\n\n{told}") == cause


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("CUDA: exclusive-thread device already in use by a different thread", "device-busy"),
        ("CUDA_ERROR_CONTEXT_ALREADY_IN_USE", "unknown"),
    ],
)
def test_a_gpu_admits_one_thread_alone(words: str, cause: str):
    assert ruled(f"Check failed: e == cudaSuccess {words}\n") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Angelo: CUDA-capable device is/are busy or unavailable\n", "device-busy"),
        (
            ("The GPUs are in exclusive mode.\nWill try again to get a GPU after 20 seconds.\n"),
            "device-busy",
        ),
        (
            ('The GPUs are in exclusive mode.\nI get the CUDA "invalid device ordinal" error.\n'),
            "device-busy",
        ),
    ],
)
def test_modes_for_one_process_in_other_words(text: str, cause: str):
    assert ruled(text) == cause

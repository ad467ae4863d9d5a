"""What a message says beside its code decides; each with a text that only looks alike."""

from __future__ import annotations

import pytest

from support.cases import ruled

XLA = (
    "E external/xla/xla/stream_executor/cuda/cuda_dnn.cc:439] Could not create cudnn handle: "
    "CUDNN_STATUS_NOT_INITIALIZED\n"
    "E external/xla/xla/stream_executor/cuda/cuda_dnn.cc:443] Memory usage: {} bytes free, "
    "42505273344 bytes total.\n"
)
ASSERTION = "Assertion `srcIndex < srcSelectDimSize` failed."


@pytest.mark.parametrize(("free", "cause"), [(7995392, "oom-other-process"), (42069065728, "")])
def test_memory_that_is_free_is_not_what_cudnn_lacks(free: int, cause: str):
    named = ruled(XLA.format(free))
    assert named.startswith("oom-") is bool(cause)


@pytest.mark.parametrize(
    ("call", "cause"),
    [("cuDevicePrimaryCtxRetain", "oom-other-process"), ("cuMemAlloc", "oom-workload")],
)
def test_a_context_that_finds_no_room_meets_what_others_hold(call: str, cause: str):
    assert ruled(f"failed call to {call}: CUDA_ERROR_OUT_OF_MEMORY: out of memory") == cause


@pytest.mark.parametrize(
    ("file", "cause"),
    [("/usr/lib64/libcuda.so.418.74", "driver-too-old"), ("/opt/app/libapp.so", "unknown")],
)
def test_the_drivers_own_library_without_a_function_is_an_old_driver(file: str, cause: str):
    assert ruled(f"{file}: undefined symbol: cuCtxCreate_v3") == cause


@pytest.mark.parametrize(
    ("before", "cause"),
    [
        (
            "../aten/src/Indexing.cu:1236: indexSelect: block: [5,0,0], thread: [4,0,0] ",
            "user-code",
        ),
        ("/build/loader.c:12: read_index: ", "unknown"),
    ],
)
def test_an_assertion_of_a_kernels_thread_is_the_programs(before: str, cause: str):
    assert ruled(before + ASSERTION) == cause


@pytest.mark.parametrize(
    ("file", "cause"),
    [
        ("/usr/local/cuda/lib64/libcublas.so.11", "cuda-libs-mismatch"),
        ("/opt/libapp.so", "unknown"),
    ],
)
def test_a_library_of_cuda_that_lacks_a_name_has_a_sibling_of_another_release(
    file: str, cause: str
):
    assert ruled(f"ImportError: {file}: undefined symbol: free_gemm_select") == cause


WHISPER = "UserWarning: FP16 is not supported on CPU; using FP32 instead\n"


@pytest.mark.parametrize(("sees", "cause"), [("True", "silent-cpu-fallback"), ("False", None)])
def test_whisper_on_the_cpu_beside_a_gpu_that_torch_sees(sees: str, cause: str | None):
    named = ruled(f"{WHISPER}>>> torch.cuda.is_available()\n{sees}\n")
    assert (named == "silent-cpu-fallback") is (cause is not None)


def test_a_variable_set_below_the_first_use_comes_too_late():
    code = "import torch\nprint(torch.cuda.device_count())\nimport os\n"
    changed = (
        'os.environ["CUDA_VISIBLE_DEVICES"] = "1"\nprint(torch.cuda.device_count())  # still 4'
    )
    assert ruled(code + changed) == "visible-devices-too-late"
    # Where the import is not shown, the count tells it; one GPU is what was asked for.
    assert ruled("import os\n" + changed) == "visible-devices-too-late"
    assert ruled("import os\n" + changed.replace("still 4", "1")) != "visible-devices-too-late"

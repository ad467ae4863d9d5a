"""Work that the CPU does beside a GPU that works, as ONNX Runtime tells of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

FELL_BACK = "EP Error onnxruntime_pybind_state.cc:505\nFalling back to [{}] and retrying."
ORT = "onnxruntime-gpu==1.17.0\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            ">>> ort.get_device()\n'GPU'\n>>> session.get_providers()\n['CPUExecutionProvider']",
            "silent-cpu-fallback",
        ),
        (FELL_BACK.format("'CPUExecutionProvider'"), "silent-cpu-fallback"),
        (
            ORT + "available providers: ['CUDAExecutionProvider', 'CPUExecutionProvider']\n"
            "Applied providers: ['CPUExecutionProvider'], with options: {}",
            "silent-cpu-fallback",
        ),
        # Code asks for no provider.
        (
            "The session is made without a providers argument and ends on CPUExecutionProvider.",
            "silent-cpu-fallback",
        ),
        (
            "The library does not pass providers, so onnxruntime runs on the CPU",
            "silent-cpu-fallback",
        ),
        (
            "The wrapper never passes providers to the session: everything runs on CPU",
            "silent-cpu-fallback",
        ),
        ("The CUDA execution provider is never asked for.", "silent-cpu-fallback"),
        ("If it is made without a providers argument, it runs on the CPU", "unknown"),
        ("The CUDA execution provider is asked for.", "unknown"),
    ],
)
def test_work_that_the_cpu_does_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        ">>> ort.get_device()\n'GPU'",
        FELL_BACK.format("'CUDAExecutionProvider', 'CPUExecutionProvider'"),
        ORT + "providers=['CPUExecutionProvider']",
        "session = InferenceSession('m.onnx', providers=['CPUExecutionProvider'])",
    ],
)
def test_kin_of_work_that_the_cpu_does_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


SESSION = """{told}
Applied providers: ['CPUExecutionProvider'], with options: {{'CPUExecutionProvider': {{}}}}
"""


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("we have installed only `onnxruntime-gpu` in this image", "silent-cpu-fallback"),
        ("I only installed onnxruntime-gpu", "silent-cpu-fallback"),
        ("should I have only installed onnxruntime-gpu?", "unknown"),
        ("I have installed onnxruntime-gpu as well", "unknown"),
    ],
)
def test_somebody_says_that_no_other_package_of_onnx_runtime_is_there(told: str, cause: str):
    assert ruled(SESSION.format(told=told)) == cause


UNUSED = """{package} 1.20.1
  providers = ['{first}ExecutionProvider', 'CPUExecutionProvider']
I see that the GPU memory usage is very low ({used}) although I pass --device cuda
"""


@pytest.mark.parametrize(
    ("package", "first", "used", "cause"),
    [
        ("onnxruntime-gpu", "CUDA", "0 MB", "silent-cpu-fallback"),
        ("onnxruntime-gpu", "CUDA", "900 MB", "unknown"),
        ("onnxruntime-gpu", "Azure", "0 MB", "unknown"),
        ("numpy", "CUDA", "0 MB", "unknown"),
    ],
)
def test_nothing_is_on_the_gpu_that_onnx_runtime_is_asked_for(
    package: str, first: str, used: str, cause: str
):
    assert ruled(UNUSED.format(package=package, first=first, used=used)) == cause


def test_code_that_asks_for_the_cpu_is_no_fault_by_itself():
    code = "sess = InferenceSession(path, providers=['CPUExecutionProvider'])"
    assert ruled(f"GPU: RTX 3060\n\n    {code}\nKeyError: 'input'\n") == "unknown"


_PLACED = "session_state.cc:1068] All nodes placed on [{}]. Number of nodes: 12"
_OFFERED = "['CUDAExecutionProvider', 'CPUExecutionProvider']"


def test_log_of_the_placement_tells_where_the_session_ran():
    on_cpu = _PLACED.format("CPUExecutionProvider")
    assert ruled(f"{on_cpu}\n{_OFFERED}") == "silent-cpu-fallback"
    assert ruled(on_cpu) == "unknown"
    assert ruled(f"{_PLACED.format('CUDAExecutionProvider')}\n{_OFFERED}") == "healthy"

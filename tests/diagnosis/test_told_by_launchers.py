"""What containers, Ray, package indexes and loaders leave a program without, and who says so."""

from __future__ import annotations

import pytest

from support.cases import ruled

STUB = "cuda_driver.cc:313] failed call to cuInit: UNKNOWN ERROR (-1)\n"
RUN = "$ docker run -it tensorflow/tensorflow:latest-gpu python a.py\n"
NO_NODE = "no NVIDIA GPU device is present: /dev/nvidia0 does not exist\n"
NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"
OLLAMA = 'level=DEBUG source=gpu.go:522 msg="discovered GPU libraries" paths={}\n'
NONE = 'level=INFO source=gpu.go:350 msg="no compatible GPUs were discovered"\n'
PIP = (
    "ERROR: Could not find a version that satisfies the requirement "
    "jaxlib==0.4.29+cuda12.cudnn88 (from versions: {})"
)
PLUGIN = "Mismatched PJRT plugin PJRT API version (0.54) and framework PJRT API version 0.51)."


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (STUB, "stub-library"),
        (STUB.replace("UNKNOWN ERROR (-1)", "CUresult(-1)"), "stub-library"),
        (RUN + STUB + NO_NODE, "container-no-gpu"),
        (NO_DEVICE + "libcuda.so.1 -> /usr/local/cuda/lib64/stubs/libcuda.so", "stub-library"),
        ("(pid=3343) " * 2 + NO_DEVICE, "hidden-by-visible-devices"),
        ("ray.exceptions.RayTaskError(RuntimeError)\n" + NO_DEVICE, "hidden-by-visible-devices"),
        (OLLAMA.format("[]") + NONE, "driver-missing"),
        (PIP.format("0.1.75+cuda11.cudnn805, 0.1.76+cuda11.cudnn82"), "python-unsupported"),
        (PLUGIN, "extension-mismatch"),
        (
            "but it is not compatible with the installed jaxlib version 0.9.0.1",
            "extension-mismatch",
        ),
        (
            "The plugin is likely built with a later version than the framework.",
            "extension-mismatch",
        ),
        ("nvcuda.dll not found", "driver-missing"),
        ('Unable to dynamically load the "nvcuda" shared library', "driver-missing"),
        ('Could not load "nvrtc64_70.dll": it was not there', "cublas-missing"),
        (
            r"exec: \"nvidia-smi\": executable file not found in $PATH: unknown",
            "container-no-gpu",
        ),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "cuInit: UNKNOWN (-1)",
        "libcuda.so.1 -> /usr/local/cuda/lib64/stubs/libcuda.so",
        "ray.exceptions.RayTaskError(ValueError)",
        OLLAMA.format("[]"),
        OLLAMA.format(r"[C:\\Windows\\System32\\nvcuda.dll]") + NONE,
        PIP.format("0.4.1, 0.4.2"),
        "The plugin is built with care",
        "settings.dll not found",
        "CUDA_SETUP: WARNING! libcudart.so not found in any environmental path.",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"

"""What pip, uv and conda say where a package has no build for a Python, or for the torch there."""

from __future__ import annotations

import pytest

from support.cases import ruled

SATISFY = "Because the current Python version (3.8.10) does not satisfy Python>=3.9 and {}"
DEPENDS = "{}==2.5.0 depends on Python>=3.9, we can conclude that {}==2.5.0 cannot be used."
PLATFORM = (
    "error: Distribution `{}==2.6.0+cu124 @ registry+https://host/whl` can't be installed"
    " because it doesn't have a source distribution or wheel for the current platform"
)
WITHIN = "- package {}-1.12.1-py3.10 requires python >=3.10,<3.11.0a0, but none of the providers"
CONDA = "Your python: python=3.11\n  - {} -> python[version='3.5.*|3.6.*']"
BFLOAT16 = "    _np_bfloat16 = _pywrap_bfloat16.TF_bfloat16_type()\n"
TAGS = "hint: You're using CPython 3.14, but `{}` (v2.7.1) only has wheels with the following tags"
PLATFORMS = "hint: Wheels are available for `{}` (v12.4.5.8) on the following platforms: `any`"
NVML = "AttributeError: /usr/lib/{}: undefined symbol: {}"
BY_LDD = "undefined symbol: {}\t({})"
PINNED = "{} 0.16.0 requires torch=={}, but you have torch 2.3.1 which is incompatible."


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (SATISFY.format(DEPENDS.format("torch", "torch")), "python-unsupported"),
        (PLATFORM.format("torch"), "python-unsupported"),
        (WITHIN.format("pytorch"), "python-unsupported"),
        (CONDA.format("tensorflow-gpu"), "python-unsupported"),
        (PINNED.format("torchvision", "2.1.0"), "extension-mismatch"),
        ("ImportError: numpy.core.umath failed to import", "numpy-abi"),
        ("ImportError: numpy.core._multiarray_umath failed to import", "numpy-abi"),
        (BFLOAT16 + "TypeError: Unable to convert function return value to a Python type!",
         "numpy-abi"),
        (TAGS.format("torch"), "python-unsupported"),
        (BY_LDD.format("cuKernelGetName", "/usr/lib/libcuda.so.1"), "driver-too-old"),
        (BY_LDD.format("torch_library_impl", "./_torchaudio.so"), "extension-mismatch"),
        (PLATFORMS.format("nvidia-cublas-cu12"), "python-unsupported"),
        ("'['which', 'nvcc']' returned non-zero exit status 1.", "toolkit-missing"),
        (NVML.format("libnvidia-ml.so.1", "nvmlDeviceGetComputeRunningProcesses_v3"),
         "driver-too-old"),
        ("undefined symbol: torch::autograd::Node::name() const (./_C.so)", "extension-mismatch"),
    ],
)  # fmt: skip
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        SATISFY.format(DEPENDS.format("django", "django")),
        PLATFORM.format("psycopg2"),
        WITHIN.format("django"),
        CONDA.format("spyder"),
        PINNED.format("torchvision", "2.3.1"),
        "undefined symbol: boost::thread::join()",
        BFLOAT16 + "TypeError: Unable to convert the argument",
        "TypeError: Unable to convert function return value to a Python type!",
        TAGS.format("psycopg2"),
        BY_LDD.format("cuKernelGetName", "./libaudio.so"),
        BY_LDD.format("torches_open", "./libaudio.so"),
        PLATFORMS.format("pywin32"),
        "'['which', 'git']' returned non-zero exit status 1.",
        NVML.format("libaudio.so.1", "nvmlike_open"),
    ],
)
def test_other_packages_are_left_alone(pasted: str) -> None:
    assert ruled(pasted) == "unknown"

"""A power limit that a busy GPU feels, clocks that are no capability, symbols of Caffe2."""

from __future__ import annotations

import pytest

from support.cases import ruled

PROFILE = """RTX 4060 Laptop, torch: 2.1.0+cu121
$ nvidia-smi -q -d PERFORMANCE,POWER,CLOCK
        SW Power Cap                      : {capped}
        Current Power Limit               : {limit} W
        SM                                : 885 MHz
$ nvidia-smi --query-gpu=utilization.gpu,power.max_limit --format=csv,noheader
{busy} %, 140.00 W
"""


@pytest.mark.parametrize(
    ("capped", "limit", "busy", "cause"),
    [
        ("Active", "35.00", 99, "power-thermal"),
        ("Active", "115.00", 99, "unknown"),
        ("Active", "35.00", 3, "unknown"),
        ("Not Active", "35.00", 99, "unknown"),
    ],
)
def test_a_busy_gpu_feels_its_limit(capped: str, limit: str, busy: int, cause: str):
    assert ruled(PROFILE.format(capped=capped, limit=limit, busy=busy)) == cause


@pytest.mark.parametrize("clock", ["885 MHz", "135 MHz", "1.98 GHz"])
def test_a_clock_of_the_sm_is_no_compute_capability(clock: str):
    assert ruled(f"GPU: RTX 4060\ntorch: 2.1.0+cu121\nSM : {clock}\n") == "unknown"


UNDEFINED = "ImportError: ops/nms_cuda.cpython-37m.so: undefined symbol: {}\n"


@pytest.mark.parametrize(
    ("symbol", "cause"),
    [
        ("_ZN6caffe28TypeMeta21_typeMetaDataInstanceIdEEPKNS_6detail12TypeMetaDataEv",
         "extension-mismatch"),
        ("_ZN8caffeine8TypeMetaEv", "unknown"),
    ],
)  # fmt: skip
def test_an_extension_wants_a_symbol_of_caffe2(symbol: str, cause: str):
    assert ruled(UNDEFINED.format(symbol)) == cause


TENSORFLOW = """failed call to cuInit: CUDA_ERROR_NO_DEVICE
libcuda reported version is: {library}
driver version file contents: NVRM version: NVIDIA UNIX x86_64 Kernel Module 367.48 Sat Sep 3 2016
"""


@pytest.mark.parametrize(
    ("library", "is_mismatch"),
    [("367.57.0", True), ("367.48", False), ("410.48", False)],  # the last may be cuda-compat
)
def test_two_releases_of_one_branch(library: str, is_mismatch: bool):
    named = ruled(TENSORFLOW.format(library=library))
    assert (named == "driver-library-mismatch") is is_mismatch


@pytest.mark.parametrize(("number", "cause"), [(46, "device-busy"), (0, "unknown")])
def test_charm_tells_what_a_call_returned(number: int, cause: str):
    line = f"Return value {number} from 'cudaStreamCreate(&kernel_stream)'.  Exiting."
    assert ruled(f"Fatal CUDA Error at cuda-hybrid-api.cu:450.\n{line}\n") == cause

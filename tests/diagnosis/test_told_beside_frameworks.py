"""What programs beside the frameworks say of CUDA; each with a text that only looks alike."""

from __future__ import annotations

import pytest

from support.cases import ruled

CUDARC = 'Unable to dynamically load the "cuda" shared library - searched for library names: ["{}"]'
OLD_WINDOWS = (
    "Microsoft Windows [Version 10.0.{}]\nWSL 2\nKernel 5.10.16.3\n"
    "torch.cuda.is_available() always returns False in wsl\n"
)
PTXAS = (
    "subprocess.CalledProcessError: Command '['/opt/env/site-packages/triton/backends/nvidia/bin/"
    "ptxas', '-v', '--gpu-name={}', '/tmp/a.ptx', '-o', '/tmp/a.o']' returned non-zero exit "
    "status 255."
)
STUBS = (
    "export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH\n"
    "export LD_LIBRARY_PATH={}:$LD_LIBRARY_PATH\nit can't use cuda device\n"
)
PINNED = (
    "$ pip install torch=={}\n>>> import torch\n>>> torch.cuda.is_available()\nFalse\n"
    "driver 410.48\n"
)


@pytest.mark.parametrize(("name", "cause"), [("cuda", "driver-missing"), ("ssl", "unknown")])
def test_a_rust_programs_missing_libcuda_is_a_missing_driver(name: str, cause: str):
    assert ruled(CUDARC.format(name)) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("Warp UserWarning: Could not find or load the NVIDIA CUDA driver.", "driver-missing"),
        ("Warp UserWarning: Could not find or load the shader.", "unknown"),
        ("[cuda_driver.cpp:load_lib@36] libcuda.so lib not found.", "driver-missing"),
        ("[audio.cpp:load_lib@36] libopus.so lib not found.", "unknown"),
        (
            "* Device #1: CUDA SDK Toolkit not installed or incorrectly installed.",
            "toolkit-missing",
        ),
        ("* Device #1: OpenCL SDK not installed.", "unknown"),
        ("std_function.h:435: error: parameter packs not expanded with '...':", "toolkit-mismatch"),
        ("error: parameter packs are fun", "unknown"),
        ("method fp8 is not supported. Minimum capability: 89. Current: 80.", "gpu-too-old"),
        ("ModuleNotFoundError: No module named 'triton.ops'", "extension-mismatch"),
        ("ModuleNotFoundError: No module named 'triton'", "unknown"),
    ],
)
def test_a_programs_own_words_tell_the_cause(line: str, cause: str):
    assert ruled(line) == cause


@pytest.mark.parametrize(("build", "cause"), [("19042.1052", "wsl"), ("22631.3593", "unknown")])
def test_windows_before_21h2_gives_wsl_no_gpu(build: str, cause: str):
    assert ruled(OLD_WINDOWS.format(build)) == cause


@pytest.mark.parametrize(("arch", "cause"), [("sm_100", "gpu-too-new"), ("sm_80", "unknown")])
def test_tritons_ptxas_that_fails_for_a_later_gpu_does_not_know_it(arch: str, cause: str):
    assert ruled(PTXAS.format(arch)) == cause


@pytest.mark.parametrize(
    ("folder", "cause"),
    [("/usr/local/cuda/lib64/stubs", "stub-library"), ("/opt/lib", "unknown")],
)
def test_a_search_path_that_begins_with_stubs_gives_the_stub(folder: str, cause: str):
    assert ruled(STUBS.format(folder)) == cause


@pytest.mark.parametrize(("release", "cause"), [("1.3.0", "driver-too-old"), ("1.2.0", "unknown")])
def test_the_release_that_pip_was_asked_for_is_the_one_that_runs(release: str, cause: str):
    assert ruled(PINNED.format(release)) == cause

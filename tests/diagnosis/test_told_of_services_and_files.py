"""Services without a GPU, libraries that were not opened, and drivers that came together again."""

from __future__ import annotations

import pytest

from support.cases import ruled

_COMPOSE = """\
RuntimeError: CUDA failed with error CUDA driver version is insufficient for CUDA runtime version

faster-whisper:
    image: example.org/faster-whisper:gpu
    container_name: faster-whisper
    ports:
      - 10300:10300
    restart: unless-stopped
{more}"""
_RUNTIME = "    runtime: nvidia\n"


@pytest.mark.parametrize(
    ("more", "cause"),
    [("", "container-no-gpu"), (_RUNTIME, "driver-too-old"), ("    ...\n", "driver-too-old")],
)
def test_a_whole_service_of_compose_tells_what_it_asks_for(more: str, cause: str):
    assert ruled(_COMPOSE.format(more=more)) == cause


_MISMATCH = """\
Failed to initialize NVML: Driver/library version mismatch
NVRM: API mismatch: the client has the version 470.141.03, but
NVRM: this kernel module has the version 470.129.06.  Please
{below}"""
_MODULE = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  {}  Thu Jun 30 18:45:31 UTC 2022\n"


@pytest.mark.parametrize(
    ("below", "cause"),
    [
        ("", "driver-library-mismatch"),
        (_MODULE.format("470.129.06"), "driver-library-mismatch"),
        (_MODULE.format("470.141.03"), "unknown"),
    ],
)
def test_a_module_of_the_librarys_version_below_ends_the_mismatch(below: str, cause: str):
    assert ruled(_MISMATCH.format(below=below)) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("Invalid handle. Cannot load symbol cudnnGetVersion", "cudnn-missing"),
        ("OSError: libcufft.so.10: cannot open shared o", "cublas-missing"),
        ("Could not load symbol cudnnGetVersion", "cudnn-mismatch"),
        ("GPU: RTX 3060\n_ext undefined symbol with a pytorch of my own", "unknown"),
    ],
)
def test_a_library_that_was_not_opened_is_missing(pasted: str, cause: str):
    assert ruled(pasted) == cause


_CLI = """\
docker: Error response from daemon: Unknown runtime specified nvidia.
$ sudo nvidia-container-cli -k -d /dev/tty info
{log}nvidia-container-cli: initialization error: driver error: failed to process request
"""
_GONE = (
    "E0902 13:16:07.366574 1686 driver.c:197] could not start driver service: load library failed:"
    " libcuda.so.1: cannot open shared object file: no such file or directory\n"
)


@pytest.mark.parametrize(("log", "cause"), [(_GONE, "driver-missing"), ("", "container-no-gpu")])
def test_the_hosts_driver_comes_before_the_containers(log: str, cause: str):
    assert ruled(_CLI.format(log=log)) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (
            (
                "CUDA initialization: CUDA unknown error - this may be due to an incorrectly set\n"
                "UserWarning: CUDA initialization: The NVIDIA driver on your system is too old"
                " (found version 9010).\nPyTorch version: 1.12.1+cu102"
            ),
            "driver-too-old",
        ),
        (
            (
                "WSL version: 1.1.3.0\nKernel: 5.15.90.1-microsoft-standard-WSL2\nRTX 3080 Ti\n"
                "fe50:00:00.0 3D controller: Microsoft Corporation Basic Render Driver.\n"
                "no CUDA-capable device is detected\n>>> torch.cuda.is_available()\nFalse"
            ),
            "wsl",
        ),
        ("nv-fabricmanager: error while loading shared libraries: libz.so.1", "fabric-manager"),
        ("OSError: (External)  Nccl error, invalid data type, detail: Resource", "nccl"),
        ("torch.distributed never gets past barrier() on two GPUs of one host", "nccl"),
        ("cudaCustomAllocator out of memory\n[requestedSpace: 44135424 B]", "oom-workload"),
        ("Running on: cuda\nMy gpu has next to nothing to do, a 3090", "silent-cpu-fallback"),
        ("Error: invalid device function\nGPU: GeForce GTX 765M", "gpu-too-old"),
        ("There is no CUDA device in this machine.\nCUDA_ERROR_NO_DEVICE", "no-nvidia-gpu"),
    ],
)
def test_the_cause_is_named(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "torch.distributed gets past barrier() on two GPUs of one host",
        "I read about Nccl error codes in the manual of Paddle. How many are there?",
        "Error: invalid device function name in the manual",
        "Running on: cuda\nMy gpu has much to do, a 3090",
        "Is there no CUDA device in this machine?",
    ],
)
def test_their_kin_names_no_cause(pasted: str):
    assert ruled(pasted) in ("unknown", "healthy")


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("Using NVIDIA RTX A6000\nepoch 2, 3.1 it/s", "unknown"),
        ("Using NVIDIA driver 470.199.02\nepoch 2, 3.1 it/s", "container-no-gpu"),
        ("Using V100 config\nepoch 2, 3.1 it/s", "container-no-gpu"),
        ("running on cuda requested\nepoch 2, 3.1 it/s", "container-no-gpu"),
    ],
)
def test_what_is_named_beside_progress_is_a_gpu(pasted: str, cause: str):
    failed = 'docker: could not select device driver "" with capabilities: [[gpu]].'
    assert ruled(f"{failed}\n{pasted}") == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("With nvidia-smi -pl the power is cut to 280 W to keep the fuse", "unknown"),
        ("Support says that it is thermal throttling at 93 degrees", "power-thermal"),
        ("Please show thermal throttling in the window", "unknown"),
        ("nv-fabricmanager: error writing the file of its pid, retrying", "unknown"),
        ("My question is about the rate; the GPU has nothing to do with this.", "unknown"),
    ],
)
def test_they_are_told_of_this_gpu_at_work(pasted: str, cause: str):
    assert ruled(f"GPU: RTX 3090\n{pasted}") == cause

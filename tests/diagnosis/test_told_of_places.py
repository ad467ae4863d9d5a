"""Where something ran: inside Singularity, on one of NVIDIA's boards, on a GPU that slows down."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_NVML = "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system."
NO_TORCH = (
    ">>> import torch\n>>> print(torch.__version__)\n{}\n>>> torch.cuda.is_available()\nFalse"
)
NO_DLL = "ErrorCode:NoSuchFile] kernel32.LoadLibrary():'{}' not found. CUDA is required"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (f"Singularity> nvidia-smi\n{NO_NVML}", "container-no-gpu"),
        (f"We run apptainer with the flag `--nv` and get\n{NO_NVML}", "container-no-gpu"),
        ("`/dev/nvidia*` files are missing in `singularity exec -c --nv`", "container-no-gpu"),
        ("user@agx-orin:~$ python3\n" + NO_TORCH.format("1.12.0"), "cpu-only-build"),
        ("Throttle detected for GPU 0: SW Thermal slowdown", "power-thermal"),
        (NO_DLL.format("cublas64_91.dll"), "cublas-missing"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "verdict"),
    [
        (f"Singularity is a game\n{NO_NVML}", "driver-missing"),
        (f"apptainer was installed with --nvidia\n{NO_NVML}", "driver-missing"),
        ("`/dev/nvidia*` files are missing", "unknown"),
        ("`/dev/nvme0n1` files are missing in `singularity exec -c --nv`", "unknown"),
        ("user@agx:~$ python3\n" + NO_TORCH.format("1.12.0"), "unknown"),
        ("user@agx-orin:~$ python3\n" + NO_TORCH.format("2.1.0a0+41361538.nv23.06"), "unknown"),
        ("No throttle for GPU 0: the SW thermal slowdown is off", "unknown"),
        ("Throttle detected for GPU 0: application clocks", "unknown"),
        (NO_DLL.format("opencv_world.dll"), "unknown"),
    ],
)
def test_kin_is_not_taken_for_it(pasted: str, verdict: str) -> None:
    assert ruled(pasted) == verdict


PIP = (
    "ERROR: Could not find a version that satisfies the requirement {0} (from versions: {1})\n"
    "ERROR: No matching distribution found for {0}"
)
OOM = (
    "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacty of 8.00 GiB of "
    "which {} is free. Of the allocated memory 0 bytes is allocated by PyTorch"
)


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("PyTorch no longer supports this GPU because it is too old.", "gpu-too-old"),
        ("reason: NVIDIA-H100-80GB-HBM3; fabric manager found but not active", "fabric-manager"),
        ("nvidia-smi gives 'SW Thermal Slowdown' as the reason, at 38 degrees", "power-thermal"),
        ("stuck at P8, GPU shows SW Thermal Slowdown", "power-thermal"),
        ("permanent SW Power Cap: clocks at 210 MHz", "power-thermal"),
        (PIP.format("torch==1.13.1+cu116", "2.0.0, 2.0.1, 2.3.0"), "python-unsupported"),
        (OOM.format("3.80 GiB"), "oom-workload"),
        ("GPU: 2 A100s\nNo GPU/TPU found, falling back to CPU.", "cpu-only-build"),
        ("onnxruntime-gpu==1.9.0\ncuda: 10.1\nonly the cpu is used", "framework-cuda-mismatch"),
        ("OS: macOS\ndlopen(libcuda.dylib, 1): image not found", "no-nvidia-gpu"),
        ("cudnn/ffi.lua:1278: 'libcudnn (R4) not found in library path.", "cudnn-missing"),
    ],
)
def test_what_is_seldom_said_names_a_cause(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("The project no longer supports this GPU backend", "unknown"),
        ("fabric manager found, and active", "unknown"),
        ("SW Power Cap is not the reason here", "unknown"),
        (PIP.format("torch==1.13.1+cu116", "1.12.0, 1.13.1, 2.0.0"), "unknown"),
        (OOM.format("1.80 GiB"), "oom-other-process"),
        ("onnxruntime-gpu==1.9.0\ncuda: 11.4\nonly the cpu is used", "unknown"),
        ("dlopen(libfoo.dylib, 1): image not found", "unknown"),
    ],
)
def test_kin_of_what_is_seldom_said_does_not(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


DLIB = "*** CUDA was found but your compiler failed to compile a simple CUDA program so dlib isn't"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (DLIB, "toolkit-mismatch"),
        ("Dlib requires cuDNN. Since cuDNN is not found DLIB WILL NOT USE CUDA.", "cudnn-missing"),
        ("/usr/bin/ld: cannot find -lcudnn", "cudnn-missing"),
        ("The /dev/dxg device is not available in WSL2 since the update", "wsl"),
        ("error creating GPU instance for '1g.10gb': Insufficient Resources", "mig"),
        ("DLIB WILL NOT USE CUDA", "unknown"),
        ("/usr/bin/ld: cannot find -lcrypto", "unknown"),
        ("The /dev/dxg device is available", "unknown"),
        ("error creating EC2 instance: Insufficient Resources", "unknown"),
    ],
)
def test_words_of_builds_and_devices_name_a_cause_or_nothing(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause

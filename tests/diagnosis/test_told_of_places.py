"""Where something ran: inside Singularity, on one of NVIDIA's boards, on a GPU that slows down."""

from __future__ import annotations

import pytest

from support.cases import explained

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
    assert explained(pasted) == cause


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
    assert explained(pasted) == verdict

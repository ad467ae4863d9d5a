"""A driver that is missing, told by PyTorch, TensorFlow and CuPy or XGBoost."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.texts import torch_report

HYBRID = """01:00.0 VGA compatible controller: NVIDIA Corporation TU104 [GeForce RTX 2080]
\tKernel driver in use: vfio-pci
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "error    libmamba nothing provides __cuda >=11.8 needed by tensorflow-2.12.1-cuda118",
            "driver-missing",
        ),
        ("CUDA error: No CUDA driver found\n", "driver-missing"),
        (
            "I'm using AMD hardware and an RTX 3060.\nCUDA error: No CUDA driver found\n",
            "driver-missing",
        ),
        (
            "GPU: RTX 3080\nnvidia-smi: command not found\n>>> torch.cuda.is_available()\nFalse",
            "driver-missing",
        ),
        ("import cudf\nImportError: libcuda.so.1", "driver-missing"),
        ("Julia 1.1\n\u2502 Could not find CUDA driver library.\n", "driver-missing"),
        ("Julia 1.1\n\u2502 Could not find the driver of this repository.\n", "unknown"),
        (torch_report(), "driver-missing"),
        (torch_report(sees="True").replace("True", "unknown"), "unknown"),
        ("CUDA error: PTX JIT compiler library not found", "driver-missing"),
        (
            (
                f"{HYBRID}In the guest: torch.cuda.is_available() returns False\n"
                "bash: nvidia-smi: command not found\n"
            ),
            "driver-missing",
        ),
    ],
)
def test_a_driver_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


SMI = """\
| NVIDIA-SMI 525.85.12    Driver Version: 525.85.12    CUDA Version: 12.0     |
|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
| N/A   36C    P8     9W /  70W |      0MiB / 15360MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    "text",
    [
        f"{SMI}>>> torch.cuda.is_available()\nTrue\nCuda compilation tools, release 11.7, V11.7.64",
        f"{SMI}    SW Power Cap                : Active",
    ],
)
def test_kin_of_a_driver_that_is_missing_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system."
NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected"
NOT_COMMUNICATING = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
BUSY = "CUDA error: all CUDA-capable devices are busy or unavailable"


@pytest.mark.parametrize("text", [NO_DRIVER, NO_DEVICE, NOT_COMMUNICATING, BUSY])
def test_framework_that_computed_outweighs_a_driver_that_was_not_reached(text: str):
    proof = f"{SMI}>>> torch.cuda.is_available()\nTrue\n"
    assert ruled(proof + text) not in (
        "driver-missing",
        "driver-not-loaded",
        "no-nvidia-gpu",
    )


def test_a_report_that_sees_the_gpu_without_nvidia_smi_is_healthy() -> None:
    assert ruled(torch_report(sees="True")) == "healthy"


SMI_OF_CUDA = (
    "| NVIDIA-SMI 535.183.04     Driver Version: 535.183.04   CUDA Version: {cuda}      |\n"
)


@pytest.mark.parametrize(
    ("cuda", "also", "cause"),
    [
        ("N/A", ">>> torch.cuda.is_available()\nFalse\n", "driver-missing"),
        ("N/A", "", "unknown"),  # so it is on hosts that only lend their GPUs
        ("12.2", ">>> torch.cuda.is_available()\nFalse\n", "unknown"),
    ],
)
def test_nvidia_smi_tells_no_cuda(cuda: str, also: str, cause: str):
    assert ruled(f"torch: 2.3.0+cu121\n{SMI_OF_CUDA.format(cuda=cuda)}{also}") == cause


PRELOAD = """File "tensorflow\\python\\platform\\self_check.py", line 62, in preload_check
    ctypes.WinDLL(build_info.{}_dll_name)
File "ctypes\\__init__.py", line 364, in __init__
    self._handle = _dlopen(self._name, mode)
OSError: [WinError 126] Nie można odnaleźć określonego modułu
"""


@pytest.mark.parametrize(
    ("checked", "cause"),
    [
        ("nvcuda", "driver-missing"),
        ("cudart", "cudart-missing"),
        ("cudnn", "cudnn-missing"),
        ("msvcp", "msvc-runtime-missing"),
    ],
)
def test_the_check_before_tensorflows_import_tells_which_dll_it_misses(checked: str, cause: str):
    assert ruled(PRELOAD.format(checked)) == cause

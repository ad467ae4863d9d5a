"""What people and programs say in threads: in passing, in wrapped lines, beside old tables."""

from __future__ import annotations

import pytest

from support.cases import ruled

SYMBOL = "`flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so: undefined\n{} _ZN3c104impl3cow1Pv`"
TABLE = (
    "| NVIDIA-SMI 410.48                 Driver Version: 410.48                    |\n"
    "|   0  Tesla P100-SXM2...  Off  | 00000000:05:00.0 Off |                    0 |\n"
    "| N/A   36C    P0    41W / 300W |  {}MiB / 16280MiB |      0%      Default |\n"
)
PROCESS = "|    0      4711      C   python                                     12700MiB |\n"
TENSORFLOW = "TensorFlow version: 2.1.0\nCUDA/cuDNN version: 10.2\nOS: Linux Ubuntu 18.04\n"
JAX = "CUDA backend failed to initialize: Unable to load {}."
OOM = "CUDA out of memory. Tried to allocate {} MiB (GPU 0; 10.92 GiB total capacity; "
SHARED = "RuntimeError: cuda runtime error ({}) : at torch/csrc/generic/{}.cpp:231\n"
NO_CUDA = "| NVIDIA-SMI 545.46       Driver Version: 546.80       CUDA Version: ERR!     |\n"
NO_DRIVER = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"
NO_BUILD = (
    "ERROR: Could not find a version that satisfies the requirement torch "
    "(from versions: {})\nERROR: No matching distribution found for torch\n"
)
NO_TORCH = (
    "ERROR: No matching distribution found for torch==1.9.1+cu111\n"
    "from versions: 0.1.2, 0.1.2.post1\n"
)
SMI = (
    "| NVIDIA-SMI 525.147.05   Driver Version: 525.147.05   CUDA Version: 12.0     |\n"
    "|   0  NVIDIA GeForce ...  Off  | 00000000:02:00.0  On |                  N/A |\n"
    "|  0%   38C    P8    16W / 350W |    114MiB / 24576MiB |      0%      Default |\n"
)
OLLAMA = "NAME       ID            SIZE    PROCESSOR  UNTIL\nqwen2:7b   e0d4e1163c58  4.7 GB  {}\n"
PTXAS = "RuntimeError: `ptxas` was {} TRITON_PTXAS_PATH, /usr/local/cuda/bin/ or PATH\n"
OPEN_MODULE = (
    "[ 1157.046099] NVRM: The NVIDIA GPU 0000:af:00.0 (PCI ID: 10de:1db5)\n"
    "               NVRM: installed in this system is not supported by open\n"
    "               NVRM: nvidia.ko because it does not include the required GPU\n"
)
BUILT = (
    ">>> tf.test.is_built_with_cuda()\n{}\n"
    "tensorflow                2.15.0          cuda120py311h5cbd639_1    conda-forge\n"
    "tensorflow-base           2.15.0          cuda120py311h43b5e44_1    conda-forge\n"
)
COUNTED = "UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). Error {}\n"
COUNTS = "RuntimeError: device >= 0 && device < num_gpus INTERNAL ASSERT FAILED\n"
NOT_READY = "cudaGetDeviceCount() failed. Error 802: system not yet initialized\n"
FRAMED = (
    "│ /nvidia/cusparse/lib/libcusparse.so.12: undefined symbol:          │\n"
    "│ __nvJitLinkCreate_12_8, version libnvJitLink.so.12                 │\n"
)
HANDLE = (
    "Failed to open the CUDA IPC handle (CUDA error: invalid resource handle\n"
    "Search for `cudaErrorInvalidResourceHandle' in the documentation\n"
)


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (SYMBOL.format(" symbol:"), "extension-mismatch"),
        (JAX.format("CUDA"), "cudart-missing"),
        (JAX.format("cuSPARSE"), "cublas-missing"),
        (
            TENSORFLOW + "tf.config.list_physical_devices('GPU') cannot list my GPU",
            "framework-cuda-mismatch",
        ),
        (
            TENSORFLOW + "tf.config.list_physical_devices('GPU') returns an empty list",
            "framework-cuda-mismatch",
        ),
        ("I still have OOM issues.\n" + TABLE.format("12799"), "oom-other-process"),
        (
            OOM.format("20.00") + "2.81 GiB already allocated; 25.38 MiB free)",
            "oom-other-process",
        ),
        (
            OOM.format("12.50") + "8.57 MiB already allocated; 9.28 GiB free)",
            "oom-workload",
        ),
        (SHARED.format(71, "StorageSharing"), "user-code"),
        (HANDLE + "This is WSL2.", "wsl"),
        ("pytorch    1.4.0    py3.7_cpu_0  [cpuonly]  pytorch\n", "cpu-only-build"),
        (
            "  pytorch-nightly   pytorch/linux-64::pytorch-nightly-1.2.0-py3.7_cpu_0",
            "cpu-only-build",
        ),
        (NO_CUDA, "container-no-gpu"),
        (NO_CUDA + "This is WSL2.", "wsl"),
        (NO_DRIVER + "Linux version 5.4.91-microsoft-standard-WSL2 (oe-user@oe-host) (gcc)", "wsl"),
        (NO_BUILD.format("none") + "Python Version: 3.12.0", "python-unsupported"),
        (NO_TORCH + "I use python 3.10 btw", "python-unsupported"),
        (NO_TORCH + "I am currently using Python version 3.11 and Pip 23.2", "python-unsupported"),
        (NO_TORCH + "DEPRECATION: Python 3.5 reached the end of its life", "python-unsupported"),
        ("I had installed both onnxruntime and onnxruntime-gpu.", "mixed-installs"),
        (OLLAMA.format("100% CPU   4 minutes from now") + SMI, "silent-cpu-fallback"),
        (COUNTED.format("2: out of memory"), "oom-other-process"),
        (PTXAS.format("searched in"), "toolkit-missing"),
        (BUILT.format("False"), "cpu-only-build"),
        (OPEN_MODULE, "driver-not-loaded"),
        ("CUDA versions. PyTorch has CUDA Version=11.7 and torchvision has", "extension-mismatch"),
        (COUNTS + "GPU 0: NVIDIA A100 MIG 3g.40gb", "mig"),
        (COUNTS + "on NVIDIA-A100-SXM4-80GB-MIG-3g.40gb", "mig"),
        (NOT_READY + "Platform: macOS-26.2-arm64-arm-64bit", "fabric-manager"),
        (FRAMED, "cuda-libs-mismatch"),
        ("The hang is gone with NCCL_P2P_DISABLE=1", "nccl"),
        ("Training freezes unless I set NCCL_P2P_DISABLE=1", "nccl"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        SYMBOL.format(" behaviour:"),
        JAX.format("the plugin"),
        TENSORFLOW + "tf.config.list_physical_devices('GPU') should not return an empty list",
        TENSORFLOW + "tf.config.list_physical_devices('GPU') returns the list",
        "I still have OOM issues.\n" + TABLE.format("12799") + PROCESS,
        "I still have OOM issues.\n" + TABLE.format("1279"),
        HANDLE,
        "I tried NCCL_P2P_DISABLE=1 but it did not help; is that fixed?",
        "export NCCL_P2P_DISABLE=1",
        COUNTS + "GPU 0: NVIDIA A100",
        "on NVIDIA-A100-SXM4-80GB-MIG-3g.40gb",
        NO_BUILD.format("2.5.0, 2.6.0") + "Python Version: 3.12.0",
        NO_TORCH + "I use python 3.8 btw",
        NO_TORCH + "They use python 3.10",
        PTXAS.format("found in"),
        BUILT.format("True"),
        "Our dock is not supported by open drivers of NVIDIA.",
        "It works with both onnxruntime-gpu and tensorflow.",
        OLLAMA.format("100% CPU   4 minutes from now"),
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"


def test_code_that_pytorch_advises_to_look_up_is_read_where_the_words_are_unknown() -> None:
    pasted = "CUDA error: of the future\nSearch for `cudaErrorIllegalAddress' in the documentation"
    assert ruled(pasted) == "user-code"

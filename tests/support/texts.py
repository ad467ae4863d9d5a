"""What tools and programs print, for tests of several causes."""

from __future__ import annotations

NO_GPU_FOUND = (
    "[10:00:00] WARNING: context.cc:44: No visible GPU is found, setting device to CPU.",
    (
        "WARNING: context.cc:196: Device is changed from GPU to CPU as we couldn't find any "
        "available GPU on the system."
    ),
    "ERROR (nnet3-train[5.2]:SelectGpuId():cu-device.cc:80) No CUDA GPU detected!",
    "[error] CUDA device requested but no devices found.",
    "ValueError: No GPU devices detected",
    "OpenMMException: No compatible CUDA device is available",
    "Cannot run short-ranged nonbonded interactions on a GPU because there is none detected.",
    "$ cryosparcw gpulist\n  Detected 0 CUDA devices.",
)
PROCESSES_QUERIED = """{error}
$ nvidia-smi --query-compute-apps={columns} --format=csv
{columns} [MiB]
{row}
$ nvidia-smi --query-gpu=index,pci.bus_id --format=csv,noheader
0, 00000000:1A:00.0
1, 00000000:1B:00.0
"""
FLUX = """GPU: NVIDIA RTX 3090, Julia 1.10.2, Flux 0.14.13
julia> using CUDA; CUDA.functional()
{works}

julia> {asked}
{array}

$ nvidia-smi
| 30%   39C    P8    24W / 350W |    420MiB / 24576MiB |      {busy}%      Default |
|    0   N/A  N/A     71240      C   julia                             402MiB |
"""
INSIDE_A_CONTAINER = """root@5a1f0e0c77d2:/sim# nvidia-smi -L
GPU 0: NVIDIA RTX A5000 (UUID: GPU-11111111-1111-1111-1111-111111111111)
root@5a1f0e0c77d2:/sim# python -c "import torch; print(torch.cuda.is_available())"
True
root@5a1f0e0c77d2:/sim# env | grep NVIDIA
NVIDIA_DRIVER_CAPABILITIES={capabilities}
root@5a1f0e0c77d2:/sim# ./simulate
{missed}
"""
WHERE_OF_WINDOWS = """Windows 10
tensorflow-gpu: 1.12.0
ImportError: DLL load failed: The specified module could not be found.
C:\\>where cudart64_90.dll
{cudart}
C:\\>where cudnn64_7.dll
{cudnn}
C:\\>
"""
TORCH_REPORT = """PyTorch version: {torch}
Is debug build: False
CUDA used to build PyTorch: {cuda}
{more}
Is CUDA available: {sees}
CUDA runtime version: {toolkit}
GPU models and configuration: Could not collect
Nvidia driver version: Could not collect
"""


def torch_report(
    more: str = "OS: Ubuntu 22.04", sees: str = "False", toolkit: str = "11.8.89"
) -> str:
    """What PyTorch's collect_env prints of a machine without a driver that it reaches."""
    return TORCH_REPORT.format(
        torch="2.1.0+cu118", cuda="11.8", more=more, sees=sees, toolkit=toolkit
    )


SMI_RTX_4090 = """\
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 560.35.03    Driver Version: 560.35.03    CUDA Version: 12.6     |
|-------------------------------+----------------------+----------------------+
|   0  NVIDIA GeForce RTX 4090 Off | 00000000:13:00.0 Off |                  0 |
| N/A   34C    P0    59W / 400W |      4MiB / 24564MiB |      0%      Default |
+-----------------------------------------------------------------------------+
"""
SMI_V100 = """
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|===============================+======================+======================|
|   0  Tesla V100-SXM2...  On   | 00000000:06:00.0 Off |                    0 |
| N/A   35C    P0    41W / 300W |  USEDMiB / 16160MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+
"""
SMI_K80 = """
+-----------------------------------------------------------------------------+
| NVIDIA-SMI_K80 367.48                 Driver Version: 367.48                    |
|===============================+======================+======================|
|   0  Tesla K80           On   | 0000:04:00.0     Off |                    0 |
| N/A   41C    P0    58W / 149W |    495MiB / 11439MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+
"""

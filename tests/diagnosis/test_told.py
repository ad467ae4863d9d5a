"""Short texts about driver, access, memory and programs, as many programs word them."""

from __future__ import annotations

import pytest

from support.cases import ruled

SMI = """\
| NVIDIA-SMI 525.85.12    Driver Version: 525.85.12    CUDA Version: 12.0     |
|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
| N/A   36C    P8     9W /  70W |      0MiB / 15360MiB |      0%      Default |
"""
NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system."
NUMBA = "CudaSupportError: Error at driver init:\n\nCUDA driver library cannot be found."
NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected"
NOT_COMMUNICATING = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
BUSY = "CUDA error: all CUDA-capable devices are busy or unavailable"
DAEMON = "docker: Error response from daemon: "

TOLD = {
    "no-nvidia-gpu": (
        "OS: macOS 13.4\nAssertionError: Torch not compiled with CUDA enabled",
        f"GPU: AMD Radeon RX 580\n{NO_DRIVER}",
        f"$ lspci | grep -i nvidia\n$ nvidia-smi\n{NOT_COMMUNICATING}",
        f"OS: Google Colab\n{NO_DEVICE}\n{NOT_COMMUNICATING}",
    ),
    "driver-missing": (
        f"OS: Windows 10\nGPU: GTX 1050\n{NO_DRIVER}",
        f"OS: Ubuntu 20.04\nGPU: GTX 1650\n{NUMBA}",
        "GPU: RTX 3080\nnvidia-smi: command not found\n>>> torch.cuda.is_available()\nFalse",
    ),
    "driver-not-loaded": (
        f"{NO_DEVICE}\n{NOT_COMMUNICATING}",
        (
            "$ sudo modprobe nvidia\nmodprobe: ERROR: could not insert 'nvidia': No such device\n"
            "$ lsmod | grep nouveau\nnouveau 1234567 1\n$ lspci | grep -i nvidia\n"
            "01:00.0 VGA compatible controller: NVIDIA Corporation GP104 [GeForce GTX 1080]"
        ),
        f"{DAEMON}nvidia-container-cli: initialization error: nvml error: driver not loaded",
    ),
    "driver-library-mismatch": (
        "Failed to initialize NVML: Driver/library version mismatch",
        "Error 803: system has unsupported display driver / cuda driver combination",
        "nvidia-container-cli: initialization error: nvml error: driver/library version mismatch",
    ),
    "driver-too-old": (
        "UserWarning: The NVIDIA driver on your system is too old (found version 10010).",
        "CUDA driver version is insufficient for CUDA runtime version",
        f"{DAEMON}nvidia-container-cli: requirement error: unsatisfied condition: cuda>=11.4",
        (
            "torch 2.5.1\n| NVIDIA-SMI 470.57.02  Driver Version: 470.57.02  CUDA Version: 11.4 |\n"
            ">>> torch.cuda.is_available()\nFalse"
        ),
        "CUDA_ERROR_UNSUPPORTED_PTX_VERSION: the PTX was compiled with an unsupported toolchain.",
    ),
    "forward-compat": (
        "RuntimeError: CUDA error: forward compatibility was attempted on non supported HW",
        (
            "LD_LIBRARY_PATH=/usr/local/cuda/compat/lib\nEnvironment: docker\n"
            "Error 803: system has unsupported display driver / cuda driver combination"
        ),
    ),
    "stub-library": ("RuntimeError: CUDA error: CUDA driver is a stub library",),
    "fabric-manager": ("cudaGetDeviceCount(): Error 802: system not yet initialized",),
    "device-nodes": (
        "Environment: docker\nFailed to initialize NVML: Unknown Error",
        "failed call to cuInit: CUDA_ERROR_UNKNOWN: unknown error\nsince the laptop was suspended",
        "crw-rw---- 1 root vglusers 195, 0 Jan  1 00:00 /dev/nvidia0\nInsufficient Permissions",
    ),
    "device-lost": (
        "NVRM: GPU 0000:0a:00.0: GPU has fallen off the bus.",
        "Unable to determine the device handle for GPU 0000:02:00.0: Unknown Error",
        (
            "|   1  GeForce RTX 208...  Off  | 00000000:02:00.0 Off |                  N/A |\n"
            "|ERR!   ERR!  ERR!    ERR! / ERR! |      0MiB / 11019MiB |    ERR!      Default |"
        ),
        "RuntimeError: CUDA error: unknown error\nNVRM: Xid (PCI:0000:01:00): 62, 0000(0000)",
    ),
    "device-busy": (
        BUSY,
        (
            "CUDA_ERROR_INVALID_DEVICE\n|   0  Tesla K80  On | 00000000:00:1E.0 Off |        0 |\n"
            "| N/A   38C    P0    55W / 149W |    100MiB / 11441MiB |      0%    E. Process |"
        ),
    ),
    "mig": (
        (
            "RuntimeError: CUDA error: invalid device ordinal\n$ nvidia-smi -L\n"
            "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee)\n"
            "  MIG 3g.20gb Device 0: (UUID: MIG-11111111-bbbb-cccc-dddd-eeeeeeeeeeee)"
        ),
    ),
    "hidden-by-visible-devices": (
        "export CUDA_VISIBLE_DEVICES=''\nRuntimeError: No CUDA GPUs are available",
        (
            'os.environ["CUDA_VISIBLE_DEVICES"] = "1"\nRuntimeError: No CUDA GPUs are available\n'
            "GPU 0: NVIDIA GeForce RTX 3090 (UUID: GPU-12345678-1234-1234-1234-123456789abc)"
        ),
    ),
    "container-no-gpu": (
        f'{DAEMON}could not select device driver "" with capabilities: [[gpu]].',
        "WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.",
        "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.",
        f'{DAEMON}exec: "nvidia-smi": executable file not found in $PATH',
        f"Environment: docker\n{NUMBA}",
    ),
    "wsl": (
        "OS: WSL2\nlibcuda.so.1: cannot open shared object file: No such file or directory",
        (
            f"{DAEMON}nvidia-container-cli: initialization error: WSL environment detected but no "
            "adapters were found"
        ),
    ),
    "oom-other-process": (
        (
            "CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 10.92 GiB total capacity; "
            "312.49 MiB already allocated; 8.56 MiB free; 9.51 MiB cached)"
        ),
        (
            "ValueError: Free memory on device (3.21/23.64 GiB) on startup is less than desired "
            "GPU memory utilization (0.9, 21.28 GiB)."
        ),
    ),
    "oom-preallocation": (
        "tensorflow-gpu 1.13\nfailed to create cublas handle: CUBLAS_STATUS_NOT_INITIALIZED",
        "jaxlib 0.4.13\nCould not create cudnn handle: CUDNN_STATUS_INTERNAL_ERROR",
    ),
    "oom-workload": (
        "OOM when allocating tensor with shape[64,512,512,64] and type float",
        "ValueError: No available memory for the cache blocks.",
        "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
    ),
    "user-code": (
        "RuntimeError: CUDA error: an illegal memory access was encountered",
        "RuntimeError: CUDA error: invalid device ordinal",
        "RuntimeError: Cannot re-initialize CUDA in forked subprocess.",
        "NVRM: Xid (PCI:0000:01:00): 13, Graphics SM Warp Exception: Out Of Range Address",
    ),
    "power-thermal": ("    HW Slowdown         : Active\n    HW Thermal Slowdown : Active",),
}
NO_FAULT = (
    f"{SMI}>>> torch.cuda.is_available()\nTrue\nCuda compilation tools, release 11.7, V11.7.64",
    (
        "gpu_device.cc:1613] Created device /job:localhost/replica:0/task:0/device:GPU:0 "
        "with 13678 MB memory:  -> device: 0, name: Tesla T4, pci bus id: 0000:00:04.0, "
        "compute capability: 7.5\n"
        "TF-TRT Warning: Could not find TensorRT"
    ),
    "GPU: AMD Radeon RX 580\nHow do I sort a list?",
    f"{SMI}    SW Power Cap                : Active",
    "env CUDA_VISIBLE_DEVICES=-1 python train.py\nepoch 1 done",
)


@pytest.mark.parametrize(
    ("cause", "text"), [(cause, text) for cause, texts in TOLD.items() for text in texts]
)
def test_cause_is_named(cause: str, text: str):
    assert ruled(text) == cause


@pytest.mark.parametrize("text", NO_FAULT)
def test_what_works_or_only_looks_like_a_fault_raises_no_alarm(text: str):
    assert ruled(text) in ("healthy", "unknown")


@pytest.mark.parametrize("text", [NO_DRIVER, NO_DEVICE, NOT_COMMUNICATING, BUSY])
def test_framework_that_computed_outweighs_a_driver_that_was_not_reached(text: str):
    proof = f"{SMI}>>> torch.cuda.is_available()\nTrue\n"
    assert ruled(proof + text) not in ("driver-missing", "driver-not-loaded", "no-nvidia-gpu")

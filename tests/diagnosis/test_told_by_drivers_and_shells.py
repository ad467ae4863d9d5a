"""What the driver's module, a shell, a table of processes or a builder's warning says."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import told

NO_ADAPTER = "NVRM: No NVIDIA graphics adapter found!\n"
LEGACY = """NVRM: The NVIDIA GeForce GT 640M GPU installed in this system is
NVRM:  supported through the NVIDIA 470.xx Legacy drivers. Please
NVRM:  visit http://www.nvidia.com/object/unix.html for more
NVRM:  information.  The 545.29.06 NVIDIA driver will ignore
NVRM:  this GPU.  Continuing probe...
"""


@pytest.mark.parametrize(
    ("log", "cause"),
    [(LEGACY + NO_ADAPTER, "driver-not-loaded"), (NO_ADAPTER, "no-nvidia-gpu")],
)
def test_a_gpu_that_the_module_leaves_to_another_branch_is_there(log: str, cause: str):
    assert ruled(log) == cause


SMI = """| NVIDIA-SMI 418.87       Driver Version: 418.87       CUDA Version: 10.1     |
|   0  GeForce GTX 1070    On   | 00000000:01:00.0  On |                  N/A |
| 34%   56C    P0    61W / 150W |    356MiB /  8118MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    ("miner", "cause"),
    [
        ("  Error: Insufficient CUDA driver: 10010\n", "driver-too-old"),
        ("  cu  Using CUDA driver: 10010\n", "healthy"),
    ],
)
def test_a_miner_tells_the_drivers_own_number(miner: str, cause: str):
    assert ruled(SMI + miner) == cause


LSPCI = """$ lspci | grep -i nvidia
pcilib: Cannot open /proc/bus/pci
lspci: Cannot find any working access method.
"""


@pytest.mark.parametrize(
    ("place", "cause"),
    [
        ("OS: Bash on Ubuntu on Windows\n", "wsl"),
        ("I use WSL1 with Ubuntu 20.04.\n", "wsl"),
        ("OS: Ubuntu 20.04\n", "unknown"),
        ("I use WSL2 with Ubuntu 20.04.\n", "unknown"),
    ],
)
def test_the_first_wsl_has_no_bus_to_ask(place: str, cause: str):
    assert ruled(place + LSPCI) == cause


SYMBOL = "InitConstants: copying cParams failed: {}\nGPU: {}\n"


@pytest.mark.parametrize(
    ("why", "gpu", "cause"),
    [
        ("invalid device symbol", "RTX 4090", "gpu-too-new"),
        ("invalid device symbol", "Tesla K40c", "gpu-too-old"),
        ("invalid symbol", "RTX 4090", "unknown"),
    ],
)
def test_a_constant_is_in_no_code_that_was_loaded(why: str, gpu: str, cause: str):
    assert ruled(SYMBOL.format(why, gpu)) == cause


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("The job ends: CUDA device busy or not available\n", "device-busy"),
        ("The server is busy or not available\n", "unknown"),
    ],
)
def test_devices_are_said_to_be_busy(said: str, cause: str):
    assert ruled(said) == cause


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("Both processes are stuck while initializing the NCCL communicator.\n", "nccl"),
        ("Both processes are stuck while initializing the data loader.\n", "unknown"),
    ],
)
def test_processes_stand_where_nccl_begins(said: str, cause: str):
    assert ruled(said) == cause


NVITOP = """\
│ NVITOP 1.3.2       Driver Version: 550.54.14      CUDA Driver Version: 12.4 │
│   0  ..orce RTX 2080 Ti  On   │ 00000000:02:00.0 Off │                  N/A │ MEM: █ 3.5% │
│ 28%   42C    P8     9W / 250W │    390MiB / 11264MiB │      0%      Default │ UTL: ▏ 0%   │
"""
PROCESSES = """| Processes:                                                       GPU Memory |
|  GPU       PID  Type  Process name                               Usage      |
|    0      4711    C   ./solver                                       812MiB |
"""
TRACE = """  File "/opt/lib/python3.10/site-packages/torch/nn/modules/module.py", line 1, in call
it fails
"""


@pytest.mark.parametrize(
    ("shown", "cause"),
    [
        (NVITOP, "healthy"),
        (NVITOP.splitlines()[0], "unknown"),
        (NVITOP + "CUDA error: out of memory\n", "oom-workload"),
        (PROCESSES, "healthy"),
        (TRACE + PROCESSES, "unknown"),  # it is shown to tell who is in the way
        (PROCESSES.rpartition("|    0")[0], "unknown"),
    ],
)
def test_a_table_of_gpus_or_of_their_users_shows_the_driver_at_work(shown: str, cause: str):
    assert ruled(shown) == cause


def test_nvitop_tells_what_nvidia_smi_tells():
    found = told(NVITOP)
    assert found["driver.version"] == "550.54.14"
    assert found["gpu.0.name"] == "RTX 2080 Ti"
    assert found["gpu.0.memory_free_bytes"] == (11264 - 390) << 20


BNB = """OS: {}
CUDA SETUP: WARNING! libcuda.so not found! Do you have a CUDA driver installed?
"""


@pytest.mark.parametrize(
    ("system", "cause"),
    [
        ("Windows 10", "extension-mismatch"),
        ("Ubuntu 22.04", "unknown"),
        ("Windows 11, WSL2", "wsl"),
    ],
)
def test_an_extension_for_linux_looks_for_its_files_on_windows(system: str, cause: str):
    assert ruled(BNB.format(system)) == cause


WARNED = """GPU: {}
UserWarning: The detected CUDA version ({}) has a minor version mismatch with the version that was
 used to compile PyTorch (12.8). Most likely this shouldn't be a problem.
error: command 'nvcc' failed with exit code 1
""".replace("\n used", " used")


@pytest.mark.parametrize(
    ("gpu", "toolkit", "cause"),
    [
        ("RTX 5080", "12.1", "toolkit-mismatch"),
        ("RTX 5080", "12.9", "unknown"),
        ("RTX 3080", "12.1", "unknown"),
    ],
)
def test_a_toolkit_of_torchs_major_is_older_than_the_gpu(gpu: str, toolkit: str, cause: str):
    assert ruled(WARNED.format(gpu, toolkit)) == cause


IN_IMAGE = """$ docker run -it --gpus all nvidia/cuda:{} bash
root@0123456789ab:/# nvcc --version
bash: nvcc: command not found
root@0123456789ab:/# cat /usr/local/cuda/include/cudnn.h
cat: /usr/local/cuda/include/cudnn.h: No such file or directory
"""


@pytest.mark.parametrize(
    ("tag", "cause"),
    [
        ("11.2.2-cudnn8-runtime-ubuntu20.04", "toolkit-missing"),
        ("12.4.1-base-ubuntu22.04", "toolkit-missing"),
        ("11.2.2-cudnn8-devel-ubuntu20.04", "cudnn-missing"),
    ],
)
def test_an_image_that_runs_programs_compiles_none(tag: str, cause: str):
    assert ruled(IN_IMAGE.format(tag)) == cause

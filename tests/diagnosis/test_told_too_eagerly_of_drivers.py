"""Texts whose stated cause must not give way to what they merely name beside it."""

from __future__ import annotations

import pytest

from gpuprobe.examine import judge
from gpuprobe.facts.pasted import read
from support.cases import ruled

NO_SMI = "nvidia-smi: command not found\n"
NO_CUBLAS = "ImportError: libcublas.so.11: cannot open shared object file: No such file\n"
FOR_CPU = "AssertionError: Torch not compiled with CUDA enabled\n"
SEES_NONE = ">>> torch.cuda.is_available()\nFalse\n"
SEES_ONE = ">>> torch.cuda.is_available()\nTrue\n"
TOO_OLD = "UserWarning: The NVIDIA driver on your system is too old (found version 11040).\n"


@pytest.mark.parametrize(
    ("shell", "cause"),
    [
        ("I use Git Bash on Windows 10.", "driver-missing"),
        ("MINGW64, that is bash on Windows", "driver-missing"),
        ("I use Bash on Ubuntu on Windows.", "wsl"),
    ],
)
def test_a_bash_on_windows_need_not_be_wsl(shell: str, cause: str):
    assert ruled(f"{shell}\n{NO_SMI}") == cause


IDLE = """● nvidia-fabricmanager.service - NVIDIA fabric manager service
     Active: inactive (dead)
GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-aaaa)
{failing}"""


@pytest.mark.parametrize(
    ("failing", "cause"),
    [
        (f"torch 2.1.0+cpu\n{SEES_NONE}", "cpu-only-build"),
        (NO_CUBLAS + SEES_NONE, "cublas-missing"),
        (TOO_OLD + SEES_NONE, "driver-too-old"),
        (SEES_NONE, "fabric-manager"),
    ],
)
def test_an_idle_fabric_manager_is_not_blamed_for_what_fails_otherwise(failing: str, cause: str):
    assert ruled(IDLE.format(failing=failing)) == cause


@pytest.mark.parametrize(
    ("hearsay", "failing", "cause"),
    [
        ("My colleague gets a permission error on the GPU devices.", FOR_CPU, "cpu-only-build"),
        (
            "Some users got permission problems on the GPU devices; mine are 0666.",
            NO_CUBLAS,
            "cublas-missing",
        ),
    ],
)
def test_files_that_are_closed_to_others(hearsay: str, failing: str, cause: str):
    assert ruled(f"{hearsay}\n{failing}") == cause


@pytest.mark.parametrize(
    ("gpu", "cause"),
    [("NVIDIA GeForce RTX 3090", "user-code"), ("NVIDIA A100-SXM4-40GB", "mig")],
)
def test_mig_that_no_gpu_here_has(gpu: str, cause: str):
    told = f"mig.strategy=mixed\nGPU 0: {gpu} (UUID: GPU-aaaa)\n"
    assert ruled(told + "RuntimeError: CUDA error: invalid device ordinal") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("I just enabled MIG last year on another node.", "unknown"),
        ("So it is after enabling MIG.", "mig"),
    ],
)
def test_mig_of_another_machine(told: str, cause: str):
    assert ruled(f"{told} RuntimeError: No CUDA GPUs are available") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("NVML GPU #0: fan status 9", "unknown"),
        ("NVML query: GPU #1, status 15", "unknown"),
        ("NVML: GPU #1, error code 15", "device-lost"),
    ],
)
def test_a_number_behind_that_of_the_gpu(told: str, cause: str):
    assert ruled(told) == cause


MISMATCH = """{where}
ii  nvidia-driver-535  535.129.03-0ubuntu1  amd64  NVIDIA driver metapackage
Failed to initialize NVML: Driver/library version mismatch
"""


@pytest.mark.parametrize(
    ("where", "cause"),
    [
        ("I have the same on WSL2. The server:", "driver-library-mismatch"),
        ("$ uname -r\n5.15.146.1-microsoft-standard-WSL2", "wsl"),
    ],
)
def test_a_wsl_that_is_told_of_beside_a_server(where: str, cause: str):
    assert ruled(MISMATCH.format(where=where)) == cause


UNLISTED = """$ rpm -qa | grep -i nvidia
$ sudo modprobe nvidia
modprobe: FATAL: Module nvidia not found in directory /lib/modules/5.14.0-362.el9
{more}"""


@pytest.mark.parametrize(
    ("more", "cause"),
    [
        ("I installed the driver with NVIDIA-Linux-x86_64-535.129.03.run", "driver-not-loaded"),
        ("$ ls /usr/bin/nvidia-smi\n/usr/bin/nvidia-smi\n", "driver-not-loaded"),
        ("$ ls /usr/lib64/libcuda*\n/usr/lib64/libcuda.so.535.129.03\n", "driver-not-loaded"),
        ("nvidia-installer:  version 535.129.03", "driver-not-loaded"),
        ("bash: /usr/bin/nvidia-smi: No such file or directory", "driver-missing"),
        ("$ uname -r\n5.14.0-362.el9.x86_64\n", "driver-missing"),
    ],
)
def test_a_driver_of_which_no_list_of_packages_knows(more: str, cause: str):
    assert ruled(UNLISTED.format(more=more)) == cause


NO_TOOLS = """$ docker run --gpus all pytorch/pytorch nvidia-smi
docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].
"""
HELD = """$ lspci -k
01:00.0 VGA compatible controller: NVIDIA Corporation AD106 [GeForce RTX 4060 Ti] (rev a1)
	Kernel driver in use: nouveau
"""


@pytest.mark.parametrize(
    ("host", "cause"),
    [
        ("$ lsmod | grep nouveau\nnouveau 1949696 3\n", "container-no-gpu"),
        (HELD, "driver-missing"),
    ],
)
def test_nouveau_may_drive_another_card_than_the_containers(host: str, cause: str):
    assert ruled(host + NO_TOOLS) == cause


@pytest.mark.parametrize(
    ("device", "cause"),
    [("00:1e.0: unknown", "hidden-by-visible-devices"), ("0:1", "mig")],
)
def test_an_address_is_no_instance(device: str, cause: str):
    assert ruled(f"nvidia-container-cli: device error: unknown device id: {device}") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("pygpu: (cublas) library not initialized.", "unknown"),
        ("cublas runtime error : library not initialized", "oom-workload"),
    ],
)
def test_the_cublas_of_libgpuarray_tells_nothing_of_memory(told: str, cause: str):
    assert ruled(told) == cause


def test_nvml_may_fail_where_torch_gets_at_the_gpu():
    assert ruled(f"UserWarning: Can't initialize NVML\n{SEES_ONE}") == "healthy"
    inside = f"root@0123456789ab:/# python\nUserWarning: Can't initialize NVML\n{SEES_NONE}"
    assert ruled(inside) == "container-no-gpu"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("I use native Linux because CUDA does not work in WSL. Now loss is nan.", "unknown"),
        ("I have a problem: CUDA does not work in WSL2.", "wsl"),
    ],
)
def test_who_left_wsl(told: str, cause: str):
    assert ruled(told) == cause


@pytest.mark.parametrize(
    ("holder", "command"),
    [("amdgpu", "drivers/amdgpu/unbind"), ("nouveau", "blacklist nouveau")],
)
def test_the_fix_names_the_driver_that_holds_the_gpu(holder: str, command: str):
    pasted = f"GPU: NVIDIA A100\nNVRM: GPU 0000:01:00.0 is already bound to {holder}.\n"
    root = judge(read(pasted), source="text").diagnosis.root
    assert root is not None
    assert root.cause == "driver-not-loaded"
    assert root.finding.fix is not None
    assert any(command in each for each in root.finding.fix.commands)


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("There is no GPU usage limit on my plan.", "healthy"),
        ("There is no GPU usage at all.", "silent-cpu-fallback"),
    ],
)
def test_a_limit_is_no_idle_gpu(told: str, cause: str):
    assert ruled(f"{told}\n{SEES_ONE}") == cause


UNUSED = """|   0  Tesla V100-SXM2...  On   | 00000000:00:1E.0 Off |                    0 |
| N/A   35C    P0    25W / 300W |      0MiB / 16160MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    ("more", "found"),
    [("mod2 = mx.mod.Module(symbol=net, context=mx.gpu())\n", False), ("mod.fit(data)\n", True)],
)
def test_one_module_of_mxnet_among_others(more: str, *, found: bool):
    pasted = f"mod = mx.mod.Module(symbol=net)\n{more}{UNUSED}"
    assert (ruled(pasted) == "silent-cpu-fallback") is found


LAMMPS = """-D PKG_GPU=on
$ mpirun lmp -in in.melt
{head}99.5% CPU use with 4 MPI tasks x 1 OpenMP threads
GPU 0: NVIDIA A100 (UUID: GPU-aa)
"""


@pytest.mark.parametrize(
    ("head", "found"), [("", False), ("LAMMPS (2 Aug 2023 - Update 1)\n", True)]
)
def test_the_end_of_a_log_does_not_tell_how_it_began(head: str, *, found: bool):
    assert (ruled(LAMMPS.format(head=head)) == "silent-cpu-fallback") is found


@pytest.mark.parametrize(
    ("system", "cause"), [("Windows 11", "unknown"), ("Ubuntu 22.04", "python-unsupported")]
)
def test_faiss_has_builds_for_gpus_on_linux_only(system: str, cause: str):
    failed = "ERROR: No matching distribution found for faiss-gpu"
    assert ruled(f"OS: {system}\n{failed}\n") == cause

"""What follows from two lines together: a path beside a version, a list beside a complaint."""

from __future__ import annotations

import pytest

from support.cases import ruled

BUS = """$ lspci
00:00.0 Host bridge: Intel Corporation 82G33/G31/P35/P31 Express DRAM Controller
{rows}00:1f.2 SATA controller: Intel Corporation 82801IR/IO/IH (ICH9R/DO/DH) 6 port SATA Controller
$ ollama serve
level=INFO source=gpu.go:377 msg="no compatible GPUs were discovered"
"""
GPU = "00:05.0 3D controller: NVIDIA Corporation Device 1eb8 (rev a1)\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (BUS.format(rows=""), "no-nvidia-gpu"),
        (BUS.format(rows=GPU), "unknown"),
        (BUS.format(rows="...\n"), "unknown"),
        (BUS.format(rows="").replace("lspci", "lspci | grep -v Ethernet"), "unknown"),
    ],
)
def test_a_whole_list_of_the_bus_without_any_graphics_card_shows_that_there_is_none(
    text: str, cause: str
):
    assert ruled(text) == cause


MODULES = """$ uname -r
6.8.0-{runs}-generic
$ find /lib/modules{of_kernel} -name 'nvidia*.ko*'
/lib/modules/6.8.0-40-generic/updates/dkms/nvidia.ko.zst
/lib/modules/6.8.0-40-generic/updates/dkms/nvidia-uvm.ko.zst
{own}$ python train.py
RuntimeError: No CUDA GPUs are available
"""
#: A module of the kernel's own, which is no driver for CUDA.
FRAME_BUFFER = "/lib/modules/6.8.0-45-generic/kernel/drivers/video/fbdev/nvidia/nvidiafb.ko.zst\n"


@pytest.mark.parametrize(
    ("runs", "of_kernel", "own", "cause"),
    [
        ("45", "", "", "driver-not-loaded"),
        ("45", "", FRAME_BUFFER, "driver-not-loaded"),
        ("40", "", "", "unknown"),
        ("45", "/6.8.0-40-generic", "", "unknown"),
    ],
)
def test_the_module_lies_in_the_folders_of_other_kernels_only(
    runs: str, of_kernel: str, own: str, cause: str
):
    assert ruled(MODULES.format(runs=runs, of_kernel=of_kernel, own=own)) == cause


COMPAT = """GPU: {gpu}
$ nvidia-smi --query-gpu=driver_version --format=csv,noheader
525.147.05
$ echo $LD_LIBRARY_PATH
{folder}:/usr/local/nvidia/lib64
$ ls {folder}
libcuda.so  libcuda.so.1  libcuda.so.{library}
$ python3 -c "import torch; print(torch.cuda.is_available())"
False
"""
FOLDER = "/usr/local/cuda/compat"


@pytest.mark.parametrize(
    ("gpu", "folder", "library", "cause"),
    [
        ("NVIDIA GeForce RTX 4070", FOLDER, "545.23.08", "forward-compat"),
        ("Tesla T4", FOLDER, "545.23.08", "unknown"),
        ("NVIDIA GeForce RTX 4070", FOLDER, "525.147.05", "unknown"),
        ("NVIDIA GeForce RTX 4070", "/opt/driver/lib", "545.23.08", "unknown"),
    ],
)
def test_a_compat_library_of_a_later_branch_than_the_driver_is_refused_on_a_geforce(
    gpu: str, folder: str, library: str, cause: str
):
    assert ruled(COMPAT.format(gpu=gpu, folder=folder, library=library)) == cause


LOADER = """$ LD_DEBUG=libs ./a.out
     4711:	calling init: {path}/libcuda.so.1
CUDA error 100: no CUDA-capable device is detected
"""


@pytest.mark.parametrize(
    ("path", "stub"), [("/opt/cuda/lib64/stubs", True), ("/usr/lib/x86_64-linux-gnu", False)]
)
def test_the_loader_tells_that_a_program_has_the_stub(path: str, stub: bool):
    assert (ruled(LOADER.format(path=path)) == "stub-library") is stub


ROW = "7f3a10000000-7f3a10200000 r-xp 00000000 08:20 12345                      "
IN_WSL = """$ uname -r
5.15.146.1-microsoft-standard-WSL2
$ {command}
{row}
RuntimeError: CUDA error: initialization error
"""
GREP = "grep libcuda /proc/4711/maps"
LINUX, WINDOWS = "/usr/lib/x86_64-linux-gnu/libcuda.so.550.54.14", "/usr/lib/wsl/lib/libcuda.so.1.1"


@pytest.mark.parametrize(
    ("command", "row", "of_linux"),
    [
        (GREP, ROW + LINUX, True),
        (GREP + " | awk '{print $6}' | sort -u", LINUX, True),
        (GREP, ROW + WINDOWS, False),
        ("ls /usr/lib/x86_64-linux-gnu/libcuda.so.*", LINUX, False),
    ],
)
def test_a_process_inside_wsl_has_mapped_the_library_of_a_linux_driver(
    command: str, row: str, of_linux: bool
):
    assert (ruled(IN_WSL.format(command=command, row=row)) == "wsl") is of_linux


@pytest.mark.parametrize(
    ("state", "cause"), [("unavailable", "device-busy"), ("compatible", "healthy")]
)
def test_gromacs_finds_a_gpu_that_lets_nobody_in(state: str, cause: str):
    text = f"    #0: NVIDIA A40, compute cap.: 8.6, ECC: yes, stat: {state}\nFatal error:\n"
    assert ruled(text) == cause


MANAGER = """OS: Windows 11
Each step takes a minute. Task manager:
Dedicated GPU memory  {own}/8.0 GB
Shared GPU memory     {shared}/31.9 GB
"""


@pytest.mark.parametrize(
    ("own", "shared", "cause"),
    [
        ("7.8", "9.6", "oom-workload"),
        ("7.8", "0.2", "unknown"),  # every program that draws has some
        ("4.1", "9.6", "unknown"),
    ],
)
def test_windows_puts_what_the_gpu_has_no_room_for_into_main_memory(
    own: str, shared: str, cause: str
):
    assert ruled(MANAGER.format(own=own, shared=shared)) == cause


CAPABILITIES = """root@box:/app# env | grep NVIDIA
NVIDIA_VISIBLE_DEVICES=all
NVIDIA_DRIVER_CAPABILITIES={capabilities}
root@box:/app# python3 -c "import torch; print(torch.__version__, torch.cuda.is_available())"
2.3.1+{build} False
"""


@pytest.mark.parametrize(
    ("capabilities", "build", "cause"),
    [
        ("utility", "cu121", "container-no-gpu"),
        ("video,utility", "cu121", "container-no-gpu"),
        ("compute,utility", "cu121", "unknown"),
        ("utility", "cpu", "cpu-only-build"),
    ],
)
def test_a_framework_sees_no_gpu_where_the_container_was_given_no_libcuda(
    capabilities: str, build: str, cause: str
):
    assert ruled(CAPABILITIES.format(capabilities=capabilities, build=build)) == cause

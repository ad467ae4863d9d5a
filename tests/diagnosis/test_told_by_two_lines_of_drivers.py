"""Where a program says little, and two other lines of a text together tell what it means."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

BUILT_FOR = """$ uname -r
5.15.0-91-generic
$ dkms status
nvidia, 525.147.05, {kernel}, x86_64: installed
$ {asked}
"""
DARKTABLE = "darktable-cltest\n0.0412 [opencl_init] could not get platforms: -1001"
CLINFO = "clinfo | head -1\nNumber of platforms                               {count}"


@pytest.mark.parametrize(
    ("kernel", "asked", "cause"),
    [
        ("5.15.0-89-generic", DARKTABLE, "driver-not-loaded"),
        ("5.15.0-89-generic", CLINFO.format(count=0), "driver-not-loaded"),
        ("5.15.0-89-generic", CLINFO.format(count=1), "unknown"),
        ("5.15.0-91-generic", DARKTABLE, "unknown"),
    ],
)
def test_opencl_finds_no_platform_where_the_module_is_for_another_kernel(
    kernel: str, asked: str, cause: str
):
    assert ruled(BUILT_FOR.format(kernel=kernel, asked=asked)) == cause


UPGRADED = """Upgrade: libnvidia-compute-525:amd64 (525.125.06-0ubuntu1, {to}-0ubuntu1)
$ cat /proc/driver/nvidia/version
NVRM version: NVIDIA UNIX x86_64 Kernel Module  525.125.06  Tue May 30 05:11:37 UTC 2023
{missed}
"""
BLENDER = "I0703 09:14:31.240117 31802 device.cpp:58] Found no CUDA devices"


@pytest.mark.parametrize("missed", [BLENDER, DARKTABLE, "ERROR: clGetPlatformIDs() returned -1001"])
def test_a_driver_that_was_upgraded_beside_its_old_module_serves_nobody(missed: str):
    assert ruled(UPGRADED.format(to="525.147.05", missed=missed)) == "driver-library-mismatch"
    assert ruled(UPGRADED.format(to="525.125.06", missed=missed)) != "driver-library-mismatch"


LC0 = """Creating backend [cuda-auto]...
CUDA Runtime version: {built}.0
{label}: {serves}.0
"""
SUPPORTED = "Latest version of CUDA supported by the driver"


@pytest.mark.parametrize(
    ("built", "label", "serves", "cause"),
    [
        ("11.1", SUPPORTED, "10.2", "driver-too-old"),
        ("11.1", SUPPORTED, "11.0", "unknown"),  # a driver serves all releases of its major
        ("10.0", SUPPORTED, "11.0", "unknown"),
        ("11.1", "CUDA version", "10.2", "unknown"),
    ],
)
def test_leela_tells_the_cuda_of_its_run_time_and_of_the_driver(
    built: str, label: str, serves: str, cause: str
):
    assert ruled(LC0.format(built=built, label=label, serves=serves)) == cause


LOADED = """GPU: NVIDIA {gpu}
Driver Version: 535.183.01
$ LD_DEBUG=libs python3 -c "import torch; print(torch.cuda.is_available())" 2>&1 | grep libcuda
        31:\tcalling init: {folder}/libcuda.so.1
$ python3 -c "import torch; print(torch.cuda.is_available())"
False
"""
COMPAT = "/usr/local/cuda/compat"


@pytest.mark.parametrize(
    ("gpu", "folder", "fires"),
    [
        ("GeForce RTX 3060", COMPAT, True),
        ("A30", COMPAT, False),  # there such a library may be used
        ("GeForce RTX 3060", "/usr/lib/x86_64-linux-gnu", False),
    ],
)
def test_the_loader_gives_a_toolkits_own_libcuda(gpu: str, folder: str, fires: bool):
    assert (ruled(LOADED.format(gpu=gpu, folder=folder)) == "forward-compat") is fires


HELD = """$ nvidia-smi --query-gpu=memory.total,memory.used,memory.free --format=csv,noheader
16384 MiB, 15902 MiB, 210 MiB
$ nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv,noheader
4120, {holder}, 15880 MiB
$ {command}
{failed}: CUBLAS_STATUS_NOT_INITIALIZED
"""


@pytest.mark.parametrize(
    ("holder", "command", "failed", "cause"),
    [
        ("/srv/venv/bin/python3", "cargo run --release", "Error: Cublas", "oom-other-process"),
        ("/srv/venv/bin/python3", "go run ./cmd/embed", "panic", "oom-other-process"),
        ("/srv/venv/bin/python3", "python3 embed.py", "RuntimeError", "oom-workload"),
        ("target/release/embed", "cargo run --release", "embed: Error", "oom-workload"),
    ],
)
def test_python_holds_the_memory_that_a_compiled_program_wants(
    holder: str, command: str, failed: str, cause: str
):
    assert ruled(HELD.format(holder=holder, command=command, failed=failed)) == cause


RMM = "MemoryError: std::bad_alloc: CUDA error at: /env/include/rmm/mr/device/cuda_memory{rest}"


@pytest.mark.parametrize(
    ("rest", "fires"),
    [
        ("_resource.hpp", True),
        ("_resource.hpp:70: cudaErrorMemoryAllocation out of memory", True),
        ("_resource.hpp:70: cudaErrorIllegalAddress an illegal memory access", False),
    ],
)
def test_an_allocator_names_its_file_and_no_code(rest: str, fires: bool):
    assert (ruled(RMM.format(rest=rest)) == "oom-workload") is fires


INSIDE = """root@5a1f0e0c77d2:/sim# nvidia-smi -L
GPU 0: NVIDIA RTX A5000 (UUID: GPU-11111111-1111-1111-1111-111111111111)
root@5a1f0e0c77d2:/sim# python -c "import torch; print(torch.cuda.is_available())"
True
root@5a1f0e0c77d2:/sim# env | grep NVIDIA
NVIDIA_DRIVER_CAPABILITIES={capabilities}
root@5a1f0e0c77d2:/sim# ./simulate
{missed}
"""
EGL = "unable to find CUDA device 0 among 1 EGL devices in total"
VULKAN = "[Error] [gpu.foundation] VkResult: ERROR_INCOMPATIBLE_DRIVER"
VIDEO = "OSError: libnvcuvid.so.1: cannot open shared object file: No such file or directory"


@pytest.mark.parametrize(
    ("capabilities", "missed", "fires"),
    [
        ("compute,utility", EGL, True),
        ("compute,utility,video", VULKAN, True),
        ("compute,utility", VIDEO, True),
        ("compute,utility,graphics", VIDEO, True),
        ("compute,utility,graphics", EGL, False),
        ("compute,utility,display", VULKAN, False),
        ("all", EGL, False),
        ("compute,utility,video", VIDEO, False),
    ],
)
def test_a_container_lacks_the_part_of_the_driver_that_a_program_wants(
    capabilities: str, missed: str, fires: bool
):
    text = INSIDE.format(capabilities=capabilities, missed=missed)
    assert (ruled(text) == "container-no-gpu") is fires


def test_the_part_that_lacks_is_named_in_the_repair():
    text = INSIDE.format(capabilities="compute,utility", missed=EGL)
    root = gpuprobe.explain(text).diagnosis.root
    assert root is not None
    assert root.finding.fix is not None
    assert "=compute,utility,graphics " in root.finding.fix.commands[0]

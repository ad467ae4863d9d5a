"""WSL that does not reach the driver of Windows, as texts from WSL tell of it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import root_by_rules, ruled

DAEMON = "docker: Error response from daemon: "
NEW_MACHINE = "I have a problem with my new machine.\n"
NO_CUDA = "| NVIDIA-SMI 545.46       Driver Version: 546.80       CUDA Version: ERR!     |\n"
NO_DRIVER = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"
WSL = "uname -r: 5.15.90.1-microsoft-standard-WSL2\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "OS: WSL2\nlibcuda.so.1: cannot open shared object file: No such file or directory",
            "wsl",
        ),
        (
            (
                f"{DAEMON}nvidia-container-cli: initialization error: WSL environment "
                "detected but no "
                "adapters were found"
            ),
            "wsl",
        ),
        (
            (
                "WSL2\nRuntimeError: Unexpected error from cudaGetDeviceCount(). Error 500:"
                " named symbol"
                " not found"
            ),
            "wsl",
        ),
        (NEW_MACHINE + "WSL2 cannot see the GPU", "wsl"),
        (NO_CUDA + "This is WSL2.", "wsl"),
        (NO_DRIVER + "Linux version 5.4.91-microsoft-standard-WSL2 (oe-user@oe-host) (gcc)", "wsl"),
        ("I have an Intel CPU and an NVIDIA card", "unknown"),
        ("The /dev/dxg device is not available in WSL2 since the update", "wsl"),
        ("The /dev/dxg device is available", "unknown"),
        (WSL + "nvidia-smi\nSegmentation fault", "wsl"),
        (WSL + "ffmpeg -i a.mp4\nSegmentation fault", "unknown"),
        ("nvidia-smi\nSegmentation fault", "unknown"),
        (
            WSL + "nvidia-container-cli: initialization error: driver error: failed to process"
            " request",
            "wsl",
        ),
        (WSL + "Failed to initialize NVML: N/A", "wsl"),
        ("Failed to initialize NVML: N/A", "unknown"),
        # The container tools find no adapter in WSL.
        ("docker: Error: WSL environment detected but no adapters were found", "wsl"),
        ("docker: WSL environment detected", "unknown"),
        # Who left WSL.
        ("I use native Linux because CUDA does not work in WSL. Now loss is nan.", "unknown"),
        ("I have a problem: CUDA does not work in WSL2.", "wsl"),
    ],
)
def test_wsl_that_does_not_reach_the_driver_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


OLD_WINDOWS = (
    "Microsoft Windows [Version 10.0.{}]\nWSL 2\nKernel 5.10.16.3\n"
    "torch.cuda.is_available() always returns False in wsl\n"
)


@pytest.mark.parametrize(("build", "cause"), [("19042.1052", "wsl"), ("22631.3593", "unknown")])
def test_windows_before_21h2_gives_wsl_no_gpu(build: str, cause: str):
    assert ruled(OLD_WINDOWS.format(build)) == cause


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


REFUSED = """$ uname -r
{kernel}
$ dpkg -l | grep nvidia
ii  nvidia-utils-535   535.171.04-0ubuntu0.22.04.1   amd64   NVIDIA driver support binaries
RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 803: system has unsupported display
driver / cuda driver combination
"""


@pytest.mark.parametrize(
    ("kernel", "cause"),
    [
        ("5.15.146.1-microsoft-standard-WSL2", "wsl"),
        ("5.15.0-101-generic", "driver-library-mismatch"),
    ],
)
def test_a_linux_driver_inside_wsl_is_refused(kernel: str, cause: str):
    assert ruled(REFUSED.format(kernel=kernel)) == cause


SMI_FAILED = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."


@pytest.mark.parametrize(
    ("kernel", "cause"),
    [
        ("kernel: 4.4.0-19041-Microsoft", "wsl"),
        ("kernel: 4.4.0-210-generic", "driver-not-loaded"),
    ],
)
def test_the_first_wsl_is_known_by_its_kernel(kernel: str, cause: str):
    assert ruled(f"{kernel}\n$ nvidia-smi\n{SMI_FAILED}\n") == cause


def test_nvml_that_fails_inside_wsl_has_no_device_files_to_open() -> None:
    unknown = "Failed to initialize NVML: Unknown Error"
    kernel = "Linux pc 5.15.146.1-microsoft-standard-WSL2 x86_64 GNU/Linux\n"
    assert ruled(unknown) == "device-nodes"
    assert ruled(kernel + unknown) == "wsl"


def test_wsl_that_cannot_count_the_gpus_is_not_full() -> None:
    count = "Unexpected error from cudaGetDeviceCount(). Error 2: out of memory (at c10/cuda.cpp)\n"
    work = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
    kernel = "Linux pc 5.15.146.1-microsoft-standard-WSL2 x86_64 GNU/Linux\n"
    assert ruled(kernel + count) == "wsl"
    assert ruled(count) != "wsl"
    assert ruled(kernel + work) != "wsl"


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


MAPPED = """{place}
Loaded from libcuda.so
        Mapped libcuda.so paths:
                {first}
                /usr/lib/x86_64-linux-gnu/libcuda.so.550.54.14
RuntimeError: the linker failed
"""
OF_WINDOWS = "/usr/lib/wsl/drivers/nv_dispi.inf_amd64_1/libcuda.so.1.1"


@pytest.mark.parametrize(
    ("place", "first", "cause"),
    [
        ("WSL2, Ubuntu 24.04", OF_WINDOWS, "wsl"),
        ("Ubuntu 24.04", "/usr/lib/x86_64-linux-gnu/libcuda.so.550.54.14", "unknown"),
    ],
)
def test_a_process_in_wsl_mapped_a_linux_driver(place: str, first: str, cause: str):
    assert ruled(MAPPED.format(place=place, first=first)) == cause


@pytest.mark.parametrize(
    ("file", "cause"),
    [("libdxcore.so", "wsl"), ("libd3d12.so", "wsl"), ("libd3dscache.so", "unknown")],
)
def test_a_library_that_windows_brings_into_wsl(file: str, cause: str):
    message = "cannot open shared object file: No such file or directory"
    assert ruled(f"OS: WSL2\nImportError: {file}: {message}") == cause
    assert ruled(f"OS: Ubuntu 24.04\nlibEGL warning: {file}: {message}") != "wsl"


WSL_MOUNT = """OS: {system}
nvidia-container-cli: mount error: file creation failed
I1004 13:41:19.552152 13740 nvc_info.c:197] selecting {file}
"""


@pytest.mark.parametrize(
    ("system", "file", "is_wsl"),
    [
        ("WSL2", "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.460.91.03", True),
        ("WSL2", "/usr/lib/wsl/lib/libnvidia-ml.so.1", False),
        ("Ubuntu 22.04", "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.460.91.03", False),
    ],
)
def test_the_container_tools_take_a_linux_driver_inside_wsl(
    system: str, file: str, *, is_wsl: bool
):
    assert (ruled(WSL_MOUNT.format(system=system, file=file)) == "wsl") is is_wsl


ON_WINDOWS = """C:\\>nvidia-smi
| NVIDIA-SMI 466.63       Driver Version: 466.63       CUDA Version: 11.3     |
|   0  NVIDIA GeForce ... WDDM  | 00000000:01:00.0 Off |                  N/A |
"""


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("CUDA is not working in WSL2", "wsl"),
        ("The GPU isn't visible inside WSL.", "wsl"),
        ("CUDA is working in WSL2", "healthy"),
        ("If CUDA is not working in WSL2, update Windows.", "healthy"),
    ],
)
def test_the_table_of_windows_says_nothing_of_wsl(sentence: str, cause: str):
    assert ruled(f"I have a GeForce card.\n{sentence}\n{ON_WINDOWS}") == cause


@pytest.mark.parametrize(
    ("system", "cause"),
    [("Bash on Ubuntu on Windows", "wsl"), ("Ubuntu 16.04", "driver-missing")],
)
def test_the_first_wsl_had_another_name(system: str, cause: str):
    assert ruled(f"OS: {system}\nI have a card.\nnvidia-smi: command not found\n") == cause


@pytest.mark.parametrize(
    ("place", "file", "cause"),
    [
        ("WSL2", "/usr/lib/x86_64-linux-gnu/libcuda.so.418.226.00", "wsl"),
        ("WSL2", "/usr/lib/wsl/lib/libcuda.so.1", "driver-too-old"),
        ("Ubuntu 22.04", "/usr/lib/x86_64-linux-gnu/libcuda.so.418.226.00", "driver-too-old"),
    ],
)
def test_a_linux_driver_inside_wsl_is_not_an_old_one(place: str, file: str, cause: str):
    said = f"symbol lookup for cuCtxCreate_v3 failed: {file}: undefined symbol: cuCtxCreate_v3"
    assert ruled(f"OS: {place}\n{said}") == cause


def test_symbol_that_docker_on_windows_misses_is_one_of_wsl() -> None:
    failure = "CUDA failure 500: named symbol not found ; GPU=-1 ; expr=cudaGetDeviceCount(&n)"
    assert ruled(f"OS: Windows 11\nEnvironment: docker compose\n{failure}") == "wsl"
    assert ruled(f"OS: Ubuntu 22.04\nEnvironment: docker compose\n{failure}") != "wsl"


def test_newer_container_tools_bring_what_windows_driver_has() -> None:
    failure = "cudaGetDeviceCount(): Error 500: named symbol not found"
    inside = root_by_rules(f"OS: Windows 11\nEnvironment: docker compose\n{failure}").finding
    assert "Docker Desktop to 4.31.0" in inside.fix.text
    assert "Docker Desktop" not in root_by_rules(f"OS: WSL2\n{failure}").finding.fix.text


def test_a_driver_for_linux_has_no_place_in_wsl():
    setting_up = "Setting up nvidia-dkms-460 (460.32.03-0ubuntu1) ...\n"
    assert ruled("I use WSL2 with Ubuntu.\n" + setting_up) == "wsl"
    assert ruled("I use Ubuntu.\n" + setting_up) == "unknown"


def test_windows_drivers_for_wsl_are_told_in_one_sentence():
    line = (
        "core.c:211] Core Nvidia component libcuda.so.1.1 not found in "
        "/usr/lib/wsl/drivers/u0398112.inf_amd64_0123abcd\n"
    )
    report = gpuprobe.explain(f"GPU: GeForce RTX 3060\n{line}")
    root = report.diagnosis.root
    assert root is not None
    assert root.finding.title.startswith("Of Windows' drivers WSL gets another maker's only")


INSIDE = "Linux box 5.15.90.1-microsoft-standard-WSL2 #1 SMP x86_64 GNU/Linux\n"
NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system.\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("This laptop has no GPU\n", "no-nvidia-gpu"),
        ("If this laptop has no GPU, it stops\n", "wsl"),
        ("", "wsl"),
    ],
)
def test_inside_wsl_the_owners_word_tells_that_there_is_no_gpu(told: str, cause: str):
    assert ruled(INSIDE + told + NO_DRIVER) == cause


@pytest.mark.parametrize(("system", "cause"), [("WSL 2", "wsl"), ("Ubuntu 22.04", "unknown")])
def test_the_container_tools_get_nothing_of_windows(system: str, cause: str):
    line = "dxcore initialization failed, continuing assuming a non-WSL environment"
    assert ruled(f"OS: {system}\n{line}\n") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("pip ends in an error, since usr/lib/wsl/lib is not on the path.", "wsl"),
        ("/usr/lib/wsl/lib was missing from LD_LIBRARY_PATH, torch found no libcuda.", "wsl"),
        ("export LD_LIBRARY_PATH=/usr/lib/wsl/lib:$LD_LIBRARY_PATH solves it for me", "wsl"),
        ("ldconfig does not look in `/usr/lib/wsl/lib` here.", "wsl"),
        ("I had to add /usr/lib/wsl/lib to my PATH before nvidia-smi was found.", "wsl"),
        ("Fixed it by setting LD_LIBRARY_PATH to /usr/lib/wsl/lib.", "wsl"),
        ("Should I add /usr/lib/wsl/lib to the path?", "unknown"),
        ("/usr/lib/wsl/lib is on my path, as it should be.", "unknown"),
        ("export LD_LIBRARY_PATH=/usr/lib/wsl/lib:$LD_LIBRARY_PATH", "unknown"),
        ("Adding /usr/lib/wsl/lib to LD_LIBRARY_PATH had no effect.", "unknown"),
    ],
)
def test_where_wsl_has_the_driver_of_windows_is_searched_or_not(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("OS: WSL2\nclGetPlatformIDs(): CL_PLATFORM_NOT_FOUND_KHR\n", "wsl"),
        ("WSL 2\n[LightGBM] [Fatal] No OpenCL device found\n", "wsl"),
        ("OS: WSL2\nRuntimeError: UVA is not available\n", "wsl"),
        ("OS: Ubuntu 22.04\nRuntimeError: UVA is not available\n", "unknown"),
        (
            (
                "WSL2\nwarning: gpu support may not be enabled, check that you have installed "
                "GPU drivers: nvidia-smi command failed\n"
            ),
            "wsl",
        ),
        ('WSL2\nthe CUDA driver library ("libcuda.so") could not be found!\n', "wsl"),
        ("Docker Desktop (WSL2)\n   [[ Named symbol not found (error 500) ]]\n", "wsl"),
        (
            (
                "WSL2\nnvidia-driver-525 525.125.06-0ubuntu0.22.04.1\n>>> "
                "torch.cuda.is_available()\nFalse\n"
            ),
            "wsl",
        ),
    ],
)
def test_programs_inside_wsl_that_miss_a_part_of_the_driver(text: str, cause: str):
    assert ruled(text) == cause

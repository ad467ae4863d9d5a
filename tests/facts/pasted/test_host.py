"""System, kernel, module, PCI bus, device files, the system's packages, compilers."""

# The samples are as long as programs print them.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from support.pasted import some, told


@pytest.mark.parametrize(
    ("text", "kernel", "wsl"),
    [
        ("Linux gpu1 5.15.0-91-generic #101-Ubuntu SMP Tue Nov 14 13:30:08 UTC 2023 x86_64 x86_64 x86_64 GNU/Linux", "5.15.0-91-generic", None),
        ("Linux DESKTOP 5.15.90.1-microsoft-standard-WSL2 #1 SMP Fri Jan 27 02:56:13 UTC 2023 x86_64 GNU/Linux", "5.15.90.1-microsoft-standard-WSL2", 2),
        ("Linux PC 4.4.0-19041-Microsoft #488-Microsoft Mon Sep 01 13:43:00 PST 2020 x86_64 x86_64 x86_64 GNU/Linux", "4.4.0-19041-Microsoft", 1),
        ("Python platform: Linux-5.15.0-1019-aws-x86_64-with-glibc2.31", "5.15.0-1019-aws", None),
        ("platform: uname_result(system='Linux', node='n', release='6.1.0-13-amd64', version='#1 SMP', machine='x86_64')", "6.1.0-13-amd64", None),
        ("$ uname -r\n6.8.0-64-generic", "6.8.0-64-generic", None),
    ],
)  # fmt: skip
def test_the_kernel_is_read_from_uname_and_platform(
    text: str, kernel: str, wsl: int | None
) -> None:
    found = told(text)
    assert found["os.system"] == "Linux"
    assert found["os.kernel"] == kernel
    assert found.get("wsl.version") == wsl


@pytest.mark.parametrize(
    ("text", "system", "name"),
    [
        ('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"', "Linux", "Debian GNU/Linux 12 (bookworm)"),
        ("Description:    Ubuntu 20.04.6 LTS", "Linux", "Ubuntu 20.04.6 LTS"),
        ("OS: Microsoft Windows 10 Pro", "Windows", "Microsoft Windows 10 Pro"),
        ("OS: Windows 11", "Windows", "Windows 11"),
        ("OS: macOS 14.2.1 (arm64)", "Darwin", "macOS 14.2.1 (arm64)"),
        ("- OS: CachyOS", "Linux", "CachyOS"),
        ("**OS Platform and Distribution (e.g., Linux Ubuntu 16.04)**: CentOS 7", "Linux", "CentOS 7"),
        ("Platform                : Windows-10-10.0.19041-SP0", "Windows", "Windows 10.0.19041"),
        ("Microsoft Windows [Version 10.0.22631.3155]", "Windows", "Windows 10.0.22631"),
        ("OS: Linux", "Linux", None),
    ],
)  # fmt: skip
def test_the_systems_name_is_read(text: str, system: str, name: str | None) -> None:
    found = told(text)
    assert found["os.system"] == system
    assert found.get("os.name") == name


@pytest.mark.parametrize(
    ("text", "machine"),
    [
        ("OS: Ubuntu 22.04 (aarch64)", "aarch64"),
        ("OS: Ubuntu 24.04.3 LTS, ARM64", "aarch64"),
        ("Architecture:                       x86_64", "x86_64"),
        ("- **Architecture**: `aarch64`", "aarch64"),
        ("OS: macOS 14.2.1 (arm64)", None),  # no Linux, whose names these are
        ("GPU Architecture: Ampere, on an x86_64 host", None),
    ],
)
def test_the_processor_is_read_from_the_systems_line_and_from_lscpu(
    text: str, machine: str | None
) -> None:
    assert told(text).get("os.machine") == machine


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("Python 3.9.13 (tags/v3.9.13:6de2ca5, May 17 2022) [MSC v.1929 64 bit (AMD64)] on win32", "3.9.13"),
        ("$ python --version\nPython 3.12.1", "3.12.1"),
        ("python: 3.11.11 (main, Dec 11 2024, 16:28:39) [GCC 11.2.0]", "3.11.11"),
        ("- Python version: 3.10", "3.10"),
        ("Python Version: 3.7.3 (conda)", "3.7.3"),
    ],
)  # fmt: skip
def test_pythons_version_is_read(text: str, version: str) -> None:
    assert told(text)["python.version"] == version


def test_the_modules_version_and_kind() -> None:
    found = told(
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  560.35.03  Release Build"
    )
    assert found["module.nvidia.version"] == "560.35.03"
    assert found["module.nvidia.kind"] == "open"
    found = told(
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  384.130  Wed Jan  1 00:00:00 PDT 2018"
    )
    assert found["module.nvidia.version"] == "384.130"
    assert found["module.nvidia.kind"] == "proprietary"


def test_lsmod_tells_what_is_loaded() -> None:
    found = told("nvidia_uvm           1441792  0\nnvidia              56717312  1 nvidia_uvm")
    assert found["module.nvidia.loaded"] is True
    assert told("nouveau              1949696  4")["module.nouveau.loaded"] is True


@pytest.mark.parametrize(
    "text",
    [
        "$ lsmod | grep nvidia\n$ uname -r",
        "user@host:~$ lsmod | grep -i nvidia",
        "cat: /proc/driver/nvidia/version: No such file or directory",
        "modprobe: FATAL: Module nvidia not found in directory /lib/modules/6.8.0-45-generic",
        "modprobe: ERROR: could not insert 'nvidia': Key was rejected by service",
    ],
)
def test_what_says_that_the_module_is_not_loaded(text: str) -> None:
    found = told(text)
    assert found["module.nvidia.loaded"] is False
    assert found["module.nvidia.version"] is None


def test_why_a_module_was_refused_is_kept() -> None:
    found = told("modprobe: ERROR: could not insert 'nvidia': Key was rejected by service")
    assert "Key was rejected" in str(found["module.nvidia.load_error"])


def test_secure_boot_and_dkms() -> None:
    found = told("""
        $ mokutil --sb-state
        SecureBoot enabled
        $ dkms status
        nvidia/535.104.05, 6.2.0-33-generic, x86_64: installed
        """)
    assert found["secure_boot.enabled"] is True
    assert found["module.nvidia.dkms"] == "installed for 6.2.0-33-generic"


LSPCI = """
00:02.0 VGA compatible controller [0300]: Intel Corporation UHD Graphics 630 [8086:3e9b]
\tKernel driver in use: i915
01:00.0 3D controller [0302]: NVIDIA Corporation GP107M [GeForce GTX 1050 Mobile] [10de:1c8d] (rev a1)
\tSubsystem: Lenovo GP107M [17aa:39fe]
\tKernel driver in use: nouveau
\tKernel modules: nvidiafb, nouveau
"""


def test_lspci_with_ids_and_drivers() -> None:
    found = told(LSPCI)
    assert found["pci.nvidia_gpu_count"] == 1
    assert found["pci.0.vendor"] == "intel"
    assert found["pci.1.address"] == "0000:01:00.0"
    assert found["pci.1.device"] == "1c8d"
    assert found["pci.1.driver"] == "nouveau"
    assert found["gpu.1.name"] == "GeForce GTX 1050 Mobile"


@pytest.mark.parametrize(
    "text",
    [
        "$ lspci | grep -i nvidia\n",
        "$ lspci | grep -i nvidia\n$ nvidia-smi\n",
        "root@host:/# lspci -nn | grep NVIDIA\n\nroot@host:/# ",
        "$ lspci -d 10de:",
        "00:02.0 VGA compatible controller: Intel Corporation HD Graphics 620 (rev 02)",
        "06:00.0 VGA compatible controller: Advanced Micro Devices, Inc. [AMD/ATI] Cezanne (rev c6)",
    ],
)
def test_a_bus_without_an_nvidia_device(text: str) -> None:
    assert told(text)["pci.nvidia_gpu_count"] == 0


@pytest.mark.parametrize(
    "text",
    [
        "$ lspci | grep -i nvidia\nbash: lspci: command not found",
        "run lspci | grep -i nvidia to see it",
        "$ lspci | grep -i amd\n06:00.0 VGA compatible controller: Advanced Micro Devices, Inc.",
    ],
)
def test_what_says_nothing_of_nvidias_devices(text: str) -> None:
    assert "pci.nvidia_gpu_count" not in told(text)


def test_device_files_listed_refused_and_missing() -> None:
    found = told("""
        $ ls -l /dev/nvidia*
        crw-rw-rw- 1 root root 195,   0 Jan  1 00:00 /dev/nvidia0
        crw-rw---- 1 root video 195, 255 Jan  1 00:00 /dev/nvidiactl
        """)
    assert found["node.nvidia0"] == "usable"
    assert found["node.nvidiactl"] == "not permitted"
    found = told("ls: cannot access '/dev/nvidia*': No such file or directory")
    assert found["node.nvidiactl"] is None
    found = told('open("/dev/nvidiactl", O_RDWR)          = -1 EPERM (Operation not permitted)')
    assert found["node.nvidiactl"] == "not permitted"


@pytest.mark.parametrize(
    ("line", "package"),
    [
        ("ii  nvidia-driver-535      535.104.05-0ubuntu1  amd64  NVIDIA driver metapackage", "nvidia-driver-535 535.104.05-0ubuntu1"),
        ("nvidia-driver-latest-dkms-550.54.15-1.el8.x86_64", None),
        ("akmod-nvidia-550.67-1.fc39.x86_64", "akmod-nvidia 550.67"),
        ("nvidia-dkms 550.78-1", "nvidia-dkms 550.78-1"),
    ],
)  # fmt: skip
def test_the_drivers_package(line: str, package: str | None) -> None:
    found = told(line).get("driver.package")
    assert found == package if package else found is not None


def test_packages_of_cudnn_and_fabric_manager() -> None:
    found = told("""
        ii  libcudnn8              8.9.7.29-1+cuda12.2   amd64  cuDNN runtime libraries
        ii  nvidia-fabricmanager-535  535.104.12-1  amd64  Fabric Manager
        """)
    assert found["cudnn.version"] == "8.9.7.29"
    assert found["fabric_manager.version"] == "535.104.12"


NVCC = """
nvcc: NVIDIA (R) Cuda compiler driver
Copyright (c) 2005-2024 NVIDIA Corporation
Built on Thu_Mar_28_02:18:24_PDT_2024
Cuda compilation tools, release 12.4, V12.4.131
Build cuda_12.4.r12.4/compiler.34097967_0
"""
PTXAS = """
ptxas: NVIDIA (R) Ptx optimizing assembler
Copyright (c) 2005-2021 NVIDIA Corporation
Built on Sun_Aug_15_21:13:00_PDT_2021
Cuda compilation tools, release 11.5, V11.5.50
"""


def test_nvcc_and_ptxas_are_told_apart() -> None:
    found = told(NVCC + PTXAS)
    assert found["toolkit.version"] == "12.4.131"
    assert found["toolkit.ptxas_version"] == "11.5.50"
    assert "toolkit.ptxas_version" not in told(NVCC)
    assert "toolkit.version" not in told(PTXAS)


def test_a_missing_nvcc_is_absent() -> None:
    assert told("$ nvcc --version\nbash: nvcc: command not found")["toolkit.version"] is None
    assert "toolkit.version" not in told("nvcc: command not found is what some people see")


@pytest.mark.parametrize(
    ("line", "compiler"),
    [
        ("-- The CXX compiler identification is GNU 8.3.0", "gcc 8.3.0"),
        ("-- The C compiler identification is AppleClang 14.0.0.14000029", "clang 14.0.0.14000029"),
        ("-- The CXX compiler identification is MSVC 19.38.33133.0", "MSVC 19.38.33133.0"),
        ("gcc (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0", "gcc 11.4.0"),
        ("- GCC/Compiler version (if compiling from source): 7.5.0", "gcc 7.5.0"),
    ],
)
def test_the_host_compiler(line: str, compiler: str) -> None:
    assert told(line)["toolkit.host_compiler"] == compiler


def test_the_compiler_of_the_kernel_module_is_another() -> None:
    assert (
        some(told("GCC version:  gcc version 5.4.0 20160609 (Ubuntu 5.4.0-6ubuntu1)"), "toolkit")
        == {}
    )


def test_cmake_names_the_cuda_compiler() -> None:
    assert (
        told("-- The CUDA compiler identification is NVIDIA 11.8.89")["toolkit.version"]
        == "11.8.89"
    )
    found = told(
        '-- Found CUDA: /usr/local/cuda-10.2 (found suitable version "10.2", minimum required is "7.5")'
    )
    assert found["toolkit.version"] == "10.2"


def test_images_tell_what_is_inside() -> None:
    found = told("$ docker run --gpus all pytorch/pytorch:2.1.0-cuda12.1-cudnn8-runtime nvidia-smi")
    assert found["package.torch.cuda"] == "12.1"
    assert found["container.kind"] == "docker"
    assert (
        told("$ docker run -it tensorflow/tensorflow:2.6.0-gpu bash")["package.tensorflow.build"]
        == "cuda"
    )
    assert (
        some(told("we publish tensorflow/tensorflow:2.6.0-gpu weekly"), "package", "container")
        == {}
    )


def test_the_drivers_files_carry_its_release() -> None:
    assert (
        told("dlerr: /usr/lib64/libcuda.so.418.74: undefined symbol")["libcuda.version"] == "418.74"
    )
    several = "/usr/lib/libcuda.so.418.74\n/usr/lib/libcuda.so.535.104.05"
    assert "libcuda.version" not in told(several)
    assert "libcuda.version" not in told("libcuda.so.1 => not found")

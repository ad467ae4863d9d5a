"""A driver that is missing, as modprobe, DKMS and the like tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

CARD = "01:00.0 VGA compatible controller: NVIDIA Corporation GP104 [GeForce GTX 1080] (rev a1)\n"
NOUVEAU = f"$ lspci -k\n{CARD}\tKernel driver in use: nouveau\n"
LISTED = "nouveau              2306048  4\nmxm_wmi                16384  1 nouveau\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("No package akmod-nvidia available.", "driver-missing"),
        ("- nothing provides dkms needed by nvidia-driver-3:550.54-1.el9.x86_64", "driver-missing"),
        (
            "Error: Package: 3:kmod-nvidia-latest-dkms-455.32.00-1.el7.x86_64 (cuda-rhel7-x86_64)",
            "driver-missing",
        ),
        ("Error: Package: 3:kernel-headers-455.32.00-1.el7.x86_64", "unknown"),
        # Nouveau alone cannot serve CUDA.
        (NOUVEAU + "\tKernel modules: nvidiafb, nouveau\n", "driver-missing"),
        (
            NOUVEAU + "\tKernel modules: nvidiafb, nouveau, nvidia_drm, nvidia\n",
            "driver-not-loaded",
        ),
        ('$ lsmod | grep -iE "nvidia|nouveau"\n' + LISTED, "driver-missing"),
        (
            f"nvidia/535.183.01, 5.15.0-91-generic, x86_64: installed\n$ lsmod\n{LISTED}",
            "driver-not-loaded",
        ),
    ],
)
def test_a_driver_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


RPM = """$ lspci -nnk | grep -A3 NVIDIA
3b:00.0 3D controller [0302]: NVIDIA Corporation TU104GL [Tesla T4] [10de:1eb8] (rev a1)
	Subsystem: NVIDIA Corporation Device [10de:12a2]
	Kernel modules: nouveau
$ rpm -qa | grep -iE 'nvidia|cuda' | sort
cuda-nvcc-12-2-12.2.140-1.x86_64
{other}
$ ./app
Error: no CUDA-capable device
"""


@pytest.mark.parametrize(
    ("other", "cause"),
    [
        ("libcurand-12-2-10.3.3.141-1.x86_64", "driver-missing"),
        ("nvidia-driver-535.104.05-1.el9.x86_64", "driver-not-loaded"),
    ],
)
def test_a_list_of_packages_has_the_toolkit_and_no_driver(other: str, cause: str):
    assert ruled(RPM.format(other=other)) == cause


UNDRIVEN = """RuntimeError: No CUDA GPUs are available
$ lspci -nnk -s 01:00
01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA106 [GeForce RTX 3060] [10de:2503]
\tSubsystem: ZOTAC International [19da:1630]
{driver}\tKernel modules: {modules}
$ dpkg -l | grep -iE 'cuda|nvidia'
{package}
$ uname -r
6.1.0-18-amd64
"""
TOOLKIT = "ii  cuda-toolkit-12-2   12.2.2-1    amd64   CUDA Toolkit 12.2 meta-package"
DRIVER = "ii  nvidia-driver   535.183.01-1   amd64   NVIDIA metapackage"


@pytest.mark.parametrize(
    ("driver", "modules", "package", "cause"),
    [
        ("", "nouveau", TOOLKIT, "driver-missing"),
        ("", "nouveau", DRIVER, "driver-not-loaded"),
        ("", "nvidiafb, nouveau, nvidia", TOOLKIT, "driver-not-loaded"),
        ("\tKernel driver in use: nvidia\n", "nouveau, nvidia", DRIVER, "unknown"),
    ],
)
def test_no_kernel_driver_has_the_gpu(driver: str, modules: str, package: str, cause: str):
    text = UNDRIVEN.format(driver=driver, modules=modules, package=package)
    assert ruled(text) == cause

"""Fixes for the driver: which version, branch and part of it to install."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.diagnosis.fixes.driver import install_driver, reinstall_driver
from gpuprobe.diagnosis.questions.place import Distribution, Place, place_of
from gpuprobe.facts.model import Facts, Known
from support.pasted import finding, printed


def test_fabric_manager_by_the_librarys_name() -> None:
    pasted = 'Ubuntu 20.04\nGPU: A100\nlibrary={} error="cuda driver library init failure: 802"'
    named = "/usr/lib/x86_64-linux-gnu/libcuda.so.535.183.01"
    assert "nvidia-fabricmanager-535" in printed(pasted.format(named))
    assert "fabricmanager-" not in printed(pasted.format("/usr/lib/x86_64-linux-gnu/libcuda.so.1"))


LOADED = "Loaded runtime CuDNN library: {} but source was compiled with: {}."


@pytest.mark.parametrize(
    ("loaded", "compiled", "later"),
    [("8.1.1", "8.6.0", True), ("8.9.0", "8.6.0", False), ("7.1.3", "7.0.5", False)],
)
def test_what_was_refused_is_not_advised(loaded: str, compiled: str, later: bool) -> None:
    pasted = f"tensorflow 2.11\ncuDNN: {loaded}\n" + LOADED.format(loaded, compiled)
    assert ("or a later minor version" in printed(pasted)) is later


def test_driver_for_a_gpu_that_distributions_may_not_know_yet() -> None:
    missing = "Debian GNU/Linux 12 (bookworm)\nGPU: {}\nbash: nvidia-smi: command not found"
    new = printed(missing.format("NVIDIA GeForce RTX 5060"))
    assert "NVIDIA driver 570 or newer" in new
    assert "https://www.nvidia.com/drivers" in new
    assert "or newer" not in printed(missing.format("NVIDIA GeForce RTX 3060"))


LEGACY = """OS: Ubuntu 22.04
NVRM: The NVIDIA GeForce GTX 680 GPU installed in this system is
NVRM:  supported through the NVIDIA 470.xx Legacy drivers. Please visit
NVRM:  The 535.54.03 NVIDIA driver will ignore
NVRM:  this GPU.  Continuing probe...
"""
OF_GPU = """OS: Ubuntu 24.04
NVIDIA driver version: 570.133.07
NVRM: The NVIDIA GPU 0000:02:00.0 (PCI ID: 10de:{})
NVRM: installed in this system {}
NVRM: GPU 0000:02:00.0: RmInitAdapter failed! (0x22:0x56:884)
$ nvidia-smi
No devices were found
"""
VIDEO = "OS: Unraid, docker\n[hevc_nvenc @ 0x560d1c298580] Cannot load libnvidia-encode.so.1"


@pytest.mark.parametrize(
    ("text", "code", "repair"),
    [
        (LEGACY, "GP102", "nvidia-driver-470"),
        (
            OF_GPU.format("2b85", "requires use of the NVIDIA open kernel modules."),
            "GP102",
            "nvidia-driver-570-open",
        ),
        (
            OF_GPU.format("1b82", "is not supported by open\nNVRM: nvidia.ko"),
            "GP102",
            "nvidia-driver-570",
        ),
        (OF_GPU.format("2684", "is a GPU"), "GP103", "sudo reboot"),
        (VIDEO, "GP301", "NVIDIA_DRIVER_CAPABILITIES=compute,utility,video"),
        (f"{VIDEO}\nCannot load libcuda.so.1", "GP301", "docker run --gpus all IMAGE"),
        (
            f"NVIDIA_DRIVER_CAPABILITIES=all\n{VIDEO}",
            "GP301",
            "docker run --gpus all IMAGE",
        ),
    ],
)
def test_the_driver_that_serves_the_gpu_is_named(text, code, repair):
    assert gpuprobe.explain(text).diagnosis.root.rule.code == code
    assert repair in printed(text)
    assert "modprobe" not in printed(text)


IMAGE = (
    "OS: {}\nGPU: {}\nnvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.6,"
)
IMAGE += " please update your driver to a newer version, or use an earlier cuda container\n"


def test_a_gpu_that_newer_drivers_leave_out_is_told_of() -> None:
    told = printed(IMAGE.format("Ubuntu 22.04", "NVIDIA GeForce GTX 1080 Ti"))
    assert "Branch 580 is the last" in told
    assert "the last" not in printed(IMAGE.format("Ubuntu 22.04", "NVIDIA GeForce RTX 4090"))


ENCODER = (
    "OS: {}\nGPU: {}\n[general]\ndriver_ver={}\nreason=outdated_driver\nnvenc_supported=false\n"
)


@pytest.mark.parametrize(
    ("system", "gpu", "driver", "there", "not_there"),
    [
        ("Debian 13", "GTX 1050", "550.163.01", "keep to branch 580", "nvidia-open"),
        ("Debian 13", "RTX 4090", "550.163.01", "nvidia-open", "non-free"),
        ("Debian 12", "RTX 4090", "470.57.02", "non-free", "nvidia-open"),
        ("Ubuntu 22.04", "RTX 4090", "550.163.01", "ubuntu-drivers", "nvidia-open"),
    ],
)
def test_debians_newest_driver_is_not_installed_again(
    system: str, gpu: str, driver: str, there: str, not_there: str
) -> None:
    told = printed(ENCODER.format(system, gpu, driver))
    assert there in told
    assert not_there not in told
    assert "headers of the encoder" in told


NO_DRIVER = (
    "OS: Debian 12\nGPU: {}\nnvidia-container-cli: initialization error: load library failed:"
)
NO_DRIVER += " libnvidia-ml.so.1: cannot open shared object file: no such file or directory\n"


def test_debian_has_no_driver_for_the_newest_gpus() -> None:
    assert "nvidia-open" in printed(NO_DRIVER.format("GeForce RTX 5060"))
    assert "sudo apt install linux-headers-$(dpkg --print-architecture) nvidia-driver" in printed(
        NO_DRIVER.format("GeForce RTX 3060")
    )


TOO_OLD = "ImportError: sgl_kernel.so: undefined symbol: cuGreenCtxDestroy\nDriver: {}\n"


@pytest.mark.parametrize(
    ("driver", "needed"), [("535.86.10", "550.54.14 or newer"), ("unknown", "a newer NVIDIA")]
)
def test_a_driver_that_is_too_old_is_updated_to_what_the_tables_name(
    driver: str, needed: str
) -> None:
    text = (
        TOO_OLD.format(driver)
        if driver != "unknown"
        else ("CUDA driver version is insufficient for CUDA runtime version")
    )
    fix = finding(text).fix
    assert f"Update to NVIDIA driver {needed}" in fix.text or f"Update to {needed}" in fix.text
    assert fix.undo is not None
    assert "again" in fix.undo


def test_where_no_newer_driver_serves_the_gpu_none_is_advised() -> None:
    pasted = "GPU: {}\nCUDA driver version is insufficient for CUDA runtime version (error 35)\n"
    fix = finding(pasted.format("GeForce GTX 580")).fix
    assert fix is not None
    assert fix.text.startswith("The last driver for this GPU (Fermi) is of branch 390")
    assert fix.commands == ()
    assert "Update to a newer NVIDIA driver" in printed(pasted.format("GeForce GTX 780"))


NONE_YET = "OS: {}\nGPU: NVIDIA GeForce RTX 3060\nbash: nvidia-smi: command not found\n"
OLD_DRIVER = "OS: {}\nDriver Version: 470.57.02\n"
OLD_DRIVER += "CUDA driver version is insufficient for CUDA runtime version\n"
STREAM = "nvidia-driver:latest-dkms"


@pytest.mark.parametrize(
    ("system", "install", "update"),
    [
        *(
            (
                system,
                f"sudo dnf module install {STREAM}",
                f"sudo dnf module switch-to {STREAM} --allowerasing",
            )
            for system in ("Rocky Linux 9.4 (Blue Onyx)", "Red Hat Enterprise Linux 8.6 (Ootpa)")
        ),
        ("RHEL 10.0", "sudo dnf install nvidia-open", "sudo dnf install nvidia-open"),
        (
            "CentOS Linux 7 (Core)",
            "sudo yum install nvidia-driver-latest-dkms",
            "sudo yum install nvidia-driver-latest-dkms",
        ),
        (
            "SUSE Linux Enterprise Server 15 SP5",
            "sudo zypper install-new-recommends --repo NVIDIA",
            "sudo zypper update --repo NVIDIA",
        ),
        ("CentOS release 6.10 (Final)", "sudo reboot", "sudo reboot"),
        ("Ubuntu 18.04", "sudo ubuntu-drivers autoinstall", "sudo ubuntu-drivers autoinstall"),
        ("Ubuntu 22.04", "sudo ubuntu-drivers install", "sudo ubuntu-drivers install"),
    ],
)
def test_the_driver_comes_in_the_way_of_the_release(system: str, install: str, update: str) -> None:
    first = finding(NONE_YET.format(system)).fix
    assert first.text.startswith("Install")
    assert first.commands[0] == install
    newer = finding(OLD_DRIVER.format(system)).fix
    assert newer.text.startswith("Update")
    assert newer.commands[0] == update


@pytest.mark.parametrize(
    ("system", "command"),
    [
        ("Fedora Linux 41 (Workstation Edition)", "dnf"),
        ("Fedora Linux 41.20241112.0 (Silverblue)", None),
        ("Red Hat Enterprise Linux CoreOS 415.92.202402201450-0 (Plow)", None),
        ("Rocky Linux 9.4 (Blue Onyx)", "dnf"),
        ("openSUSE MicroOS", None),
        ("openSUSE Leap 15.6", "zypper"),
    ],
)
def test_a_system_that_is_an_image_is_told_of_no_package_manager(
    system: str, command: str | None
) -> None:
    place = place_of(Facts({"os.system": Known("Linux", "x"), "os.name": Known(system, "x")}))
    told = " ".join(install_driver(place).commands)
    managers = [each for each in ("dnf", "zypper", "apt") if f"sudo {each} " in told]
    assert managers == ([] if command is None else [command])


def test_arch_takes_the_library_of_the_module_and_not_the_newest() -> None:
    place = Place("Linux", Distribution.ARCH, None, wsl=False)
    [command] = reinstall_driver(place).commands
    assert "pacman -U" in command
    assert "$(modinfo -F version nvidia)" in command

"""A driver whose kernel module does not run, as the kernel's log tells of it."""

from __future__ import annotations

import pytest

from gpuprobe.examine import judge
from gpuprobe.facts.pasted import read
from support.cases import ruled

GPU = "NVRM: GPU 0000:01:00.0: "
OPEN_MODULE = (
    "[ 1157.046099] NVRM: The NVIDIA GPU 0000:af:00.0 (PCI ID: 10de:1db5)\n"
    "               NVRM: installed in this system is not supported by open\n"
    "               NVRM: nvidia.ko because it does not include the required GPU\n"
)
NOUVEAU = "[    5.4] nouveau 0000:01:00.0: NVIDIA GM204 (124020a1)\n"
LOADED = "nvidia 0000:01:00.0: Direct firmware load for {} failed with error -2\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "GPU: GeForce 9400M\nNVRM: The GeForce 9400M GPU installed is supported by the "
                "340.xx Legacy drivers."
            ),
            "driver-not-loaded",
        ),
        ("Our dock is not supported by open drivers of NVIDIA.", "unknown"),
        (
            (
                "NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:2684)\n"
                "NVRM: installed in this system is not supported by the\n"
                "NVRM: NVIDIA 470.57.02 driver release."
            ),
            "driver-not-loaded",
        ),
        (GPU.rstrip(": ") + " is already bound to vfio-pci.", "driver-not-loaded"),
        ("qxl 0000:00:02.0: already bound to vfio-pci", "unknown"),
        (
            (
                "NVRM: The NVIDIA GPU 0000:02:00.0 (PCI ID: 10de:0e22) installed\n"
                "NVRM: in this system is not supported by the 270.29 NVIDIA Linux"
            ),
            "driver-not-loaded",
        ),
        ("This feature in this system is not supported by the vendor", "unknown"),
        (
            "NVRM: installed in this system requires use of the NVIDIA open kernel modules.\n"
            + GPU
            + "RmInitAdapter failed! (0x22:0x56:667)",
            "driver-not-loaded",
        ),
        (OPEN_MODULE, "driver-not-loaded"),
        ("Command line: ro rd.driver.blacklist=nouveau\n" + NOUVEAU, "driver-not-loaded"),
        # A module that does not run is told by what keeps it.
        (LOADED.format("nvidia/535.113.01/gsp_tu10x.bin"), "driver-not-loaded"),
        ("NVRM: RmFetchGspRmImages: No firmware image found", "driver-not-loaded"),
        # It is why the GPU does not start, which is logged after it.
        (
            LOADED.format("nvidia/535.113.01/gsp_ga10x.bin")
            + "NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x61:0x56:1697)",
            "driver-not-loaded",
        ),
        (LOADED.format("regulatory.db"), "unknown"),
        ("iwlwifi 0000:02:00.0: no firmware image found", "unknown"),
        (
            (
                "NVRM: installed in this vGPU host system is not supported by\n"
                "NVRM: proprietary nvidia.ko."
            ),
            "driver-not-loaded",
        ),
        ("NVRM: was loaded and obtained ownership of the NVIDIA device(s).", "driver-not-loaded"),
        ("insmod: ERROR: could not insert module ./nvidia.ko: Unknown symbol", "driver-not-loaded"),
        ("insmod: error inserting './nvidia-uvm.ko': -1 Required key missing", "driver-not-loaded"),
        ("insmod: ERROR: could not insert module ./vboxdrv.ko: Unknown symbol", "unknown"),
        ("Error!  Build of nvidia.ko failed for: 5.11.0-27-generic (x86_64)", "driver-not-loaded"),
        ("It shows: NVIDIA kernel module not found. Falling back to Nouveau.", "driver-not-loaded"),
        (
            (
                "Module build for kernel 6.2.0-34-generic was skipped since the\n"
                "kernel headers for this kernel do not seem to be installed."
            ),
            "driver-not-loaded",
        ),
        ("Module build for kernel 6.2.0-34-generic was started", "unknown"),
        ("E: Couldn't find any package by regex 'nvidia-driver-555'", "driver-missing"),
        ("E: Couldn't find any package by regex 'htop.*'", "unknown"),
        ("No provider of 'nvidia-video-G06' found.", "driver-missing"),
        ("No provider of 'gimp' found.", "unknown"),
        ("dpkg: dependency problems prevent configuration of nvidia-driver-470:", "driver-missing"),
        ("dpkg: dependency problems prevent configuration of gimp:", "unknown"),
        ("Error!  Build of 8812au.ko failed for: 5.11.0-27-generic (x86_64)", "unknown"),
        (
            "Building rpms failed; see /var/cache/akmods/nvidia/545.29.06-2-for-6.7.4.failed.log",
            "driver-not-loaded",
        ),
        ("Building rpms failed; see /var/cache/akmods/wl/6.30-2-for-6.7.4.failed.log", "unknown"),
        (
            "ERROR: Unable to determine the version of the kernel sources located in '/usr/src/k'.",
            "driver-not-loaded",
        ),
        (
            "NVIDIA Quadro P2000\n" + "NVIDIA Installer cannot continue\nThis graphics driver could"
            " not find compatible graphics hardware.",
            "driver-not-loaded",
        ),
    ],
)
def test_a_driver_that_is_not_loaded_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        NOUVEAU,
    ],
)
def test_this_is_not_a_driver_that_is_not_loaded(text: str):
    assert ruled(text) != "driver-not-loaded"


def test_a_module_that_loads_in_the_end_is_loaded():
    failed = (
        "(udev-worker)[8]: nvidia: Process '/sbin/modprobe nvidia-uvm' failed with exit code 1."
    )
    loads = "kernel: NVRM: loading NVIDIA UNIX x86_64 Kernel Module  535.183.01"
    assert ruled(f"{failed}\n") == "driver-not-loaded"
    assert ruled(f"{failed}\n{loads}\n") != "driver-not-loaded"


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


NIX = """OS: NixOS
{config}
kernel: nouveau 0000:01:00.0: DRM: VRAM: 2048 MiB
"""


@pytest.mark.parametrize(
    ("config", "cause"),
    [
        ("boot.extraModulePackages = [ config.boot.kernelPackages.nvidia_x11 ];",
         "driver-not-loaded"),
        ('services.xserver.videoDrivers = [ "nvidia" ];', "driver-not-loaded"),
        ('services.xserver.videoDrivers = [ "modesetting" ];', "driver-missing"),
        ('# services.xserver.videoDrivers = [ "nvidia" ];', "driver-missing"),
    ],
)  # fmt: skip
def test_nixos_has_the_driver_in_its_configuration(config: str, cause: str):
    assert ruled(NIX.format(config=config)) == cause


NO_SUCH_DEVICE = "modprobe: ERROR: could not insert 'nvidia': No such device\n"
NOT_BY_OPEN = """NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:1c03)
NVRM: installed in this system is not supported by open
NVRM: nvidia.ko because it does not include the required GPU
NVRM: System Processor (GSP).
"""


@pytest.mark.parametrize(
    ("log", "cause"), [(NOT_BY_OPEN, "driver-not-loaded"), ("", "no-nvidia-gpu")]
)
def test_the_open_module_refuses_a_gpu_that_is_there(log: str, cause: str):
    assert ruled(f"{NO_SUCH_DEVICE}{log}") == cause


BOUND = """{first}
[   12.345678] NVRM: No NVIDIA devices probed.
"""


@pytest.mark.parametrize(
    ("first", "cause"),
    [
        ("[   12.1] NVRM: GPU 0000:0a:00.0 is already bound to nova_core.", "driver-not-loaded"),
        ("[   12.1] nvidia-nvlink: Nvlink Core is being initialized", "no-nvidia-gpu"),
    ],
)
def test_a_gpu_that_another_driver_has_is_there(first: str, cause: str):
    assert ruled(BOUND.format(first=first)) == cause


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

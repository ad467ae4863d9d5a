"""A driver whose kernel module does not run, as modprobe, DKMS and the like tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import title_and_fix

REFUSED = "modprobe: ERROR: could not insert '{}': Invalid argument"
NEW_MACHINE = "I have a problem with my new machine.\n"
FAILED = "Building DKMS module: {}-570.133.07... FAILED!"
NO_SUCH = "modprobe: FATAL: {} not found in directory /lib/modules/5.5.9-zen1-2-zen"
DKMS = "File: /var/lib/dkms/{}/source/dkms.conf does not exist."


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "$ sudo modprobe nvidia\nmodprobe: ERROR: could not insert 'nvidia': "
                "No such device\n"
                "$ lsmod | grep nouveau\nnouveau 1234567 1\n$ lspci | grep -i nvidia\n"
                "01:00.0 VGA compatible controller: NVIDIA Corporation GP104 [GeForce GTX 1080]"
            ),
            "driver-not-loaded",
        ),
        (REFUSED.format("nvidia"), "driver-not-loaded"),
        ("RuntimeError: invalid argument 2: size mismatch", "unknown"),
        (REFUSED.format("nvidia_uvm"), "driver-not-loaded"),
        ("rmmod: ERROR: Module nouveau is in use", "driver-not-loaded"),
        ("rmmod: ERROR: Module nvme is in use", "unknown"),
        ("(EE) NVIDIA: Failed to initialize the NVIDIA kernel module.", "driver-not-loaded"),
        ("modprobe: ERROR: could not insert 'off': Unknown symbol in module", "driver-not-loaded"),
        ("NVIDIA: Failed to load the NVIDIA kernel module.", "driver-not-loaded"),
        ("Kernel module load error: Operation not permitted", "driver-not-loaded"),
        ("Cannot load the plugin's module: Operation not permitted", "unknown"),
        (NEW_MACHINE + "nouveau is loaded instead of nvidia", "driver-not-loaded"),
        (NEW_MACHINE + "Secure boot prevents the nvidia module from loading", "driver-not-loaded"),
        (NEW_MACHINE + "lsmod shows no nvidia modules", "driver-not-loaded"),
        (FAILED.format("nvidia"), "driver-not-loaded"),
        (FAILED.format("vboxhost"), "unknown"),
        ("New kernel update break DKMS module for Driver 525", "driver-not-loaded"),
        ("New kernel update breaks the ZFS DKMS module", "unknown"),
        ("DKMS module fails to build for 570.133.07", "driver-not-loaded"),
        ("DKMS module fails to build for virtualbox", "unknown"),
        ("Now my nvidia driver cant load because of secure boot", "driver-not-loaded"),
        ("DKMS module 'nvidia-367.35' failed to build, please check", "driver-not-loaded"),
        ("dkms autoinstall on 7.1.3/x86_64 failed for nvidia(10)", "driver-not-loaded"),
        ("dkms autoinstall on 7.1.3/x86_64 failed for virtualbox(10)", "unknown"),
        ("ERROR: The nvidia kernel module was not created.", "driver-not-loaded"),
        ("NVIDIA kernel module missing. Falling back to nouveau.", "driver-not-loaded"),
        (NO_SUCH.format("nvidia_drm"), "driver-not-loaded"),
        (NO_SUCH.format("Module nvidia-uvm"), "driver-not-loaded"),
        (NO_SUCH.format("Module nvidiafb"), "unknown"),
        (NO_SUCH.format("nouveau"), "unknown"),
        ("modprobe: ERROR: could not find module by name 'nvidia'", "driver-not-loaded"),
        ("modprobe: FATAL: Module nvidia is in use.", "unknown"),
        (DKMS.format("nvidia/390.48"), "driver-not-loaded"),
        (DKMS.format("nvidia-current/470.63.01"), "driver-not-loaded"),
        ("DKMS make.log for nvidia-440.64\nCompiler version check failed:\n", "driver-not-loaded"),
        ("CMake: the compiler version check succeeded\n", "unknown"),
        ("the nvidia kernel modules can no longer be loaded", "driver-not-loaded"),
        ("the nvidia kernel modules need no longer be loaded by hand", "unknown"),
        (
            (
                "ERROR: An NVIDIA kernel module 'nvidia-uvm' appears to already be loaded in your"
                " kernel."
            ),
            "driver-not-loaded",
        ),
        ("ERROR: A kernel module 'vboxdrv' appears to be loaded", "unknown"),
        (
            "Secure boot is enabled, so it was not signed by a key that is trusted by the kernel",
            "driver-not-loaded",
        ),
        ("ERROR: Unable to build the NVIDIA kernel module.", "driver-not-loaded"),
        (
            (
                "/var/lib/dkms/nvidia/470.63.01/build/nvidia/nv-pci.c:1042:5: error: implicit"
                " declaration of function"
            ),
            "driver-not-loaded",
        ),
        (
            "/var/lib/dkms/virtualbox/6.1/build/vboxdrv/nv.c:1:5: error: implicit declaration",
            "unknown",
        ),
        ("dpkg: error processing package nvidia-dkms-470 (--configure):", "driver-not-loaded"),
        ("dpkg: error processing package virtualbox-dkms (--configure):", "unknown"),
        (
            "Errors were encountered while processing:\n initramfs-tools\n nvidia-dkms-470\n",
            "driver-not-loaded",
        ),
        # DKMS that ends with failed.
        ('the nvidia DKMS module ends with "... FAILED!"', "driver-not-loaded"),
        ('the zfs DKMS module ends with "... FAILED!"', "unknown"),
    ],
)
def test_a_driver_that_is_not_loaded_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


SMI = "| NVIDIA-SMI 535.54.03    Driver Version: 535.54.03    CUDA Version: 12.2 |\n"


@pytest.mark.parametrize(
    "text",
    [
        DKMS.format("system76/1.0.14"),
        SMI + DKMS.format("nvidia/390.48"),
    ],
)
def test_kin_of_a_driver_that_is_not_loaded_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        "Command line: ro quiet rd.driver.blacklist=nouveau\n",
    ],
)
def test_this_is_not_a_driver_that_is_not_loaded(text: str):
    assert ruled(text) != "driver-not-loaded"


LSPCI = """01:00.0 VGA compatible controller: NVIDIA Corporation GP102 [GeForce GTX 1080 Ti]
	Kernel driver in use: {driver}
	Kernel modules: nvidiafb, nouveau, nvidia
RuntimeError: No CUDA GPUs are available
"""


@pytest.mark.parametrize(
    ("driver", "cause"), [("vfio-pci", "driver-not-loaded"), ("nvidia", "unknown")]
)
def test_a_gpu_is_kept_for_virtual_machines(driver: str, cause: str):
    assert ruled(LSPCI.format(driver=driver)) == cause


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


NONE = "RuntimeError: No CUDA GPUs are available\n"
DKMS_OF_TWO_KERNELS = """$ uname -r
{runs}
$ dkms status
nvidia/535.129.03, 6.2.0-37-generic, x86_64: installed
nvidia/535.129.03, 6.2.0-39-generic, x86_64: installed
"""


@pytest.mark.parametrize(
    ("runs", "error", "cause"),
    [
        ("6.5.0-14-generic", NONE, "driver-not-loaded"),
        ("6.2.0-39-generic", NONE, "unknown"),
        ("6.5.0-14-generic", "", "unknown"),
    ],
)
def test_the_module_was_built_for_other_kernels(runs: str, error: str, cause: str):
    assert ruled(DKMS_OF_TWO_KERNELS.format(runs=runs) + error) == cause


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("The dkms module of the 390 series does not build against it.", "driver-not-loaded"),
        ("nvidia: the dkms module of this release cannot be built", "driver-not-loaded"),
        ("The dkms module of the 390 series builds against it.", "unknown"),
        ("The dkms module of the network card does not build.", "unknown"),
    ],
)
def test_dkms_is_told_not_to_build(sentence: str, cause: str):
    assert ruled(f"OS: Void Linux\n\n{sentence}\n") == cause


PACKAGES = """$ lspci -nn | grep -i nvidia
17:00.0 3D controller [0302]: NVIDIA Corporation GA100 [A100 PCIe 40GB] [10de:20f1] (rev a1)
$ dpkg -l | grep nvidia
{listed}$ sudo modprobe nvidia
modprobe: FATAL: Module nvidia not found in directory /lib/modules/5.10.0-28-amd64
"""


def test_packages_that_were_not_all_asked_for_say_nothing():
    text = PACKAGES.format(listed="").replace("grep nvidia\n", "grep nvidia-cuda-toolkit\n")
    assert ruled(text) == "driver-not-loaded"


UDEV = "(udev-worker)[812]: nvidia: Process '/usr/sbin/modprobe {}' failed with exit code 1.\n"
SMI_ROW = "| 30%   47C    P2    90W / 300W |   {}MiB /  24564MiB |    0%      Default |\n"
SMI_BANNER = "NVIDIA-SMI 550.54.14    Driver Version: 550.54.14    CUDA Version: 12.4\n"
SMI_TABLE = (
    f"| {SMI_BANNER[:-1]} |\n"
    "|   0  NVIDIA GeForce RTX 4090        On  | 00000000:C1:00.0 Off |          Off |\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (UDEV.format("nvidia-uvm"), "driver-not-loaded"),
        (UDEV.format("nvidia-uvm") + SMI_TABLE + SMI_ROW.format(400), "healthy"),
        (UDEV.format("snd-hda-intel"), "unknown"),
    ],
)
def test_udev_could_not_load_the_drivers_modules(text: str, cause: str):
    assert ruled(text) == cause


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


BUS = """$ lspci | grep -i nvidia
$ sudo modprobe nvidia
modprobe: ERROR: could not insert 'nvidia': No such device
"""


def test_a_card_that_is_named_is_looked_for_where_the_bus_shows_none():
    lost = title_and_fix(f"Laptop with GeForce GTX 1650\n{BUS}")
    assert "though one is named" in lost
    assert "prime-select" in lost
    assert "compute on the CPU" not in lost
    assert "compute on the CPU" in title_and_fix(BUS)
    assert "lspci" in title_and_fix(BUS.partition("\n")[2])  # nobody has looked at the bus


@pytest.mark.parametrize(
    ("module", "cause"),
    [("'nvidia'", True), ("`nvidia'", True), ("`nvidia_drm'", True), ("`btrfs'", False)],
)
def test_mkinitcpio_quotes_the_module_that_it_does_not_find(module: str, cause: bool):
    line = f"==> ERROR: module not found: {module}\n"
    assert ruled(line) == ("driver-not-loaded" if cause else "unknown")


@pytest.mark.parametrize(
    ("file", "cause"),
    [
        ("/installers/NVIDIA-Linux-x86_64-352.39/kernel/os-mlock.c:132:13", "driver-not-loaded"),
        ("/var/lib/dkms/nvidia/535.54.03/build/nvidia/nv-mmap.c:44:5", "driver-not-loaded"),
        ("/home/user/NVIDIA-samples/kernel/main.c:132:13", "unknown"),
    ],
)
def test_the_modules_sources_do_not_compile_for_this_kernel(file: str, cause: str):
    assert ruled(f"{file}: error: implicit declaration of function 'page_cache_release'") == cause


SMI_FAILS = (
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that "
    "the latest NVIDIA driver is installed and running.\n"
)
NO_MODULE = "modprobe: FATAL: Module nvidia not found in directory /lib/modules/6.8.0-40-generic\n"


@pytest.mark.parametrize(
    ("above", "driver", "holds"),
    [
        (SMI_FAILS, "nouveau", True),
        ("$ lsmod | grep nvidia\n$ lspci -k\n", "nouveau", True),
        (SMI_FAILS, "nvidia", False),
        # Of a module that is not there nouveau takes the place.
        (SMI_FAILS + NO_MODULE, "nouveau", False),
    ],
)
def test_a_module_cannot_load_while_nouveau_drives_the_gpu(above: str, driver: str, holds: bool):
    said = title_and_fix(above + LSPCI.format(driver=driver))
    assert ("but nouveau holds the GPU, so its kernel module cannot load" in said) == holds
    assert ("blacklist nouveau" in said) == holds
    assert ("update-initramfs -u || sudo dracut" in said) == holds  # of an unknown system


@pytest.mark.parametrize(
    ("runs", "more", "for_others"),
    [
        ("6.5.0-14-generic", "", True),
        ("6.5.0-14-generic", "SecureBoot enabled\n", True),
        ("6.2.0-39-generic", "", False),
    ],
)
def test_a_module_that_was_built_for_other_kernels_is_built_for_this_one(
    runs: str, more: str, for_others: bool
):
    said = title_and_fix(DKMS_OF_TWO_KERNELS.format(runs=runs) + more + SMI_FAILS)
    assert (f"its kernel module was built for other kernels than {runs}" in said) == for_others
    assert ("sudo dkms autoinstall" in said) == for_others


@pytest.mark.parametrize(
    ("module", "cause"), [("'nvidia' : ", "driver-not-loaded"), ("'nouveau' : ", "unknown")]
)
def test_modprobes_word_as_another_tool_repeats_it(module: str, cause: str):
    text = f"error running modprobe: modprobe: ERROR: could not insert {module}No such device"
    assert ruled(f"GPU: GTX 1060\n{text}") == cause

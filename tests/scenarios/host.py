"""Machines whose GPU is kept from its work by what surrounds the driver."""

from __future__ import annotations

from dataclasses import replace

from support.machines import DRIVER_580, GTX_1080_TI, H200, NVIDIA, RTX_5090, dual_k80
from support.scenario import Expected, Scenario
from support.trees import BASE, VGA, Link, pci_function

KERNEL = BASE["/proc/sys/kernel/osrelease"].strip()
MODULES = f"/lib/modules/{KERNEL}"
NOT_LOADED = Expected("broken", "driver-not-loaded", "kernel-module-not-loaded")
#: What the driver's libraries answer without their module, and where the module has no device.
WITHOUT_MODULE = {"nvmlInit_v2": 9, "cuInit": 100}

# The kernel was updated, and DKMS found no headers to build the module for it.
MODULE_NOT_BUILT = Scenario(
    name="module-not-built",
    expect=NOT_LOADED,
    module=None,
    faults=WITHOUT_MODULE,
    files={
        f"{MODULES}/modules.dep": "kernel/drivers/video/fbdev/nvidia/nvidiafb.ko:\n",
        f"/var/lib/dkms/nvidia/535.104.05/{KERNEL[:6]}-100-generic/x86_64/module/nvidia.ko": "",
    },
)

# Arch takes the modules of the running kernel away with an update.
KERNEL_UPDATED = Scenario(
    name="kernel-updated",
    expect=NOT_LOADED,
    module=None,
    faults=WITHOUT_MODULE,
    files={
        "/etc/os-release": 'PRETTY_NAME="Arch Linux"\n',
        "/proc/sys/kernel/osrelease": "6.9.3-arch1-1\n",
        "/lib/modules/6.9.5-arch1-1/modules.dep": "extramodules/nvidia.ko.zst:\n",
    },
)

SECURE_BOOT = Scenario(
    name="secure-boot",
    expect=NOT_LOADED,
    module=None,
    faults=WITHOUT_MODULE,
    files={
        f"{MODULES}/modules.dep": "updates/dkms/nvidia.ko:\n",
        "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c": "\6\0\0\0\1",
        "/dev/kmsg": "4,911,8123456,-;Loading of unsigned module is rejected\n",
    },
)

# The same for a user who may not read the kernel's log.
SECURE_BOOT_WITHOUT_LOG = replace(
    SECURE_BOOT,
    name="secure-boot-without-log",
    files={path: text for path, text in SECURE_BOOT.files.items() if path != "/dev/kmsg"},
)

# The card is meant for a virtual machine of this host.
RESERVED_FOR_A_VM = Scenario(
    name="reserved-for-a-vm", expect=NOT_LOADED, module="vfio-pci", faults=WITHOUT_MODULE
)

# Likewise on a host that has no driver itself, as it needs none.
RESERVED_WITHOUT_DRIVER = replace(
    RESERVED_FOR_A_VM,
    name="reserved-without-driver",
    expect=Expected("broken", "driver-missing", "driver-missing"),
    driver=None,
    faults={},
)

# `prime-select intel` leaves such a file.
MODULE_BLOCKED = Scenario(
    name="module-blocked",
    expect=NOT_LOADED,
    module=None,
    faults=WITHOUT_MODULE,
    files={
        f"{MODULES}/modules.dep": "updates/dkms/nvidia.ko:\n",
        "/lib/modprobe.d/blacklist-nvidia.conf": "blacklist nvidia\nblacklist nvidia-uvm\n",
    },
)

# Blackwell is served by the open kernel module only, and Pascal by the other one only.
CLOSED_MODULE_ON_BLACKWELL = Scenario(
    name="closed-module-on-blackwell",
    expect=NOT_LOADED,
    gpus=(RTX_5090,),
    driver=replace(DRIVER_580, open_module=False),
    faults={"cuInit": 100, "nvmlDeviceGetCount_v2": 3},
)

# The distribution's default branch, and a card of later.
DRIVER_OLDER_THAN_THE_GPU = Scenario(
    name="driver-older-than-the-gpu",
    expect=NOT_LOADED,
    gpus=(RTX_5090,),
    faults={"cuInit": 100, "nvmlDeviceGetCount_v2": 3},
)

OPEN_MODULE_ON_PASCAL = Scenario(
    name="open-module-on-pascal",
    expect=NOT_LOADED,
    gpus=(GTX_1080_TI,),
    driver=DRIVER_580,
    faults={"cuInit": 100, "nvmlDeviceGetCount_v2": 3},
)

# 470 was the last branch for Kepler.
BRANCH_TOO_NEW = Scenario(
    name="branch-too-new-for-kepler",
    expect=NOT_LOADED,
    gpus=dual_k80(),
    faults={"cuInit": 100, "nvmlDeviceGetCount_v2": 3},
)

# A cloud's machine, to which nobody attached a GPU; an image of the provider brought the driver.
VM_WITHOUT_GPU = Scenario(
    name="vm-without-gpu",
    expect=Expected("broken", "no-nvidia-gpu", "no-nvidia-gpu"),
    gpus=(),
    module=None,
    faults=WITHOUT_MODULE,
    files={
        **pci_function("0000:00:02.0", 0x1234, 0x1111, VGA, "bochs-drm"),
        "/sys/class/dmi/id/sys_vendor": "QEMU\n",
        "/sys/class/dmi/id/product_name": "Standard PC (Q35 + ICH9, 2009)\n",
    },
)

# HGX boards have four of these; the kernel shows them as bridges.
FABRIC_MANAGER = Scenario(
    name="fabric-manager-not-running",
    expect=Expected("broken", "fabric-manager", "fabric-manager"),
    gpus=(H200,),
    faults={"cuInit": 802},
    files={
        **pci_function("0000:07:00.0", NVIDIA, 0x22A3, 0x068000, None),
        **pci_function("0000:08:00.0", NVIDIA, 0x22A3, 0x068000, None),
        "/run/systemd/system/x": "",
    },
)

# Of a program that ran before the last reset; what works now is healthy.
OLD_XID = Scenario(
    name="old-xid",
    expect=Expected("healthy", None),
    files={"/dev/kmsg": "3,2,200,-;NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.\n"},
)

# Likewise of a program that somebody tried since the start.
OLD_XID_OF_A_PROGRAM = Scenario(
    name="old-xid-of-a-program",
    expect=Expected("healthy", None),
    files={
        "/dev/kmsg": "3,2,200,-;NVRM: Xid (PCI:0000:01:00): 31, pid=4711, name=python, Ch 00000008,"
        " intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted\n"
    },
)

# An administrator's files about nouveau, headers, a toolkit and gcc are no fault by themselves.
DEVELOPER = Scenario(
    name="developers-machine",
    expect=Expected("healthy", None),
    files={
        "/etc/modprobe.d/nouveau.conf": "blacklist nouveau\noptions nouveau modeset=0\n",
        "/usr/local/cuda/bin/nvcc": "",
        "/usr/local/cuda/version.json": '{"cuda": {"name": "CUDA SDK", "version": "11.8.0"}}',
        "/usr/bin/gcc": Link("gcc-13"),
        "/usr/bin/gcc-13": "",
    },
    environment={"PATH": "/usr/bin"},
)

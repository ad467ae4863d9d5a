"""The files by which a Linux kernel shows its GPUs, written under a folder that stands for `/`.

Device nodes are plain files here: what matters of them is that they are there and may be opened.
The folders of PCI devices have colons in their names, as on a real machine, so they exist only
in temporary folders and never in the repository, which has to check out on Windows, too.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .machines import NVIDIA, Driver, Gpu

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link, with what it says."""

    target: str


#: Absolute path -> text, bytes, or what a link says.
Files = Mapping[str, str | bytes | Link]

OS_RELEASE = """\
PRETTY_NAME="Ubuntu 22.04.4 LTS"
NAME="Ubuntu"
VERSION_ID="22.04"
VERSION="22.04.4 LTS (Jammy Jellyfish)"
ID=ubuntu
ID_LIKE=debian
"""

#: What any Linux has, outside a container.
BASE: dict[str, str] = {
    "/etc/os-release": OS_RELEASE,
    "/dev/null": "",
    "/proc/1/cgroup": "0::/init.scope\n",
    "/proc/modules": "",
    "/proc/self/mountinfo": "29 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw\n",
    "/proc/sys/kernel/osrelease": "5.15.0-105-generic\n",
    "/proc/version": "Linux version 5.15.0-105-generic (build@host) #115-Ubuntu SMP\n",
}

#: What is different inside a container of Docker's.
DOCKER: dict[str, str] = {
    "/.dockerenv": "",
    "/proc/1/cgroup": "0::/\n",
    "/proc/self/mountinfo": "812 741 0:52 / / rw,relatime - overlay overlay rw,lowerdir=/l\n",
}

#: What is different inside WSL 2: Microsoft's kernel, and the GPU behind a file of its own.
WSL: dict[str, str] = {
    "/dev/dxg": "",
    "/proc/sys/kernel/osrelease": "5.15.153.1-microsoft-standard-WSL2\n",
    "/proc/version": "Linux version 5.15.153.1-microsoft-standard-WSL2 (root@build) #1 SMP\n",
}
#: Where Windows puts the driver's libraries, whose files carry no driver's version.
WSL_LIBRARIES = {
    "libcuda.so.1": "/usr/lib/wsl/lib/libcuda.so.1.1",
    "libnvidia-ml.so.1": "/usr/lib/wsl/lib/libnvidia-ml.so.1",
}

VGA, DISPLAY_3D, SOUND, HOST_BRIDGE, BRIDGE = 0x030000, 0x030200, 0x040300, 0x060000, 0x060400


def library_folder() -> str:
    """Where a Debian-like system keeps the driver's libraries."""
    return f"/usr/lib/{platform.machine()}-linux-gnu"


def write_files(root: Path, files: Files) -> None:
    """Writes the files below `root`, with the folders that they need."""
    for path, content in files.items():
        place = root / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            place.symlink_to(content.target)
        elif isinstance(content, bytes):
            place.write_bytes(content)
        else:
            place.write_text(content)


def pci_function(
    address: str, vendor: int, device: int, kind: int, driver: str | None, above: str = ""
) -> Files:
    """One function of a PCI device in sysfs; `driver` None: nothing has claimed it.

    `above`: the folders of the host bridge and the bridges that it hangs on; without them it lies
    where the kernel has a link.
    """
    listed = f"/sys/bus/pci/devices/{address}"
    folder = f"/sys/devices/{above}/{address}" if above else listed
    files: dict[str, str | Link] = {
        f"{folder}/vendor": f"0x{vendor:04x}\n",
        f"{folder}/device": f"0x{device:04x}\n",
        f"{folder}/class": f"0x{kind:06x}\n",
    }
    if driver is not None:
        files[f"/sys/bus/pci/drivers/{driver}/bind"] = ""
        files[f"{folder}/driver"] = Link(f"/sys/bus/pci/drivers/{driver}")
    if above:
        files[listed] = Link(f"../../../devices/{above}/{address}")
    return files


def _link_limits(folder: str, generation: int | None, width: int | None) -> Files:
    """What a device says of the PCIe link that it could have."""
    if generation is None or width is None:
        return {}
    return {
        f"{folder}/max_link_speed": f"{_SPEEDS[generation]} GT/s PCIe\n",
        f"{folder}/max_link_width": f"{width}\n",
    }


_SPEEDS = {1: "2.5", 2: "5.0", 3: "8.0", 4: "16.0", 5: "32.0", 6: "64.0"}


def kernel_files(
    gpus: tuple[Gpu, ...], module: str | None, driver: Driver | None, *, nodes: bool
) -> Files:
    """What a machine with these GPUs shows while the kernel driver `module` holds them."""
    files: dict[str, str | Link] = {**BASE}
    files.update(pci_function("0000:00:00.0", 0x8086, 0x29C0, HOST_BRIDGE, None))
    for gpu in gpus:
        files.update(_gpu_functions(gpu, module))
    if module is not None:
        files["/proc/modules"] = f"{module} 56713216 0 - Live 0x0000000000000000 (OE)\n"
    if module == "nvidia" and driver is not None:
        files.update(_nvidia_module(gpus, driver))
        if nodes:
            files.update(dict.fromkeys(device_nodes(gpus), ""))
    return files


def device_nodes(gpus: tuple[Gpu, ...]) -> Iterator[str]:
    """The device files that CUDA opens."""
    yield "/dev/nvidiactl"
    yield "/dev/nvidia-uvm"
    yield from (f"/dev/nvidia{gpu.minor}" for gpu in gpus)


def _gpu_functions(gpu: Gpu, module: str | None) -> Files:
    """The GPU behind the bridge of its slot. The GPU of a Tegra is on no PCI bus."""
    if gpu.integrated:
        return {}
    kind = VGA if gpu.display else DISPLAY_3D
    domain, bus, _ = gpu.pci.split(":")
    root = f"{domain}:{int(bus, 16) - 1:02x}"
    slot = f"{root}:01.0"
    above = f"pci{root}/{slot}"
    files = dict(pci_function(gpu.pci, NVIDIA, gpu.device_id, kind, module, above))
    files.update(pci_function(slot, 0x8086, 0x347A, BRIDGE, "pcieport", f"pci{root}"))
    folder = f"/sys/devices/{above}"
    files.update(_link_limits(folder, gpu.slot_generation_max, gpu.slot_width_max))
    card = f"{folder}/{gpu.pci}"
    files.update(_link_limits(card, gpu.card_generation_max, gpu.card_width_max))
    files[f"{card}/numa_node"] = f"{gpu.numa_node}\n"
    if gpu.display:  # the sound of a display port: of the same vendor, and no GPU
        sound = f"{gpu.pci[:-1]}1"
        files.update(pci_function(sound, NVIDIA, 0x22BA, SOUND, "snd_hda_intel", above))
    return files


def _nvidia_module(gpus: tuple[Gpu, ...], driver: Driver) -> Files:
    files: dict[str, str | Link] = {
        "/proc/driver/nvidia/version": version_text(driver),
        "/sys/module/nvidia/version": f"{driver.version}\n",
    }
    for gpu in gpus:
        files[f"/proc/driver/nvidia/gpus/{gpu.pci}/information"] = information_text(gpu, driver)
    return files


def version_text(driver: Driver) -> str:
    """/proc/driver/nvidia/version, of the closed module or of the open one."""
    if driver.open_module:
        first = (
            f"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  {driver.version}"
            "  Release Build  (root@build)  Wed Jan  1 00:00:00 UTC 2025"
        )
    else:
        first = (
            f"NVRM version: NVIDIA UNIX x86_64 Kernel Module  {driver.version}"
            "  Wed Jan  1 00:00:00 UTC 2025"
        )
    return f"{first}\nGCC version:  gcc version 11.4.0 (Ubuntu 11.4.0-1ubuntu1~22.04)\n"


def information_text(gpu: Gpu, driver: Driver) -> str:
    """/proc/driver/nvidia/gpus/<address>/information."""
    return (
        f"Model: \t\t {gpu.name}\n"
        "IRQ:   \t\t 128\n"
        f"GPU UUID: \t {gpu.uuid}\n"
        "Video BIOS: \t 96.00.74.00.01\n"
        "Bus Type: \t PCIe\n"
        "DMA Size: \t 52 bits\n"
        "DMA Mask: \t 0xfffffffffffff\n"
        f"Bus Location: \t {gpu.pci}\n"
        f"Device Minor: \t {gpu.minor}\n"
        f"GPU Firmware: \t {driver.version if driver.open_module else 'N/A'}\n"
        "GPU Excluded:\t No\n"
    )

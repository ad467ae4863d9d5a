"""GPU and driver models, of which the scenarios compose machines.

The H100 and the H200 carry what such cards printed (name, memory as NVML gives it, capability,
multiprocessors, driver); the figures of the GeForce cards come from NVIDIA's product pages and
the PCI ids from its open kernel module. The UUIDs are invented.
"""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20
NVIDIA = 0x10DE


@dataclass(frozen=True, slots=True)
class Gpu:
    """One NVIDIA GPU, as the kernel, NVML and CUDA show it."""

    name: str
    device_id: int  # PCI
    capability: int  # 90 for 9.0
    sms: int
    memory_mib: int
    uuid: str
    pci: str = "0000:01:00.0"
    minor: int = 0
    used_mib: int = 0
    compute_mode: int = 0  # 2 prohibited, 3 exclusive process
    mig: bool = False
    lost: bool = False
    display: bool = False  # a VGA controller with a sound function; else a 3D controller

    def ini(self) -> dict[str, int | str]:
        """The keys of its section in a scenario file."""
        return {
            "name": self.name,
            "uuid": self.uuid,
            "pci": self.pci,
            "pci_device_id": self.device_id << 16 | NVIDIA,
            "minor": self.minor,
            "capability": self.capability,
            "sms": self.sms,
            "memory_bytes": self.memory_mib * MIB,
            "used_bytes": self.used_mib * MIB,
            "compute_mode": self.compute_mode,
            "persistence": 0,
            "mig": int(self.mig),
            "lost": int(self.lost),
        }


@dataclass(frozen=True, slots=True)
class Process:
    """A process that holds memory on the GPU number `gpu` of its machine."""

    name: str
    pid: int
    used_mib: int
    gpu: int = 0

    def ini(self) -> dict[str, int | str]:
        """The keys of its section in a scenario file."""
        return {
            "name": self.name,
            "pid": self.pid,
            "gpu": self.gpu,
            "used_bytes": self.used_mib * MIB,
        }


@dataclass(frozen=True, slots=True)
class Driver:
    """A driver release: its version and the highest CUDA that it serves."""

    version: str
    cuda: int  # 13000 for 13.0
    open_module: bool = False

    def ini(self) -> dict[str, int | str]:
        """The keys of its section in a scenario file."""
        return {
            "version": self.version,
            "nvml_version": f"{self.cuda // 1000}.{self.version}",
            "cuda_version": self.cuda,
        }


H100 = Gpu(
    "NVIDIA H100 80GB HBM3", 0x2330, 90, 132, 81559, "GPU-3f6a1c52-8e4b-4d0a-9b7e-51c2d86e0f10"
)
H200 = Gpu("NVIDIA H200", 0x2335, 90, 132, 143771, "GPU-a70c2b9e-1f35-4c68-8d21-6e94b3f70d52")
RTX_4090 = Gpu(
    "NVIDIA GeForce RTX 4090", 0x2684, 89, 128, 24564, "GPU-9e8d35e3-6f2c-4b1a-a0d7-2c5b81f49e63",
    display=True,
)  # fmt: skip
RTX_3060 = Gpu(
    "NVIDIA GeForce RTX 3060", 0x2504, 86, 28, 12288, "GPU-47c10b5d-3e8f-4a92-b6c4-d10f7e2a9585",
    display=True,
)  # fmt: skip

DRIVER_580 = Driver("580.159.04", 13000, open_module=True)
DRIVER_535 = Driver("535.104.05", 12020)
DRIVER_470 = Driver("470.256.02", 11040)

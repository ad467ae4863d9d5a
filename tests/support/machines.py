"""GPUs and drivers, of which the scenarios compose machines.

Names, memory, capability, multiprocessors and PCI ids are those of the products, and power limits
and PCIe those of gpuprobe's own table (knowledge/data/gpu_limits.json); the H100 and the H200 carry
what such cards printed. Clocks, temperatures and what an idle card draws are chosen within what
such a card shows, and the UUIDs are invented.
"""

from __future__ import annotations

from dataclasses import replace

from .gpu import MIB, NVIDIA, Driver, Gpu, Mig, Process

__all__ = ["MIB", "NVIDIA", "Driver", "Gpu", "Mig", "Process"]


def _idle(gpu: Gpu, watts: float, limit: float, sm_max: int, memory_max: int) -> Gpu:
    """The card with nothing to do: low clocks, little power, cool."""
    return replace(
        gpu,
        clock_sm=min(345, sm_max), clock_sm_max=sm_max,
        clock_memory=memory_max if gpu.ecc is not None else min(405, memory_max),
        clock_memory_max=memory_max,
        power=watts, power_limit=limit, power_limit_default=limit, power_limit_max=limit,
        temperature=34, temperature_slowdown=90,
    )  # fmt: skip


def _pcie(gpu: Gpu, generation: int, width: int = 16) -> Gpu:
    """In a slot that can do what the card can."""
    return replace(
        gpu,
        pcie_generation=generation, pcie_generation_max=generation, card_generation_max=generation,
        pcie_width=width, pcie_width_max=width, card_width_max=width,
        slot_generation_max=generation, slot_width_max=width,
    )  # fmt: skip


def _with_ecc(gpu: Gpu) -> Gpu:
    """ECC on and no error; rows are replaced since Ampere, pages retired before."""
    healthy = replace(gpu, ecc=True, ecc_corrected=0, ecc_uncorrected=0, ecc_uncorrected_total=0)
    if gpu.capability >= 80:
        return replace(healthy, rows_corrected=0)
    return replace(healthy, pages_single_bit=0, pages_double_bit=0, pages_pending=0)


def _data_centre(gpu: Gpu, watts: float, limit: float, sm_max: int, memory_max: int) -> Gpu:
    return _idle(_with_ecc(gpu), watts, limit, sm_max, memory_max)


H100 = _pcie(_data_centre(Gpu(
    "NVIDIA H100 80GB HBM3", 0x2330, 90, 132, 81559, "GPU-3f6a1c52-8e4b-4d0a-9b7e-51c2d86e0f10",
    mig=False, mig_most=7,
), 70.5, 700, 1980, 2619), 5)  # fmt: skip
H200 = _pcie(_data_centre(Gpu(
    "NVIDIA H200", 0x2335, 90, 132, 143771, "GPU-a70c2b9e-1f35-4c68-8d21-6e94b3f70d52",
    mig=False, mig_most=7,
), 76.2, 700, 1980, 3201), 5)  # fmt: skip
A100 = _pcie(_data_centre(Gpu(
    "NVIDIA A100-SXM4-40GB", 0x20B0, 80, 108, 40960, "GPU-5d1e3f8a-72c4-4b96-a8d0-1f2e3c4b5a69",
    mig=False, mig_most=7,
), 45.1, 400, 1410, 1215), 4)  # fmt: skip
L4 = _pcie(_data_centre(Gpu(
    "NVIDIA L4", 0x27B8, 89, 58, 23034, "GPU-c4a1b2d3-5e6f-4071-8293-a4b5c6d7e8f9",
), 16.3, 72, 2040, 6251), 4)  # fmt: skip
TESLA_T4 = _pcie(_data_centre(Gpu(
    "Tesla T4", 0x1EB8, 75, 40, 15360, "GPU-74f0a1b2-c3d4-45e6-97f8-0a1b2c3d4e5f",
), 10.2, 70, 1590, 5001), 3)  # fmt: skip
TESLA_K80 = _pcie(_data_centre(Gpu(
    "Tesla K80", 0x102D, 37, 13, 11441, "GPU-80a1b2c3-d4e5-4f60-b182-93a4b5c6d7e8",
), 26.0, 149, 875, 2505), 3)  # fmt: skip
RTX_5090 = _pcie(_idle(Gpu(
    "NVIDIA GeForce RTX 5090", 0x2B85, 120, 170, 32607, "GPU-50901a2b-3c4d-4e5f-8607-18293a4b5c6d",
    display=True,
), 21.4, 575, 3090, 14001), 5)  # fmt: skip
RTX_4090 = _pcie(_idle(Gpu(
    "NVIDIA GeForce RTX 4090", 0x2684, 89, 128, 24564, "GPU-9e8d35e3-6f2c-4b1a-a0d7-2c5b81f49e63",
    display=True,
), 18.9, 450, 3105, 10501), 4)  # fmt: skip
RTX_3060 = _pcie(_idle(Gpu(
    "NVIDIA GeForce RTX 3060", 0x2504, 86, 28, 12288, "GPU-47c10b5d-3e8f-4a92-b6c4-d10f7e2a9585",
    display=True,
), 12.7, 170, 2130, 7501), 4)  # fmt: skip
GTX_1080_TI = _pcie(_idle(Gpu(
    "NVIDIA GeForce GTX 1080 Ti", 0x1B06, 61, 28, 11264, "GPU-1080f1e2-d3c4-4b5a-9687-78695a4b3c2d",
    display=True,
), 9.6, 250, 1911, 5505), 3)  # fmt: skip
#: NVML tells little of a Tegra's GPU, which shares the memory of the CPU.
JETSON_ORIN = Gpu(
    "Orin", 0, 87, 16, 62841, "GPU-0a1b2c3d-4e5f-4607-8192-a3b4c5d6e7f8",
    pci="0000:00:00.0", integrated=True, throttle=None, utilization=None,
)  # fmt: skip

DRIVER_580 = Driver("580.159.04", 13000, open_module=True)
DRIVER_535 = Driver("535.104.05", 12020)
DRIVER_470 = Driver("470.256.02", 11040)


def with_mig(gpu: Gpu, *, on: bool = True) -> Gpu:
    """The GPU in MIG mode, to which `Mig` instances may be made."""
    return replace(gpu, mig=on)


#: Instances of an A100 with 40 GB that is GPU 0; the places between them are empty.
A100_1G = Mig(
    "NVIDIA A100-SXM4-40GB MIG 1g.5gb", "MIG-6f0a1b2c-3d4e-5f60-8718-293a4b5c6d7e", 4864, 14,
    gpu_instance=7, place=0,
)  # fmt: skip
A100_2G = Mig(
    "NVIDIA A100-SXM4-40GB MIG 2g.10gb", "MIG-7a1b2c3d-4e5f-5607-9829-3a4b5c6d7e8f", 9856, 28,
    gpu_instance=3, place=2,
)  # fmt: skip
A100_3G = Mig(
    "NVIDIA A100-SXM4-40GB MIG 3g.20gb", "MIG-8b2c3d4e-5f60-5718-a93a-4b5c6d7e8f90", 19968, 42,
    gpu_instance=1, place=3,
)  # fmt: skip

#: NVLinks of a card, as NVIDIA's systems with switches use all of them.
_LINKS = {H100.name: 18, H200.name: 18, A100.name: 12}


def nvswitch_machine(gpu: Gpu, count: int = 8) -> tuple[Gpu, ...]:
    """As in a DGX or HGX: all GPUs on NVSwitches, two behind each PCIe switch, half on each CPU."""
    return tuple(_on_switch(gpu, number, count) for number in range(count))


def _on_switch(gpu: Gpu, number: int, count: int) -> Gpu:
    links = _LINKS[gpu.name]
    node = number * 2 // count
    return replace(
        gpu,
        uuid=f"{gpu.uuid[:-2]}{number:02x}",
        pci=f"0000:{0x1B + 0x15 * number:02x}:00.0",
        minor=number,
        nvlinks=links, nvlinks_up=(1 << links) - 1, nvlink_to="switch",
        fabric_state=3 if gpu.capability >= 90 else None,
        place=f"{node}/{number // 2}/0/0/{number}",
        numa_node=node,
        cpus=f"{node * 48}-{node * 48 + 47}",
    )  # fmt: skip


def bridged_pair(gpu: Gpu, links: int = 4) -> tuple[Gpu, Gpu]:
    """Two cards with an NVLink bridge between them, each in a slot of its own."""
    first, second = (
        replace(
            gpu,
            uuid=f"{gpu.uuid[:-2]}{number:02x}",
            pci=f"0000:{1 + 0x40 * number:02x}:00.0",
            minor=number,
            nvlinks=links, nvlinks_up=(1 << links) - 1,
            nvlink_to=",".join([str(1 - number)] * links),
            place=f"0/{number}/0/0/{number}",
        )
        for number in (0, 1)
    )  # fmt: skip
    return first, second


def dual_k80() -> tuple[Gpu, Gpu]:
    """The two GPUs of one Tesla K80, behind the switch on its board."""
    return (
        replace(TESLA_K80, pci="0000:05:00.0", minor=0, place="0/0/0/0/0"),
        replace(
            TESLA_K80, uuid=f"{TESLA_K80.uuid[:-2]}e9", pci="0000:06:00.0", minor=1,
            place="0/0/0/0/0",
        ),
    )  # fmt: skip

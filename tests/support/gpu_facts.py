"""Facts about GPUs made by hand: one idle card, two that CUDA counts otherwise, eight, MIG, lost.

The figures are plausible, not measured; products and limits are those of NVIDIA's pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuprobe.facts.model import Absent, Fact, Facts, Known, Unknown, Value
from gpuprobe.facts.version import Version

if TYPE_CHECKING:
    from collections.abc import Mapping

GIB = 1 << 30
NVML = "NVML"
NOT_SUPPORTED = "NVML does not say (code 3)"


def uuid(number: int, kind: str = "GPU") -> str:
    """An invented UUID, different for each number."""
    return f"{kind}-{0x3F6A1C52 + number:08x}-8e4b-4d0a-9b7e-51c2d86e{number:04x}"


def gpu(number: int, values: Mapping[str, Value | Fact[Value]]) -> dict[str, Fact[Value]]:
    """Facts of one GPU; a plain value is a known one."""
    return {
        f"gpu.{number}.{name}": value
        if isinstance(value, Known | Absent | Unknown)
        else Known(value, NVML)
        for name, value in values.items()
    }


def h200(number: int, **more: Value | Fact[Value]) -> dict[str, Fact[Value]]:
    """One of eight H200 behind NVSwitches, at work."""
    pace, health, around = _pace(number), _memory_health(), _surroundings(number)
    return gpu(number, {**_identity(number), **pace, **health, **around, **more})


def _identity(number: int) -> dict[str, Value | Fact[Value]]:
    """What it is, and whether a program may use it."""
    return {
        "name": "NVIDIA H200",
        "uuid": uuid(number),
        "pci": f"0000:{0x1B + 0x11 * number:02x}:00.0",
        "minor": number,
        "cuda_ordinal": number,
        "nvml_index": number,
        "capability": Version("9.0"),
        "sms": 132,
        "memory_bytes": 143771 << 20,
        "memory_free_bytes": (143771 << 20) - (number * 19 + 3) * GIB,
        "compute_mode": "default",
        "persistence": True,
        "mig": False,
        "mig_instances": Absent(NVML),
        "failure": Absent(NVML),
    }


def _pace(number: int) -> dict[str, Value | Fact[Value]]:
    """How fast it runs, and what holds it back."""
    return {
        "clock_sm_mhz": 1980 - 45 * number,
        "clock_sm_max_mhz": 1980,
        "clock_memory_mhz": 3201,
        "clock_memory_max_mhz": 3201,
        "power_watts": 121.4 + 70 * number,
        "power_limit_watts": 700.0,
        "power_limit_default_watts": 700.0,
        "power_limit_max_watts": 700.0,
        "temperature_c": 34 + 4 * number,
        "temperature_slowdown_c": 92,
        "throttle": ("Idle",) if number == 0 else (),
        "utilization_percent": 0 if number == 0 else 14 * number,
    }


def _memory_health() -> dict[str, Value | Fact[Value]]:
    """No fault of its memory, which HBM counts in rows."""
    return {
        "ecc": True,
        "ecc_corrected": 0,
        "ecc_uncorrected": 0,
        "ecc_uncorrected_total": 0,
        "rows_remapped": 0,
        "rows_remap_pending": False,
        "rows_remap_failed": False,
        "pages_retired": Unknown(NOT_SUPPORTED),
        "pages_retire_pending": Unknown(NOT_SUPPORTED),
    }


def _surroundings(number: int) -> dict[str, Value | Fact[Value]]:
    """What it is connected to, and who uses it."""
    process = f"/home/alice/train (process {4200 + number}): {number * 19 * 1024} MiB"
    others = (f"GPU {other}: NVLink x18" for other in range(8) if other != number)
    return {
        "pcie_generation": 5,
        "pcie_generation_max": 5,
        "pcie_width": 16,
        "pcie_width_max": 16,
        "slot_generation_max": 5,
        "slot_width_max": 16,
        "nvlinks": 18,
        "nvlinks_down": (),
        "nvlink_errors": 0,
        "nvlink_peers": ("switch x18",),
        "fabric_state": "Completed",
        "numa_node": number // 4,
        "cpu_affinity": "0-47,96-143" if number < 4 else "48-95,144-191",
        "peers": tuple(others),
        "processes": (process,) if number else (),
        "process_bytes": number * 19 * GIB,
    }


def rtx(number: int, name: str, **more: Value | Fact[Value]) -> dict[str, Fact[Value]]:
    """A GeForce card: no ECC, no NVLink, no MIG."""
    unsupported = ("ecc", "ecc_corrected", "ecc_uncorrected", "ecc_uncorrected_total")
    unsupported += ("rows_remapped", "rows_remap_pending", "rows_remap_failed", "mig")
    return h200(
        number,
        **{each: Unknown(NOT_SUPPORTED) for each in unsupported},
        **{
            "name": name,
            "nvlinks": 0,
            "nvlink_errors": Unknown(NOT_SUPPORTED),
            "nvlink_peers": (),
            "fabric_state": Absent(NVML),
            "numa_node": Absent(NVML),
            "persistence": False,
            "processes": (),
            "process_bytes": 0,
            **more,
        },
    )


DRIVER: dict[str, Fact[Value]] = {
    "driver.version": Known(Version("580.95.05"), NVML),
    "driver.cuda": Known(Version("13.0"), NVML),
    "env.CUDA_VISIBLE_DEVICES": Absent("environment"),
    "env.CUDA_DEVICE_ORDER": Absent("environment"),
}


def one() -> Facts:
    """One idle H200."""
    return Facts({**DRIVER, **h200(0, peers=())})


def two() -> Facts:
    """The slower card comes first on the bus: CUDA counts the faster one as 0."""
    slow = rtx(0, "NVIDIA GeForce RTX 3060", capability=Version("8.6"), sms=28, cuda_ordinal=1,
               memory_bytes=12288 << 20, memory_free_bytes=11900 << 20, power_watts=14.2,
               power_limit_watts=170.0, power_limit_default_watts=170.0,
               power_limit_max_watts=212.0, clock_sm_mhz=210, clock_sm_max_mhz=2100,
               clock_memory_mhz=405, clock_memory_max_mhz=7501, pcie_generation=1,
               pcie_generation_max=4, pcie_width=4, slot_generation_max=3, slot_width_max=4,
               peers=("GPU 1: same host bridge",))  # fmt: skip
    fast = rtx(1, "NVIDIA GeForce RTX 4090", capability=Version("8.9"), sms=128, cuda_ordinal=0,
               memory_bytes=24564 << 20, memory_free_bytes=1100 << 20, power_watts=431.0,
               power_limit_watts=450.0, power_limit_default_watts=450.0,
               power_limit_max_watts=600.0, utilization_percent=100, temperature_c=71,
               clock_sm_mhz=2520, clock_sm_max_mhz=3105, clock_memory_mhz=10251,
               clock_memory_max_mhz=10501, throttle=("SW Power Cap",), pcie_generation=4,
               pcie_generation_max=4, slot_generation_max=4,
               peers=("GPU 0: same host bridge",),
               processes=("python (process 4711): 21012 MiB", "Xorg (process 812): 312 MiB"),
               process_bytes=21324 << 20)  # fmt: skip
    return Facts({**DRIVER, **slow, **fast})


def eight() -> Facts:
    """Eight H200; a link of one is down."""
    facts = dict(DRIVER)
    for number in range(8):
        facts |= h200(number)
    facts |= h200(5, nvlinks_down=("link 3: inactive",), nvlink_errors=127,
                  nvlink_peers=("switch x17",), rows_remapped=2, rows_remap_pending=True,
                  ecc_corrected=214)  # fmt: skip
    return Facts(facts)


def lost() -> Facts:
    """The second of two fell off the bus."""
    failure = "nvmlDeviceGetHandleByIndex_v2: 15 NVML_ERROR_GPU_IS_LOST (GPU is lost)"
    gone = {"failure": Known(failure, NVML), "nvml_index": Known(1, NVML)}
    return Facts({**DRIVER, **h200(0, peers=()), **gpu(1, gone)})


def mig() -> Facts:
    """An A100 in two instances, of which the mask leaves one, and one without any."""
    name = "NVIDIA A100-SXM4-40GB"
    whole = {"name": name, "capability": Version("8.0"), "sms": 108, "mig": True,
             "memory_bytes": 40960 << 20, "memory_free_bytes": 40000 << 20,
             "power_limit_watts": 400.0, "utilization_percent": Unknown(NOT_SUPPORTED),
             "cuda_ordinal": Absent("CUDA's list"), "peers": ()}  # fmt: skip
    facts = {**DRIVER, **h200(0, **whole, mig_instances=2), **h200(1, **whole, mig_instances=0)}
    for number, size in enumerate((1, 3)):
        facts |= {
            f"mig.{number}.{key}": value if isinstance(value, Absent) else Known(value, NVML)
            for key, value in {
                "gpu": 0,
                "uuid": uuid(70 + number, "MIG"),
                "name": f"{name} MIG {size}g.{size * 5}gb",
                "memory_bytes": size * 4864 << 20,
                "gpu_instance": 9 - 2 * number,
                "compute_instance": 0,
                "cuda_ordinal": 0 if number == 0 else Absent("CUDA's list"),
            }.items()
        }
    mask = {"env.CUDA_VISIBLE_DEVICES": Known(uuid(70, "MIG"), "environment")}
    return Facts({**facts, **mask})


def none() -> Facts:
    """No GPU at all."""
    return Facts({**DRIVER, "driver.version": Absent(NVML), "driver.cuda": Absent(NVML)})


def silent() -> Facts:
    """CUDA lists a GPU, and NVML does not answer."""
    why = Unknown("libnvidia-ml.so.1 is not there")
    known = {"name": "NVIDIA H200", "uuid": uuid(0), "pci": "0000:1b:00.0", "cuda_ordinal": 0,
             "capability": Version("9.0"), "sms": 132, "memory_bytes": 143771 << 20}  # fmt: skip
    unread = ("nvml_index", "minor", "memory_free_bytes", "temperature_c", "power_watts")
    unread += ("power_limit_watts", "utilization_percent", "processes", "process_bytes")
    return Facts({**DRIVER, **gpu(0, {**known, **dict.fromkeys(unread, why)})})


SAMPLES = {
    "none": none,
    "one": one,
    "two": two,
    "eight": eight,
    "lost": lost,
    "mig": mig,
    "silent": silent,
}

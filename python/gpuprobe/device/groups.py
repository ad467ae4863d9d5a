"""What belongs together of one GPU. None: not read, and the device's `unknown` says why.

All figures are those of one moment, as NVML gave them, unless a docstring names another source.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Clocks:
    """How fast it runs and could run, in MHz, and what holds it back now.

    Attributes:
        sm_mhz: Clock of the multiprocessors now; an idle GPU lowers it.
        sm_max_mhz: The highest that the card allows.
        memory_mhz: Clock of the memory now.
        memory_max_mhz: The highest that the card allows.
        throttle: What holds the clocks down, in nvidia-smi's words (``Idle``, ``SW Power Cap``);
            empty: nothing does.
    """

    sm_mhz: int | None = None
    sm_max_mhz: int | None = None
    memory_mhz: int | None = None
    memory_max_mhz: int | None = None
    throttle: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Power:
    """What it draws and may draw, in watts; `limit_watts` is the one in force."""

    watts: float | None = None
    limit_watts: float | None = None
    limit_default_watts: float | None = None
    limit_max_watts: float | None = None


@dataclass(frozen=True, slots=True)
class Temperature:
    """How hot the chip is, in degrees Celsius, and from where on it slows itself down."""

    celsius: int | None = None
    slowdown_celsius: int | None = None


@dataclass(frozen=True, slots=True)
class Pcie:
    """The link to the machine: generation and lanes now, the card's own, and the slot's.

    An idle GPU lowers the generation; the number of lanes stays. The slot's figures are those of
    the bridge above the card (Linux: /sys/bus/pci/devices).
    """

    generation: int | None = None
    generation_max: int | None = None
    width: int | None = None
    width_max: int | None = None
    slot_generation_max: int | None = None
    slot_width_max: int | None = None


@dataclass(frozen=True, slots=True)
class Health:
    """Errors that the memory counted and repaired.

    Attributes:
        ecc: Whether errors are detected and corrected; off and unsupported differ (`unknown`).
        ecc_corrected: Corrected errors since the driver was loaded.
        ecc_uncorrected: Errors that could not be corrected, since the driver was loaded.
        ecc_uncorrected_total: The same over the life of the card.
        rows_remapped: Memory rows that were replaced for good.
        rows_remap_pending: A replacement waits for a reset of the GPU.
        rows_remap_failed: A row could not be replaced: the card is worn out.
        pages_retired: Memory pages that are no longer used (cards before Ampere).
        pages_retire_pending: A page waits for a reset to be taken out of use.
        fabric_state: Whether the NVSwitch fabric took the GPU in.
    """

    ecc: bool | None = None
    ecc_corrected: int | None = None
    ecc_uncorrected: int | None = None
    ecc_uncorrected_total: int | None = None
    rows_remapped: int | None = None
    rows_remap_pending: bool | None = None
    rows_remap_failed: bool | None = None
    pages_retired: int | None = None
    pages_retire_pending: bool | None = None
    fabric_state: str | None = None


@dataclass(frozen=True, slots=True)
class NvLink:
    """NVLink: how many links the card has, which are down, their errors, and where they lead.

    A link that is down reads ``link 3: inactive``, a peer ``GPU 1 x12`` or ``switch x18``.
    """

    links: int | None = None
    down: tuple[str, ...] | None = None
    errors: int | None = None
    peers: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Placement:
    """Where it sits: near which memory and CPUs, and how the other GPUs are reached.

    `cpu_affinity` is a list such as ``0-15,64-79``; a peer reads ``GPU 1: NVLink x18``.
    """

    numa_node: int | None = None
    cpu_affinity: str | None = None
    peers: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class MigInstance:
    """A part of a GPU that CUDA takes for a GPU of its own.

    Attributes:
        number: The running number in gpuprobe's facts (``mig.0.…``), over all GPUs.
        uuid: ``MIG-…``, by which a program is given this instance.
        name: Of the GPU and the profile: ``NVIDIA A100-SXM4-40GB MIG 1g.5gb``.
        memory_bytes: Its memory.
        gpu_instance: The id of its GPU instance.
        compute_instance: The id of its compute instance inside that.
        ordinal: CUDA's number, after CUDA_VISIBLE_DEVICES; None where CUDA does not see it.
        unknown: For what is None, the reason.
    """

    number: int
    uuid: str | None = None
    name: str | None = None
    memory_bytes: int | None = None
    gpu_instance: int | None = None
    compute_instance: int | None = None
    ordinal: int | None = None
    unknown: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Mig:
    """Whether the GPU is cut into instances, and into which. On without instances: unusable."""

    enabled: bool | None = None
    instance_count: int | None = None
    instances: tuple[MigInstance, ...] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """Who uses it now.

    Attributes:
        utilization_percent: Part of the last moments in which a kernel ran.
        processes: Each with what it holds: ``python (process 4711): 512 MiB``; empty: none.
        process_bytes: Memory of all of them together.
    """

    utilization_percent: int | None = None
    processes: tuple[str, ...] | None = None
    process_bytes: int | None = None

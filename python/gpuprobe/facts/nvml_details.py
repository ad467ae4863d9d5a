"""What NVML tells of a GPU beyond its identity, as types; the probe's JSON ends here.

The names of the numbers are those of the answer (csrc/device/gp_nvml_numbers.def). None: see
`unread` of the device. Imported only where NVML lists a GPU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .strict import Json


class State(NamedTuple):
    """How it does at this moment."""

    clock_sm_mhz: int | None
    clock_sm_max_mhz: int | None
    clock_memory_mhz: int | None
    clock_memory_max_mhz: int | None
    power_milliwatts: int | None
    power_limit_milliwatts: int | None
    power_limit_default_milliwatts: int | None
    power_limit_max_milliwatts: int | None
    temperature_c: int | None
    temperature_slowdown_c: int | None
    throttle_bits: int | None
    utilization_percent: int | None


class Health(NamedTuple):
    """Of its memory. The modes and "pending" and "failed" are 0 or 1."""

    ecc_mode: int | None
    ecc_corrected: int | None
    ecc_uncorrected: int | None
    ecc_uncorrected_total: int | None
    rows_corrected: int | None
    rows_uncorrected: int | None
    rows_pending: int | None
    rows_failed: int | None
    pages_single_bit: int | None
    pages_double_bit: int | None
    pages_pending: int | None


class Connection(NamedTuple):
    """PCIe, and the fabric. `…_max` are of card and slot together, `card_…` of the card alone."""

    pcie_generation: int | None
    pcie_generation_max: int | None
    card_generation_max: int | None
    pcie_width: int | None
    pcie_width_max: int | None
    fabric_state: int | None
    fabric_status: int | None
    nvlink_errors: int | None


class NvLink(NamedTuple):
    """One link; `remote` is the PCI address that it leads to, `code` why it was not told."""

    number: int
    active: bool | None
    to_switch: bool
    remote: str | None
    code: int | None


class Path(NamedTuple):
    """The way to the GPU with NVML's number `to`; `level` as nvmlGpuTopologyLevel_t."""

    to: int
    level: int | None
    code: int | None


class Process(NamedTuple):
    """One that holds memory of the GPU."""

    pid: int
    name: str | None
    used_bytes: int | None


class Mig(NamedTuple):
    """A MIG instance; `place` is NVML's number below its GPU."""

    place: int
    name: str | None
    uuid: str | None
    memory_bytes: int | None
    gpu_instance: int | None
    compute_instance: int | None
    unread: Mapping[str, int | None]


class Details(NamedTuple):
    """All of it, of one GPU."""

    state: State
    health: Health
    connection: Connection
    cpu_affinity: str | None
    nvlinks: tuple[NvLink, ...] | None
    paths: tuple[Path, ...]
    processes: tuple[Process, ...] | None
    migs: tuple[Mig, ...] | None


#: nvmlIntNvLinkDeviceType_t
_SWITCH = 2


def read_details(data: Json) -> Details:
    """The details among NVML's "devices". Raises `GarbageError`."""
    links, processes = data.find("nvlinks"), data.find("processes")
    paths, migs = data.find("paths"), data.find("mig_devices")
    return Details(
        State(*_numbers(data, State._fields)),
        Health(*_numbers(data, Health._fields)),
        Connection(*_numbers(data, Connection._fields)),
        data.opt("cpu_affinity", str),
        None if links is None else tuple(_link(each) for each in links.items()),
        () if paths is None else tuple(_path(each) for each in paths.items()),
        None if processes is None else tuple(_process(each) for each in processes.items()),
        None if migs is None else tuple(_mig(each) for each in migs.items()),
    )


def _numbers(data: Json, names: tuple[str, ...]) -> tuple[int | None, ...]:
    return tuple(data.opt(name, int) for name in names)


def _link(data: Json) -> NvLink:
    active = data.opt("active", int)
    return NvLink(
        data.at("link").a(int),
        None if active is None else active != 0,
        data.opt("remote_kind", int) == _SWITCH,
        data.opt("remote", str),
        _code(data),
    )


def _path(data: Json) -> Path:
    return Path(data.at("index").a(int), data.opt("level", int), _code(data))


def _process(data: Json) -> Process:
    return Process(data.at("pid").a(int), data.opt("name", str), data.opt("used_bytes", int))


def _mig(data: Json) -> Mig:
    return Mig(
        data.at("place").a(int),
        data.opt("name", str),
        data.opt("uuid", str),
        data.opt("memory_bytes", int),
        data.opt("gpu_instance", int),
        data.opt("compute_instance", int),
        data.codes("unread"),
    )


def _code(data: Json) -> int | None:
    """The first of the codes by which a part was not told."""
    codes = data.codes("unread").values()
    return next((code for code in codes if code is not None), None)

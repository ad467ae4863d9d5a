"""Short statements on one GPU, and which of them ask for attention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...device import Device
    from ...device.groups import Health, NvLink

    Statement = tuple[str, bool]

_HARMLESS = ("Idle", "Applications Clocks Setting")


def statements(device: Device) -> Iterator[Statement]:
    """Each with whether it asks for attention. The verdict on it is the doctor's."""
    for reason in device.clocks.throttle or ():
        yield f"clocks: {reason}", reason not in _HARMLESS
    yield from _memory(device.health)
    yield from _links(device.nvlink)
    if device.health.fabric_state is not None:
        state = device.health.fabric_state
        yield f"fabric: {state}", state != "Completed"
    if device.mig.enabled:
        yield "MIG on", device.mig.instance_count == 0
    if device.compute_mode not in (None, "default"):
        yield str(device.compute_mode), True
    if words.is_hidden(device):
        yield "hidden from CUDA", True


def _memory(health: Health) -> Iterator[Statement]:
    if health.ecc is not None:
        yield f"ECC {'on' if health.ecc else 'off'}", False
    if health.ecc_uncorrected:
        yield f"{health.ecc_uncorrected} memory errors not corrected", True
    if health.rows_remapped:
        waiting = ", waiting for a reset" if health.rows_remap_pending else ""
        yield f"{health.rows_remapped} rows remapped{waiting}", bool(waiting)
    if health.rows_remap_failed:
        yield "a row could not be remapped", True
    if health.pages_retired:
        waiting = ", waiting for a restart" if health.pages_retire_pending else ""
        yield f"{health.pages_retired} pages retired{waiting}", bool(waiting)


def _links(nvlink: NvLink) -> Iterator[Statement]:
    if nvlink.links:
        down = len(nvlink.down or ())
        yield f"NVLink {nvlink.links - down} of {nvlink.links} up", down > 0
    if nvlink.errors:
        yield f"{nvlink.errors} NVLink errors", True

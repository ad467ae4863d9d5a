"""The way from one GPU to each other one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...device import Device


def peers(device: Device) -> dict[int, str]:
    """The number of each other GPU and the way to it: ``{1: "NVLink x18"}``."""
    ways = {}
    for peer in device.placement.peers or ():
        gpu, _, way = peer.partition(": ")
        number = gpu.removeprefix("GPU ")
        if number.isdecimal():
            ways[int(number)] = way
    return ways

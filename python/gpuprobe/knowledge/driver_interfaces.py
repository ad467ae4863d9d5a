"""With which driver a release of its other interfaces came: of NVENC and of Vulkan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .tables import load

if TYPE_CHECKING:
    from ..facts.version import Version


def first_driver(interface: str, release: Version, system: str) -> Version | None:
    """The first driver of `system` ("linux", "windows") with that release of "nvenc" or "vulkan".

    None: the table does not say.
    """
    for row in load("driver_interfaces").section(interface):
        if row.version("release") == release:
            return row.version("windows" if system == "windows" else "linux")
    return None

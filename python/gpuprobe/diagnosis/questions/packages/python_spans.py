"""For which Pythons a release has builds, by the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..place import place_of
from ..statements import value

if TYPE_CHECKING:
    from ....facts.model import Facts
    from ....facts.version import Version


def pythons_of(
    facts: Facts, name: str, version: str | None, python: Version
) -> tuple[Version, Version] | None:
    """The first and the last Python of a release, or of all releases where none is named."""
    if name == "torch":
        from ....knowledge import pytorch

        listed = pytorch.releases()
        found = None if version is None else pytorch.release(version)
        if found is not None:
            return found.python_min, found.python_max
        if version is None and (variant := value(facts, "pip-index-of-torch")):
            on_index = [row for row in listed if variant in _variants(row.torch)]
            listed = tuple(on_index) or listed
        span = (min(r.python_min for r in listed), max(r.python_max for r in listed))
        return span if version is None else None
    if name == "torchvision" and version is not None:
        of_torch = _torch_of(version)
        return None if of_torch is None else pythons_of(facts, "torch", of_torch, python)
    if name in ("tensorflow", "tensorflow-gpu"):
        from ....knowledge import tensorflow

        release = None if version is None else tensorflow.release(version)
        if release is not None:
            return release.python_min, release.python_max
        platform: tensorflow.Platform = "linux_x86_64"
        if place_of(facts).system == "Windows":
            platform = "windows"
        if version is None and tensorflow.newest_for_python(python, platform) is None:
            rows = tensorflow.releases()
            return min(r.python_min for r in rows), max(r.python_max for r in rows)
    return None


def _variants(torch: Version) -> set[str]:
    """The CUDAs for which a release of torch is on an index of its own, as that is called."""
    from ....knowledge import pytorch

    return {build.variant for build in pytorch.builds(torch)}


def _torch_of(torchvision: str) -> str | None:
    """The release of torch that a torchvision goes with; it is built for the same Pythons."""
    from ....knowledge import pytorch
    from ....knowledge.companions import torchvision_for
    from ....knowledge.tables import Unstated, release_number

    asked = release_number(torchvision)
    for row in pytorch.releases():
        found = torchvision_for(str(row.torch))
        if asked is None or isinstance(found, Unstated):
            continue
        if (found.major, found.minor) == (asked.major, asked.minor):
            return str(row.torch)
    return None

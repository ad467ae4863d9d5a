"""Which driver a program would need, where what it said and the tables tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ....knowledge.driver_cuda import Floor, smallest_driver, toolkit_driver
from ....knowledge.driver_functions import first_cuda, first_driver
from ....knowledge.tables import Unstated
from ..place import place_of
from ..statements import value
from .interfaces import driver_of_interface

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys

#: What an image asks for: cuda>=12.1, or driver>=525.
_ASKED = regex(r"(?a)\b(cuda|driver) ?>=? ?(\d{1,3}(?:\.\d{1,3}){0,2})")
#: Statements that carry the driver itself.
_DRIVERS = ("ffmpeg-without-nvenc", "told-minimum-driver")
_PTX = said.ERROR("CUDA_ERROR_UNSUPPORTED_PTX_VERSION")


def needed_driver(facts: Facts, keys: Keys) -> Version | None:
    """The smallest driver that would do; None where nothing tells it, or it is there already."""
    driver = facts.known(names.DRIVER_VERSION)
    found = [each for key in keys for each in (_by(facts, key),) if each is not None]
    needed = max(found, default=None)
    return None if needed is None or (driver is not None and needed <= driver) else needed


def _by(facts: Facts, key: Key[object]) -> Version | None:
    """By one of the facts that show the driver to be too old."""
    name = key.name
    if name.startswith("symbol."):
        function = name.split(".")[1]
        return first_driver(function) or _with_all_of(facts, first_cuda(function))
    if name.startswith("package.") and name.endswith(".cuda"):
        cuda = facts.known(key)
        return _that_starts(facts, cuda) if isinstance(cuda, Version) else None
    if key == said.SIGN("container-requirement"):
        asked = _ASKED.search(value(facts, "container-requirement"))
        if asked is None:
            return None
        version = Version(asked[2])
        return version if asked[1] == "driver" else _with_all_of(facts, version)
    if key == said.SIGN("torch-driver-too-old"):
        return _that_starts(facts, _of_torch(facts))
    if key in (_PTX, names.TOOLKIT_VERSION):
        return _with_all_of(facts, facts.known(names.TOOLKIT_VERSION))
    if any(key == said.SIGN(each) for each in _DRIVERS):
        told = facts.known(key)
        return Version.parse(str(told))
    return driver_of_interface(facts, key)


def _with_all_of(facts: Facts, cuda: Version | None) -> Version | None:
    """The first driver that serves all of a CUDA, its newest functions and PTX included."""
    if cuda is None:
        return None
    wanted = Version.of(cuda.major, cuda.minor)
    return _driver(toolkit_driver(wanted, place_of(facts).driver_system))


def _that_starts(facts: Facts, cuda: Version | None) -> Version | None:
    """The first driver on which what was built with a CUDA starts."""
    if cuda is None:
        return None
    return _driver(smallest_driver(cuda, place_of(facts).driver_system))


def _driver(found: Floor | Unstated) -> Version | None:
    return None if isinstance(found, Unstated) else found.driver


def _of_torch(facts: Facts) -> Version | None:
    """The CUDA that torch was built with: as it is told, or by its release."""
    told = facts.known(names.PACKAGE_CUDA("torch"))
    version = facts.known(names.PACKAGE_VERSION("torch"))
    if told is not None or version is None:
        return told
    from ....knowledge.pytorch import Build, build

    windows = place_of(facts).driver_system == "windows"
    found = build(version, "windows" if windows else "linux_x86_64")
    return found.cuda if isinstance(found, Build) else None

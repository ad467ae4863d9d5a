"""Whether the driver has the release of NVENC, or of Vulkan, that a program asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ....knowledge.driver_interfaces import first_driver
from ...model import Confidence
from ..place import place_of
from ..statements import statements, value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Key, Keys

_ASKED, _TOLD = said.SIGN("nvenc-driver-too-old"), said.SIGN("nvenc-asked-told")
_SKIPPED = said.SIGN("vulkan-adapter-skipped")
#: NVENC, by its number; the decoder's interface has numbers of its own.
_NVENC = regex(r"(?ai)(?:\bnvenc API (?:version )?|\A)(\d{1,2}\.\d)\Z")
#: What DXVK asks for, where it skips a GPU whose driver has the Vulkan before it.
_BEFORE, _WANTED = "1.2", Version("1.3")


def driver_of_interface(facts: Facts, key: Key[object]) -> Version | None:
    """The first driver with what one of the statements says that a program asks for."""
    system, told = place_of(facts).driver_system, str(facts.known(key) or "")
    if key in (_ASKED, _TOLD) and (number := _NVENC.search(told)):
        return first_driver("nvenc", Version(number[1]), system)
    if key == _SKIPPED and told == _BEFORE:
        return first_driver("vulkan", _WANTED, system)
    return None


def interface_too_old(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """What a program says of the driver's Vulkan, and somebody of the NVENC that it wants."""
    if skipped := statements(facts, "vulkan-adapter-skipped"):
        release = value(facts, "vulkan-adapter-skipped")
        title = f"The driver offers Vulkan {release} for the GPU, and DXVK asks for a later one"
        yield skipped, title, Confidence.CERTAIN
    least, driver = driver_of_interface(facts, _TOLD), facts.known(names.DRIVER_VERSION)
    if least is not None and driver is not None and driver < least:
        asked = value(facts, "nvenc-asked-told")
        title = f"The program asks for NVENC {asked}, which came with driver {least}"
        yield statements(facts, "nvenc-asked-told"), title, Confidence.LIKELY

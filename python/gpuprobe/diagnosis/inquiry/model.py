"""The words of the tables: a question, where it applies, and the command on each system."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, NamedTuple

from ...facts import names, said
from ...facts.model import Facts, Known
from ..questions.place import place_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model import Reading


class Platform(enum.Enum):
    """Systems on which a question is asked with different commands."""

    LINUX = "Linux"
    WSL = "WSL"
    WINDOWS = "Windows"
    TEGRA = "Jetson"
    MACOS = "macOS"


Commands = tuple[str, ...]

PASTE = "run this on that machine, and paste what it prints below your text"


class Question(NamedTuple):
    """A row of the tables.

    `when`, `after` and `unless` are beginnings of names of facts: of `when` one has to be known,
    of `after` all, of `unless` none. Where all facts that it `tells` are known, it is answered.
    """

    id: str
    commands: Mapping[Platform, Commands]
    tells: tuple[str, ...]
    readings: tuple[Reading, ...]
    when: tuple[str, ...] = ("",)
    after: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    text: str = PASTE


def everywhere(*commands: str) -> dict[Platform, Commands]:
    """The same on all systems that CUDA serves: written so that cmd and sh both take it."""
    return dict.fromkeys((each for each in Platform if each is not Platform.MACOS), commands)


def on_linux(*commands: str) -> dict[Platform, Commands]:
    """On Linux, WSL included."""
    return dict.fromkeys((Platform.LINUX, Platform.WSL, Platform.TEGRA), commands)


def platform_of(facts: Facts) -> Platform | None:
    """The system that the facts tell of; None where they do not, or name several."""
    place = place_of(facts)
    if place.tegra:
        return Platform.TEGRA
    if place.wsl or said.ABOUT("wsl").name in facts:
        return Platform.WSL
    if place.system is not None:
        return _SYSTEMS.get(place.system)
    named = [each for topic, each in _TOPICS if said.ABOUT(topic).name in facts]
    if not named and isinstance(facts.fact(names.CONTAINER_KIND), Known):
        return Platform.LINUX
    return named[0] if len(named) == 1 else None


_SYSTEMS = {"Linux": Platform.LINUX, "Windows": Platform.WINDOWS, "Darwin": Platform.MACOS}
_TOPICS = (("linux", Platform.LINUX), ("windows", Platform.WINDOWS), ("macos", Platform.MACOS))

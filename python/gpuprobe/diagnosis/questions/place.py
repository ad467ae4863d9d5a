"""Where a repair has to be made: the system, the distribution, the host of a container.

Only for the wording of fixes; what is not known is left out, and the fix becomes more general.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, NamedTuple

from ...facts import names
from ...facts.regex import regex
from .once import asked_once

if TYPE_CHECKING:
    from ...facts.model import Facts
    from ...knowledge.driver_cuda import System


class Distribution(enum.Enum):
    """Linux distributions that install a driver in the same way."""

    UBUNTU = "Ubuntu"
    DEBIAN = "Debian"
    FEDORA = "Fedora"
    RHEL = "RHEL"
    ARCH = "Arch"
    SUSE = "SUSE"


#: Words in the name of a system (PRETTY_NAME of /etc/os-release), more special ones first.
_WORDS = (
    (("ubuntu", "mint", "pop!_os", "elementary", "zorin"), Distribution.UBUNTU),
    (("debian", "raspbian", "kali"), Distribution.DEBIAN),
    (("fedora",), Distribution.FEDORA),
    (("red hat", "rhel", "centos", "rocky", "alma", "oracle linux"), Distribution.RHEL),
    (("arch linux", "manjaro", "endeavouros", "cachyos"), Distribution.ARCH),
    (("suse", "sles"), Distribution.SUSE),
)
#: Words of editions whose system is an image: their root takes no packages while it runs.
_IMAGES = (
    *("coreos", "(silverblue", "(kinoite", "(sericea", "(onyx", "atomic", "(iot edition"),
    *("microos", "aeon", "kalpa", "suse linux micro", "enterprise micro", "leap micro"),
)


class Place(NamedTuple):
    """`container` and `wsl` tell that the driver is not this system's to change."""

    system: str | None
    distribution: Distribution | None
    container: str | None
    wsl: bool
    tegra: bool = False  # NVIDIA's own board, whose driver is a part of its system
    release: int | None = None  # of an Ubuntu the year, of RHEL and its kin the first number

    @property
    def own_driver(self) -> bool:
        """Whether the driver belongs to this very system, not to a host around it."""
        return self.container is None and not self.wsl

    @property
    def driver_system(self) -> System:
        """The system whose driver serves this one; under WSL that is Windows."""
        return "windows" if self.wsl or self.system == "Windows" else "linux"


@asked_once
def place_of(facts: Facts) -> Place:
    """The place that `facts` tell of, as far as they do."""
    return Place(
        facts.known(names.OS_SYSTEM) or _system_of_files(facts),
        _distribution(facts.known(names.OS_NAME) or ""),
        facts.known(names.CONTAINER_KIND),
        facts.known(names.WSL_VERSION) is not None,
        facts.known(names.TEGRA_MODEL) is not None,
        _release(facts.known(names.OS_NAME) or ""),
    )


_RELEASES = (
    regex(r"(?i)\bubuntu\D{0,20}(\d{2})\.\d{2}\b"),
    regex(
        r"(?i)\b(?:red hat|rhel|centos|rocky|alma|oracle linux)\D{0,40}(\d{1,2})(?:\.\d{1,2})?\b"
    ),
)


def _release(name: str) -> int | None:
    found = next((found for each in _RELEASES if (found := each.search(name))), None)
    return int(found[1]) if found else None


def _system_of_files(facts: Facts) -> str | None:
    """Where a text does not say it: a program that misses a DLL runs on Windows."""
    missed = facts.keys_of(names.LIBRARY_MISSING)
    dll = any((facts.known(key) or "").lower().endswith(".dll") for key in missed)
    return "Windows" if dll else None


_OLD_MAC = regex(r"(?i)\b(?:mac ?)?os ?x?(?: [a-z]{4,9}){0,2} 10\.(?:[0-9]|1[0-3])(?![0-9])")


def mac_with_driver(facts: Facts) -> bool:
    """Whether it is a Mac of the time when NVIDIA had a driver for it: up to macOS 10.13."""
    return _OLD_MAC.search(facts.known(names.OS_NAME) or "") is not None


def _distribution(name: str) -> Distribution | None:
    lower = name.lower()
    if any(word in lower for word in _IMAGES):
        return None
    return next((found for words, found in _WORDS if any(word in lower for word in words)), None)

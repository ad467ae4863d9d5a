"""What the system's package manager could not install, and what is missing in consequence.

A text that shows it was written while the machine was being set up; whatever else the text shows
failing is surer than this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts.regex import regex
from ..statements import statements, value

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys

_SIGNS = ("os-package-not-found", "os-package-unmet")
#: What the package manager says beside that, of all its packages.
_BESIDE = ("os-package-broken", "os-key-missing")
CONTAINER, DRIVER = "container-no-gpu", "driver-missing"
TOOLKIT, CUDNN = "toolkit-missing", "cudnn-missing"
#: The first that fits a package's name tells what it brings; container tools begin like drivers.
_KINDS = (
    (regex(r"nvidia-(?:container|docker)|libnvidia-container"), CONTAINER),
    (regex(r"(?:lib)?cudnn|nvidia-cudnn"), CUDNN),
    (
        regex(
            r"nvidia-(?:driver|dkms|kernel|open|utils|gfx|graphics|headless|compute|settings|video|gl|\d{3})"
            r"|cuda-drivers|libnvidia-|akmod-nvidia|kmod-nvidia|xorg-x11-drv-nvidia|nvidia\Z"
        ),
        DRIVER,
    ),
    (regex(r"nvidia-cuda-(?:toolkit|dev)|cuda(?:-toolkit|-nvcc|-compiler|-\d|\Z)"), TOOLKIT),
)


class Uninstalled(NamedTuple):
    """What is missing because its package was not installed."""

    cause: str
    title: str
    keys: Keys


def uninstalled(facts: Facts) -> Uninstalled | None:
    """The first package that was refused and brings a part of the stack; None: none was."""
    for sign in _SIGNS:
        package = value(facts, sign).strip("'\":,.").lower()
        for pattern, cause in _KINDS:
            if pattern.match(package):
                title = f"The system's package manager could not install {package}"
                keys = statements(facts, sign, *_BESIDE)
                return Uninstalled(cause, title, keys)
    files = statements(facts, "driver-package-files")
    if files:
        title = "Packages of the driver stand in each other's way"
        return Uninstalled(DRIVER, title, (*files, *statements(facts, *_BESIDE)))
    return None

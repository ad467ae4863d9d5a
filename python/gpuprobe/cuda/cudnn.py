"""The cuDNN of this machine. Its files are looked for; nothing is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..examine import machine_facts
from ..facts import names

if TYPE_CHECKING:
    from ..facts.model import Facts

_STEM = "cudnn"
#: From cuDNN 9 on the number has more room: 91900 is 9.19.0, 8907 is 8.9.7.
_WIDER_SINCE = 9


def is_available() -> bool:
    """Whether a cuDNN was found here, in a package or by the loader's ways.

    Raises:
        gpuprobe.facts.model.Missing: Nobody could look.
    """
    return _is_there(machine_facts())


def version() -> int | None:
    """The release of the cuDNN that was found, as its own header writes it: 91900 is 9.19.0.

    None: There is none, or neither its file's name nor a package states its release.

    Raises:
        gpuprobe.facts.model.Missing: Nobody could look.
    """
    facts = machine_facts()
    found = facts.known(names.LIBRARY_VERSION(_STEM)) if _is_there(facts) else None
    if found is None:
        return None
    major, minor, patch = (*found.parts, 0, 0)[:3]
    return major * (10000 if major >= _WIDER_SINCE else 1000) + minor * 100 + patch


def _is_there(facts: Facts) -> bool:
    facts.need(names.LIBRARIES_SEARCHED)
    return facts.known(names.LIBRARY_PATH(_STEM)) is not None

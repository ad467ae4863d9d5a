"""Whether a rule applies: each ends one that does not, as "not applicable" or "could not look".

That there is no GPU is said only where it is known (`gpus.presence`).
"""

from __future__ import annotations

from ...facts import names, said
from ...facts.model import Facts, Known, Missing, NotThere
from .gpus.presence import has_nvidia_gpu
from .once import asked_once
from .source import looked_at

#: How the names of facts begin that only a program's words tell.
_SAID = ("sign.", "error.", "symbol.", "framework.", "cudnn.", "toolkit.",
         "container.image")  # fmt: skip
#: Of a library a look at a machine tells where it lies; these are what somebody asked and got.
_SAID_OF_LIBRARIES = (".missing", ".loaded", ".broken", ".wanted_by")


def only_with_gpu(facts: Facts) -> None:
    """End a rule as "not applicable" where there is no NVIDIA GPU: there no driver is at fault.

    Raises:
        NotThere: There is none.
        Missing: Nobody could look.
    """
    if not has_nvidia_gpu(facts):
        raise NotThere(names.PCI_NVIDIA_COUNT.name)


def not_without_gpu(facts: Facts) -> None:
    """The same for faults that a program's words show by themselves: something drives a GPU.

    Of a text only a machine that is known to have none ends the rule.

    Raises:
        NotThere: There is none.
        Missing: A machine was looked at, and nobody could see whether it has one.
    """
    try:
        only_with_gpu(facts)
    except Missing:
        if looked_at(facts):
            raise


def only_where_said(facts: Facts) -> None:
    """End a rule where no program said anything, as on a machine that was only looked at.

    Raises:
        NotThere: None did.
    """
    if not _says_something(facts):
        raise NotThere(said.SIGN("*").name)


@asked_once
def _says_something(facts: Facts) -> bool:
    """Whether a fact is known that only a program's words tell."""
    return any(_is_said(name) and isinstance(fact, Known) for name, fact in facts.items())


def _is_said(name: str) -> bool:
    if name.startswith("library."):
        return name.endswith(_SAID_OF_LIBRARIES)
    return name.startswith(_SAID)


def only_with_packages(facts: Facts) -> None:
    """End a rule where neither a package is known nor a program said anything.

    Raises:
        NotThere: So it is, or the machine has no GPU that they could serve.
        Missing: A machine was looked at, and not all of its packages could be seen: one of them
            may be what serves the GPU. Or nobody knows whether it has one.
    """
    if looked_at(facts):
        only_with_gpu(facts)
        facts.need(names.PACKAGE_FOLDERS)
    if not any(name.startswith("package.") for name in facts):
        only_where_said(facts)


def libraries_searched(facts: Facts) -> None:
    """End a rule about CUDA libraries where a look at a machine could not go all ways to them.

    Raises:
        NotThere: The machine has no GPU.
        Missing: So it is, or nobody knows whether it has one.
    """
    if looked_at(facts):
        only_with_gpu(facts)
        facts.need(names.LIBRARIES_SEARCHED)

"""The torch and the CUDA that a compiled extension was built for, as its own version tells.

``0.6.16+pt113cu117`` is for torch 1.13 with CUDA 11.7, ``+torch230cu121`` for 2.3 with 12.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names
from ....facts.regex import regex
from ....facts.version import Version
from ..libraries.faults import names_an_extension

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Keys

#: The torch with a dot, of three digits with its patch, or of two and three as PyG writes it.
_TORCH = regex(r"torch(\d)\.(\d{1,2})|torch(\d)(\d)\d(?!\d)|pt(\d)(\d{1,2})(?!\d)")
_CUDA = regex(r"cu(\d{1,2})(\d)(?!\d)")


class Tagged(NamedTuple):
    """An extension that was built for another torch than is there, and both in words."""

    package: str
    title: str
    keys: Keys


def built_for_another(facts: Facts) -> Iterator[Tagged]:
    """The extensions whose versions name another torch or CUDA than that of the installed one."""
    torch = facts.known(names.PACKAGE_VERSION("torch"))
    have = None if torch is None else Version.parse(torch.partition("+")[0])
    if torch is None or have is None:
        return
    cuda = facts.known(names.PACKAGE_CUDA("torch"))
    for package in facts.subjects(names.PACKAGE_VERSION):
        key = names.PACKAGE_VERSION(package)
        tag = (facts.known(key) or "").partition("+")[2]
        module = package.replace("-", "_")
        if tag and names_an_extension(module) and not _fits(tag, have, cuda):
            title = f"{package} {facts.known(key)} was built for another torch than {torch}"
            yield Tagged(module, title, (key, names.PACKAGE_VERSION("torch")))


def _fits(tag: str, torch: Version, cuda: Version | None) -> bool:
    made_for, with_cuda = _TORCH.search(tag), _CUDA.search(tag)
    if made_for is not None:
        major, minor = (int(each) for each in made_for.groups() if each)
        if (major, minor) != (torch.major, torch.minor):
            return False
    if with_cuda is None or cuda is None or len(cuda.parts) == 1:
        return True
    return (int(with_cuda[1]), int(with_cuda[2])) == (cuda.major, cuda.minor)

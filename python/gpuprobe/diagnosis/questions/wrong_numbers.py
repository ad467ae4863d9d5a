"""Results that are no numbers, on a GPU that came after the CUDA of the program's build.

The driver compiles such a build's PTX for the GPU, and the libraries in it, which choose their
kernels by the architecture, compute wrongly or nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ..model import Confidence
from .build_needs import tensorflow_release
from .kernel_faults import NEW, KernelFault
from .statements import statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts, Key
    from ...facts.version import Version
    from .gpus import Gpu


def wrong_numbers(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """The first GPU that is newer than what computes on it."""
    from ...knowledge.architecture import architecture

    told = statements(facts, "nan-told")
    for gpu in present if told else ():
        known = architecture(gpu.capability)
        first = None if known is None else known.first_toolkit
        for package, cuda, key in _builds(facts):
            if first is not None and cuda.major < first.major:
                title = (
                    f"{gpu.title} ({gpu.capability}) came after CUDA {cuda}, which computes on it"
                )
                keys = (*told, gpu.key, key)
                return KernelFault(NEW, title, keys, gpu, package, Confidence.LIKELY)
    return None


def _builds(facts: Facts) -> Iterator[tuple[str | None, Version, Key[object]]]:
    """What computes, and its CUDA: frameworks as they were built, else the toolkit."""
    own = facts.known(names.PACKAGE_CUDA("torch"))
    if own is not None:
        yield "torch", own, names.PACKAGE_CUDA("torch")
    release = tensorflow_release(facts)
    if release is not None:
        yield "tensorflow", release[2], names.PACKAGE_VERSION(release[0])
    toolkit = facts.known(names.TOOLKIT_VERSION)
    if own is None and release is None and toolkit is not None:
        yield None, toolkit, names.TOOLKIT_VERSION

"""The build of a framework that has code for a GPU."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...facts import names
from ..model import Fix, Safety
from ..questions.packages import Package, framework_of
from .framework import fitting_build, ground_of

if TYPE_CHECKING:
    from ...facts.model import Facts
    from ...facts.version import Version
    from ..questions.kernel_faults import KernelFault


def build_with_code(facts: Facts, fault: KernelFault) -> Fix:
    """Install such a build, where the tables know one; else say what has to be sought."""
    requirement = _requirement(facts, fault)
    package = fault.package
    version = None if package is None else facts.known(names.PACKAGE_VERSION(package))
    undo = f"pip install {package}=={version}" if version else None
    if requirement is not None:
        text = f"Install a build of {package} that has code for this GPU."
        return Fix(text, (f"pip install --force-reinstall {requirement}",), Safety.USER, undo)
    what = package or "the program"
    if fault.cause == "gpu-too-new":
        cuda = _first_toolkit(fault)
        text = f"Install a newer build of {what}: one that was made with CUDA {cuda} or later."
    else:
        target = "this GPU" if fault.gpu is None else _target(fault.gpu.capability)
        text = (
            f"Install a build of {what} that has code for {target} (CUDA {_last_toolkit(fault)} is "
            "the last that makes any), compile it for this GPU, or use a newer GPU."
        )
    return Fix(text, (), Safety.USER, undo)


def _requirement(facts: Facts, fault: KernelFault) -> str | None:
    if fault.package is None or fault.gpu is None:
        return None
    framework = framework_of(fault.package)
    if framework is None:
        return None
    package = Package(fault.package, framework, "", "cuda")
    return fitting_build(package, replace(ground_of(facts), capability=fault.gpu.capability))


def _target(capability: Version) -> str:
    return f"sm_{capability.major}{capability.minor}"


def _first_toolkit(fault: KernelFault) -> str:
    from ...knowledge.architecture import architecture

    found = None if fault.gpu is None else architecture(fault.gpu.capability)
    first = None if found is None else found.first_toolkit
    return "of the GPU's time" if first is None else str(first)


def _last_toolkit(fault: KernelFault) -> str:
    from ...knowledge.architecture import architecture

    found = None if fault.gpu is None else architecture(fault.gpu.capability)
    last = None if found is None else found.last_toolkit
    return "of the GPU's time" if last is None else str(last)

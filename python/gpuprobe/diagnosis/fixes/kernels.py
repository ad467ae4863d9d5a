"""The build of a framework that has code for a GPU."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...facts import names, said
from ..model import Fix, Safety
from ..questions.packages import Package, framework_of
from .framework import besides, fitting_build, jetson_build, no_build, undo_of
from .ground import Choice, ground_of

if TYPE_CHECKING:
    from ...facts.model import Facts
    from ...facts.version import Version
    from ..questions.kernel_fault import KernelFault


def build_with_code(facts: Facts, fault: KernelFault) -> Fix:
    """Install such a build, where the tables know one; else say what has to be sought."""
    package = fault.package
    version = None if package is None else facts.known(names.PACKAGE_VERSION(package))
    undo = None if package is None else undo_of(package, version)
    ground = ground_of(facts)
    framework = None if package is None else framework_of(package)
    if ground.jetson and package is not None:
        return jetson_build(framework or package, undo)
    if said.CONTAINER_IMAGE in fault.keys:
        text = "Take an earlier release of the image, whose release notes still name this GPU's "
        return Fix(text + "capability, or use a newer GPU.", (), Safety.USER, undo)
    if framework is None or package is None or fault.gpu is None:
        return _sought(fault, undo)
    if fault.gpu.capability not in ground.capabilities:
        ground = replace(ground, capabilities=(fault.gpu.capability,))
    found = fitting_build(Package(package, framework, "", "cuda"), ground)
    if isinstance(found, Choice):
        text = f"Install a build of {package} that has code for this GPU."
        command = f"pip install --force-reinstall {found.requirement}"
        return Fix(text + besides(found), (command,), Safety.USER, undo)
    return _sought(fault, undo) if found is None else no_build(framework, found, ground, undo)


def _sought(fault: KernelFault, undo: str | None) -> Fix:
    what = fault.package or "the program"
    if fault.cause == "gpu-too-new":
        cuda = _first_toolkit(fault)
        since = _since(what, cuda)
        text = (
            f"Install a newer build of {what}: one that was made with CUDA "
            f"{cuda or 'of the time of the GPU'} or later{since}."
        )
    else:
        target = "this GPU" if fault.gpu is None else _target(fault.gpu.capability)
        text = (
            f"Install a build of {what} that has code for {target} (CUDA {_last_toolkit(fault)} is "
            "the last that makes any), compile it for this GPU, or use a newer GPU."
        )
    return Fix(text, (), Safety.USER, undo)


def _target(capability: Version) -> str:
    return f"sm_{capability.major}{capability.minor}"


def _first_toolkit(fault: KernelFault) -> Version | None:
    from ...knowledge.architecture import architecture

    found = None if fault.gpu is None else architecture(fault.gpu.capability)
    return None if found is None else found.first_toolkit


def _since(framework: str, cuda: Version | None) -> str:
    """The release with which that began, where the tables tell of it."""
    from ...knowledge import pytorch, tensorflow

    if cuda is None:
        return ""
    if framework == "torch":
        release = pytorch.first_with_cuda(cuda)
    else:
        release = tensorflow.first_with_cuda(cuda) if framework == "tensorflow" else None
    return "" if release is None else f", as {framework} is since {release}"


def _last_toolkit(fault: KernelFault) -> str:
    from ...knowledge.architecture import architecture

    found = None if fault.gpu is None else architecture(fault.gpu.capability)
    last = None if found is None else found.last_toolkit
    return "of the GPU's time" if last is None else str(last)

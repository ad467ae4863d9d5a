"""The parts of a driver: what a container gets beside that for computing, and a library unfound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ...model import Confidence, Severity
from ..statements import statements
from ..symptoms import library_gone, no_device, smi_gone
from ..visible.values import CAPABILITIES, left_out
from .cause import CONTAINER, NOT_SEARCHED, Unreached

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys

#: Of each part what a program says, or which library it lacks, and the words that bring it.
_SAID = {"graphics": ("drawing-driver-missing", "optix-not-found", "optix-not-found-told")}
_LIBRARIES = {"video": ("nvcuvid", "nvidia-encode"), "graphics": ("nvoptix",)}
_WORDS = {"graphics": ("graphics", "display"), "video": ("video",)}


def part_left_out(facts: Facts) -> Unreached | None:
    """A program lacks a part of the driver that NVIDIA_DRIVER_CAPABILITIES leaves out.

    CUDA, which is another part, may work beside it.
    """
    for part, words in _WORDS.items():
        missed = tuple(_missed(facts, part))
        if missed and all(left_out(facts, each) for each in words):
            title = f"NVIDIA_DRIVER_CAPABILITIES leaves the driver's part for {part} out"
            return Unreached(CONTAINER, title, (CAPABILITIES, *missed), Confidence.LIKELY)
    steps = _without_optix, _without_drawing, _without_opencl, _without_video
    return next((each for step in steps if (each := step(facts)) is not None), None)


#: By its name, or as its maker has no others.
_FOR_CUDA = regex(r"(?i)cuda|cudnn|tensorrt|[-_:.]gpu\b|\bgpu[-_]|nvcr\.io/nvidia/|pytorch/pytorch")
_TOLD = "told-container", "chinese-container", "works-outside-container-told"


def computing_left_out(facts: Facts) -> Unreached | None:
    """Nvidia-smi is of the driver's part for tools, and reaches the driver without that for CUDA.

    A container of monitoring needs no more. So something of CUDA is missed, or the image is for it.
    """
    untold, kind = statements(facts, "smi-cuda-not-told"), facts.known(names.CONTAINER_KIND)
    if not untold or kind is None or left_out(facts):
        return None
    missed: Keys = (*library_gone(facts), *no_device(facts), *statements(facts, *_TOLD))
    missed = tuple(key for key in missed if key not in untold)
    image = facts.known(said.CONTAINER_IMAGE) or ""
    if facts.known(said.CONTAINER_GPUS) and _FOR_CUDA.search(image):
        missed = (*missed, said.CONTAINER_IMAGE)
    if not missed:
        return None
    title = f"Inside this container ({kind}) nvidia-smi works, and the driver's libcuda is missing"
    return Unreached(CONTAINER, title, (*untold, *missed, names.CONTAINER_KIND))


def _without_optix(facts: Facts) -> Unreached | None:
    """A container gets the part for computing unless it asks for more, and OptiX is of another."""
    said_so, told = statements(facts, "optix-not-found"), statements(facts, "optix-not-found-told")
    inside = facts.known(names.CONTAINER_KIND) is not None
    if not told and not (said_so and inside):
        return None
    title = "The container has the driver's part for computing, and not that of OptiX"
    return Unreached(CONTAINER, title, (*said_so, *told, names.CONTAINER_KIND), Confidence.LIKELY)


def _without_drawing(facts: Facts) -> Unreached | None:
    """Vulkan and EGL are of a part of the driver that a container gets if it asks for it."""
    unseen = statements(facts, "drawing-driver-missing")
    asked = facts.known(CAPABILITIES) is not None  # and does not leave it out
    if not unseen or asked or facts.known(names.CONTAINER_KIND) is None:
        return None
    if library_gone(facts) or smi_gone(facts):
        return None  # it has no part of the driver at all
    title = "The container has the driver's part for computing, and not that for drawing"
    return Unreached(CONTAINER, title, (*unseen, names.CONTAINER_KIND), Confidence.POSSIBLE)


def _without_opencl(facts: Facts) -> Unreached | None:
    """OpenCL's loader finds NVIDIA's part by a file that images for CUDA alone do not have."""
    unseen = statements(facts, "opencl-no-platform", "opencl-no-device")
    inside = facts.known(names.CONTAINER_KIND) is not None
    makers = {*facts.known_of(names.PCI_VENDOR)}
    if not unseen or not inside or makers & {"amd", "intel"}:
        return None
    title = "Inside the container OpenCL finds no platform: NVIDIA's ICD file is not there"
    return Unreached(CONTAINER, title, (*unseen, names.CONTAINER_KIND), Confidence.POSSIBLE)


def _without_video(facts: Facts) -> Unreached | None:
    """An encoder loads libcuda first, and fails by its own library only where that was there."""
    missed = _missed(facts, "video")
    others = {*library_gone(facts), *smi_gone(facts)}.difference(missed)
    asked = facts.known(CAPABILITIES) is not None  # and does not leave it out
    if not missed or others or asked or facts.known(names.CONTAINER_KIND) is None:
        return None
    title = "The container has the driver's part for computing, and not that for video"
    return Unreached(CONTAINER, title, (*missed, names.CONTAINER_KIND), Confidence.LIKELY)


def part_of(keys: Keys) -> str | None:
    """The part, by what is missed; None where it is another one."""
    return next((part for part in _WORDS if not _keys(part).isdisjoint(keys)), None)


def _missed(facts: Facts, part: str) -> Keys:
    gone = (names.LIBRARY_MISSING(stem) for stem in _LIBRARIES[part])
    lacking = (key for key in gone if facts.known(key) is not None)
    return (*statements(facts, *_SAID.get(part, ())), *lacking)


def _keys(part: str) -> set[Key[object]]:
    signs = map(said.SIGN, _SAID.get(part, ()))
    return {*signs, *map(names.LIBRARY_MISSING, _LIBRARIES[part])}


def not_searched(facts: Facts) -> Unreached | None:
    """Nvidia-smi itself calls NVML's library, so that where it works the library is there."""
    gone, works = library_gone(facts), statements(facts, "smi-works-told")
    inside = facts.known(names.CONTAINER_KIND) is not None
    if not works or inside or {*gone} != {names.LIBRARY_MISSING("nvml")}:
        return None
    title = "nvidia-smi works, and one program does not find NVML's library: it looks elsewhere"
    return Unreached(NOT_SEARCHED, title, (*gone, *works), severity=Severity.WARNING)

"""What keeps a program inside WSL from the GPU of Windows.

Its own file of the causes of `unreached`: WSL has no device files and no driver of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ...model import Confidence, Severity
from ..driver.versions import refused_to_linux_driver_in_wsl
from ..statements import errors, statements, value
from ..symptoms import (
    driver_answers,
    library_gone,
    module_gone,
    no_device,
    nvidia_gpus,
    sees_none,
    smi_gone,
)
from .cause import NO_GPU, WSL, Unreached
from .container import container_tools, driver_failed
from .container_words import in_linux
from .wsl_around import NOT_CALLED, build_too_old, docker_not_asked, guest_of_hyper_v, title_of_wsl

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys

_CERTAIN, _LIKELY, _POSSIBLE = Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE


def wsl(facts: Facts) -> Unreached | None:
    """Inside WSL the driver of Windows is not reached."""
    unsearched = statements(facts, "wsl-folder-not-searched")
    stated = facts.known(names.WSL_VERSION) is not None or bool(_refused_dxg(facts) or unsearched)
    blocked = errors(facts, "NVML_ERROR_OPERATING_SYSTEM")
    adapters = "no adapters were found" in value(facts, "container-cli-error").lower()
    none = statements(facts, "wsl-without-adapters")
    # WSL has no device files: what is refused there besides is one of a container such as LXC.
    refused = errors(facts, "NVML_ERROR_NO_PERMISSION")
    if adapters or none or (blocked and not stated and not refused and not in_linux(facts)):
        said_so = (*statements(facts, "container-cli-error"), *none, *blocked)
        return Unreached(WSL, "WSL does not get at the GPU of Windows", said_so)
    if not stated:
        return None
    set_up = statements(facts, "os-driver-set-up")
    if set_up and not (driver_answers(facts) or facts.subjects(said.ERROR)):
        title = "A driver for Linux is installed inside WSL, where the one of Windows serves"
        return Unreached(WSL, title, (*set_up, names.WSL_VERSION), _LIKELY)
    keys: Keys = (
        *(*library_gone(facts), *smi_gone(facts), *module_gone(facts), *blocked),
        *errors(facts, "CUDA_ERROR_NO_DEVICE"),
        *refused_to_linux_driver_in_wsl(facts),
        *_refused_dxg(facts),
        *statements(facts, "smi-without-answer"),
        *driver_failed(facts),
        *statements(facts, "container-cli-takes-linux-driver"),
        *_without_dxcore(facts),
        *_unknown_to_nvml(facts),
        *_without_memory_at_start(facts),
        *_unfound_in_wsl(facts),
        *_uncalled(facts),
        *_hidden_by_own(facts),
        *unsearched,
    )
    unseen = (*keys, *statements(facts, "pci-bus-unseen"))
    if facts.known(names.WSL_VERSION) == 1 and (unseen or no_device(facts)):
        title = "WSL 1 has no access to the GPU: that takes WSL 2"
        return Unreached(WSL, title, (names.WSL_VERSION, *unseen), _CERTAIN)
    build = build_too_old(facts)
    if build is not None and (keys or no_device(facts)):
        title = f"Windows of build {build} gives WSL no GPU: that takes Windows 11, or 10 from 21H2"
        return Unreached(WSL, title, (names.OS_NAME, names.WSL_VERSION, *keys, *no_device(facts)))
    if not keys or container_tools(facts):
        return None
    own: Keys = statements(facts, "linux-driver-installed")
    if facts.known(names.DRIVER_PACKAGE):
        own = (names.DRIVER_PACKAGE,)
    where: Keys = (names.WSL_VERSION, *own)
    if docker_not_asked(facts):
        where = (*where, said.CONTAINER_GPUS)
    elif guest_of_hyper_v(facts):
        where = (names.OS_KERNEL, *facts.keys_of(names.PCI_VENDOR))
    uncalled = not own and _misses_tool(facts, keys)
    title = NOT_CALLED if uncalled else title_of_wsl(facts, own=bool(own))
    return Unreached(WSL, title, (*where, *keys))


def _misses_tool(facts: Facts, keys: Keys) -> bool:
    """Whether all that fails is nvidia-smi, which a service or another login does not find."""
    gone = smi_gone(facts) if driver_answers(facts) else ()
    return {*keys} <= {*_uncalled(facts), *gone}


def without_nvidia(facts: Facts) -> Unreached | None:
    """NVIDIA's container tools list what Windows gives WSL: drivers of other makers only."""
    others = statements(facts, "wsl-adapter-of-others")
    works = driver_answers(facts) or statements(facts, "smi-works-told")
    if not others or statements(facts, "wsl-adapter-of-nvidia") or works:
        return None
    title = "Of Windows' drivers WSL gets another maker's only"
    if gpus := nvidia_gpus(facts):
        return Unreached(WSL, f"{title}, and none for the NVIDIA GPU", (*others, *gpus))
    return Unreached(
        NO_GPU, f"{title}: it has no NVIDIA GPU, or no driver for it", others, _POSSIBLE
    )


def without_drawing(facts: Facts) -> Unreached | None:
    """Windows gives WSL a driver for CUDA, and none of NVIDIA's for Vulkan or EGL."""
    unseen = statements(facts, "drawing-driver-missing")
    if not unseen or facts.known(names.WSL_VERSION) is None:
        return None
    title = "Inside WSL NVIDIA's driver has CUDA, and neither Vulkan nor EGL to draw with"
    return Unreached(WSL, title, (*unseen, names.WSL_VERSION))


def _uncalled(facts: Facts) -> Keys:
    """Ollama calls nvidia-smi, which WSL has in a folder that a service does not search."""
    called = "nvidia-smi command failed" in value(facts, "ollama-no-gpu").lower()
    return statements(facts, "ollama-no-gpu") if called else ()


def _hidden_by_own(facts: Facts) -> Keys:
    """A driver's package for Linux is installed, and a framework sees no GPU."""
    inside = facts.known(names.CONTAINER_KIND) is not None
    return () if inside or not facts.known(names.DRIVER_PACKAGE) else sees_none(facts)


def without_opencl(facts: Facts) -> Unreached | None:
    """Windows' driver brings CUDA into WSL, and no OpenCL."""
    unseen = statements(facts, "opencl-no-platform", "opencl-no-device")
    if not unseen or facts.known(names.WSL_VERSION) is None or library_gone(facts):
        return None
    title = "Inside WSL NVIDIA's driver has CUDA, and no OpenCL"
    return Unreached(WSL, title, (*unseen, names.WSL_VERSION), _LIKELY)


def _unknown_to_nvml(facts: Facts) -> Keys:
    """WSL has no device files that could be closed, unless a container stands in between."""
    inside = facts.known(names.CONTAINER_KIND) is not None
    return () if inside else errors(facts, "NVML_ERROR_UNKNOWN")


def _without_dxcore(facts: Facts) -> Keys:
    """On every other Linux the container tools say the same: the text has to be of WSL itself."""
    system, kernel = facts.known(names.OS_NAME) or "", facts.known(names.OS_KERNEL) or ""
    inside = "wsl" in system.lower() or "microsoft" in kernel.lower()
    return statements(facts, "dxcore-not-initialised") if inside else ()


def _without_memory_at_start(facts: Facts) -> Keys:
    """CUDA cannot even count the GPUs: so WSL fails where Windows has several of them."""
    full = errors(facts, "CUDA_ERROR_OUT_OF_MEMORY")
    return tuple(key for key in full if "cudagetdevicecount" in (facts.known(key) or "").lower())


def _refused_dxg(facts: Facts) -> Keys:
    ids = ("device-file-missing", "device-file-refused")
    return tuple(said.SIGN(each) for each in ids if "dxg" in value(facts, each))


def _gone_from_wsl(facts: Facts) -> Keys:
    """What only Windows brings into WSL, and only there is called so."""
    if facts.known(names.WSL_VERSION) is None:
        return ()  # Mesa asks for them on every Linux
    keys = (names.LIBRARY_MISSING(stem) for stem in ("d3d12", "dxcore"))
    return tuple(key for key in keys if (facts.known(key) or "").endswith(".so"))


def _unfound_in_wsl(facts: Facts) -> Keys:
    """Elsewhere bitsandbytes says so of a driver that works: it looks in few folders.

    And Taichi of a machine without any GPU.
    """
    return (*_gone_from_wsl(facts), *statements(facts, "bnb-no-libcuda", "taichi-took-cpu"))


def linker_of_wsl(facts: Facts) -> Unreached | None:
    """Under WSL libcuda lies in a folder that only the loader is told of."""
    from ..libraries.search_path import stubs_for_loader

    missed = statements(facts, "linker-library-missing")
    inside = facts.known(names.CONTAINER_KIND) is not None
    if facts.known(names.WSL_VERSION) is None or inside or stubs_for_loader(facts):
        return None
    if value(facts, "linker-library-missing") != "cuda":
        return None
    title = "Inside WSL the linker does not find libcuda, which lies in /usr/lib/wsl/lib"
    return Unreached(WSL, title, (names.WSL_VERSION, *missed))


def loader_of_wsl(facts: Facts) -> Unreached | None:
    """Under WSL the GPU works, though one program asked for libcuda under a name not found."""
    gone = (*library_gone(facts), *_unfound_in_wsl(facts))
    if facts.known(names.WSL_VERSION) is None or not gone:
        return None
    title = "Inside WSL the loader does not find libcuda under the name that a program asked for"
    return Unreached(WSL, title, (names.WSL_VERSION, *gone), severity=Severity.WARNING)

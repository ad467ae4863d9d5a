"""Is the user-space half of the driver there, is it the right one, and does it answer?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.model import Facts, Keys, NotThere
from ..fixes.driver import (
    install_driver,
    install_library,
    reinstall_driver,
    take_packages_from_one_source,
)
from ..fixes.driver_of_nodes import name_a_driver_image, take_a_node_with_driver
from ..fixes.module import take_back_from_vfio
from ..fixes.search_order import (
    search_folder_aside,
    without_nvml_stub,
    without_nvrtc_stub,
    without_stub,
)
from ..model import Confidence, Finding, Findings, Fix, Link, cite, rule
from ..questions.applicable import only_with_gpu
from ..questions.binding import reserved
from ..questions.driver.state import gets_stub, has_real_libcuda, in_container, on_board, works
from ..questions.gpus.known import gpus
from ..questions.libraries.search_path import search_path as searched
from ..questions.place import Place, place_of
from ..questions.statements import errors, statements
from ..questions.unreached.cause import MISSING
from ..questions.unreached.first_cause import unreached
from ..questions.unreached.node import IMAGE, INSTALLER

if TYPE_CHECKING:
    from ...facts.version import Version


#: Older branches are in the distributions; of GPUs that need this one or a later, say so.
_NOT_YET_EVERYWHERE = 570


def _newest_branch(facts: Facts) -> Version | None:
    """The first branch that knows the newest of the GPUs, where a distribution may lack it."""
    from ...knowledge.architecture import first_branch
    from ...knowledge.tables import Unstated

    newest = max((gpu.capability for gpu in gpus(facts)), default=None)
    first = None if newest is None else first_branch(newest)
    if first is None or isinstance(first, Unstated) or first.driver.major < _NOT_YET_EVERYWHERE:
        return None
    return first.driver


@rule("GP201", "driver-missing", cause="driver-missing", link=Link.USER_DRIVER, since="0.1")
def driver_missing(facts: Facts) -> Findings:
    """There is an NVIDIA GPU, but no NVIDIA driver."""
    place = place_of(facts)
    told = unreached(facts)
    if told is not None:
        if told.cause == MISSING:
            yield told.finding(facts, _bring(facts, place, told.keys))
        return
    if in_container(facts) or place.wsl:
        raise NotThere(names.LIBCUDA_PATH.name)  # the driver is the host's
    only_with_gpu(facts)
    if works(facts) or has_real_libcuda(facts):
        return
    if aside := found_aside(facts):
        yield aside
        return
    if on_board(facts):
        yield _without_library_of_board(facts, place)
        return
    module = None if place.system == "Windows" else facts.look(names.MODULE_VERSION)
    if module is not None and gets_stub(facts):
        return  # GP204: the stub hides the driver's library
    if module is None and facts.look(names.NVML_PATH) is not None:
        return  # GP102: a driver is installed in part, and does not run
    yield _without_driver(facts, place, module)


def _without_driver(facts: Facts, place: Place, module: Version | None) -> Finding:
    """By who has the GPU in the driver's place; `module`: of which only the library lacks."""
    evidence = cite(
        facts,
        names.PCI_NVIDIA_COUNT,
        names.MODULE_VERSION,
        names.LIBCUDA_PATH,
        names.LIBCUDA_STUB,
        names.NVML_PATH,
        *((names.MODULE_NOUVEAU,) if facts.known(names.MODULE_NOUVEAU) else ()),
    )
    if module is not None:
        title = f"The kernel module of driver {module} runs, but its library libcuda is missing"
        return Finding(title, evidence, install_library(place, module))
    if kept := reserved(facts):
        title = "The GPU is reserved for a virtual machine (vfio-pci), and no driver is installed"
        return Finding(title, (*evidence, *cite(facts, *kept)), take_back_from_vfio())
    title = "There is an NVIDIA GPU, but no NVIDIA driver is installed"
    if facts.known(names.MODULE_NOUVEAU):
        title = "There is an NVIDIA GPU, but only nouveau drives it, which cannot serve CUDA"
    return Finding(title, evidence, install_driver(place))


def found_aside(facts: Facts) -> Finding | None:
    """A driver that is whole, but for who tells the loader where its library lies."""
    path = facts.known(names.LIBCUDA_ASIDE)
    if path is None:
        return None
    listed = facts.known(names.ENV("LD_LIBRARY_PATH"))
    keys = (names.LIBCUDA_ASIDE, names.LIBCUDA_PATH, names.MODULE_VERSION)
    return Finding(
        f"The driver's library is {path}, where the loader does not look",
        cite(facts, *keys, names.ENV("LD_LIBRARY_PATH")),
        search_folder_aside(path, listed),
    )


#: The package manager refused a package of the driver.
_REFUSED = "os-package-not-found", "os-package-unmet", "driver-package-files"


def _bring(facts: Facts, place: Place, keys: Keys) -> Fix:
    """The driver, or of one that is there the part for CUDA."""
    driver = facts.known(names.DRIVER_VERSION)
    if said.SIGN("smi-cuda-not-told") in keys and driver is not None:
        return install_library(place, driver)
    if said.SIGN(IMAGE) in keys:
        return name_a_driver_image()
    if said.SIGN(INSTALLER) in keys:
        return take_a_node_with_driver()
    if any(said.SIGN(each) in keys for each in _REFUSED):
        return take_packages_from_one_source(place)
    return install_driver(place, _newest_branch(facts))


def _without_library_of_board(facts: Facts, place: Place) -> Finding:
    return Finding(
        "This Jetson lacks libcuda, the driver's library, which is a part of its system (L4T)",
        cite(facts, names.TEGRA_MODEL, names.TEGRA_RELEASE, names.LIBCUDA_PATH, names.LIBCUDA_STUB),
        reinstall_driver(place),
    )


@rule("GP204", "stub-library", cause="stub-library", link=Link.USER_DRIVER, since="0.1")
def stub_library(facts: Facts) -> Findings:
    """The toolkit's stub libcuda is found in place of the driver's."""
    told = _told_of_stub(facts)
    if told:
        title = "The toolkit's stub of libcuda is loaded, not the driver's library"
        place, listed = place_of(facts), facts.known(names.ENV("LD_LIBRARY_PATH"))
        fix = without_stub(place, None, listed)
        if told == statements(facts, "nvml-stub"):
            title = "The toolkit's stub of NVML (libnvidia-ml) is opened, not the driver's library"
            fix = without_nvml_stub(place)
        elif told == statements(facts, "nvrtc-stub"):
            title = "The toolkit's stub of NVRTC is loaded, not the library that compiles"
            fix = without_nvrtc_stub(listed)
        by_path = names.ENV("LD_LIBRARY_PATH") in told
        sure = Confidence.LIKELY if by_path else Confidence.CERTAIN
        yield Finding(title, cite(facts, *told), fix, confidence=sure)
        return
    only_with_gpu(facts)
    if works(facts) or not gets_stub(facts):
        return
    if in_container(facts):
        installed = facts.look(names.NODE("nvidiactl")) is not None
    else:
        module = facts.known(names.MODULE_VERSION)
        installed = module is not None or facts.look(names.NVML_PATH) is not None
    if not installed:
        return  # GP201, GP301: there is no driver that the stub could hide
    path = facts.known(names.LIBCUDA_PATH)
    search_path = facts.known(names.ENV("LD_LIBRARY_PATH"))
    evidence = cite(
        facts,
        names.LIBCUDA_PATH,
        names.LIBCUDA_FOUND_BY,
        names.LIBCUDA_STUB,
        names.CUDA_CODE,
        names.ENV("LD_LIBRARY_PATH"),
    )
    title = f"{path or 'libcuda'} is the toolkit's stub for linking, not the driver's library"
    yield Finding(title, evidence, without_stub(place_of(facts), path, search_path))


def _told_of_stub(facts: Facts) -> Keys:
    """What a text says of a stub: the error that only a stub gives, or the path that was opened."""
    opened = said.LIBRARY_LOADED("cuda")
    from_stubs = "/stubs/" in (facts.known(opened) or "")
    spoken = statements(facts, "nvml-stub", "nvrtc-stub")
    answered = (*errors(facts, "CUDA_ERROR_STUB_LIBRARY"), *spoken)
    told: Keys = (*answered, *((opened,) if from_stubs else ()))
    first = next(iter(searched(facts)), "")
    stubs = statements(facts, "cuinit-of-stub")
    unusable = statements(facts, "gpu-not-usable")
    refused = errors(facts, "CUDA_ERROR_NO_DEVICE", "cudaErrorInsufficientDriver")
    failing = (*refused, *unusable, *stubs, *statements(facts, "program-finds-no-gpu"))
    # In WSL the library that Windows gives is as small as a stub.
    small = facts.known(names.LIBCUDA_STUB) and facts.known(names.WSL_VERSION) is None
    if not told and failing and small:
        told = (names.LIBCUDA_STUB, *failing)
    if not told and failing:
        told = statements(facts, "stub-linked")
    if not told and unreached(facts) is None:
        told = stubs
    if not told and first.rstrip("/").endswith("/stubs") and failing:
        told = (names.ENV("LD_LIBRARY_PATH"), *failing)
    return told

"""Is the user-space half of the driver there, is it the right one, and does it answer?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.model import Facts, Key, Keys, NotThere
from ..fixes.access import WITH_OWN_LIBRARIES, install_library_inside
from ..fixes.driver import (
    install_driver,
    install_library,
    reinstall_driver,
    restart_after_update,
    start_container_anew,
    take_packages_from_one_source,
)
from ..fixes.driver_of_nodes import name_a_driver_image, take_a_node_with_driver
from ..fixes.module import take_back_from_vfio
from ..fixes.search_order import (
    bring_to_flatpak,
    search_folder_aside,
    without_compat,
    without_nvml_stub,
    without_older_library,
    without_older_tool,
    without_other_libcuda,
    without_stub,
)
from ..model import Confidence, Evidence, Finding, Findings, Fix, Link, cite, rule
from ..questions.driver.state import (
    gets_stub,
    has_real_libcuda,
    in_container,
    looked_at,
    on_board,
    only_with_gpu,
    works,
)
from ..questions.gpus.known import gpus
from ..questions.gpus.presence import reserved
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


_CODE_803 = 803
_NVML_MISMATCH = 18
#: Releases have three digits; libcuda.so.1.1, as on Tegra and in WSL, states none.
_FIRST_DRIVER = 100


@rule(
    "GP202",
    "driver-library-mismatch",
    cause="driver-library-mismatch",
    link=Link.USER_DRIVER,
    since="0.1",
)
def driver_library_mismatch(facts: Facts) -> Findings:
    """The driver's library and its kernel module differ in version."""
    if works(facts):
        return
    place = place_of(facts)
    if not looked_at(facts):
        yield from _told_to_differ(facts, place)
        return
    stated = facts.known(names.CUDA_CODE) == _CODE_803
    stated |= facts.known(names.NVML_CODE) == _NVML_MISMATCH
    if not stated and (place.system == "Windows" or place.wsl or on_board(facts)):
        raise NotThere(names.MODULE_VERSION.name)  # the files tell no version there
    if not stated and facts.known(names.LIBCUDA_STUB):
        return  # a stub is of no driver
    path = facts.known(names.LIBCUDA_PATH) if stated else facts.need(names.LIBCUDA_PATH)
    if not stated and not _versions_differ(facts):
        return
    evidence = cite(
        facts,
        names.MODULE_VERSION,
        names.LIBCUDA_VERSION,
        names.LIBCUDA_PATH,
        names.DRIVER_PACKAGE,
        names.DRIVER_INSTALLER,
        names.CUDA_CODE,
        names.NVML_CODE,
    )
    if path is not None and "compat" in path:
        if stated:  # with another driver than its own such a library may well work
            yield _compat_refused(facts, path, evidence)
        return
    yield Finding(_differing(facts), evidence, _bring_together(facts, place))


def _told_to_differ(facts: Facts, place: Place) -> Findings:
    """What a text says of it, in the words of whatever program met it."""
    from ..questions.driver.versions import (
        driver_is_whole,
        mismatch,
        part_of_other,
        tool_of_other,
        without_own_copy,
    )

    keys = mismatch(facts)
    if not keys:
        if copies := without_own_copy(facts):
            runs = facts.known(copies[-1])
            title = f"Flatpak has no copy of driver {runs}, of which the kernel module is"
            yield Finding(title, cite(facts, *copies), bring_to_flatpak(f"{runs}"))
        return
    if keys == tool_of_other(facts):
        tool, runs = facts.need(names.NVML_VERSION), facts.need(names.DRIVER_VERSION)
        title = f"The program nvidia-smi is of driver {tool}, the driver that runs is {runs}"
        fix = (
            start_container_anew(older=False) if place.container else without_older_tool(tool, runs)
        )
        yield Finding(title, cite(facts, *keys), fix, confidence=Confidence.LIKELY)
    elif part := part_of_other(facts):
        yield _part_of_other(facts, place, *part)
    elif whole := driver_is_whole(facts):
        module = facts.known(names.MODULE_VERSION) or facts.known(names.NVML_VERSION)
        which = "the driver's own" if module is None else f"that of driver {module}"
        title = f"A program gets another libcuda than {which} (error 803), though nvidia-smi works"
        fix = without_other_libcuda(place, module)
        evidence = cite(facts, *keys, *whole)
        yield Finding(title, evidence, fix, confidence=Confidence.LIKELY)
    else:
        yield Finding(_differing(facts), cite(facts, *keys), _bring_together(facts, place))


def _part_of_other(facts: Facts, place: Place, part: Key[str], driver: Key[Version]) -> Finding:
    """The libcuda that is found first opens a part of its own release, which is gone."""
    from ..questions.driver.versions import release_of_part

    file, runs = facts.need(part), facts.need(driver)
    library = release_of_part(file)
    title = f"A program asks for {file}, a part of another driver than {runs}"
    older = library is not None and library < runs
    fix = (
        without_older_library(place, library, runs)
        if older and library
        else restart_after_update(place)
    )
    return Finding(title, cite(facts, part, driver), fix, confidence=Confidence.LIKELY)


def _differing(facts: Facts) -> str:
    """Both releases as far as they are known."""
    library, module = _library(facts), facts.known(names.MODULE_VERSION)
    if library is not None and module is not None:
        return f"The driver's library is {library}, its kernel module is {module}"
    title = "The driver's library and its kernel module are of different releases"
    if library is None and module is None:
        return title
    return (
        f"{title}: the module is {module}"
        if library is None
        else (f"{title}: the library is {library}")
    )


def _versions_differ(facts: Facts) -> bool:
    """Whether the file names of a running driver tell of two versions."""
    library, module = facts.need(names.LIBCUDA_VERSION), facts.need(names.MODULE_VERSION)
    return library.major >= _FIRST_DRIVER and library != module


def _library(facts: Facts) -> Version | None:
    """The release of libcuda; else that of NVML, which is of the same driver."""
    nvml, module = facts.known(names.NVML_VERSION), facts.known(names.MODULE_VERSION)
    version = (
        facts.known(names.LIBCUDA_VERSION)
        or facts.known(said.LIBCUDA_INSTALLED)
        or (None if nvml == module else nvml)
    )
    return None if version is None or version.major < _FIRST_DRIVER else version


def _bring_together(facts: Facts, place: Place) -> Fix:
    """After an update a restart loads the new module; an older library is a leftover."""
    library, module = facts.known(names.LIBCUDA_VERSION), facts.known(names.MODULE_VERSION)
    path = facts.known(names.LIBCUDA_PATH)
    older = library is not None and module is not None and library < module
    if place.container in WITH_OWN_LIBRARIES:
        return install_library_inside(module)
    if place.container is not None:
        return start_container_anew(older=older)
    if older and path is None and library is not None and module is not None:
        return without_older_library(place, library, module)
    if not older or path is None:
        return restart_after_update(place)
    return Fix.by_admin(
        f"{path} is left over from driver {library}. Find out which package it belongs to, and "
        f"bring that package to {module}; a file of no package came with another installer.",
        (_owner_command(place, path),),
        undo=f"install the packages of driver {library} again",
    )


def _owner_command(place: Place, path: str) -> str:
    if place.distribution is None:
        return " || ".join(f"{program} {path}" for program in ("dpkg -S", "rpm -qf", "pacman -Qo"))
    debian = place.distribution.value in ("Ubuntu", "Debian")
    arch = place.distribution.value == "Arch"
    program = "dpkg -S" if debian else "pacman -Qo" if arch else "rpm -qf"
    return f"{program} {path}"


def _compat_refused(facts: Facts, path: str, evidence: tuple[Evidence, ...]) -> Finding:
    from ..questions.driver.versions import cuda_of_host

    return Finding(
        f"The forward-compatibility library {path} does not work with this driver",
        evidence,
        without_compat(place_of(facts), path, cuda_of_host(facts)),
        cause="forward-compat",
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
    answered = (*errors(facts, "CUDA_ERROR_STUB_LIBRARY"), *statements(facts, "nvml-stub"))
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

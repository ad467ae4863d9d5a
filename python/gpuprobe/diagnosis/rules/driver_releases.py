"""Are the two halves of the driver of one release: the library and the kernel module?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.model import Facts, Key, NotThere
from ..fixes.access import WITH_OWN_LIBRARIES, install_library_inside
from ..fixes.driver import (
    restart_after_update,
    start_container_anew,
)
from ..fixes.search_order import (
    bring_to_flatpak,
    without_compat,
    without_older_library,
    without_older_tool,
    without_other_libcuda,
)
from ..model import Confidence, Evidence, Finding, Findings, Fix, Link, cite, rule
from ..questions.driver.state import on_board, works
from ..questions.place import Place, place_of
from ..questions.source import looked_at

if TYPE_CHECKING:
    from ...facts.version import Version


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

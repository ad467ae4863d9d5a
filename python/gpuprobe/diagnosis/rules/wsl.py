"""Does a program inside WSL reach the driver of Windows?"""

from __future__ import annotations

from ...facts import names, said
from ...facts.model import Facts, NotThere
from ..fixes.wsl import (
    ask_docker_for_gpu,
    compute_by_cuda,
    copy_driver_of_host,
    draw_outside,
    leave_compute_mode,
    name_folder_to_linker,
    name_folder_to_service,
    reach_windows_driver,
    remove_linux_driver,
    update_windows,
)
from ..model import Confidence, Finding, Findings, Fix, Link, Severity, cite, rule
from ..questions.driver.state import works
from ..questions.driver.versions import linux_driver_in_wsl
from ..questions.place import place_of
from ..questions.source import looked_at
from ..questions.statements import errors, statements, value
from ..questions.unreached.cause import WSL, Unreached
from ..questions.unreached.first_cause import unreached


@rule("GP307", "wsl-without-driver", cause="wsl", link=Link.USER_DRIVER, since="0.1")
def wsl_without_driver(facts: Facts) -> Findings:
    """Inside WSL the driver of Windows is not reached."""
    told = unreached(facts)
    if told is not None:
        if told.cause == WSL:
            yield _in_compute_mode(facts, told) or told.finding(facts, _told_fix(facts, told))
        return
    version = facts.need(names.WSL_VERSION)
    if facts.look(names.CONTAINER_KIND) is not None:
        raise NotThere(names.LIBCUDA_PATH.name)  # GP301 judges containers
    if works(facts) or facts.look(names.LIBCUDA_PATH) is not None:
        return
    first = version == 1
    title = "WSL 1 has no access to the GPU: that takes WSL 2"
    if not first:
        title = "Inside WSL there is no libcuda: Windows has no NVIDIA driver, or no NVIDIA GPU"
    keys = (names.WSL_VERSION, names.WSL_LIBRARIES, names.LIBCUDA_PATH, names.LIBCUDA_ERROR)
    yield Finding(
        title,
        cite(facts, *keys),
        reach_windows_driver(facts, to_second=first),
        confidence=Confidence.CERTAIN if first else Confidence.POSSIBLE,
    )


def _in_compute_mode(facts: Facts, told: Unreached) -> Finding | None:
    """Windows shows the GPU in TCC mode, in which WSL does not get it."""
    keys = statements(facts, "gpu-in-tcc-mode")
    blocked = errors(facts, "NVML_ERROR_OPERATING_SYSTEM")
    if not keys or not blocked or facts.known(names.WSL_VERSION) == 1:
        return None
    title = "The GPU is in TCC mode on Windows, and WSL reaches only GPUs in WDDM mode"
    fix = leave_compute_mode(value(facts, "gpu-in-tcc-mode"))
    return told._replace(title=title, keys=(*keys, *told.keys)).finding(facts, fix)


_WITH_GPU = 2
_OF_SIGNS = {
    "linker-library-missing": name_folder_to_linker,
    "drawing-driver-missing": draw_outside,
    "opencl-no-platform": compute_by_cuda,
    "opencl-no-device": compute_by_cuda,
}


def _told_fix(facts: Facts, told: Unreached) -> Fix:
    """What NVIDIA's container tools say in WSL is of the place where Docker runs."""
    first = facts.known(names.WSL_VERSION) == 1
    from ..fixes.container_tools import reach_windows_from_docker, without_linux_driver_in_wsl
    from ..questions.unreached.wsl_around import (
        NOT_CALLED,
        build_too_old,
        docker_not_asked,
        guest_of_hyper_v,
    )

    uncalled = {NOT_CALLED: name_folder_to_service}
    for sign, fix in (_OF_SIGNS | uncalled).items():
        if said.SIGN(sign) in told.keys or told.title == sign:
            return fix()
    if build_too_old(facts) is not None and names.OS_NAME in told.keys:
        return update_windows()
    if docker_not_asked(facts):
        return ask_docker_for_gpu(facts.known(said.CONTAINER_IMAGE))
    if guest_of_hyper_v(facts):
        return copy_driver_of_host()
    words = value(facts, "container-cli-error").lower()
    if not first and ("no adapters" in words or statements(facts, "wsl-without-adapters")):
        return reach_windows_from_docker()
    if not first and "driver not loaded" in words:
        return without_linux_driver_in_wsl()
    from ..questions.unreached.sentence import linux_driver_told

    if not first and linux_driver_told(facts):
        return remove_linux_driver(place_of(facts))
    return reach_windows_driver(facts, to_second=first)


@rule("GP311", "wsl-linux-driver", cause="wsl", link=Link.RUNTIME, since="0.1")
def wsl_linux_driver(facts: Facts) -> Findings:
    """Inside WSL a Linux driver is found before the one of Windows."""
    # The probe takes the library of Windows by its path. That it works, which proves the links
    # up to here, says nothing of programs that ask the loader: the finding is about those.
    told = linux_driver_in_wsl(facts)
    if told is None and not (looked_at(facts) and facts.look(names.WSL_VERSION) == _WITH_GPU):
        raise NotThere(names.WSL_VERSION.name)
    got = told or names.WSL_LINUX_DRIVER
    path = facts.need(got)
    keys = (got, names.WSL_VERSION, names.DRIVER_PACKAGE, names.LIBCUDA_PATH)
    yield Finding(
        f"Inside WSL programs get {path}, of a Linux driver, in place of the one of Windows",
        cite(facts, *keys),
        remove_linux_driver(place_of(facts), facts.known(names.DRIVER_PACKAGE)),
        severity=Severity.WARNING if works(facts) else Severity.ERROR,
        confidence=Confidence.LIKELY,
        subject="process",
    )

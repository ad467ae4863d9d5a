"""What a text says of two halves of a driver that do not fit, and of libraries in between."""

from __future__ import annotations

from ....facts import names, said
from ....facts.model import Facts, Key, Keys, Known
from ....facts.regex import regex
from ....facts.version import Version
from ..sentences import something_fails
from ..statements import errors, line_of, seen_anyway, statements, value
from ..symptoms import no_device
from ..visible.values import hiding
from .end import NEWEST, cuda_of

_BANNER = "container-banner-compatibility"
_SUSPECTS = (said.LIBRARY_LOADED("cuda"), names.LIBCUDA_PATH, names.ENV("LD_LIBRARY_PATH"))


def mismatch(facts: Facts) -> Keys:
    """The statements that library and kernel module are of two versions; empty without one."""
    stated = (
        *errors(facts, "NVML_ERROR_LIB_RM_VERSION_MISMATCH"),
        *statements(facts, "tf-driver-version-mismatch", "driver-versions-differ-told"),
    )
    if "mismatch" in value(facts, "container-cli-error").lower():
        stated = (*stated, *statements(facts, "container-cli-error"))
    if _is_of_compat(facts) or refused_to_linux_driver_in_wsl(facts) or later_inside(facts):
        return ()
    refused = errors(facts, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH")
    # Where the host's driver was changed, the container still has the former one's library.
    changed = statements(facts, "driver-changed-told") if refused else ()
    between = compat_between(facts) if not changed else ()
    if refused and not stated and (between or compat_tried(facts)):
        return ()
    versions = (names.LIBCUDA_VERSION, names.NVML_VERSION, names.MODULE_VERSION)
    library, nvml, module = (facts.known(key) for key in versions)
    installed = facts.known(said.LIBCUDA_INSTALLED)
    if installed and module and installed != module and installed.major == module.major:
        # It was upgraded while the old module kept running.
        unseen = no_device(facts) or statements(facts, "opencl-no-platform")
        without = facts.known(names.PACKAGE_BUILD("torch")) == "cpu"
        if unseen and nvml is None and not without:
            return (said.LIBCUDA_INSTALLED, names.MODULE_VERSION, *unseen)
    if other := tool_of_other(facts) or part_of_other(facts) or ():
        return other
    if (stated or refused) and not _brought_together(facts, (*stated, *refused)):
        known = (key for key in versions if facts.known(key) is not None)
        return (*stated, *refused, *changed, *known)
    if library is None or module is None or library == module:
        return ()
    # Two libraries that agree are the driver's own; libcuda alone may be one of cuda-compat, which
    # mostly is of another branch than the module.
    failing = errors(facts, "CUDA_ERROR_NO_DEVICE", "CUDA_ERROR_UNKNOWN")
    failing = failing or statements(facts, "program-finds-no-gpu")
    near = nvml is None and library.major == module.major and not compat_between(facts)
    own = library == nvml or (near and bool(failing))
    return tuple(key for key in versions if facts.known(key) is not None) if own else ()


def without_own_copy(facts: Facts) -> Keys:
    """The copies of the driver that Flatpak has, where none is of the module's release."""
    copies = facts.known(said.FLATPAK_DRIVERS)
    if something_fails(facts) or seen_anyway(facts):
        return ()  # who shows a list of packages beside another fault tells of that one
    release = names.MODULE_VERSION
    if facts.known(release) is None:
        release = names.DRIVER_VERSION
    runs = facts.known(release)
    if not copies or runs is None or any(Version.parse(each) == runs for each in copies):
        return ()
    return (said.FLATPAK_DRIVERS, release)


def driver_is_whole(facts: Facts) -> Keys:
    """What shows library and module of the driver to agree, where CUDA calls them different (803).

    Then it is not the driver's own library that CUDA was started from.
    """
    stated = errors(facts, "NVML_ERROR_LIB_RM_VERSION_MISMATCH")
    told = statements(facts, "tf-driver-version-mismatch", "driver-versions-differ-told")
    if stated or told or not errors(facts, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"):
        return ()
    nvml, module = facts.known(names.NVML_VERSION), facts.known(names.MODULE_VERSION)
    if nvml is None or (module is not None and module != nvml):
        return ()
    listed = facts.keys_of(names.GPU_NAME)
    answered = listed if module is None else (names.MODULE_VERSION,)
    return (names.NVML_VERSION, *answered[:1], *newer_cuda_than_own(facts)) if answered else ()


def _brought_together(facts: Facts, stated: Keys) -> bool:
    """Whether the module that runs below what was said is of the library's version."""
    library, module = facts.known(names.LIBCUDA_VERSION), facts.known(names.MODULE_VERSION)
    inside = facts.known(names.CONTAINER_KIND) or statements(facts, "container-cli-error")
    if inside or facts.known(names.NVML_VERSION) not in (None, module):
        return False
    said_last = max(line_of(facts, key) for key in stated)
    below = said_last < line_of(facts, names.MODULE_VERSION)
    return below and library is not None and library == module


def tool_of_other(facts: Facts) -> Keys:
    """An nvidia-smi of another branch than the driver, which finds no libcuda, as a program does.

    Inside WSL, whose driver is that of Windows, the two always differ.
    """
    tool, driver = facts.known(names.NVML_VERSION), facts.known(names.DRIVER_VERSION)
    untold, missed = statements(facts, "smi-cuda-not-told"), no_device(facts)
    if tool is None or driver is None or tool.major == driver.major or not (untold and missed):
        return ()
    if hiding(facts):
        return ()
    windows = (
        facts.known(names.OS_SYSTEM) == "Windows" or facts.known(names.WSL_VERSION) is not None
    )
    return () if windows else (names.NVML_VERSION, names.DRIVER_VERSION, *untold, *missed)


#: A part of the driver, which its libcuda opens by the release that both are of.
_PART = regex(r"lib(?:cuda|nvidia-[\w-]{2,40})\.so\.(\d{3,4}\.\d+(?:\.\d+)?)")


def part_of_other(facts: Facts) -> tuple[Key[str], Key[Version]] | None:
    """A part of the driver is missed that would be of another release than the driver.

    In a container it may be the list of what the container is to get that is out of date; inside
    WSL the driver is that of Windows.
    """
    driver = names.MODULE_VERSION
    if facts.known(driver) is None:
        driver = names.DRIVER_VERSION
    runs, inside = facts.known(driver), (names.CONTAINER_KIND, names.WSL_VERSION)
    if runs is None or len(runs.parts) == 1 or any(facts.known(key) for key in inside):
        return None
    for stem in facts.subjects(names.LIBRARY_MISSING):
        key = names.LIBRARY_MISSING(stem)
        release = release_of_part(facts.known(key) or "")
        near = 0 if release is None else min(len(release.parts), len(runs.parts))
        if release is not None and release.parts[:near] != runs.parts[:near]:
            return key, driver
    return None


def release_of_part(file: str) -> Version | None:
    """The release of the driver that a file's name ends with."""
    part = _PART.fullmatch(file)
    return None if part is None else Version(part[1])


#: A library of a driver for Linux has the driver's release in its name; that of Windows has none.
_OF_RELEASE = regex(r"libcuda\.so\.\d{3,4}\.\d+")


def linux_driver_in_wsl(facts: Facts) -> Key[str] | None:
    """The libcuda of a Linux driver that a program inside WSL got; None: nothing shows one."""
    loaded = said.LIBRARY_LOADED("cuda")
    inside = facts.known(names.WSL_VERSION) is not None
    bare = not isinstance(facts.fact(names.CONTAINER_KIND), Known)
    file = facts.known(loaded) or ""
    shown = inside and bare and _OF_RELEASE.search(file) and "/wsl/" not in file
    return loaded if shown else None


def refused_to_linux_driver_in_wsl(facts: Facts) -> Keys:
    """The refusals of a Linux driver's library inside WSL, where the driver is that of Windows."""
    own = _shown_to_be_wsl(facts) and facts.known(names.DRIVER_PACKAGE) is not None
    refused = errors(
        facts, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "NVML_ERROR_LIB_RM_VERSION_MISMATCH"
    )
    return refused if own else ()


def _shown_to_be_wsl(facts: Facts) -> bool:
    """By its kernel or its folder of libraries; who tells of a WSL may have a server besides."""
    kernel = (facts.known(names.OS_KERNEL) or "").lower()
    folders = (facts.known(key) or "" for key in _SUSPECTS)
    inside = facts.known(names.WSL_VERSION) is not None
    shown = "microsoft" in kernel or "wsl" in kernel or any("/wsl/" in each for each in folders)
    return inside and shown


def _is_of_compat(facts: Facts) -> bool:
    """Whether the other version is that of cuda-compat, which was found and then refused (804).

    So it is where nvidia-smi answers: its library and the kernel module are of one version; and
    where NVIDIA's image says that it uses its own.
    """
    refused = errors(facts, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE")
    broken = errors(facts, "NVML_ERROR_LIB_RM_VERSION_MISMATCH")
    shown = facts.known(names.NVML_COUNT) or value(facts, _BANNER) == "ENABLED"
    return bool(refused and shown) and not broken


def later_inside(facts: Facts) -> Keys:
    """A program in a container got a libcuda of a later branch than the kernel module.

    The host's own is of the module's version, so that this one is the image's cuda-compat.
    """
    library, module = facts.known(names.LIBCUDA_VERSION), facts.known(names.MODULE_VERSION)
    stated = statements(facts, "tf-driver-version-mismatch")
    inside = facts.known(names.CONTAINER_KIND) is not None
    upgraded = errors(facts, "NVML_ERROR_LIB_RM_VERSION_MISMATCH")  # and not restarted
    if not stated or upgraded or not inside or library is None or module is None:
        return ()
    versions = (names.LIBCUDA_VERSION, names.MODULE_VERSION)
    return (*stated, *versions) if library.major > module.major else ()


def compat_between(facts: Facts) -> Keys:
    """What makes a library of forward compatibility the likely culprit behind error 803.

    Inside a container libcuda is the host's own, so only the image's cuda-compat is of another
    version.
    """
    paths = tuple(key for key in _SUSPECTS if "compat" in (facts.known(key) or ""))
    inside = (names.CONTAINER_KIND,) if facts.known(names.CONTAINER_KIND) else ()
    enabled = value(facts, _BANNER) == "ENABLED"
    banner = statements(facts, _BANNER) if enabled else ()
    return (*statements(facts, "container-compat-libraries"), *banner, *paths, *inside)


def compat_tried(facts: Facts) -> Keys:
    """What an image of NVIDIA says after the trial of its own cuda-compat; 803 is of that trial."""
    banner = "container-banner-driver-too-old", "container-banner-compat-refused"
    return statements(facts, *banner)


#: NVIDIA supports forward compatibility on none of these; CUDA answers 804 there.
_FOR_GAMES = regex(r"(?i)\b(?:GeForce|TITAN|[GR]TX \d{1,2}[5-9]\d(?! Ada))\b")


def library_of_newer_driver(facts: Facts) -> Keys:
    """A libcuda of cuda-compat is loaded, or found first, that is not the driver's own.

    Only where the GPU is of a kind on which such a library is refused.
    """
    newer = _of_later_branch(facts) or _of_later_cuda(facts) or _of_compat_loaded(facts)
    gpu = facts.keys_of(names.GPU_NAME)[:1]
    return (*newer, names.DRIVER_VERSION, *gpu) if newer and is_refused_compat(facts) else ()


def is_refused_compat(facts: Facts) -> bool:
    """Whether all the GPUs that are named are of a kind on which no such library is taken."""
    gpus = [facts.known(key) or "" for key in facts.keys_of(names.GPU_NAME)]
    return bool(gpus) and all(_FOR_GAMES.search(name) for name in gpus)


def _of_later_branch(facts: Facts) -> Keys:
    """By the release in the name of its file."""
    library, driver = facts.known(names.LIBCUDA_VERSION), facts.known(names.DRIVER_VERSION)
    if library is None or driver is None or library.major <= driver.major:
        return ()
    searched = tuple(key for key in _SUSPECTS if "/compat" in (facts.known(key) or ""))
    return (*searched, names.LIBCUDA_VERSION) if searched else ()


#: A libcuda that the loader knows, in the folder of the toolkit that it came with.
_OF_TOOLKIT = regex(r"(?a)/cuda-(\d{1,2}\.\d)/compat/(?:\S{0,40}/)?libcuda\.so")


def _of_later_cuda(facts: Facts) -> Keys:
    """By the toolkit in whose folder the loader finds it."""
    serves = facts.known(names.DRIVER_CUDA)
    toolkit = _OF_TOOLKIT.search(value(facts, "container-compat-libraries"))
    if serves is None or toolkit is None or Version(toolkit[1]) <= serves:
        return ()
    return (*statements(facts, "container-compat-libraries"), names.DRIVER_CUDA)


#: Beside the driver's own a toolkit has one in this folder, whatever the toolkit is called by.
_IN_COMPAT = regex(r"/cuda(?:-\d[\d.]*)?/compat/(?:\S{0,40}/)?libcuda\.so")


def _of_compat_loaded(facts: Facts) -> Keys:
    """By the file that the loader gave to the program; one of the driver's release would serve."""
    loaded, release = said.LIBRARY_LOADED("cuda"), facts.known(names.LIBCUDA_VERSION)
    same = release is not None and release == facts.known(names.DRIVER_VERSION)
    return (loaded,) if _IN_COMPAT.search(facts.known(loaded) or "") and not same else ()


def newer_cuda_than_own(facts: Facts) -> Keys:
    """The driver reports a CUDA that it cannot serve by itself: cuda-compat is in between."""
    driver, reported = facts.known(names.DRIVER_VERSION), facts.known(names.DRIVER_CUDA)
    if driver is None or reported is None:
        return ()
    own = cuda_of(facts, Version.of(driver.major, NEWEST))  # all of a branch report the same
    newer = own is not None and reported > own
    return (names.DRIVER_VERSION, names.DRIVER_CUDA) if newer else ()


def cuda_of_host(facts: Facts) -> Version | None:
    """The CUDA that the host's driver serves by itself; what nvidia-smi prints may be raised."""
    driver = facts.known(names.MODULE_VERSION) or facts.known(names.DRIVER_VERSION)
    reported, own = facts.known(names.DRIVER_CUDA), driver and cuda_of(facts, driver)
    return min(filter(None, (reported, own)), default=None)

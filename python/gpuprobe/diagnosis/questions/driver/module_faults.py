"""Why the kernel module of an installed driver does not run, or does not serve the GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.model import Absent, Facts, Keys
from ....facts.regex import regex
from ....facts.version import Version
from ...fixes import module as fixes
from ...fixes.driver import load_module, replace_nouveau, restart, update_driver
from ...model import Confidence, Draft
from .. import symptoms
from ..binding import held_by, reserved
from ..gpus.known import gpus
from ..place import Place, place_of
from ..statements import statements, value
from ..symptoms import UNKNOWN_TO_DRIVER

if TYPE_CHECKING:
    from ...model import Fix

_SIGNATURE = ("key", "unsigned", "signature")
_OPEN_ONLY = "requires use of the NVIDIA open"
#: Turing is the first that the open module serves, Blackwell the first that it alone serves.
_FIRST_OPEN, _OPEN_ALONE = Version("7.5"), Version("10.0")


def not_loaded(facts: Facts) -> Draft:
    """Why it is not loaded; the last reading names no reason."""
    for reason in (_nouveau, _vfio, _refused, _blocked, _updated, _not_built, _unsigned):
        found = reason(facts)
        if found is not None:
            return found
    title = "The NVIDIA driver is installed, but its kernel module is not loaded"
    return Draft(title, (names.MODULE_LOAD_ERROR,), load_module(place_of(facts)))


#: What says that the kernel has no module of its own, or that its build failed.
_BUILD_TOLD = (
    *("module-not-found", "module-build-failed", "module-of-other-kernel", "module-source-error"),
    *("dkms-source-missing", "dkms-fails-told", "installer-no-compiler"),
    "headers-of-other-kernel",
)


#: A place in a file: the compiler got as far as to the module's own source, and refuses it.
_SOURCE = regex(r"\.[ch]:\d+")


def repair_as_told(facts: Facts, keys: Keys) -> Fix | None:
    """What mends the reason that a text tells; None: it tells none that this knows."""
    place = place_of(facts)
    if place.container is not None:
        place = place._replace(distribution=None, release=None)  # the host's is another
    if symptoms.refused_by_firmware(facts):
        return fixes.sign_module(place, dkms=_has_dkms(facts))
    if (other := _other_driver(facts, keys, place)) is not None:
        return other
    held = (names.MODULE_NOUVEAU, said.SIGN("nouveau-in-the-way"))
    if any(key in keys for key in held):
        return None
    if not statements(facts, *_BUILD_TOLD) and said.DKMS_KERNELS not in keys:
        return None
    if "compiler version" in value(facts, "module-build-failed").lower():
        return fixes.build_with_other_compiler()
    if _SOURCE.search(value(facts, "module-source-error")):
        return fixes.newer_for_kernel(place, facts.known(names.DRIVER_VERSION))
    return fixes.build_module_as_told(place, dkms=_has_dkms(facts))


def _has_dkms(facts: Facts) -> bool:
    """Whether DKMS is known to make the module here, by its list or by its own words."""
    told = statements(facts, "dkms-source-missing", "dkms-fails-told")
    built = value(facts, "module-build-failed").lower()
    said_by_it = "dkms" in built or "bad return status for module build" in built
    return facts.known(names.MODULE_DKMS) is not None or bool(told) or said_by_it


def _other_driver(facts: Facts, keys: Keys, place: Place) -> Fix | None:
    """The branch, or the kind of the module, that serves the GPU, as the kernel's log names it."""
    branch = value(facts, "legacy-branch-needed")
    if said.SIGN("legacy-branch-needed") in keys and branch.isdigit():
        return fixes.older_branch(place, int(branch))
    installed = facts.known(names.DRIVER_VERSION)
    unserved = (*UNKNOWN_TO_DRIVER, "legacy-branch-needed")  # here: a branch that is not named
    if any(said.SIGN(each) in keys for each in unserved):
        return _that_knows_gpu(facts, place, installed)
    if said.SIGN("open-module-unsupported") not in keys:
        return None
    words = value(facts, "open-module-unsupported").lower()
    kind = "open" if any(each in words for each in _WANTS_OPEN) else "proprietary"
    return fixes.other_kind(place, kind, None if installed is None else installed.major)


def _that_knows_gpu(facts: Facts, place: Place, installed: Version | None) -> Fix:
    """A driver that knows the GPU: an older branch, a newer one, or whichever its maker names."""
    if installed is None:
        return fixes.driver_that_knows_gpu()
    for gpu in gpus(facts):
        last, first = _last_branch(gpu.capability), _first_driver(gpu.capability)
        if last is not None and installed.major > last:
            return fixes.older_branch(place, last)
        if first is not None and installed < first:
            return update_driver(place, installed, first)
    return fixes.driver_that_knows_gpu()


_WANTS_OPEN = "requires use of", "proprietary nvidia.ko"


def _nouveau(facts: Facts) -> Draft | None:
    if not held_by(facts, "nouveau"):
        return None
    title = "The driver is installed, but nouveau drives the GPU, so its module cannot load"
    blocked = facts.known(names.NOUVEAU_BLOCKED)
    place = place_of(facts)
    fix = replace_nouveau(place) if blocked is None else fixes.rebuild_ramdisk(place, blocked)
    return Draft(title, (names.NOUVEAU_BLOCKED,), fix)


def _vfio(facts: Facts) -> Draft | None:
    if not reserved(facts):
        return None
    title = "The GPU is reserved for a virtual machine: vfio-pci drives it"
    return Draft(title, (), fixes.take_back_from_vfio())


def _refused(facts: Facts) -> Draft | None:
    """The kernel's or the module's own words."""
    words = facts.known(names.MODULE_LOAD_ERROR)
    if words is None:
        return None
    keys = (names.MODULE_LOAD_ERROR, names.SECURE_BOOT, names.OS_KERNEL)
    if any(word in words.lower() for word in _SIGNATURE) and "NVRM" not in words:
        title = _UNKNOWN_KEY if "unavailable key" in words else _UNSIGNED
        return Draft(title, keys, fixes.sign_module(place_of(facts), dkms=_has_dkms(facts)))
    if _OPEN_ONLY in words:
        title = "The GPU needs the open kernel module, and the proprietary one is installed"
        library = facts.known(names.LIBCUDA_VERSION)
        branch = None if library is None else library.major
        return Draft(title, keys, fixes.other_kind(place_of(facts), "open", branch))
    if "version magic" in words or "symbol" in words:
        title = "The NVIDIA driver is installed, but its kernel module is for another kernel"
        return Draft(title, keys, _build(facts))
    title = f"The NVIDIA driver is installed, but its kernel module gave up: {words}"
    return Draft(title, keys, load_module(place_of(facts)), Confidence.LIKELY)


_UNSIGNED = (
    "The NVIDIA driver is installed, but Secure Boot refuses its kernel module, which is not signed"
)
_UNKNOWN_KEY = (
    "The NVIDIA driver is installed, but Secure Boot refuses its kernel module, which is signed "
    "with a key that this machine does not know"
)


def _blocked(facts: Facts) -> Draft | None:
    by = facts.known(names.MODULE_BLOCKED)
    if by is None:
        return None
    title = f"The NVIDIA driver is installed, but {by} keeps its kernel module from being loaded"
    return Draft(title, (names.MODULE_BLOCKED,), fixes.unblock(by))


def _updated(facts: Facts) -> Draft | None:
    """The modules of the running kernel are gone, as Arch's updates leave it until a restart."""
    kernel, there = facts.known(names.OS_KERNEL), facts.known(names.KERNELS)
    if kernel is None or not there or kernel in there:
        return None
    title = f"The kernel was updated, and the modules of {kernel}, which still runs, are gone"
    fix = restart(place_of(facts), "Nothing has to be installed.")
    return Draft(title, (names.OS_KERNEL, names.KERNELS), fix, Confidence.LIKELY)


def _not_built(facts: Facts) -> Draft | None:
    """The running kernel has no such module: after an update, or because a build failed."""
    if not isinstance(facts.fact(names.MODULE_FILE), Absent):
        return None
    kernel = facts.known(names.OS_KERNEL)
    which = "the running kernel" if kernel is None else f"the running kernel {kernel}"
    title = f"The NVIDIA driver is installed, but has no kernel module for {which}"
    keys = (names.MODULE_FILE, names.OS_KERNEL, names.MODULE_DKMS, names.KERNEL_HEADERS)
    return Draft(title, keys, _build(facts))


def _build(facts: Facts) -> Fix:
    headers = not isinstance(facts.fact(names.KERNEL_HEADERS), Absent)
    return fixes.build_module(place_of(facts), headers=headers, dkms=_has_dkms(facts))


def _unsigned(facts: Facts) -> Draft | None:
    """The module is there, and not loaded, and the firmware asks for signatures."""
    if facts.known(names.SECURE_BOOT) is not True or facts.known(names.MODULE_FILE) is None:
        return None
    keys = (names.SECURE_BOOT, names.MODULE_FILE, names.MODULE_DKMS)
    return Draft(
        _UNSIGNED,
        keys,
        fixes.sign_module(place_of(facts), dkms=_has_dkms(facts)),
        Confidence.LIKELY,
    )


def not_serving(facts: Facts) -> Draft | None:
    """A module that runs and cannot serve this GPU: of the wrong branch, or of the wrong kind.

    Raises:
        Missing: Kind or GPU are not known, so that it may be so.
    """
    kind, version = facts.look(names.MODULE_KIND), facts.need(names.MODULE_VERSION)
    keys = (names.MODULE_KIND, names.MODULE_VERSION)
    for pci, capability in _capabilities(facts):
        shown = (*keys, names.PCI_DEVICE(pci))
        found = _wrong_branch(facts, version, capability) or _wrong_kind(
            facts, kind, version, capability
        )
        if found is not None:
            return found._replace(keys=shown)
    return None


def _wrong_branch(facts: Facts, version: Version, capability: Version) -> Draft | None:
    """Older than the GPU, by the driver of the first toolkit that knew it; or too new for it."""
    last, first = _last_branch(capability), _first_driver(capability)
    place = place_of(facts)
    if last is not None and version.major > last:
        title = f"Driver {version} no longer serves this GPU: {last} was its last branch"
        return Draft(title, (), fixes.older_branch(place, last))
    if first is not None and version.major < first.major:
        title = f"Driver {version} is older than this GPU (capability {capability})"
        return Draft(title, (), update_driver(place, version, first), Confidence.LIKELY)
    return None


def _wrong_kind(
    facts: Facts, kind: str | None, version: Version, capability: Version
) -> Draft | None:
    place, branch = place_of(facts), version.major
    if kind == "open" and capability < _FIRST_OPEN:
        title = f"The open kernel module does not serve this GPU (capability {capability})"
        return Draft(title, (), fixes.other_kind(place, "proprietary", branch))
    if kind == "proprietary" and capability >= _OPEN_ALONE:
        title = f"This GPU (capability {capability}) is served by the open kernel module only"
        return Draft(title, (), fixes.other_kind(place, "open", branch))
    return None


def _capabilities(facts: Facts) -> list[tuple[str, Version]]:
    """The NVIDIA GPUs on the bus whose id tells one capability."""
    from ....knowledge.products import by_pci

    found = []
    listed = facts.subjects(names.PCI_VENDOR)
    nvidia = [pci for pci in listed if facts.look(names.PCI_VENDOR(pci)) == "nvidia"]
    if len(nvidia) < facts.need(names.PCI_NVIDIA_COUNT):
        facts.need(names.PCI_VENDOR("*"))  # one of them was not seen
    for pci in nvidia:
        device = facts.look(names.PCI_DEVICE(pci))
        match = None if device is None else by_pci(device)
        if match is not None and len(match.capabilities) == 1:
            found.append((pci, match.capabilities[0]))
    return found


def _first_driver(capability: Version) -> Version | None:
    from ....knowledge.architecture import architecture
    from ....knowledge.driver_cuda import toolkit_driver
    from ....knowledge.tables import Unstated

    known = architecture(capability)
    if known is None or known.first_toolkit is None:
        return None
    found = toolkit_driver(known.first_toolkit)
    return None if isinstance(found, Unstated) else found.driver


def _last_branch(capability: Version) -> int | None:
    from ....knowledge.driver_cuda import last_branch
    from ....knowledge.tables import Unstated

    found = last_branch(capability)
    return None if isinstance(found, Unstated) else found.branch

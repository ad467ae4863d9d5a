"""What keeps the kernel module of an installed driver from running.

Its own file of the causes of `unreached`: the module has several reasons, each with its words.
"""

from __future__ import annotations

from ....facts import names
from ....facts.model import Absent, Facts, Keys
from .. import symptoms
from ..binding import held_by
from ..statements import line_of, statements, value
from ..symptoms import UNKNOWN_TO_DRIVER, module_gone, nvidia_gpus
from .cause import MISSING, NOT_LOADED, Unreached

_NOT_BUILT = (
    *("module-not-found", "module-build-failed", "dkms-source-missing", "module-source-error"),
    *("module-of-other-kernel", "installer-no-compiler", "dkms-fails-told"),
    "headers-of-other-kernel",
)
_SERVES_NONE = (
    *("module-no-device", "legacy-branch-needed", "open-module-unsupported"),
    *("driver-does-not-serve-gpu", "installer-no-gpu", "gsp-firmware-missing"),
)


def not_loaded(facts: Facts) -> Unreached | None:
    """The driver is installed, and its kernel module does not run."""
    keys = module_gone(facts)
    others = (*statements(facts, *_SERVES_NONE), *symptoms.kept_by_vfio(facts))
    if (not keys and not others) or (not others and symptoms.lacks_files_only(facts, keys)):
        return None
    if _is_built_since(facts, (*keys, *others)):
        return None
    if _is_not_installed(facts, keys):
        title = "No NVIDIA driver is installed: there are neither its packages nor its module"
        return Unreached(MISSING, title, (*keys, names.DRIVER_PACKAGE, *nvidia_gpus(facts)))
    why, shown = _why_not_loaded(facts)
    keys = (*keys, *shown, *others, names.MODULE_DKMS, names.OS_KERNEL)
    return Unreached(NOT_LOADED, f"The NVIDIA driver is installed, {why}", keys)


def _is_built_since(facts: Facts, keys: Keys) -> bool:
    """Whether a source did not compile, and below that a driver answers: another one by then."""
    refused = statements(facts, "module-source-error")
    if not refused or {*keys} != {*refused}:
        return False
    below = (line_of(facts, key) for key in symptoms.driver_answers(facts))
    return any(line > line_of(facts, refused[0]) for line in below)


def _why_not_loaded(facts: Facts) -> tuple[str, Keys]:
    """The reason as the end of a sentence, and the fact that shows it where none else does."""
    if symptoms.refused_by_firmware(facts):
        why = "but Secure Boot refuses its kernel module, which is not signed for it"
        return why, (names.SECURE_BOOT,)
    if nouveau := _held_by_nouveau(facts):
        return "but nouveau holds the GPU, so its kernel module cannot load", nouveau
    if others := symptoms.built_for_others(facts):
        runs = facts.known(names.OS_KERNEL)
        return f"but its kernel module was built for other kernels than {runs}", others
    if other := value(facts, "gpu-bound-elsewhere"):
        why = f"but the kernel's driver {other} holds the GPU, so its kernel module cannot load"
        return why, ()
    if statements(facts, "held-for-virtual-machine") or symptoms.kept_by_vfio(facts):
        return "but its GPU is kept for a virtual machine", ()
    if finds_no_gpu(facts):
        return "but its kernel module finds no GPU that it serves", ()
    told = (why for signs, why in _REASONS if statements(facts, *signs))
    return next(told, "but its kernel module does not run"), ()


def _held_by_nouveau(facts: Facts) -> Keys:
    """What shows that nouveau has the GPU, of which NVIDIA's module would be the driver.

    It also comes in the place of a module that was not built, or that does not serve the GPU.
    """
    held = (names.MODULE_NOUVEAU, *held_by(facts, "nouveau"))
    if statements(facts, "nouveau-in-the-way"):
        return held
    instead = (*statements(facts, *_NOT_BUILT, *_SERVES_NONE), *symptoms.built_for_others(facts))
    holds = len(held) > 1 or facts.known(names.MODULE_NOUVEAU) is True
    return held if holds and not instead else ()


_REASONS = (
    (("module-source-error",), "but its kernel module does not compile for the running kernel"),
    (_NOT_BUILT, "but its kernel module was not built for the running kernel"),
    (
        ("gsp-firmware-missing",),
        "but the firmware that it brings for the GPU's own processor is not found",
    ),
    (UNKNOWN_TO_DRIVER, "but this release of it does not know this GPU"),
    (("legacy-branch-needed",), "but it no longer serves this GPU, which an older branch does"),
    (("open-module-unsupported",), "but this kind of its kernel module does not serve this GPU"),
)


def finds_no_gpu(facts: Facts) -> bool:
    """Whether the module was loaded and gave up: its own code says "No such device"."""
    words = value(facts, "module-not-loaded-told").lower()
    return "insert" in words and words.rstrip(" .").endswith("no such device")


def _is_not_installed(facts: Facts, keys: Keys) -> bool:
    """Whether there is no module, and who asked for the driver's packages was shown none."""
    gone = {*statements(facts, "module-not-found"), names.MODULE_LOADED}
    unpacked = isinstance(facts.fact(names.DRIVER_PACKAGE), Absent)
    return unpacked and bool(keys) and set(keys) <= gone and not facts.known(names.MODULE_DKMS)

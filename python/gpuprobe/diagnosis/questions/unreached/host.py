"""What keeps a text's program from the driver on the host itself.

Each function is one cause of `unreached`.
"""

from __future__ import annotations

from ....facts import names, said
from ....facts.model import Absent, Facts, Keys, Known
from ...model import Confidence, Severity
from .. import symptoms
from ..driver.versions import later_inside, mismatch
from ..packages.os_packages import uninstalled
from ..statements import errors, goes_on_between, line_of, statements, value
from ..symptoms import driver_answers, library_gone, module_runs, nvidia_gpus, smi_gone
from .cause import (
    COMPAT,
    CONTAINER,
    MISMATCH,
    MISSING,
    NO_GPU,
    NOT_LOADED,
    WSL,
    Unreached,
)

_LIKELY, _POSSIBLE = Confidence.LIKELY, Confidence.POSSIBLE


def of_two_versions(facts: Facts) -> Unreached | None:
    """Ends the search: versions that differ are GP202's, and explain all that follows.

    So they do where they are GP209's, as the library is the image's.
    """
    if of_image := later_inside(facts):
        return Unreached(COMPAT, "", of_image)
    if not mismatch(facts):
        return None
    return Unreached(MISMATCH, "", mismatch(facts))


def missing(facts: Facts) -> Unreached | None:
    """No driver is installed."""
    gone, answers = library_gone(facts), driver_answers(facts)
    elsewhere = line_of(facts, said.SIGN("k8s-plugin-registered"))
    if elsewhere and not goes_on_between(facts, 0, elsewhere):
        return None  # on another node there is one
    if without := _without_driver(facts, gone, answers):
        return without
    asked = symptoms.without_libcuda(facts)
    if asked and facts.known(names.CONTAINER_KIND) is None:
        title = "nvidia-smi reaches the driver and finds no libcuda: a part of it is not installed"
        return Unreached(MISSING, title, (*gone, *answers))
    if gone and answers:
        return _beside_driver(facts, gone, answers)
    if module_runs(facts) and gone:
        title = "The kernel module runs, but the driver's library libcuda is not found"
        return Unreached(MISSING, title, (*gone, names.MODULE_VERSION))
    if gone:
        title = "No NVIDIA driver is found: its library cannot be opened"
        return Unreached(MISSING, title, (*gone, *smi_gone(facts), *nvidia_gpus(facts)))
    if smi_gone(facts) and not answers:
        keys = (*smi_gone(facts), *symptoms.no_device(facts), *nvidia_gpus(facts))
        sure = _LIKELY if len(keys) > 1 else _POSSIBLE
        return Unreached(MISSING, "No NVIDIA driver is found: there is no nvidia-smi", keys, sure)
    return None


def _without_driver(facts: Facts, gone: Keys, answers: Keys) -> Unreached | None:
    """Windows says so itself, or what sets machines up; or another driver has the GPU."""
    lacking, said_so = statements(facts, "driver-lacking-said"), value(facts, "driver-lacking-said")
    if lacking and not (gone or answers):
        title = f"There is no NVIDIA driver, as a program says: {said_so}"
        return Unreached(MISSING, title, lacking, _LIKELY)
    without = statements(facts, "windows-device-without-driver")
    if without and not answers:
        return Unreached(MISSING, "Windows has no driver for the GPU", (*without, *gone))
    by_nouveau = statements(facts, "opencl-by-nouveau")
    if not by_nouveau or answers:
        return None
    title = "nouveau drives the GPU: OpenCL is Mesa's here, and NVIDIA's driver is not in use"
    return Unreached(MISSING, title, by_nouveau, _LIKELY)


def _beside_driver(facts: Facts, gone: Keys, answers: Keys) -> Unreached:
    """One program reaches the driver, and another one finds no library of it."""
    windows = statements(facts, "smi-of-windows")
    linux = any(str(facts.known(key)).endswith(".so") for key in gone)
    if windows and linux and facts.known(names.CONTAINER_KIND) is None:
        title = "The driver answers on Windows, and a Linux program beside it finds no libcuda: WSL"
        return Unreached(WSL, title, (*gone, *windows), _LIKELY)
    untold = statements(facts, "smi-cuda-not-told")
    if untold and facts.known(names.CONTAINER_KIND) is None:
        title = "The driver's part for CUDA is not installed: nvidia-smi finds no libcuda either"
        return Unreached(MISSING, title, (*gone, *untold), _LIKELY)
    title = "nvidia-smi reaches a driver and this program does not: is it in a container?"
    return Unreached(CONTAINER, title, (*gone, *answers), _POSSIBLE)


#: Programs that opened the driver's library and have no code for what it answered.
_NO_DEVICE = "pygpu-no-device", "ollama-libcuda-no-device"


def no_device(facts: Facts) -> Unreached | None:
    """CUDA starts and has no device; what remains when nothing else was stated."""
    keys = (*errors(facts, "CUDA_ERROR_NO_DEVICE"), *statements(facts, *_NO_DEVICE))
    diagnosed = statements(facts, "tf-kernel-driver-not-running", "tf-no-device-node")
    if (not keys and not diagnosed) or driver_answers(facts) or module_runs(facts):
        return None
    inside = facts.known(names.CONTAINER_KIND)
    if inside is not None and not diagnosed and not statements(facts, "fails-on-host-told"):
        title = f"Inside this container ({inside}) CUDA finds no device: it was given none"
        return Unreached(CONTAINER, title, (*keys, names.CONTAINER_KIND), _POSSIBLE)
    title = "The driver's library finds no device: its kernel module does not run"
    sure = _LIKELY if diagnosed else _POSSIBLE
    return Unreached(NOT_LOADED, title, (*keys, *diagnosed, *nvidia_gpus(facts)), sure)


def neither_driver_nor_gpu(facts: Facts) -> Unreached | None:
    """PyTorch's report found no driver and no GPU on a machine with a CUDA build of it.

    Inside WSL and containers both come from outside; who installed a toolkit has a GPU.
    """
    absent = isinstance(facts.fact(names.DRIVER_VERSION), Absent)
    sees, build = symptoms.sees_none(facts), names.PACKAGE_BUILD("torch")
    if not absent or not sees or facts.known(build) != "cuda":
        return None
    title = "PyTorch is built for CUDA, and finds neither an NVIDIA driver nor a GPU"
    keys = (names.DRIVER_VERSION, build, *sees)
    for place, cause in (
        (names.WSL_VERSION, WSL),
        (names.CONTAINER_KIND, CONTAINER),
        (names.TOOLKIT_VERSION, MISSING),
    ):
        if facts.known(place) is not None:
            return Unreached(cause, title, (*keys, place), _POSSIBLE)
    if nvidia_gpus(facts):
        return Unreached(MISSING, title, (*keys, *nvidia_gpus(facts)), _POSSIBLE)
    return Unreached(NO_GPU, title, keys, _POSSIBLE, Severity.WARNING)


def unseen_by_choice(facts: Facts) -> Unreached | None:
    """Who has JAX take the CPU mostly has no GPU there; its plugin for CUDA starts all the same."""
    unseen = statements(facts, "jax-no-visible-gpu")
    variables = (names.ENV("JAX_PLATFORMS"), names.ENV("JAX_PLATFORM_NAME"))
    chosen = tuple(each for each in variables if facts.known(each) == "cpu")
    if not unseen or not chosen or nvidia_gpus(facts):
        return None
    title = "JAX is told to take the CPU, and its plugin for CUDA finds no GPU to start on"
    return Unreached(NO_GPU, title, (*unseen, *chosen), _POSSIBLE)


def not_installed(facts: Facts) -> Unreached | None:
    """The driver, or the container tools, could not be installed."""
    found = uninstalled(facts)
    if found is None or found.cause not in (MISSING, CONTAINER):
        return None
    if found.cause == MISSING and driver_answers(facts):
        return None
    return Unreached(found.cause, found.title, found.keys, _POSSIBLE)


def installer_stopped(facts: Facts) -> Unreached | None:
    """NVIDIA's installer, or the operator's container, ended before the new module ran."""
    keys = statements(facts, "installer-module-in-use", "installation-failed")
    if not keys and value(facts, "os-package-not-found").startswith("linux-headers"):
        keys = statements(facts, "driver-container")
    if not keys or driver_answers(facts):
        return None
    title = "The driver's installer stopped before its kernel module ran"
    return Unreached(NOT_LOADED, title, (*keys, names.OS_KERNEL), _POSSIBLE)


def built_for_others(facts: Facts) -> Unreached | None:
    """DKMS made the module for other kernels than the one that runs."""
    kernels = symptoms.built_for_others(facts)
    missed = statements(facts, "gpu-not-usable", "opencl-no-platform")
    failing = (*symptoms.no_device(facts), *missed)
    if not kernels or not failing or driver_answers(facts) or module_runs(facts):
        return None
    runs = facts.known(names.OS_KERNEL)
    title = f"The NVIDIA driver's kernel module was built for other kernels than {runs}"
    return Unreached(NOT_LOADED, title, (*kernels, *failing))


def not_found_by_tensorflow(facts: Facts) -> Unreached | None:
    """TensorFlow's words for a missing driver, which it also has for a missing libcudart."""
    keys = statements(facts, "tf-no-cuda-drivers")
    others = (names.DRIVER_VERSION, names.TOOLKIT_VERSION)
    told = any(isinstance(facts.fact(key), Known) for key in others)
    if not keys or told or driver_answers(facts):
        return None
    title = "TensorFlow finds no NVIDIA driver, or not the CUDA library that it was built for"
    return Unreached(MISSING, title, (*keys, *symptoms.sees_none(facts)), _POSSIBLE)

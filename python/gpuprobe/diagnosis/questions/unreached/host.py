"""What keeps a text's program from the driver on the host itself: GPU, driver.

Each function is one cause of `unreached`.
"""

from __future__ import annotations

from ....facts import names, said
from ....facts.model import Absent, Facts, Key, Keys, Known
from ...model import Confidence, Severity
from .. import symptoms
from ..driver.versions import later_inside, mismatch
from ..packages.os_packages import uninstalled
from ..place import mac_with_driver
from ..statements import errors, goes_on_between, line_of, statements, value
from ..symptoms import driver_answers, library_gone, module_gone, module_runs, nvidia_gpus, smi_gone
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
from .node import told_without_gpu

_CERTAIN, _LIKELY, _POSSIBLE = Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE
_OTHERS = {"amd": "AMD", "intel": "Intel", "apple": "Apple", "vmware": "VMware"}
#: Controllers of servers for the console; such a machine may well have an NVIDIA GPU beside it.
_CONSOLES = {"aspeed", "matrox", "cirrus"}


def of_two_versions(facts: Facts) -> Unreached | None:
    """Ends the search: versions that differ are GP202's, and explain all that follows.

    So they do where they are GP209's, as the library is the image's.
    """
    if of_image := later_inside(facts):
        return Unreached(COMPAT, "", of_image)
    if not mismatch(facts):
        return None
    return Unreached(MISMATCH, "", mismatch(facts))


def no_gpu(facts: Facts) -> Unreached | None:
    """Somebody looked for an NVIDIA GPU, and there is none."""
    # A card that is named beside an empty bus is that of the host, or one that was taken out.
    empty = facts.known(names.PCI_NVIDIA_COUNT) == 0 and _probed_in_vain(facts)
    # Inside WSL the bus shows none, whatever Windows has: there its owner's word counts.
    inside_wsl = facts.known(names.WSL_VERSION) is not None
    unseen = inside_wsl and facts.known(said.WITHOUT_GPU_TOLD) is None
    if unseen or (nvidia_gpus(facts) and not empty):
        return None
    asked = (
        *library_gone(facts),
        *smi_gone(facts),
        *module_gone(facts),
        *symptoms.no_device(facts),
        *statements(facts, "torch-without-cuda", "tf-no-cuda-drivers"),
        *_missed_by_jax(facts),
    )
    if _is_hosted_notebook(facts):
        asked = (*asked, *statements(facts, "gpu-not-usable"))
    if facts.known(names.PCI_NVIDIA_COUNT) == 0 and facts.known(names.DRIVER_VERSION) is None:
        # Said of no driver at all as well, and of one that was installed and finds no GPU.
        asked = (*asked, *errors(facts, *_ANSWERED_WITHOUT_GPU))
        asked = (*asked, *statements(facts, "smi-no-devices", "container-cli-error"))
        asked = (*asked, *_calls_cuda(facts))
        asked = (*asked, *_dll_of_driver(facts))
        asked = (*asked, *statements(facts, *_ASKED_WITHOUT_GPU), *_cudart_of_tensorflow(facts))
    probed = (*_probed_in_vain(facts), *told_without_gpu(facts, asked))
    probed = (*probed, *_missed_on_tpu(facts, asked))
    failing = (*statements(facts, "torch-no-amd-gpu"), *_of_hip(facts))
    if failing:
        title = "The program failed in ROCm, which is for AMD's GPUs: CUDA has no part in it"
        return Unreached(NO_GPU, title, (*failing, *asked))
    vendors = facts.keys_of(names.PCI_VENDOR)
    makers = {facts.known(key) or "" for key in vendors}
    mac = facts.known(names.OS_SYSTEM) == "Darwin" and not mac_with_driver(facts)
    if mac and asked and not (driver_spoke(facts) or _extension_fails(facts, asked)):
        title = "CUDA does not run on macOS: there is no NVIDIA driver for it"
        return Unreached(NO_GPU, title, (names.OS_SYSTEM, *asked), _CERTAIN)
    if _uses_rocm(facts) or not (asked or probed):
        return None
    if facts.known(names.PCI_NVIDIA_COUNT) == 0:
        return _on_empty_bus(facts, makers, (*vendors, *dict.fromkeys((*asked, *probed))))
    if _is_hosted_notebook(facts) and not _found_driver(facts):
        title = "This hosted notebook runs without a GPU"
        return Unreached(NO_GPU, title, (names.OS_NAME, *asked))
    if probed and not statements(facts, *symptoms.HELD_BY_OTHERS):
        return Unreached(NO_GPU, _who_probed(facts, probed), (*probed, *asked))
    return None


def _who_probed(facts: Facts, probed: Keys) -> str:
    if refused_by_slurm(facts):
        return "Slurm has no node with GPUs that fits the request: the job did not start"
    module = said.SIGN("module-no-device") in probed
    return f"{'The kernel module' if module else 'The job'} found no NVIDIA GPU here"


def refused_by_slurm(facts: Facts) -> bool:
    """Whether a job asked for what the partition does not have, so that nobody looked at a node."""
    words = value(facts, "slurm-no-gres").lower()
    return "not available" in words or "invalid" in words


def _missed_on_tpu(facts: Facts, asked: Keys) -> Keys:
    """A notebook with a TPU has no GPU beside it, and somebody misses one."""
    on_tpu = statements(facts, "notebook-on-tpu")
    missed = (*asked, *statements(facts, "smi-finds-none-told", "gpu-not-usable"))
    return (*on_tpu, *missed) if on_tpu and missed else ()


def _on_empty_bus(facts: Facts, makers: set[str], keys: Keys) -> Unreached:
    """The bus shows no NVIDIA GPU; one that is named all the same is somewhere else, or off."""
    others = [name for maker, name in _OTHERS.items() if maker in makers]
    title = "This machine has no NVIDIA GPU"
    if lost := nvidia_gpus(facts):
        title = "The PCI bus shows no NVIDIA GPU here, though one is named"
    title += f"; its GPU is from {' and '.join(others)}" if others else ""
    sure = _POSSIBLE if makers and makers <= _CONSOLES else _LIKELY
    return Unreached(NO_GPU, title, (names.PCI_NVIDIA_COUNT, *lost, *keys), sure)


def in_virtualbox(facts: Facts) -> Unreached | None:
    """VirtualBox shows its machines a graphics card of its own, and passes none through."""
    vendors = facts.keys_of(names.PCI_VENDOR)
    keys = tuple(key for key in vendors if facts.known(key) == "virtualbox")
    if "virtualbox" in (facts.known(names.OS_NAME) or "").lower():
        keys = (names.OS_NAME, *keys)
    unknown = errors(facts, "CUDA_ERROR_UNKNOWN", "CUDA_ERROR_NO_DEVICE")
    failing = (*library_gone(facts), *smi_gone(facts), *module_gone(facts), *unknown)
    if not keys or not failing or nvidia_gpus(facts):
        return None
    title = "This machine is one of VirtualBox, which gives its machines no NVIDIA GPU"
    return Unreached(NO_GPU, title, (*keys, *failing))


def _dll_of_driver(facts: Facts) -> tuple[Key[str], ...]:
    """The DLLs that TensorFlow's build for GPUs asks for; without a GPU the driver's is missing."""
    for_gpus = facts.known(names.PACKAGE_BUILD("tensorflow-gpu")) == "cuda"
    return errors(facts, "WIN32_126") if for_gpus else ()


#: NVML on Windows, which has no device files that could be closed, calls it a lack of permission.
_ANSWERED_WITHOUT_GPU = (
    *("cudaErrorInsufficientDriver", "CUDA_ERROR_UNKNOWN"),
    "NVML_ERROR_NO_PERMISSION",
)
#: Questions of owners of other cards, and services that wait for a driver where none will come.
_ASKED_WITHOUT_GPU = (
    *("other-card-asked", "driver-awaited", "torch-half-on-cpu"),
    *("jax-no-visible-gpu", "tf-op-for-gpu-only", "gpu-not-usable", "told-not-loaded"),
    *("nvidia-driver-missed-told", "opencl-no-platform", "opencl-no-device"),
)


def _cudart_of_tensorflow(facts: Facts) -> tuple[Key[str], ...]:
    """Its build for GPUs asks for CUDA's run time at every start, also where there is no GPU."""
    key = names.LIBRARY_MISSING("cudart")
    about, version = said.ABOUT("tensorflow"), names.PACKAGE_VERSION("tensorflow")
    by_tensorflow = facts.known(about) is not None or facts.known(version) is not None
    return (key,) if by_tensorflow and facts.known(key) is not None else ()


def in_desktop_guest(facts: Facts) -> Unreached | None:
    """Somebody asks for CUDA in a guest of a hypervisor that gives none of NVIDIA's cards on."""
    asked = statements(facts, "guest-cuda-asked")
    counted = facts.known(names.PCI_NVIDIA_COUNT) or 0
    if not asked or driver_answers(facts) or counted > 0:
        return None
    title = (
        f"A guest of {value(facts, 'guest-cuda-asked')} is given no NVIDIA GPU: CUDA is not there"
    )
    return Unreached(NO_GPU, title, asked, _LIKELY)


def _calls_cuda(facts: Facts) -> tuple[Key[int], ...]:
    """Code that takes the GPU, which ends there on a machine that has none."""
    return tuple(key for key in (said.ABOUT("calls-cuda"),) if facts.known(key))


#: What programs say of a driver that is not there at all.
_WITHOUT_DRIVER = ("CUDA_ERROR_NO_DEVICE", "CUDA_ERROR_STUB_LIBRARY", "cudaErrorInsufficientDriver",
                   "CUDA_ERROR_NOT_INITIALIZED")  # fmt: skip


def _extension_fails(facts: Facts, asked: Keys) -> bool:
    """Whether a build without CUDA only says that it is one, beside an extension of another."""
    unseen = {*symptoms.sees_none(facts)}
    return {*asked} <= unseen and any(facts.subjects(said.SYMBOL_WANTED_BY))


def driver_spoke(facts: Facts) -> bool:
    """Whether an NVIDIA driver has a version, or gave a code: then it did not run on a Mac."""
    told = (name for name in facts.subjects(said.ERROR) if name.startswith("CUDA_ERROR_"))
    return facts.known(names.DRIVER_VERSION) is not None or any(
        name not in _WITHOUT_DRIVER for name in told
    )


def _found_driver(facts: Facts) -> bool:
    """Whether a program got at a driver and its GPU, so that one was attached."""
    told = statements(facts, "torch-driver-too-old", "tf-skipping-gpus")  # which it had counted
    return driver_spoke(facts) or bool(told)


def _missed_by_jax(facts: Facts) -> Keys:
    """It found no GPU; with these other words it found NVIDIA's device files, and no plugin."""
    there = "gpu may be present" in value(facts, "jax-without-cuda").lower()
    attached = bool(statements(facts, "notebook-with-gpu-told")) and _is_hosted_notebook(facts)
    return () if there or attached else statements(facts, "jax-fell-back-to-cpu")


def _is_hosted_notebook(facts: Facts) -> bool:
    """Services that attach a GPU on demand have its driver in every image."""
    name = (facts.known(names.OS_NAME) or "").lower()
    return any(service in name for service in ("colab", "kaggle"))


#: The module names a GPU that it found, and leaves to another release or kind of driver.
_OTHER_BRANCH = "open-module-unsupported", "driver-does-not-serve-gpu", "legacy-branch-needed"


def _probed_in_vain(facts: Facts) -> Keys:
    """The module found no device; refusals of the module itself begin with the same words.

    One that does not serve the GPU that is there ends with them, too.
    """
    if statements(facts, *_OTHER_BRANCH):
        return ()
    words = value(facts, "module-no-device").lower()
    found = any(each in words for each in ("no such device", "no nvidia", "none of the nvidia"))
    return statements(facts, "module-no-device") if found else ()


def _of_hip(facts: Facts) -> Keys:
    """What AMD's run time answered."""
    told = (name for name in facts.subjects(said.ERROR) if name.startswith("hipError"))
    return tuple(said.ERROR(name) for name in told)


def _uses_rocm(facts: Facts) -> bool:
    packages = facts.subjects(names.PACKAGE_BUILD)
    return any(facts.known(names.PACKAGE_BUILD(each)) == "rocm" for each in packages)


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
    """Windows says so itself, or another driver has the GPU."""
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


def no_device(facts: Facts) -> Unreached | None:
    """CUDA starts and has no device; what remains when nothing else was stated."""
    keys = (*errors(facts, "CUDA_ERROR_NO_DEVICE"), *statements(facts, "pygpu-no-device"))
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

"""What tells that there is no NVIDIA GPU where a text's program looks for the driver.

Each public function that yields an `Unreached` is one cause of `unreached`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ...model import Confidence
from .. import symptoms
from ..place import mac_with_driver
from ..statements import errors, statements, value
from ..symptoms import (
    driver_answers,
    driver_spoke,
    library_gone,
    module_gone,
    nvidia_gpus,
    smi_gone,
)
from .cause import NO_GPU, Unreached

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys

_CERTAIN, _LIKELY, _POSSIBLE = Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE
_OTHERS = {"amd": "AMD", "intel": "Intel", "apple": "Apple", "vmware": "VMware"}
#: Controllers of servers for the console; such a machine may well have an NVIDIA GPU beside it.
_CONSOLES = {"aspeed", "matrox", "cirrus"}


def no_gpu(facts: Facts) -> Unreached | None:
    """Somebody looked for an NVIDIA GPU, and there is none."""
    if _may_be_there(facts):
        return None
    asked = _asked(facts)
    if failing := (*statements(facts, "torch-no-amd-gpu"), *_of_hip(facts)):
        title = "The program failed in ROCm, which is for AMD's GPUs: CUDA has no part in it"
        return Unreached(NO_GPU, title, (*failing, *asked))
    mac = facts.known(names.OS_SYSTEM) == "Darwin" and not mac_with_driver(facts)
    if mac:
        asked = (*asked, *statements(facts, "gpu-not-usable", "bnb-without-gpu", "bnb-on-mac"))
    if mac and asked and not (driver_spoke(facts) or _extension_fails(facts, asked)):
        title = "CUDA does not run on macOS: there is no NVIDIA driver for it"
        return Unreached(NO_GPU, title, (names.OS_SYSTEM, *asked), _CERTAIN)
    probed = (*_probed_in_vain(facts), *_told(facts, asked), *_missed_on_tpu(facts, asked))
    if _uses_rocm(facts) or not (asked or probed):
        return None
    if facts.known(names.PCI_NVIDIA_COUNT) == 0:
        return _on_empty_bus(facts, tuple(dict.fromkeys((*asked, *probed))))
    if _is_hosted_notebook(facts) and not _found_driver(facts):
        title = "This hosted notebook runs without a GPU"
        return Unreached(NO_GPU, title, (names.OS_NAME, *asked))
    if probed and not statements(facts, *symptoms.HELD_BY_OTHERS):
        return Unreached(NO_GPU, _who_probed(facts, probed), (*probed, *asked))
    return None


def _may_be_there(facts: Facts) -> bool:
    """Whether a GPU is named, or is where nobody looked."""
    # A card that is named beside an empty bus is that of the host, or one that was taken out.
    empty = facts.known(names.PCI_NVIDIA_COUNT) == 0 and _probed_in_vain(facts)
    # Inside WSL the bus shows none, whatever Windows has: there its owner's word counts.
    inside_wsl = facts.known(names.WSL_VERSION) is not None
    told = facts.known(said.WITHOUT_GPU_TOLD) is not None or _agrees_with_wsl(facts)
    return (inside_wsl and not told) or bool(nvidia_gpus(facts) and not empty)


def _agrees_with_wsl(facts: Facts) -> bool:
    """Whether WSL has no adapter, as somebody says who names another maker's card, or none."""
    none = bool(statements(facts, "wsl-without-adapters"))
    return none and "microsoft" not in facts.known_of(names.PCI_VENDOR)  # the bus of WSL itself


def _asked(facts: Facts) -> Keys:
    """What asked for a GPU, and failed as it does where there is none."""
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
    if facts.known(names.PCI_NVIDIA_COUNT) != 0 or facts.known(names.DRIVER_VERSION) is not None:
        return asked
    # Said of no driver at all as well, and of one that was installed and finds no GPU.
    return (
        *asked,
        *errors(facts, *_ANSWERED_WITHOUT_GPU),
        *statements(facts, "smi-no-devices", "container-cli-error"),
        *_calls_cuda(facts),
        *_dll_of_driver(facts),
        *statements(facts, *_ASKED_WITHOUT_GPU),
        *_cudart_of_tensorflow(facts),
    )


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


_ON_LOGIN_NODE = "slurm-outside-job"
_WITHOUT_GPU = _ON_LOGIN_NODE, "slurm-no-gres", "installer-no-gpu", "notebook-without-gpu"


def _told(facts: Facts, asked: Keys) -> Keys:
    """What tells that a job ran where there is no GPU; `asked`: what failed for want of one.

    Who names a login node and misses nvcc or a library of the toolkit would do so with a GPU, too.
    """
    told = statements(facts, *_WITHOUT_GPU)
    missed = statements(facts, "nvcc-not-found") or facts.keys_of(names.LIBRARY_MISSING)
    return () if missed and not asked and told == statements(facts, _ON_LOGIN_NODE) else told


def _on_empty_bus(facts: Facts, keys: Keys) -> Unreached:
    """The bus shows no NVIDIA GPU; one that is named all the same is somewhere else, or off."""
    vendors = facts.keys_of(names.PCI_VENDOR)
    makers = {facts.known(key) or "" for key in vendors}
    others = [name for maker, name in _OTHERS.items() if maker in makers]
    title = "This machine has no NVIDIA GPU"
    if lost := nvidia_gpus(facts):
        title = "The PCI bus shows no NVIDIA GPU here, though one is named"
    title += f"; its GPU is from {' and '.join(others)}" if others else ""
    sure = _POSSIBLE if makers and makers <= _CONSOLES else _LIKELY
    return Unreached(NO_GPU, title, (names.PCI_NVIDIA_COUNT, *lost, *vendors, *keys), sure)


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


def _extension_fails(facts: Facts, asked: Keys) -> bool:
    """Whether a build without CUDA only says that it is one, beside an extension of another."""
    unseen = {*symptoms.sees_none(facts)}
    return {*asked} <= unseen and any(facts.subjects(said.SYMBOL_WANTED_BY))


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
    if statements(facts, *_OTHER_BRANCH, "module-probe-failed"):
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

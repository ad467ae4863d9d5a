"""Is there an NVIDIA GPU, and does its kernel module run?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.model import Facts, NotThere
from ...facts.regex import regex
from ..fixes.device import (
    give_addresses,
    read_kernel_log,
    start_gpu_again,
    switch_off_and_on,
    take_back_clocks,
)
from ..fixes.driver import load_module, on_host, replace_nouveau
from ..fixes.other_gpus import (
    ASKS,
    ASKS_TORCH,
    RUNS,
    ask_for_node_with_gpu,
    look_for_card,
    use_what_is_there,
)
from ..model import Evidence, Finding, Findings, Fix, Link, Severity, cite, rule
from ..questions.applicable import only_with_gpu
from ..questions.driver.state import (
    answer,
    gpu_subject,
    has_real_libcuda,
    in_container,
    on_board,
    works,
)
from ..questions.gpus.presence import WHERE_A_GPU_SHOWS, has_nvidia_gpu
from ..questions.place import Place, mac_with_driver, place_of
from ..questions.source import looked_at
from ..questions.statements import statements, value
from ..questions.symptoms import nvidia_gpus
from ..questions.unreached.cause import NO_GPU, NOT_LOADED
from ..questions.unreached.first_cause import stands_for, unreached

if TYPE_CHECKING:
    from collections.abc import Collection

    from ...facts.model import Key
    from ..questions.gpus.lost import Lost
    from ..questions.unreached.cause import Unreached

_NAMES = {"amd": "AMD", "intel": "Intel", "apple": "Apple"}
#: Of macOS, the last for which NVIDIA made a driver.
_LAST_MAC = "10.13"
_NVML_NOT_LOADED = 9
_NO_DEVICE_CODES = (100, 999)


@rule("GP101", "no-nvidia-gpu", cause="no-nvidia-gpu", link=Link.HARDWARE, since="0.1")
def no_nvidia_gpu(facts: Facts) -> Findings:
    """The machine has no NVIDIA GPU."""
    told = stands_for(facts, NO_GPU)
    if told is not None:
        lost = facts.known(names.PCI_NVIDIA_COUNT) == 0 and nvidia_gpus(facts)
        there = use_what_is_there(place_of(facts), _served_vendors(facts), here=_here(facts))
        unlisted = facts.known(names.PCI_NVIDIA_COUNT) is None  # nobody has looked at the bus
        sought = lost or (unlisted and said.SIGN("module-no-device") in told.keys)
        yield told.finding(facts, _ask_slurm(facts, told) or (look_for_card() if sought else there))
        return
    if has_nvidia_gpu(facts):
        return
    others, vm = _other_vendors(facts), facts.known(names.VM_KIND)
    title = f"This {'machine' if vm is None else f'virtual machine ({vm})'} has no NVIDIA GPU"
    if facts.known(names.OS_SYSTEM) == "Darwin":
        if not looked_at(facts) and (mac_with_driver(facts) or not _asks_for_gpu(facts)):
            return
        title = f"CUDA does not run on macOS: the last with an NVIDIA driver was {_LAST_MAC}"
        others = _served_vendors(facts)
    elif others:
        title += f"; its GPU is {_named(facts, others)}"
    fix = use_what_is_there(place_of(facts), others, vm, here=_here(facts))
    yield Finding(title, _where_we_looked(facts), fix)


def _ask_slurm(facts: Facts, told: Unreached) -> Fix | None:
    """Where the job did not start, the machine at which it was asked for says nothing."""
    from ..questions.unreached.no_gpu import refused_by_slurm

    asked = said.SIGN("slurm-no-gres") in told.keys and refused_by_slurm(facts)
    return ask_for_node_with_gpu() if asked else None


#: With which PyTorch ends a program that was not told to do without a GPU.
_OF_TORCH = ("torch-no-driver", "torch-without-cuda", "torch-no-devices")


def _here(facts: Facts) -> str:
    """The work goes on where nobody asked for a GPU, and where a framework took the CPU."""
    if looked_at(facts):
        return RUNS
    sees = facts.known_of(said.FRAMEWORK_SEES_GPU)
    took = statements(facts, "jax-fell-back-to-cpu", "ort-fallback-cpu")
    failed = (*statements(facts, *_OF_TORCH), *facts.subjects(said.ERROR))
    if took or (False in sees and not failed):
        return RUNS
    by_torch = facts.known(said.ABOUT("torch")) or statements(facts, *_OF_TORCH)
    return ASKS_TORCH if by_torch else ASKS


#: What a text holds that is about more than the system.
_ABOUT_GPUS = (
    said.ERROR,
    said.FRAMEWORK_SEES_GPU,
    names.LIBRARY_MISSING,
    names.PACKAGE_VERSION,
    names.PACKAGE_BUILD,
)


#: What may happen to any program: it asks for no GPU.
_OF_ANY_PROGRAM = frozenset((
    "bus-error", "after-suspend", "ray-worker", "zlib-missing", "msvc-runtime-missing",
    "shape-mismatch", "linker-library-missing", "header-missing", "msvc-build-tools-missing",
    *("os-package-not-found", "os-package-broken", "os-package-unmet", "os-key-missing"),
    *("pip-no-versions", "pip-wheel-not-supported", "pip-requires-python", "reporter-speaks"),
    *("pip-no-distribution", "pip-offers-from"),
    *("as-before-told", "other-state-told", "fault-made", "k8s-pod-scheduled", "purpose-told"),
    *("repair-told", "present-told", "survived-told", "workers-told", "python-under-sudo"),
    *("cloud-type-without-gpu", "cloud-type-with-gpu"),
    *("told-of-few-watts", "container-restart-helps-told", "notebook-on-tpu"),
))  # fmt: skip


def _asks_for_gpu(facts: Facts) -> bool:
    """Whether a text that mentions macOS has anything to do with GPUs, and no driver speaks."""
    from ..questions.symptoms import driver_spoke

    stated = {*facts.subjects(said.SIGN)} - _OF_ANY_PROGRAM
    tried = any(facts.subjects(family) for family in (said.ERROR, said.FRAMEWORK_SEES_GPU))
    if not tried and stated and stated <= _OF_NUMPY:
        return False
    if not stated and any(facts.subjects(said.SYMBOL_WANTED_BY)):
        return False  # an extension that does not load fails for builds without CUDA as well
    about = any(facts.subjects(family) for family in _ABOUT_GPUS)
    asked = _FOR_GPUS.search(value(facts, "pip-no-distribution")) is not None
    return (about or bool(stated) or asked) and not driver_spoke(facts)


#: A package, or a release of one, that is for GPUs alone: tensorflow-gpu, jaxlib==0.4.25+cuda12.
_FOR_GPUS = regex(r"(?i)gpu|cu(?:da)?\d")


#: What ends a program at its first import, on any machine.
_OF_NUMPY = frozenset(("numpy-abi", "numpy-abi-2", "numpy-compiled-and-found"))


def _served_vendors(facts: Facts) -> tuple[str, ...]:
    """Whose GPUs there are. Apple's processors have Apple's, other Macs AMD's or Intel's."""
    if (others := _other_vendors(facts)) or facts.known(names.OS_SYSTEM) != "Darwin":
        return others
    return ("amd",) if facts.known(names.OS_MACHINE) == "x86_64" else ("apple",)


def _named(facts: Facts, vendors: tuple[str, ...]) -> str:
    """``from AMD (AMD Radeon RX 7900 XTX)``, with names where somebody knows them."""
    known = ", ".join(dict.fromkeys(filter(None, facts.known_of(names.PCI_NAME))))
    makers = " and ".join(_NAMES[vendor] for vendor in vendors)
    return f"from {makers} ({known})" if known else f"from {makers}"


def _other_vendors(facts: Facts) -> tuple[str, ...]:
    found = facts.known_of(names.PCI_VENDOR)
    return tuple(vendor for vendor in _NAMES if vendor in found)


def _where_we_looked(facts: Facts) -> tuple[Evidence, ...]:
    """All that "no" rests on, so that the evidence alone says the same."""
    vendors = facts.keys_of(names.PCI_VENDOR)
    inside = facts.known(names.CONTAINER_KIND) is not None
    traces = (names.CONTAINER_NVIDIA,) if inside else ()
    vm = (names.VM_KIND,) if facts.known(names.VM_KIND) is not None else ()
    beside = (*traces, *vm, *(WHERE_A_GPU_SHOWS if looked_at(facts) else ()))
    kind = (names.CONTAINER_KIND,) if inside or looked_at(facts) else ()
    found = cite(facts, names.PCI_NVIDIA_COUNT, *vendors, names.MODULE_VERSION, *kind, *beside)
    return found or cite(facts, names.OS_SYSTEM)


def _fix_of_module(facts: Facts, told: Unreached, place: Place) -> Fix:
    if names.MODULE_NOUVEAU in told.keys:
        return replace_nouveau(place)
    if other := value(facts, "gpu-bound-elsewhere"):
        from ..fixes.module import take_from

        return take_from(other)
    if place.system == "Windows":
        return load_module(place)
    from ..questions.driver.module_faults import repair_as_told
    from ..questions.unreached.module import finds_no_gpu

    if finds_no_gpu(facts):
        from ..fixes.module import look_for_served_gpu

        return look_for_served_gpu()
    fix = repair_as_told(facts, told.keys) or load_module(place)
    return fix if place.container is None else on_host(fix)


@rule(
    "GP102",
    "kernel-module-not-loaded",
    cause="driver-not-loaded",
    link=Link.KERNEL_MODULE,
    since="0.1",
)
def kernel_module_not_loaded(facts: Facts) -> Findings:
    """The NVIDIA driver is installed, but its kernel module does not run."""
    place = place_of(facts)
    told = unreached(facts)
    if told is not None:
        if told.cause == NOT_LOADED:
            yield told.finding(facts, _fix_of_module(facts, told, place))
        return
    if in_container(facts) or place.wsl or on_board(facts):
        raise NotThere(names.MODULE_VERSION.name)  # it is the host's, or a part of the kernel
    only_with_gpu(facts)
    if works(facts):
        return
    if place.system == "Windows":
        if facts.known(names.NVML_CODE) == _NVML_NOT_LOADED:
            title = "The NVIDIA driver is installed, but its kernel module is not loaded"
            yield Finding(title, _shown(facts), load_module(place))
        return
    from ..questions.driver.module_faults import not_loaded, not_serving

    if facts.look(names.MODULE_VERSION) is not None:
        fault = not_serving(facts) if sees_no_gpu(facts) else None
    else:
        fault = not_loaded(facts) if _half_installed(facts) else None
    if fault is not None:
        evidence = (*cite(facts, *fault.keys), *_shown(facts))
        yield Finding(
            fault.title, tuple(dict.fromkeys(evidence)), fault.fix, confidence=fault.confidence
        )


def _shown(facts: Facts) -> tuple[Evidence, ...]:
    return cite(
        facts,
        names.PCI_NVIDIA_COUNT,
        names.MODULE_VERSION,
        names.LIBCUDA_PATH,
        names.NVML_PATH,
        names.NVML_CODE,
        *facts.keys_of(names.PCI_DRIVER),
    )


def sees_no_gpu(facts: Facts) -> bool:
    """Whether CUDA, or where it was not asked NVML, says that there is no device."""
    if answer(facts, names.CUDA_OUTCOME) == "not run":
        return facts.known(names.NVML_COUNT) == 0
    return facts.known(names.CUDA_CODE) in _NO_DEVICE_CODES


def _half_installed(facts: Facts) -> bool:
    """Whether the user-space half of the driver is there: a real libcuda, or NVML."""
    return has_real_libcuda(facts) or facts.look(names.NVML_PATH) is not None


#: What NVML and CUDA call a GPU that has failed; other failures may be a matter of permission.
_LOST = ("GPU_IS_LOST", "RESET_REQUIRED", "ECC_UNCORRECTABLE")
#: And nvidia-smi in its table.
_LOST_SHOWN = ("ERR!", "Unknown Error", "GPU is lost", "requires reset")


def is_lost(facts: Facts, gpu: str) -> bool:
    """Whether what is said of the GPU means that it has failed."""
    said = facts.known(names.GPU_FAILURE(gpu)) or ""
    return any(word in said for word in (*_LOST, *_LOST_SHOWN))


def listed_gpus(facts: Facts) -> tuple[str, ...]:
    """The GPUs that NVML lists and did not lose; none where it does not start.

    Raises:
        Missing: Nobody knows whether it lists any.
    """
    if facts.look(names.NVML_CODE) != 0:
        return ()
    numbers = map(str, range(facts.need(names.NVML_COUNT)))
    return tuple(gpu for gpu in numbers if not is_lost(facts, gpu))


#: What cuInit answers where one lost GPU keeps it from starting with the others.
LIKE_LOST = (3, 46, 100, 101, 214, 999)


@rule("GP103", "gpu-lost", cause="device-lost", link=Link.HARDWARE, since="0.1")
def gpu_lost(facts: Facts) -> Findings:
    """A GPU is listed, but it has failed or fell off the bus."""
    gpus = facts.subjects(names.GPU_FAILURE)
    lost = [gpu for gpu in gpus if is_lost(facts, gpu)]
    if not lost:
        yield from _told_to_be_lost(facts)
    codes = (names.CUDA_CODE,) if facts.known(names.CUDA_CODE) in LIKE_LOST else ()
    stops_all = len(lost) == len(gpus) or bool(codes)
    for gpu in lost:
        address = _address(facts, gpu, gpus)
        where = facts.known(address)
        yield Finding(
            f"GPU {gpu}{f' at {where}' if where else ''} has failed: "
            f"{facts.known(names.GPU_FAILURE(gpu))}",
            cite(facts, names.GPU_FAILURE(gpu), names.GPU_NAME(gpu), address, *codes),
            read_kernel_log(place_of(facts)),
            severity=Severity.ERROR if stops_all else Severity.WARNING,
            subject=gpu_subject(facts, gpu),
        )
    for gpu in gpus:
        facts.look(names.GPU_FAILURE(gpu))


def _address(facts: Facts, lost: str, gpus: Collection[str]) -> Key[str]:
    """Where a lost GPU sits: it seldom tells; else the one address that no other GPU tells."""
    told = {gpu: facts.known(names.GPU_PCI(gpu)) for gpu in gpus}
    silent = [gpu for gpu in gpus if told[gpu] is None]
    left = [
        number
        for number in facts.subjects(names.PCI_ADDRESS)
        if facts.known(names.PCI_VENDOR(number)) == "nvidia"
        and facts.known(names.PCI_ADDRESS(number)) not in told.values()
    ]
    if silent == [lost] and len(left) == 1:
        return names.PCI_ADDRESS(left[0])
    return names.GPU_PCI(lost)


def _told_to_be_lost(facts: Facts) -> Findings:
    """What a text says of a GPU that failed."""
    if not facts.subjects(said.SIGN) and not facts.subjects(said.ERROR):
        return
    from ..questions.gpus.lost import lost_gpu

    found = lost_gpu(facts)
    if found is not None:
        evidence = cite(facts, *found.keys)
        yield Finding(found.title, evidence, _revived(facts, found), confidence=found.confidence)


#: What the kernel's log says of a GPU, so that nobody has to look into it for that.
_IN_LOG = ("bus-lost", "gsp-failed", "gpu-not-started", "bus-error-fatal", "pci-answers-nothing")


def _revived(facts: Facts, found: Lost) -> Fix:
    """By who tells of it, and on which system."""
    from ..questions.gpus import lost

    place = place_of(facts)
    if found.overclocked:
        return take_back_clocks()
    if place.system is None and not place.wsl and facts.known(said.WINDOWS_TOOLS):
        place = place._replace(system="Windows")
    if found.keys[0] == said.SIGN("windows-code-43"):
        from ..fixes.windows import renew_stopped_driver

        return renew_stopped_driver()
    if place.system == "Windows":
        return read_kernel_log(place)
    if lost.without_addresses(found.keys):
        return give_addresses()
    logged = [each for each in _IN_LOG if said.SIGN(each) in found.keys]
    started = {"gsp-failed", "gpu-not-started"}
    if {*logged} <= started and "RmInitAdapter" in value(facts, "gsp-failed"):
        return start_gpu_again(place)
    if logged:
        return switch_off_and_on(place)
    return read_kernel_log(place)

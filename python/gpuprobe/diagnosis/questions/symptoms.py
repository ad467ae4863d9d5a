"""What a text says where a program does not reach the driver: the statements, sorted by kind."""

from __future__ import annotations

from ...facts import names, said
from ...facts.model import Facts, Key, Keys, Known
from ...facts.regex import regex
from .binding import drivers_of_gpus
from .once import asked_once
from .statements import errors, statements, value

#: Libraries that come with the driver; in a container those of video only if it is asked for.
_OF_DRIVER = (
    *("cuda", "nvcuda", "nvidia-ml", "nvml", "nvcuvid", "nvidia-encode", "nvencodeapi"),
    *("nvidia-ptxjitcompiler", "nvidia-nvvm", "nvoptix", "nvidia-opencl"),
)


@asked_once
def library_gone(facts: Facts) -> Keys:
    """Libcuda or NVML cannot be opened, or a program says that there is no driver."""
    missing = tuple(names.LIBRARY_MISSING(stem) for stem in _OF_DRIVER)
    return (
        *statements(facts, "torch-no-driver", "libcuda-not-dlopened", "numba-driver-not-found"),
        *statements(facts, "singularity-no-nv", "smi-no-cuda"),
        *_missed_by_miner(facts),
        *without_libcuda(facts),
        *_missed_by_ollama(facts),
        *_missed_by_conda(facts),
        *_missed_by_cmake(facts),
        *(key for key in missing if facts.known(key) is not None),
        *errors(facts, "NVML_ERROR_LIBRARY_NOT_FOUND"),
        *_not_loaded(facts),
        *_hollow(facts),
    )


def _not_loaded(facts: Facts) -> Keys:
    """TensorFlow's code for a library or a function that is missing: with devices, a function."""
    counted = facts.known(names.CUDA_COUNT)
    return () if counted else errors(facts, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED")


def _missed_by_miner(facts: Facts) -> Keys:
    """Miners say of an old driver, too, that there is none: on a host whose driver is named."""
    on_host = facts.known(names.CONTAINER_KIND) is None
    old = on_host and facts.known(names.DRIVER_VERSION) is not None
    return () if old else statements(facts, "miner-no-driver")


def unknown_of_gpu(facts: Facts) -> Keys:
    """NVML's "Unknown Error" about one GPU of those that it lists; at its start it lists none."""
    codes = errors(facts, "NVML_ERROR_UNKNOWN")
    at_start = any("nitialize" in (facts.known(key) or "") for key in codes)
    listed = (facts.known(names.NVML_COUNT) or 0) > 0
    return codes if listed and not at_start else ()


def without_libcuda(facts: Facts) -> Keys:
    """Nvidia-smi tells no CUDA, and a program misses it; hosts of virtual GPUs have none."""
    missed = (*statements(facts, "gpu-not-usable", "torch-no-devices"), *sees_none(facts))
    untold = statements(facts, "smi-cuda-not-told")
    return (*untold, *missed) if untold and missed else ()


#: What the loader says of the empty files that container tools put in the place of a driver's.
_HOLLOW = ("file too short", "invalid elf header", "empty file")


def _hollow(facts: Facts) -> Keys:
    """The driver's library is there by name only."""
    keys = facts.keys_of(said.LIBRARY_BROKEN)
    return tuple(key for key in keys if _is_hollow(key, (facts.known(key) or "").lower()))


def _is_hollow(key: Key[str], why: str) -> bool:
    """The tools for NVIDIA's boards do so with all of CUDA, which lies on the board itself."""
    of_driver = key in (said.LIBRARY_BROKEN("cuda"), said.LIBRARY_BROKEN("nvidia-ml"))
    return any(each in why for each in _HOLLOW) and (of_driver or "aarch64-linux-gnu" in why)


def _missed_by_ollama(facts: Facts) -> Keys:
    """It looked for the driver's library in every folder, and went on without a GPU."""
    keys = statements(facts, "ollama-no-libraries", "ollama-no-gpu")
    return keys if len(keys) > 1 else ()


def _missed_by_conda(facts: Facts) -> Keys:
    """Conda's solver says "missing" of a driver that is there as well, if it is too old."""
    there = facts.known(names.DRIVER_CUDA) is not None
    return () if there else statements(facts, "conda-no-driver")


def _missed_by_cmake(facts: Facts) -> Keys:
    """On Windows what it links with is of the toolkit; a driver that is there may lie elsewhere."""
    windows = facts.known(names.OS_SYSTEM) == "Windows"
    there = driver_answers(facts) or facts.known(names.DRIVER_VERSION) is not None
    if windows or there or statements(facts, "cmake-no-cudart"):
        return ()
    return statements(facts, "cmake-no-libcuda")


#: The same in the words of the kernel, of installers and of X.
_MODULE_TOLD = (
    *("module-of-other-kernel", "module-not-loaded-told", "held-for-virtual-machine"),
    *("installer-module-unsigned", "installer-no-compiler", "module-source-error"),
    *("dkms-fails-told", "module-does-not-load-told", "windows-driver-not-loaded"),
)


#: Another driver has the GPU, which the module finds and cannot take.
HELD_BY_OTHERS = "nouveau-in-the-way", "gpu-bound-elsewhere"
#: The module, or the installer, knows none of the GPUs that it found.
UNKNOWN_TO_DRIVER = "driver-does-not-serve-gpu", "installer-no-gpu"


def module_gone(facts: Facts) -> Keys:
    """A program of the driver says that the kernel module does not run."""
    # On a Jetson the driver is a part of the kernel, and its module has another name.
    on_board = facts.known(names.TEGRA_MODEL) is not None
    not_loaded = facts.known(names.MODULE_LOADED) is False and not on_board
    signs = "dkms-source-missing", "udev-modprobe-failed", "headers-of-other-kernel"
    runs = bool(driver_answers(facts)) or facts.known(names.MODULE_LOADED) is True
    left = () if runs else statements(facts, *signs)
    return (
        *left,
        *statements(facts, "smi-no-driver", "module-not-found", "module-not-accepted"),
        *(() if _builds_another(facts) else statements(facts, "module-build-failed")),
        *statements(facts, *HELD_BY_OTHERS, *_MODULE_TOLD),
        *errors(facts, "NVML_ERROR_DRIVER_NOT_LOADED"),
        *((names.MODULE_LOADED,) if not_loaded else ()),
    )


def _builds_another(facts: Facts) -> bool:
    """Whether the module that DKMS could not build is another maker's."""
    words = value(facts, "module-build-failed").lower()
    by_dkms = words.startswith(("error! bad return status", "error! bad exit status"))
    return by_dkms and bool(statements(facts, "dkms-of-others"))


def no_device(facts: Facts) -> Keys:
    """CUDA, or a framework, sees no device."""
    listed = ("torch-no-devices", "tf-no-gpu-devices", "tf-no-device-node", "ggml-no-cuda",
              "ollama-no-gpu", "vllm-no-device", "paddle-no-device", "bnb-no-gpu",
              "cuinit-of-stub", "torch-gpu-not-visible", "julia-cuda-not-functional",
              "no-gpu-to-choose", "jax-no-visible-gpu",
              "pygpu-no-device", "ollama-libcuda-no-device", "program-finds-no-gpu",
              "cmake-native-without-gpu", "monitor-finds-no-gpu")  # fmt: skip
    return (*errors(facts, "CUDA_ERROR_NO_DEVICE"), *statements(facts, *listed), *sees_none(facts))


@asked_once
def sees_none(facts: Facts) -> Keys:
    """A framework says outright that it sees no GPU."""
    sees = facts.keys_of(said.FRAMEWORK_SEES_GPU)
    return tuple(key for key in sees if facts.known(key) is False)


def smi_gone(facts: Facts) -> Keys:
    """There is no nvidia-smi where one belongs.

    NVIDIA's own boards have none before JetPack 7, and nodes whose driver is in a container.
    """
    on_board = facts.known(names.TEGRA_MODEL) is not None
    elsewhere = statements(facts, "gpu-operator", "smi-off-the-path")
    return () if on_board or elsewhere else statements(facts, "smi-not-found")


@asked_once
def driver_answers(facts: Facts) -> Keys:
    """nvidia-smi printed something about a GPU: the driver runs where it was called."""
    memory = facts.keys_of(names.GPU_MEMORY)
    shown = (names.NVML_COUNT, names.NVML_VERSION, *memory)
    return tuple(key for key in shown if facts.known(key))


#: What programs say of a driver that is not there at all.
_WITHOUT_DRIVER = ("CUDA_ERROR_NO_DEVICE", "CUDA_ERROR_STUB_LIBRARY", "cudaErrorInsufficientDriver",
                   "CUDA_ERROR_NOT_INITIALIZED")  # fmt: skip


def driver_spoke(facts: Facts) -> bool:
    """Whether an NVIDIA driver has a version, or gave a code: then it did not run on a Mac."""
    told = (name for name in facts.subjects(said.ERROR) if name.startswith("CUDA_ERROR_"))
    return facts.known(names.DRIVER_VERSION) is not None or any(
        name not in _WITHOUT_DRIVER for name in told
    )


def nvidia_gpus(facts: Facts) -> Keys:
    """The NVIDIA GPUs that the text names, however it does."""
    gpus = facts.keys_of(names.GPU_NAME)
    counted = facts.known(names.PCI_NVIDIA_COUNT) or 0
    return (*gpus, *((names.PCI_NVIDIA_COUNT,) if counted > 0 else ()))


def module_runs(facts: Facts) -> bool:
    """Whether the text shows the kernel module at work."""
    listed = facts.known(names.MODULE_LOADED) is True
    return listed or isinstance(facts.fact(names.MODULE_VERSION), Known)


def lacks_files_only(facts: Facts, keys: Keys) -> bool:
    """Nvidia-smi says the same of a module that runs, where only the device files are missing."""
    alone = {*keys} <= {*statements(facts, "smi-no-driver")}
    missing = module_runs(facts) and bool(statements(facts, "device-file-missing"))
    return alone and (missing or bool(statements(facts, "cdi-without-device-file")))


def kept_by_vfio(facts: Facts) -> Keys:
    """NVIDIA's devices are all held for virtual machines, and no program finds one."""
    held = drivers_of_gpus(facts)
    if not held or any(facts.known(key) != "vfio-pci" for key in held):
        return ()
    told = statements(facts, "torch-no-devices", "gpu-not-usable", "tf-no-gpu-devices")
    elsewhere = driver_answers(facts) or smi_gone(facts)  # in the virtual machine
    none = statements(facts, "smi-no-devices") or (() if elsewhere else told)
    return (*none, *held) if none else ()


_BY_FIRMWARE = regex(r"(?i)\b(?:because of|due to|by|blocked by) (?:uefi )?secure ?boot\b")


def refused_by_firmware(facts: Facts) -> bool:
    """Whether Secure Boot keeps the module out, by the state, a refusal, or somebody's words."""
    told = value(facts, "module-does-not-load-told")
    refused = bool(statements(facts, "module-not-accepted", "installer-module-unsigned"))
    # The state alone refuses no module that is not there.
    asked = facts.known(names.SECURE_BOOT) is True and not built_for_others(facts)
    return refused or asked or _BY_FIRMWARE.search(told) is not None


def built_for_others(facts: Facts) -> Keys:
    """The kernel that runs is none of those for which there is a module."""
    kernels, runs = facts.known(said.DKMS_KERNELS), facts.known(names.OS_KERNEL)
    if not kernels or not runs or any(each in runs for each in kernels):
        return ()
    return (said.DKMS_KERNELS, names.OS_KERNEL)

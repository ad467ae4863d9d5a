"""What of two machines is worth comparing, and where in the chain it belongs."""

from __future__ import annotations

from functools import cache

from ..diagnosis.model import Link
from ..facts import names
from ..facts.model import Family, Key

#: What changes by itself from minute to minute, tells one card from another of its kind, or is
#: about the look and not about the machine.
_NOISE: tuple[Key[object] | Family[object], ...] = (
    *(names.GPU_MEMORY_FREE, names.GPU_CLOCK_SM, names.GPU_CLOCK_MEMORY, names.GPU_POWER),
    *(names.GPU_TEMPERATURE, names.GPU_THROTTLE, names.GPU_UTILIZATION, names.GPU_ECC_CORRECTED),
    *(names.GPU_PCIE_GENERATION, names.GPU_PCIE_WIDTH, names.GPU_PROCESSES),
    *(names.GPU_PROCESS_BYTES, names.GPU_UUID, names.GPU_PCI, names.MIG_UUID, names.PCI_ADDRESS),
    *(names.CUDA_INIT_MS, names.PROBE_PROGRAM, names.PROBE_LEVEL, names.LIBRARY_MAPPED),
    *(names.KERNEL_LOG, names.COLLECT_BROKEN),
)

#: The link of the facts whose names begin so; the longest beginning that fits counts.
_LINKS = {
    "": Link.WORK,
    "os.": Link.KERNEL_MODULE,
    "vm.": Link.HARDWARE,
    "pci.": Link.HARDWARE,
    "gpu.": Link.HARDWARE,
    "mig.": Link.HARDWARE,
    "tegra.": Link.HARDWARE,
    "xid.": Link.HARDWARE,
    "module.": Link.KERNEL_MODULE,
    "secure_boot.": Link.KERNEL_MODULE,
    "kernel_log.": Link.KERNEL_MODULE,
    "libcuda.": Link.USER_DRIVER,
    "nvml.": Link.USER_DRIVER,
    "driver.": Link.USER_DRIVER,
    "driver.cuda": Link.RUNTIME,
    "fabric_manager.": Link.USER_DRIVER,
    "persistenced.": Link.USER_DRIVER,
    "mps.": Link.USER_DRIVER,
    "node.": Link.DEVICE_NODES,
    "container.": Link.CONTAINER,
    "wsl.": Link.CONTAINER,
    "env.": Link.VISIBLE_DEVICES,
    "visible.": Link.VISIBLE_DEVICES,
    "env.CUDA_HOME": Link.LIBRARIES,
    "env.CUDA_PATH": Link.LIBRARIES,
    "env.CUDA_VERSION": Link.LIBRARIES,
    "env.LD_": Link.LIBRARIES,
    "env.PYTHONPATH": Link.FRAMEWORK,
    "env.VIRTUAL_ENV": Link.FRAMEWORK,
    "env.CONDA_PREFIX": Link.FRAMEWORK,
    "env.TF_": Link.FRAMEWORK,
    "env.XLA_": Link.FRAMEWORK,
    "env.PYTORCH_": Link.FRAMEWORK,
    "toolkit.": Link.RUNTIME,
    "library.": Link.LIBRARIES,
    "cudnn.": Link.LIBRARIES,
    "msvc_runtime.": Link.LIBRARIES,
    "windows.": Link.LIBRARIES,
    "symbol.": Link.LIBRARIES,
    "python.": Link.FRAMEWORK,
    "package": Link.FRAMEWORK,
    "framework.": Link.FRAMEWORK,
}
#: Our own variables, and what a text is about, which is nothing of a machine.
_NOT_OF_IT = ("env.GPUPROBE_", "about.")


def is_noise(name: str) -> bool:
    """Whether a fact is left out unless all are asked for."""
    return name.startswith(_NOT_OF_IT) or _generic(name) in _noise()


@cache
def _noise() -> frozenset[str]:
    return frozenset(each.name if isinstance(each, Key) else each.pattern for each in _NOISE)


def link_of(name: str) -> Link:
    """The link of the chain that a fact, or a thing such as ``gpu.1``, belongs to."""
    return _LINKS[max((head for head in _LINKS if name.startswith(head)), key=len)]


@cache
def _places() -> dict[str, int]:
    rows = names.catalogue()
    return {row.name if isinstance(row, Key) else row.pattern: n for n, row in enumerate(rows)}


def place_of(name: str) -> tuple[int, str]:
    """The order among facts of one link: things first, then as the catalogue lists them."""
    return _places().get(_generic(name), -1), name


def _generic(name: str) -> str:
    """``gpu.{}.uuid`` of ``gpu.0.uuid``, as the catalogue writes families; else the name."""
    head, _, rest = name.partition(".")
    _, dot, field = rest.partition(".")
    candidates = (name, f"{head}.{{}}.{field}" if dot else f"{head}.{{}}")
    return next((each for each in candidates if each in _places()), name)

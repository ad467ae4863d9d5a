"""Is there an NVIDIA GPU at all? The question that nearly every rule asks first.

"No" is said only where somebody looked at every place in which a GPU would show itself: a rule
that blames a driver on a machine without a GPU, or a machine whose /sys could not be read, would
raise a false alarm.
"""

from __future__ import annotations

from ....facts import names
from ....facts.model import Facts, Keys, Known, Missing
from ..once import asked_once

#: Facts that are a number of GPUs which somebody saw.
_COUNTS = (names.PCI_NVIDIA_COUNT, names.NVML_COUNT, names.CUDA_COUNT, names.CUDA_COUNT_UNMASKED)
#: Facts that exist only where the NVIDIA kernel module found a GPU, or on a Tegra system.
_TRACES: Keys = (
    names.MODULE_VERSION,
    names.NODE("nvidiactl"),
    names.NODE("nvidia0"),
    names.TEGRA_MODEL,
)
#: What else `has_nvidia_gpu` asks before it says "no".
WHERE_A_GPU_SHOWS: Keys = (
    *(names.NODE("nvidiactl"), names.WSL_VERSION, names.TEGRA_MODEL),
    *(names.OS_SYSTEM, names.OS_MACHINE),
)


def signs_of_gpu(facts: Facts) -> Keys:
    """The facts that show an NVIDIA GPU; in a container also what its runtime left behind."""
    counts = tuple(key for key in _COUNTS if (facts.known(key) or 0) > 0)
    traces = tuple(key for key in _TRACES if isinstance(facts.fact(key), Known))
    return (*counts, *traces, *_container_traces(facts))


def _container_traces(facts: Facts) -> Keys:
    if facts.known(names.CONTAINER_KIND) is None or not facts.known(names.CONTAINER_NVIDIA):
        return ()
    return (names.CONTAINER_NVIDIA,)


@asked_once
def has_nvidia_gpu(facts: Facts) -> bool:
    """Whether this machine has, or its host has, an NVIDIA GPU.

    Raises:
        Missing: Nobody could look everywhere, so that "no" cannot be said.
    """
    if signs_of_gpu(facts):
        return True
    system = facts.need(names.OS_SYSTEM)
    if system == "Darwin":
        return False
    if system == "Linux" or facts.known(names.WSL_VERSION) is not None:
        _look_beside_the_bus(facts)
    if facts.look(names.PCI_NVIDIA_COUNT) is None:
        key = names.PCI_NVIDIA_COUNT
        raise Missing(key.name, "this machine shows no PCI bus", key.how)
    return False


def _look_beside_the_bus(facts: Facts) -> None:
    """Raise `Missing` where a Linux GPU could hide from the PCI bus and nobody looked."""
    if facts.look(names.WSL_VERSION) is not None:
        key = names.PCI_NVIDIA_COUNT
        raise Missing(key.name, "under WSL the GPU is not on the PCI bus", "nvidia-smi.exe -L")
    facts.look(names.MODULE_VERSION)
    facts.look(names.NODE("nvidiactl"))
    if facts.look(names.CONTAINER_KIND) is not None:
        facts.look(names.CONTAINER_NVIDIA)
    if facts.need(names.OS_MACHINE) == "aarch64":
        facts.look(names.TEGRA_MODEL)

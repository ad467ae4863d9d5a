"""What lies around a WSL that does not reach its driver: Windows, Docker, or Hyper-V itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ..statements import errors, value

if TYPE_CHECKING:
    from ....facts.model import Facts

#: What is wrong where the driver answers, and a service or another login does not find its tool.
NOT_CALLED = "Inside WSL nvidia-smi lies in /usr/lib/wsl/lib, which is not searched here"
#: The build of Windows 10 21H2. Previews had GPUs in WSL before, from build 20150 on.
_FIRST_BUILD = 19044
_BUILD = regex(r"(?a)\bWindows\b[^\n]{0,40}?\b10\.0\.(\d{5})\b")


def build_too_old(facts: Facts) -> int | None:
    """The build of the Windows around a WSL, where somebody told it and it has no GPU for WSL."""
    match = _BUILD.search(facts.known(names.OS_NAME) or "")
    return int(match[1]) if match and int(match[1]) < _FIRST_BUILD else None


def title_of_wsl(facts: Facts, *, own: bool) -> str:
    """What is told apart where the driver of Windows is not reached."""
    if own:
        return "A Linux driver is installed inside WSL and hides the one that Windows provides"
    if docker_not_asked(facts):
        return "In WSL Docker was not asked for the GPU, so the container has no nvidia-smi"
    if guest_of_hyper_v(facts):
        return "A virtual machine gets the GPU from Windows, and NVML is refused there"
    return "Inside WSL the driver's library, which Windows provides, is not reached"


def docker_not_asked(facts: Facts) -> bool:
    """Whether docker run has no --gpus, and what it starts is the nvidia-smi that is missing."""
    asked = facts.known(said.CONTAINER_GPUS)
    return asked is False and "executable file not found" in value(facts, "smi-not-found")


def guest_of_hyper_v(facts: Facts) -> bool:
    """Whether the kernel is a distribution's own, on which a GPU of Microsoft's is listed."""
    cards = {facts.known(names.PCI_VENDOR(pci)) for pci in facts.subjects(names.PCI_VENDOR)}
    own = (facts.known(names.OS_KERNEL) or "").endswith("-generic")
    blocked = bool(errors(facts, "NVML_ERROR_OPERATING_SYSTEM"))
    return own and blocked and cards == {"microsoft"}

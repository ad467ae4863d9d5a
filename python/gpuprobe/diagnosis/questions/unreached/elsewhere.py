"""What tells that a text's program runs where there is another maker's GPU, or none.

Each public function is one cause of `unreached`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ...model import Confidence
from ..statements import errors, statements, value
from ..symptoms import (
    driver_answers,
    driver_spoke,
    library_gone,
    module_gone,
    module_runs,
    no_device,
    nvidia_gpus,
    smi_gone,
)
from .cause import NO_GPU, Unreached

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys


def without_gpu_by_type(facts: Facts) -> Unreached | None:
    """A driver's program fails on a rented machine whose type has no GPU of NVIDIA's."""
    rented = statements(facts, "cloud-type-without-gpu")
    failing = (
        *(*smi_gone(facts), *module_gone(facts), *library_gone(facts), *no_device(facts)),
        *statements(facts, "container-cli-error"),
    )
    if not failing or driver_answers(facts):
        return None
    if head := _on_head_node(facts):
        title = f"The head node, of type {value(facts, _HEAD)}, has no NVIDIA GPU: other nodes may"
        return Unreached(NO_GPU, title, (*head, *failing), Confidence.LIKELY)
    if statements(facts, "cloud-type-with-gpu"):
        return None  # which of the machines it is is not told
    if not rented or nvidia_gpus(facts):
        return None
    title = f"A machine of type {value(facts, 'cloud-type-without-gpu')} has no NVIDIA GPU"
    return Unreached(NO_GPU, title, (*rented, *failing), Confidence.LIKELY)


_HEAD = "head-node-without-gpu"


def _on_head_node(facts: Facts) -> Keys:
    """The program ran on the node from which others are reached, whichever GPU those have."""
    head, ran = statements(facts, _HEAD), statements(facts, "on-head-node-told")
    return (*head, *ran) if head and ran else ()


def of_host_only(facts: Facts) -> Unreached | None:
    """Somebody says that the virtual machine in which the program fails has not its host's GPU."""
    told = statements(facts, "gpu-of-host-only-told")
    failing = (*module_gone(facts), *library_gone(facts), *no_device(facts), *smi_gone(facts))
    if not told or not failing or driver_answers(facts):
        return None
    title = "This virtual machine does not get at the GPU of its host, as the text says"
    return Unreached(NO_GPU, title, (*told, *failing), Confidence.LIKELY)


#: What CUDA answers where it finds no driver, or no GPU.
_NOT_FOUND = "cudaErrorInsufficientDriver", "CUDA_ERROR_NO_DEVICE"


def of_other_maker(facts: Facts) -> Unreached | None:
    """Somebody says that the card is none of NVIDIA's, and a program asks for one that is."""
    told = statements(facts, "told-other-card")
    failing = (
        *(*smi_gone(facts), *module_gone(facts), *library_gone(facts), *no_device(facts)),
        *errors(facts, *_NOT_FOUND),
        *statements(facts, "program-finds-no-gpu"),
    )
    if not told or not failing or nvidia_gpus(facts) or driver_answers(facts):
        return None
    if driver_spoke(facts):
        return None
    title = "The graphics card is none of NVIDIA's, as the text says, and CUDA runs on no other"
    return Unreached(NO_GPU, title, (*told, *failing), Confidence.LIKELY)


#: Without a word of a card it may be the processor's maker.
_PROCESSORS = ("amd", "amd's")


def asked_for_other_card(facts: Facts) -> Unreached | None:
    """Somebody whose program finds no driver or GPU of NVIDIA's asks about another maker's card."""
    asked, card = statements(facts, "other-card-asked"), value(facts, "other-card-asked")
    failing = (
        *(*library_gone(facts), *errors(facts, *_NOT_FOUND)),
        *statements(facts, "torch-no-devices"),
    )
    if card.lower() in _PROCESSORS or not (asked and failing) or _has_nvidia(facts):
        return None
    title = f"NVIDIA's driver is not found, and another maker's card is asked about: {card}"
    return Unreached(NO_GPU, title, (*asked, *failing), Confidence.LIKELY)


def _has_nvidia(facts: Facts) -> bool:
    """Whether one is named, or what only who has one would have is there or answers."""
    if nvidia_gpus(facts) or driver_answers(facts) or module_runs(facts) or driver_spoke(facts):
        return True
    return facts.known(names.TOOLKIT_VERSION) is not None


def made_for_other_gpus(facts: Facts) -> Unreached | None:
    """A program that people take for AMD's or Intel's GPUs finds no driver of NVIDIA's."""
    made, gone = statements(facts, "made-for-other-gpus"), library_gone(facts)
    if not made or not gone or _has_nvidia(facts):
        return None
    program = value(facts, "made-for-other-gpus")
    title = f"The program finds no NVIDIA driver, and it is made for other GPUs: {program}"
    return Unreached(NO_GPU, title, (*made, *gone), Confidence.POSSIBLE)

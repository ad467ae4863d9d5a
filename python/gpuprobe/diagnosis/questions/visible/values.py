"""What the values of CUDA_VISIBLE_DEVICES and its sibling leave to a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys
    from ....knowledge.visible_devices.model import Gpu

VISIBLE = names.ENV("CUDA_VISIBLE_DEVICES")
OF_CONTAINER = names.ENV("NVIDIA_VISIBLE_DEVICES")
_OF_AMD = (names.ENV("ROCR_VISIBLE_DEVICES"), names.ENV("HIP_VISIBLE_DEVICES"))
CAPABILITIES = names.ENV("NVIDIA_DRIVER_CAPABILITIES")
#: Numbers of GPUs, as most people write them.
NUMBERS = regex(r"\d{1,3}(?:, ?\d{1,3}){0,31}")
#: What a shell or a template would have filled in.
_OPEN = "$%{<["
#: What Python's list looks like, which CUDA does not read; "[0-7]" is a template's range.
_LIST = regex(r"\[\d{1,2}(?:, ?\d{1,2})*\]")
#: What a shell always fills in with its own name, which is no device.
_SHELLS_NAME = "$0"
_LONGEST = 60


def wanted(facts: Facts) -> str | None:
    """The GPUs that the code names, where it names numbers."""
    values = (facts.known(said.VISIBLE_SET_AFTER_START), facts.known(VISIBLE))
    return next((each for each in values if each and NUMBERS.fullmatch(each)), None)


def hides_all(value: str, gpus: tuple[Gpu, ...] | None = None) -> bool:
    """Whether `value` leaves no device: on any machine, or on one with these GPUs."""
    from ....knowledge.visible_devices.predictor import predict

    return predict(value, gpus).hides_all


def is_left_to_shell(value: str) -> bool:
    """Whether `value` is a variable of the shell's, ``$GPU_ID`` or ``%GPU_ID%``."""
    return value.startswith("$") or (value.startswith("%") and value.endswith("%"))


def shortened(value: str) -> str:
    """`value` in at most as many characters as a title bears."""
    return value if len(value) <= _LONGEST else value[: _LONGEST - 1] + "…"


def gives_none(value: str | None) -> bool:
    """Whether this NVIDIA_VISIBLE_DEVICES gives a container no GPU."""
    if not value:  # an image that sets the empty value is one without any claim to GPUs
        return False
    from ....knowledge.visible_devices.container import given

    return given(value).nothing


def left_out(facts: Facts, capability: str = "compute") -> bool:
    """Whether a container was told to do without a part of the driver."""
    asked = facts.known(CAPABILITIES)
    if asked is None:
        return False
    from ....knowledge.visible_devices.container import brings

    return not brings(capability, asked)


def hiding(facts: Facts) -> Keys:
    """The variable that leaves a text's program no GPU, and what shows it; empty without one."""
    value = facts.known(VISIBLE)
    if value == _SHELLS_NAME:
        return (VISIBLE,)
    if value is not None and (not any(each in value for each in _OPEN) or _LIST.fullmatch(value)):
        if hides_all(value):
            return (VISIBLE,)
        if value.startswith("GPU-"):
            return _unknown_uuid(facts, value)
        there = gpu_count(facts)
        if there and hides_all(value, _nameless(len(there))):
            return (VISIBLE, *there)
    if gives_none(facts.known(OF_CONTAINER)):
        return (OF_CONTAINER,)
    return _hidden_twice(facts)


def _hidden_twice(facts: Facts) -> Keys:
    """AMD's two variables, one below the other: the numbers of HIP's begin anew at 0.

    Who gives both the same numbers of all GPUs hides those whose number is not below the count.
    """
    above, below = (facts.known(each) or "" for each in _OF_AMD)
    if not NUMBERS.fullmatch(above) or not NUMBERS.fullmatch(below):
        return ()
    first = int(below.split(",")[0])
    return _OF_AMD[::-1] if first >= len(above.split(",")) else ()


def beyond_visible(facts: Facts) -> Keys:
    """A number in code that none of the GPUs has that the variable leaves, which begin at 0."""
    value, highest = facts.known(VISIBLE) or "", facts.known(said.DEVICE_NUMBERED)
    if highest is None or not NUMBERS.fullmatch(value):
        return ()
    return (VISIBLE, said.DEVICE_NUMBERED) if highest >= len(value.split(",")) else ()


def _unknown_uuid(facts: Facts, value: str) -> Keys:
    """A UUID is one of another machine where the GPUs that are listed have others."""
    from ....knowledge.visible_devices.model import Gpu

    uuids = facts.keys_of(names.GPU_UUID)
    known = tuple(Gpu(facts.known(key) or "") for key in uuids)
    return (VISIBLE, *uuids) if hides_all(value, known) else ()


def _nameless(count: int) -> tuple[Gpu, ...]:
    from ....knowledge.visible_devices.model import Gpu

    return (Gpu(),) * count


def names_unseen_gpu(facts: Facts) -> bool:
    """Whether the variable names a UUID, and the text lists none to compare it with."""
    named = (facts.known(VISIBLE) or "").startswith("GPU-")
    return named and not facts.subjects(names.GPU_UUID)


def names_a_later_gpu(facts: Facts) -> bool:
    """Whether the variable names the second GPU or a later one, and no tool listed the GPUs."""
    from ....knowledge.visible_devices.entries import number

    first = number((facts.known(VISIBLE) or "").partition(",")[0])
    return first is not None and first > 0 and not gpu_count(facts)


def gpu_count(facts: Facts) -> Keys:
    """The GPUs that a tool listed, by their names; a person may leave some of them out."""
    gpus = facts.subjects(names.GPU_MEMORY) or facts.subjects(names.GPU_UUID)
    return tuple(names.GPU_NAME(gpu) for gpu in gpus)

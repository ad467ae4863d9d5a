"""What the values of CUDA_VISIBLE_DEVICES and its sibling leave to a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names

if TYPE_CHECKING:
    from ...facts.model import Facts, Key

VISIBLE = names.ENV("CUDA_VISIBLE_DEVICES")
_OF_CONTAINER = names.ENV("NVIDIA_VISIBLE_DEVICES")
#: Values of NVIDIA_VISIBLE_DEVICES that give a container no GPU (NVIDIA Container Toolkit).
_NONE_GIVEN = ("void", "none")
#: What a shell or a template would have filled in.
_OPEN = "$%{<["


def hides_all_by_itself(value: str) -> bool:
    """Whether `value` leaves no device on any machine.

    The first entry that is not valid ends the list, and an empty or a negative one never is
    (CUDA Programming Guide, environment variables).
    """
    first = value.partition(",")[0].strip()
    negative = first.startswith("-") and first[1:].lstrip("0")[:1].isdigit()
    return not first or negative


def hiding(facts: Facts) -> tuple[Key[object], ...]:
    """The variable that leaves a text's program no GPU, and what shows it; empty without one."""
    value = facts.known(VISIBLE)
    if value is not None and not any(sign in value for sign in _OPEN):
        if hides_all_by_itself(value) or _is_a_word(value):
            return (VISIBLE,)
        there = gpu_count(facts)
        if there and out_of_range(value, len(there)):
            return (VISIBLE, *there)
        if value.startswith("GPU-"):
            return _unknown_uuid(facts, value)
    if facts.known(_OF_CONTAINER) in _NONE_GIVEN:
        return (_OF_CONTAINER,)
    return ()


def _unknown_uuid(facts: Facts, value: str) -> tuple[Key[object], ...]:
    """A UUID is one of another machine where the GPUs that are listed have others."""
    uuids = [names.GPU_UUID(gpu) for gpu in facts.subjects(names.GPU_UUID)]
    if any(_is_named(value, facts.known(key) or "") for key in uuids):
        return ()
    return (VISIBLE, *uuids)


def names_unseen_gpu(facts: Facts) -> bool:
    """Whether the variable names a UUID, and the text lists none to compare it with."""
    named = (facts.known(VISIBLE) or "").startswith("GPU-")
    return named and not facts.subjects(names.GPU_UUID)


def names_a_later_gpu(facts: Facts) -> bool:
    """Whether the variable names the second GPU or a later one, and no tool listed the GPUs."""
    first = (facts.known(VISIBLE) or "").partition(",")[0].strip()
    return first.isdigit() and int(first) > 0 and not gpu_count(facts)


def _is_a_word(value: str) -> bool:
    """Neither a number nor a UUID: ``all``, ``cuda:0``, or Slurm's ``NoDevFiles``."""
    first = value.partition(",")[0].strip()
    return first[:1].isalpha() and not first.startswith(("GPU-", "MIG-"))


def _is_named(value: str, uuid: str) -> bool:
    first = value.partition(",")[0].strip()
    return uuid.startswith(first)


def out_of_range(value: str, count: int) -> bool:
    """Whether the first entry is a number that a machine with `count` GPUs does not have."""
    first = value.partition(",")[0].strip()
    return first.isdigit() and int(first) >= count


def gpu_count(facts: Facts) -> tuple[Key[object], ...]:
    """The GPUs that a tool listed, by their names; a person may leave some of them out."""
    gpus = facts.subjects(names.GPU_MEMORY) or facts.subjects(names.GPU_UUID)
    return tuple(names.GPU_NAME(gpu) for gpu in gpus)

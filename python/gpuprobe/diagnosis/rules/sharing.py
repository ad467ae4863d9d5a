"""Which part of which GPU a program gets: MIG instances, and variables that come too late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ...facts.model import Absent, Facts, Keys, Missing, NotThere
from ..fixes.access import set_variable_early, start_cuda_in_workers
from ..fixes.mig import (
    ask_as_root,
    let_plugin_see_all,
    look_for_mig_instance,
    make_mig_at_start,
    make_mig_instance,
    name_mig_instance,
    number_mig_instance,
    one_type_for_all,
    start_one_for_each,
)
from ..model import Confidence, Draft, Finding, Findings, Fix, Link, Severity, cite, rule
from ..questions.driver.state import NO_DEVICE, answer, works
from ..questions.gpus.mig import (
    asks_for_further,
    gpu_names,
    gpus_without_instance,
    in_use,
    instances_named,
    mixed_types,
    names_instances,
    said_by_plugin,
    shows_no_instance,
    told_in_use,
    unknown_instance,
    whole_gpu_refused,
    without_instance,
)
from ..questions.place import place_of
from ..questions.source import looked_at
from ..questions.statements import errors, statements, value
from ..questions.symptoms import no_device
from ..questions.visible.values import VISIBLE, shortened, wanted
from .hardware import listed_gpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Fix

_MIG_TOLD = "mig-without-instances", "k8s-plugin-mig", "mig-change-pending", "mig-change-refused"
_ONE_OF_SEVERAL = "mig-one-of-several-told"
#: So a program ends that takes a GPU on which MIG was switched on, and no instance was made.
_NOT_STARTED = "CUDA_ERROR_NOT_INITIALIZED", "cudaErrorInitializationError"


@rule("GP305", "mig", cause="mig", link=Link.VISIBLE_DEVICES, since="0.1")
def mig(facts: Facts) -> Findings:
    """MIG mode is on without an instance, or a program asks for more of one than there is."""
    if looked_at(facts):
        yield from _on_machine(facts)
        return
    for draft in _told(facts):
        yield draft.finding(facts)
        return


def _told(facts: Facts) -> Iterator[Draft]:
    """What a text tells, what decides most first."""
    unread = statements(facts, "visible-devices-not-numbers")
    if unread and names_instances(value(facts, "visible-devices-not-numbers")):
        title = "The program takes the name of a MIG instance for the number of a GPU"
        yield Draft(title, (*unread, VISIBLE), number_mig_instance())
    if unknown := unknown_instance(facts):
        title = "No GPU has the MIG instance that the container was to get"
        yield Draft(title, unknown, name_mig_instance(), Confidence.LIKELY)
    if mixed := mixed_types(facts):
        title = "The node has MIG instances of several types, and the strategy single takes one"
        yield Draft(f"{title} type", mixed, one_type_for_all(gpu_names(facts)))
    bare, stated, failing = without_instance(facts), _stated(facts), _failing(facts)
    if stated or (bare and failing):
        sure = Confidence.CERTAIN if bare or len(stated) > 1 else Confidence.LIKELY
        fix = make_mig_instance(gpus_without_instance(facts))
        yield Draft(_NO_INSTANCE, (*stated, *bare, *failing), fix, sure)
    if unasked := whole_gpu_refused(facts):
        title = (
            "The program asks for a whole GPU, of which NVML tells only root while MIG splits it"
        )
        fix = let_plugin_see_all() if said_by_plugin(facts) else ask_as_root()
        yield Draft(title, (*unasked, VISIBLE), fix, Confidence.LIKELY)
    if gone := statements(facts, "mig-gone-told"):
        title = "MIG, or its instances, did not outlast a restart of the machine, as the text says"
        yield Draft(title, gone, make_mig_at_start(), Confidence.LIKELY)
    used = (*in_use(facts), *told_in_use(facts))
    if used and failing:
        title, fix = _why_unseen(facts)
        yield Draft(title, (*used, *failing, VISIBLE), fix, Confidence.LIKELY)


def _stated(facts: Facts) -> Keys:
    """A program says outright that no instance is there, or that none can be made or used."""
    by_tools = "mig" in value(facts, "container-cli-error").lower()
    tools = statements(facts, "container-cli-error") if by_tools else ()
    return (*statements(facts, *_MIG_TOLD), *tools)


def _failing(facts: Facts) -> Keys:
    """What fails as it does where a program gets no part of a GPU."""
    return (
        *no_device(facts),
        *errors(facts, "CUDA_ERROR_INVALID_DEVICE", *_NOT_STARTED),
        *statements(facts, "not-enough-gpus", "torch-counts-differ", "ollama-no-gpu"),
        *statements(facts, "k8s-cuda-validation-fails", "mig-devices-unseen", _ONE_OF_SEVERAL),
        # What fails beside an instance that is named may be anything.
        *(() if instances_named(facts) else statements(facts, "mig-told-to-fail")),
    )


def _why_unseen(facts: Facts) -> tuple[str, Fix]:
    """Several are asked for, of which a process gets one; or none is named; or none was made."""
    named = instances_named(facts)
    if named > 1:
        title = (
            f"One process gets one MIG instance: of the {named} that are named it sees the first"
        )
        return title, start_one_for_each()
    if asks_for_further(facts):
        title = "One process gets one MIG instance, and this program asks for more"
        return title, start_one_for_each()
    if not named and shows_no_instance(facts):
        title = "MIG mode is on, and the program sees no instance: perhaps none was made"
        return title, look_for_mig_instance()
    return "The GPU is split by MIG, and this program names none of its instances", (
        name_mig_instance()
    )


_NO_INSTANCE = "MIG mode is on, and there is no instance that a program could use"


def _on_machine(facts: Facts) -> Findings:
    """By cuInit, which sees no device, or before it was asked by what NVML lists.

    Raises:
        Missing: Nobody could see whether MIG mode is on, or whether there are instances.
    """
    unasked = answer(facts, names.CUDA_OUTCOME) == "not run"
    if works(facts) or not (unasked or facts.known(names.CUDA_CODE) == NO_DEVICE):
        return
    masked = not unasked and facts.look(VISIBLE) is not None
    if masked and facts.need(names.CUDA_COUNT_UNMASKED) > 0:
        return  # GP302: the variable hides what is there
    gpus = listed_gpus(facts)
    split = tuple(gpu for gpu in gpus if facts.look(names.GPU_MIG(gpu)))
    bare = tuple(gpu for gpu in split if facts.look(names.GPU_MIG_INSTANCES(gpu)) == 0)
    if bare and (bare == gpus or not unasked):
        keys = (family(gpu) for gpu in bare for family in (names.GPU_MIG, names.GPU_MIG_INSTANCES))
        yield Finding(
            _NO_INSTANCE,
            cite(facts, *keys, names.CUDA_CODE, names.NVML_COUNT),
            make_mig_instance(bare),
        )


@rule(
    "GP306",
    "visible-devices-too-late",
    cause="visible-devices-too-late",
    link=Link.VISIBLE_DEVICES,
    since="0.1",
)
def visible_devices_too_late(facts: Facts) -> Findings:
    """CUDA_VISIBLE_DEVICES is set in a program that has imported its framework already."""
    if looked_at(facts):
        yield from _late_in_this_process(facts)
        return
    from ..questions.visible.too_late import too_late

    if late := too_late(facts):
        yield Finding(
            late.title,
            cite(facts, *late.keys),
            start_cuda_in_workers() if late.in_workers else _set_early(facts),
            severity=late.severity,
            confidence=late.confidence,
        )


def _set_early(facts: Facts) -> Fix:
    return set_variable_early(place_of(facts), wanted(facts))


def _late_in_this_process(facts: Facts) -> Findings:
    """CUDA runs here with other devices than a new process would get by the same variables."""
    if facts.known(names.PROCESS_DEVICES) is None and isinstance(facts.fact(VISIBLE), Absent):
        raise NotThere(VISIBLE.name)  # where it is not set, nobody has to look at the process
    has = facts.need(names.PROCESS_DEVICES)
    from ..questions.visible.devices import of_a_new_process

    value = facts.known(VISIBLE)
    try:
        would_have = of_a_new_process(facts, value)
    except Missing as error:  # told of the process, for a proof in another one does not answer it
        reason = f"nothing to compare them with, {error}"
        raise Missing(names.PROCESS_DEVICES.name, reason, error.how) from error
    if "unknown" in has or _alike(has, would_have):
        return
    shown = "" if value is None else f'="{shortened(value)}"'
    yield Finding(
        f"CUDA_VISIBLE_DEVICES{shown} came too late for this process: CUDA had started with "
        f"{_devices(len(has))}, a new process gets {_devices(len(would_have))}",
        cite(facts, VISIBLE, names.PROCESS_DEVICES, names.VISIBLE_AT_START, names.CUDA_COUNT),
        _set_early(facts),
        severity=Severity.WARNING,
        subject="process",
    )


def _devices(count: int) -> str:
    return "1 device" if count == 1 else f"{count} devices"


def _alike(has: tuple[str, ...], would_have: tuple[str, ...]) -> bool:
    """Whether these may be the same devices: of one that nobody named no other can be told."""
    pairs = zip(has, would_have, strict=False)
    return len(has) == len(would_have) and all(b in (a, "unknown") for a, b in pairs)

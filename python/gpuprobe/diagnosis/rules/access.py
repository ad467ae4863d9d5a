"""Does this process get at a GPU that is there: device nodes, visible devices?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.model import Facts, NotThere
from ..fixes.access import (
    allow_device_nodes,
    ask_ray_for_gpu,
    ask_slurm_for_gpu,
    describe_devices_anew,
    give_container_the_gpu,
    leave_control_group,
    make_device_nodes,
    open_to_all,
    unset_variable,
)
from ..fixes.mig import name_mig_instance
from ..model import Confidence, Finding, Findings, Fix, Link, cite, rule
from ..questions.driver.device_files import control_file, shut
from ..questions.driver.state import (
    NO_DEVICE,
    answer,
    has_real_libcuda,
    in_container,
    on_board,
    works,
)
from ..questions.gpus.mig import any_mig
from ..questions.place import Place, place_of
from ..questions.statements import value
from ..questions.unreached.cause import HIDDEN, NODES, Unreached
from ..questions.unreached.first_cause import unreached
from ..questions.visible.values import OF_CONTAINER, VISIBLE, gives_none, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...knowledge.visible_devices.model import Prediction


#: Ray gives its workers a variable of their own.
_BY_RAY = frozenset(said.SIGN(each).name for each in ("ray-worker", "ray-without-request"))


@rule(
    "GP302",
    "visible-devices-hide-all",
    cause="hidden-by-visible-devices",
    link=Link.VISIBLE_DEVICES,
    since="0.1",
)
def visible_devices_hide_all(facts: Facts) -> Findings:
    """CUDA_VISIBLE_DEVICES hides every GPU."""
    told = unreached(facts)
    if told is not None:
        if told.cause == HIDDEN:
            from ..questions.visible.hidden_by import uncover

            by_ray = any(key.name in _BY_RAY for key in told.keys)
            yield told.finding(facts, ask_ray_for_gpu() if by_ray else uncover(facts, told.keys))
        return
    if _is_given_none(facts):
        yield _given_none(facts)
        return
    value = facts.need(VISIBLE)
    if works(facts):
        return
    there = facts.known(names.CUDA_COUNT_UNMASKED) or facts.known(names.NVML_COUNT) or 0
    from ..questions.visible.devices import foreseen  # not needed where the variable is not set

    foretold = foreseen(facts, value)
    confidence = _how_sure(facts, foretold)
    if confidence is None:
        return
    if there == 0:
        facts.look(names.NVML_COUNT)  # who does not know of a GPU cannot say that it is hidden
        return
    evidence = cite(facts, VISIBLE, names.CUDA_CODE, names.CUDA_COUNT_UNMASKED, names.NVML_COUNT)
    names_instance = _names_instance(foretold)
    unset = unset_variable(place_of(facts), "CUDA_VISIBLE_DEVICES")
    unset = ask_slurm_for_gpu() if _is_of_slurm(facts, value) else unset
    what = f"{_hidden(facts, there)}{_because(foretold, there)}"
    yield Finding(
        f'CUDA_VISIBLE_DEVICES="{shortened(value)}" hides {what}',
        evidence,
        name_mig_instance() if names_instance else unset,
        confidence=confidence,
        cause="mig" if names_instance else None,
    )


def _is_of_slurm(facts: Facts, value: str) -> bool:
    """Whether a job was given no GPU, so that those that are there are other people's."""
    job, given = names.ENV("SLURM_JOB_ID"), names.ENV("SLURM_JOB_GPUS")
    without = facts.known(job) is not None and facts.known(given) is None
    return value == "NoDevFiles" or (without and value.strip() in ("", "-1"))


def _hidden(facts: Facts, there: int) -> str:
    """What is hidden; of a GPU in MIG mode the instances, even those that one process lacks."""
    kind = "GPU"
    if any_mig(facts):
        counts = [facts.known(names.GPU_MIG_INSTANCES(gpu)) for gpu in _split(facts)]
        instances = sum(count or 0 for count in counts)
        whole = len(facts.subjects(names.GPU_MIG)) - len(counts)
        kind = "device" if whole or not instances else "MIG instance"
        there = max(there, instances + whole)
    return f"the only {kind}" if there == 1 else f"all {there} {kind}s"


def _split(facts: Facts) -> Iterator[str]:
    """The GPUs in MIG mode."""
    return (gpu for gpu in facts.subjects(names.GPU_MIG) if facts.known(names.GPU_MIG(gpu)))


def _is_given_none(facts: Facts) -> bool:
    """Whether a container has the driver's files, and its run time was told to give no GPU."""
    failing = facts.known(names.CUDA_CODE) == NO_DEVICE or not _asks_cuda(facts)
    if not failing or works(facts) or (facts.known(names.NVML_COUNT) or 0) > 0:
        return False
    if facts.known(names.CONTAINER_KIND) is None or facts.known(names.LIBCUDA_PATH) is None:
        return False
    return has_real_libcuda(facts) and gives_none(facts.look(OF_CONTAINER))


def _asks_cuda(facts: Facts) -> bool:
    return facts.known(names.PROBE_LEVEL) != "quick"


def _given_none(facts: Facts) -> Finding:
    value = facts.known(OF_CONTAINER)
    kind = facts.known(names.CONTAINER_KIND) or "docker"
    return Finding(
        f'NVIDIA_VISIBLE_DEVICES="{value}" gives this container no GPU',
        cite(facts, OF_CONTAINER, names.CONTAINER_KIND, names.CUDA_CODE, names.NVML_COUNT),
        give_container_the_gpu(kind),
        confidence=Confidence.LIKELY,
    )


def _names_instance(foretold: Prediction) -> bool:
    """Whether the value goes wrong at a MIG instance: then the instance has to be named right."""
    culprit = foretold.culprit
    return culprit is not None and culprit.is_about_mig


def _because(foretold: Prediction, there: int) -> str:
    """Why, where it was foreseen."""
    if not foretold.hides_all or foretold.culprit is None:
        return ""
    from ...knowledge.visible_devices.words import why

    return f": {why(foretold.culprit, there)}"


def _how_sure(facts: Facts, foretold: Prediction) -> Confidence | None:
    """How sure it is that the variable hides the GPUs that are there; None: it does not."""
    from ..questions.visible.devices import foreseen, unforeseeable

    by_rules = Confidence.LIKELY if foretold.doubts else Confidence.CERTAIN
    # In MIG mode a GPU without an instance is shown by no value.
    hides_all = foretold.hides_all and not foreseen(facts, None).hides_all
    if answer(facts, names.CUDA_OUTCOME) == "not run":
        if foretold.devices is None:
            unforeseeable(facts)
        return by_rules if hides_all else None
    if facts.known(names.CUDA_CODE) != NO_DEVICE:
        return None
    unmasked = facts.known(names.CUDA_COUNT_UNMASKED)
    if unmasked is not None:
        return Confidence.CERTAIN if unmasked > 0 else None
    if hides_all:
        return by_rules
    # MIG mode without an instance gives the same code with the same count in NVML.
    if any_mig(facts):
        return None
    facts.look(names.GPU_MIG("0"))  # who does not know of MIG cannot say that the variable hides it
    return Confidence.LIKELY


#: Codes of cuInit, and of nvmlInit, that a device file which cannot be opened may have caused.
_CUDA_CODES = (3, 100, 101, 304, 800, 999)
_NVML_CODES = (4, 9, 17, 999)


#: What tells of files that are not there, where others tell of files that are closed.
_LACKING = frozenset(
    said.SIGN(each).name
    for each in (
        *("device-file-missing", "device-file-wanted", "tf-no-device-node", "uvm-not-loaded"),
        *("uvm-not-loaded-told", "reached-once-used"),
    )
)


@rule("GP303", "device-nodes", cause="device-nodes", link=Link.DEVICE_NODES, since="0.1")
def device_nodes(facts: Facts) -> Findings:
    """The device files of the GPU are missing, or may not be opened."""
    told = unreached(facts)
    if told is not None:
        if told.cause == NODES:
            yield told.finding(facts, _reopened(facts, told, place_of(facts)))
        return
    if facts.need(names.OS_SYSTEM) != "Linux":
        raise NotThere(names.NODE("nvidiactl").name)
    board = on_board(facts)
    if not board:
        facts.need(names.MODULE_VERSION)
    if works(facts) or (facts.known(names.CUDA_COUNT_UNMASKED) or 0) > 0:
        return
    if not has_real_libcuda(facts) or not _fails_like_a_closed_file(facts):
        return
    if in_container(facts) and facts.look(control_file(facts)) is None:
        return  # GP301: the container has no access at all
    found = shut(facts)
    if found is not None:
        driver = names.TEGRA_MODEL if board else names.MODULE_VERSION
        keys = (*found.keys, names.CUDA_CODE, names.NVML_CODE, driver)
        yield found._replace(keys=keys).finding(facts)


def _reopened(facts: Facts, told: Unreached, place: Place) -> Fix:
    """Files that lack are made; those that are closed are opened."""
    if _is_without_rules(facts, told):
        from ..fixes.container_tools import set_device_rules

        return set_device_rules()
    if said.SIGN("cdi-without-device-file") in told.keys:
        return describe_devices_anew(place)
    unstarted = "cuda error: unknown error" in value(facts, "container-cli-error").lower()
    if unstarted or any(key.name in _LACKING for key in told.keys):
        return make_device_nodes(place)
    if place.container:
        return leave_control_group(place)
    mode = facts.known(said.NODES_CLOSED_MODE)
    return allow_device_nodes(place) if mode is None or place.tegra else open_to_all(mode)


def _is_without_rules(facts: Facts, told: Unreached) -> bool:
    """Whether the container tools are told to set no rules, which only rootless Docker bears."""
    sign = said.SIGN("container-cgroup")
    rootless = facts.known(said.SIGN("rootless-docker")) is not None
    shown = "no-cgroups" in (facts.known(sign) or "")
    return sign in told.keys and shown and not rootless


def _fails_like_a_closed_file(facts: Facts) -> bool:
    if answer(facts, names.CUDA_OUTCOME) == "not run":
        return facts.known(names.NVML_CODE) in _NVML_CODES
    return facts.look(names.CUDA_CODE) in _CUDA_CODES

"""Whether a text tells of a GPU that MIG splits, by tables, names, ids or in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ....facts.regex import regex
from ..statements import errors, statements, value

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys

_VISIBLE = names.ENV("CUDA_VISIBLE_DEVICES")
_OF_CONTAINER = names.ENV("NVIDIA_VISIBLE_DEVICES")


def any_mig(facts: Facts) -> bool:
    """Whether a GPU is in MIG mode: then CUDA sees its instances, or nothing, in its place."""
    return any(facts.known_of(names.GPU_MIG))


def in_use(facts: Facts) -> Keys:
    """MIG mode by the table, by a name such as "A100 MIG 1g.5gb", by ids such as MIG-… and 0:1."""
    modes = facts.keys_of(names.GPU_MIG)
    named = facts.keys_of(names.GPU_NAME)
    return (
        *(key for key in modes if facts.known(key)),
        *(key for key in named if " MIG " in (facts.known(key) or "")),
        *statements(facts, "mig-instance-named"),
        *(key for key in (_VISIBLE, _OF_CONTAINER) if names_instances(facts.known(key) or "")),
    )


#: Kinds of products that MIG never splits; among the others are some that it does.
_NEVER_SPLIT = regex(
    r"(?i)\b(?:geforce|gtx|rtx ?[2-5]0[5-9]0|rtx a\d{4}|quadro|titan|tesla [kmptv]|[kmptv]\d{1,4}"
    r"|l4|l40s?|a2|a10g?|a16|a40)\b"
)


def may_be_split(gpu: str) -> bool:
    """Whether MIG may be able to split the GPU of this name."""
    return _NEVER_SPLIT.search(gpu) is None


def gpu_names(facts: Facts) -> tuple[str, ...]:
    """The names of the GPUs that are known."""
    return tuple(filter(None, facts.known_of(names.GPU_NAME)))


def told_in_use(facts: Facts) -> Keys:
    """What is said of MIG, unless all GPUs that are named are of kinds that it cannot split."""
    return statements(facts, "mig-in-use-told", "mig-switched-on") if _able(facts) else ()


def _able(facts: Facts) -> bool:
    """Whether MIG may split one of the GPUs that are named, or none is."""
    gpus = gpu_names(facts)
    return not gpus or any(map(may_be_split, gpus))


def gpus_without_instance(facts: Facts) -> tuple[str, ...]:
    """MIG mode on, and a table that lists no instance."""
    listed = facts.subjects(names.GPU_MIG_INSTANCES) if any_mig(facts) else ()
    return tuple(gpu for gpu in listed if facts.known(names.GPU_MIG_INSTANCES(gpu)) == 0)


def without_instance(facts: Facts) -> Keys:
    """What tells of them."""
    bare = gpus_without_instance(facts)
    return tuple(key for gpu in bare for key in (names.GPU_MIG(gpu), names.GPU_MIG_INSTANCES(gpu)))


def names_instances(value: str) -> bool:
    """``MIG-<uuid>``, or the container tools' older ``GPU:INSTANCE``."""
    first = value.partition(",")[0].strip()
    gpu, colon, instance = first.partition(":")
    return first.startswith("MIG-") or bool(colon and gpu.isdigit() and instance.isdigit())


def whole_gpu_refused(facts: Facts) -> Keys:
    """NVML refuses to tell a whole GPU's memory, to all but root, while MIG splits it."""
    refused = (
        *statements(facts, "smi-insufficient-permissions"),
        *errors(facts, "NVML_ERROR_NO_PERMISSION"),
    )
    modes = facts.known_of(names.GPU_MIG)
    able = _able(facts) and (any(modes) or not modes)
    told = statements(facts, "mig-permissions-told") if able else ()
    refused = tuple(dict.fromkeys((*refused, *told)))
    split = (*in_use(facts), *told_in_use(facts), *told)
    return tuple(dict.fromkeys((*refused, *split))) if refused and split else ()


#: GPU and instance, as the container tools number them.
_INSTANCE = regex(
    r"(?i)unknown (?:or invalid )?device(?: id)?: ?\d{1,2}:\d{1,2}(?![\w:.])"
    r"|(?<![\w:.])\d{1,2}:\d{1,2}: unknown device"
)


def unknown_instance(facts: Facts) -> Keys:
    """A container was to get an instance by its number or name, and no GPU has such a one."""
    if unread := statements(facts, "mig-uuid-unread"):
        return unread
    told = _INSTANCE.search(value(facts, "container-cli-error"))
    return (*statements(facts, "container-cli-error"), *in_use(facts)) if told else ()


def instances_named(facts: Facts) -> int:
    """How many instances the variable names."""
    value = facts.known(_VISIBLE) or ""
    return len([each for each in value.split(",") if each.strip()]) if names_instances(value) else 0


def asks_for_further(facts: Facts) -> bool:
    """Whether the program asks for a GPU beyond the one instance that it has."""
    return bool(
        errors(facts, "CUDA_ERROR_INVALID_DEVICE")
        or statements(facts, "not-enough-gpus", "torch-counts-differ", "mig-one-of-several-told")
    )


def shows_no_instance(facts: Facts) -> bool:
    """Whether MIG mode is on by the table alone, and nothing names an instance."""
    listed = any(facts.known_of(names.GPU_MIG_INSTANCES))
    gpus = any(" MIG " in name for name in gpu_names(facts))
    told = statements(facts, "mig-instance-named", "mig-in-use-told")
    container = names_instances(facts.known(_OF_CONTAINER) or "")
    return any_mig(facts) and not (listed or gpus or told or container)


def mixed_types(facts: Facts) -> Keys:
    """What a plug-in of Kubernetes says of a node that has instances, and of several types."""
    told = value(facts, "mig-without-instances").lower()
    return statements(facts, "mig-without-instances") if "more than one" in told else ()


_PLUGINS = regex(r"(?i)gpu-feature-discovery|device[- ]plugin|dcgm-exporter|gpu-operator|gfd\b")


def said_by_plugin(facts: Facts) -> bool:
    """Whether one of Kubernetes' own programs for GPUs was refused, not one that computes."""
    told = (*statements(facts, "smi-insufficient-permissions", "mig-permissions-told"),)
    told = (*told, *errors(facts, "NVML_ERROR_NO_PERMISSION"))
    return any(_PLUGINS.search(facts.known(key) or "") for key in told)

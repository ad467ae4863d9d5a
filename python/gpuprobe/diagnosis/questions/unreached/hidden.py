"""What hides a GPU from a text's program, where the driver runs: a variable, a list, a worker.

Each public function is one cause of `unreached`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ...model import Confidence, Severity
from ..statements import errors, line_of, seen_anyway, statements, value
from ..symptoms import driver_answers, library_gone, module_gone, no_device, smi_gone
from .cause import HIDDEN, Unreached
from .device_files import files_gone

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys

#: How programs fail that no GPU is left to: CUDA does not start in Julia's.
_WITHOUT_DEVICE = ("CUDA_ERROR_INVALID_DEVICE", "CUDA_ERROR_NOT_INITIALIZED")

_CERTAIN, _LIKELY, _POSSIBLE = Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE


def hidden(facts: Facts) -> Unreached | None:
    """A variable leaves the program no GPU."""
    from ..visible.values import hiding, names_unseen_gpu

    keys = hiding(facts)
    if not keys:
        steps = (
            _masked_by_tensorflow,
            _missed_by_deepspeed,
            _given_none_by_ray,
            _given_none_by_slurm,
            _of_the_only_one,
            _hidden_perhaps,
            _filled_in,
            _beside_a_driver,
        )
        return next((told for step in steps if (told := step(facts)) is not None), None)
    failing = (*no_device(facts), *library_gone(facts), *errors(facts, *_WITHOUT_DEVICE))
    failing = (
        *failing,
        *statements(facts, "gpu-not-usable"),
        *statements(facts, "jax-fell-back-to-cpu"),
        *_idle_by_code(facts),
    )
    if not failing:
        return _given_none_by_slurm(facts)
    named = keys[0].name.partition(".")[2]
    title = f'{named}="{facts.known(keys[0])}" leaves no GPU to this program'
    sure = _POSSIBLE if names_unseen_gpu(facts) else _CERTAIN
    return Unreached(HIDDEN, title, (*keys, *failing), sure)


def _idle_by_code(facts: Facts) -> Keys:
    """Somebody tells of work on the CPU, and shows code that leaves the process no GPU at all.

    Or nvidia-smi lists no process of the program, and the variable was emptied in whichever way.
    """
    by_code = facts.known(said.VISIBLE_SET_IN_CODE)
    emptied = facts.known(names.ENV("CUDA_VISIBLE_DEVICES")) in ("", "-1")
    if not emptied or statements(facts, "purpose-told"):
        return ()
    idle = statements(facts, "told-idle") if by_code else ()
    return (*idle, *statements(facts, "smi-lists-no-process-told"))


def step_without_gpu(facts: Facts) -> Unreached | None:
    """Slurm shows a job or a step no GPU that asked for none; a program may fail by that."""
    made = statements(facts, "slurm-step-without-gpu")
    others = (*smi_gone(facts), *library_gone(facts), *module_gone(facts))
    if not made or others or {*facts.subjects(said.ERROR)} - {"CUDA_ERROR_NO_DEVICE"}:
        return None
    what = "job" if "#SBATCH" in value(facts, "slurm-step-without-gpu") else "step"
    title = f"This {what} of Slurm asked for no GPU, and so is shown none (--gpus, --gres)"
    failed = no_device(facts)
    severity = Severity.ERROR if failed else Severity.WARNING
    return Unreached(HIDDEN, title, (*made, *failed), _LIKELY, severity)


def _given_none_by_slurm(facts: Facts) -> Unreached | None:
    """What Slurm sets for a job without GPUs, be it that a program takes it for a number.

    It tells enough where nothing else fails, and no program sees a GPU.
    """
    variable = names.ENV("CUDA_VISIBLE_DEVICES")
    made, given = statements(facts, "slurm-no-gpu-as-number"), facts.known(variable)
    if given is not None:
        made = (variable,) if given == "NoDevFiles" and not seen_anyway(facts) else ()
    others = (*facts.subjects(said.ERROR), *smi_gone(facts), *library_gone(facts))
    if not made or others or module_gone(facts):
        return None
    title = 'CUDA_VISIBLE_DEVICES="NoDevFiles": Slurm gave this job no GPU'
    return Unreached(HIDDEN, title, made, _LIKELY)


def hidden_from_one(facts: Facts) -> Unreached | None:
    """One process of a text sees the GPU, and another is given none by the same driver."""
    from ..visible.values import hiding

    failing = (*statements(facts, "torch-no-devices"), *errors(facts, "CUDA_ERROR_NO_DEVICE"))
    others = (*library_gone(facts), *module_gone(facts), *_said_to_change(facts))
    if not failing or others or facts.known(names.CONTAINER_KIND) is not None:
        return None
    if statements(facts, "device-file-missing"):
        return files_gone(facts)
    if keys := hiding(facts):
        named = keys[0].name.partition(".")[2]
        title = f'{named}="{facts.known(keys[0])}" leaves no GPU to one of the programs'
        return Unreached(HIDDEN, title, (*keys, *failing), _LIKELY)
    seen = (names.CUDA_COUNT, *facts.keys_of(said.FRAMEWORK_SEES_GPU))
    title = "One process sees the GPU, and this one none: CUDA_VISIBLE_DEVICES may hide it here"
    return Unreached(
        HIDDEN, title, (*failing, *(key for key in seen if facts.known(key))), _POSSIBLE
    )


def counted_by_another(facts: Facts) -> Unreached | None:
    """CUDA tells a process that there is no device, and counts one for another below that.

    Where it counted one before, that may be gone.
    """
    none = errors(facts, "CUDA_ERROR_NO_DEVICE")
    counted = facts.known(names.CUDA_COUNT) and not smi_gone(facts)
    if not none or not counted or line_of(facts, names.CUDA_COUNT) < line_of(facts, none[0]):
        return None
    return hidden_from_one(facts)


def _said_to_change(facts: Facts) -> Keys:
    """What makes a GPU go away while programs run."""
    events = facts.keys_of(names.XID)
    told = ("after-suspend", "bus-lost", "bus-lost-told", "told-lost", "torch-cuda-in-fork")
    return (*events, *statements(facts, *told))


def _masked_by_tensorflow(facts: Facts) -> Unreached | None:
    """TensorFlow's own list of devices, an option of its session."""
    said_so = statements(facts, "tf-visible-mask-wrong")
    title = "visible_device_list names a GPU that this program does not have"
    return Unreached(HIDDEN, title, said_so) if said_so else None


def _missed_by_deepspeed(facts: Facts) -> Unreached | None:
    """DeepSpeed's launcher takes the variable's numbers for GPUs of the host, and one is not."""
    from ..visible.values import VISIBLE

    said_so = statements(facts, "deepspeed-slot-missing")
    slot = value(facts, "deepspeed-slot-missing")
    named = re.findall(r"\d+", facts.known(VISIBLE) or "")
    if not said_so or slot not in named:
        return None
    if no_device(facts) or library_gone(facts) or smi_gone(facts):
        return None  # it counts none for want of a driver
    title = f"CUDA_VISIBLE_DEVICES names GPU {slot}, which this host does not have"
    return Unreached(HIDDEN, title, (VISIBLE, *said_so), _LIKELY)


def _given_none_by_ray(facts: Facts) -> Unreached | None:
    """Ray empties the variable of workers that were started without num_gpus."""
    # Which of the tasks failed is not told where one of them asks for a GPU.
    unasked = not statements(facts, "ray-with-request") and not smi_gone(facts)
    workers = statements(facts, "ray-worker", *(("ray-without-request",) if unasked else ()))
    failing = no_device(facts)
    if not workers or not failing or library_gone(facts) or module_gone(facts):
        return None
    title = "A worker of Ray sees no GPU: it was started without one (num_gpus)"
    return Unreached(HIDDEN, title, (*workers, *failing), _POSSIBLE)


def _hidden_perhaps(facts: Facts) -> Unreached | None:
    """No GPU is seen, the variable names the second or a later one, and no driver is missed."""
    from ..visible.values import VISIBLE, names_a_later_gpu

    signs = ("tf-driver-versions-match", "gpu-not-usable")
    failing = (*no_device(facts), *statements(facts, *signs))
    others = (*library_gone(facts), *module_gone(facts), *smi_gone(facts))
    if not failing or others or not names_a_later_gpu(facts):
        return None
    title = f'CUDA_VISIBLE_DEVICES="{facts.known(VISIBLE)}" names a GPU that may not be there'
    return Unreached(HIDDEN, title, (VISIBLE, *failing), _POSSIBLE)


def _of_the_only_one(facts: Facts) -> Unreached | None:
    """The second GPU is asked for where there is one: the program hides that by its choice."""
    from ..visible.values import VISIBLE, names_a_later_gpu

    single, asked = statements(facts, "single-gpu-told"), statements(facts, "later-gpu-asked")
    named = (VISIBLE,) if names_a_later_gpu(facts) else asked
    failing = (*no_device(facts), *statements(facts, "told-idle"))
    others = (*library_gone(facts), *module_gone(facts), *smi_gone(facts))
    if not single or not named or not failing or others:
        return None
    title = f"GPU {facts.known(named[0])} is asked for, and the only one of this machine is GPU 0"
    return Unreached(HIDDEN, title, (*named, *single, *failing), _LIKELY)


def _filled_in(facts: Facts) -> Unreached | None:
    """CUDA has no device beside a GPU that nvidia-smi lists; what the shell filled in is open."""
    from ..visible.values import VISIBLE, is_left_to_shell

    failing, listed = errors(facts, "CUDA_ERROR_NO_DEVICE"), driver_answers(facts)
    if not failing or not listed or not is_left_to_shell(facts.known(VISIBLE) or ""):
        return None
    title = (
        f'CUDA_VISIBLE_DEVICES="{facts.known(VISIBLE)}" is nothing where the shell knows no such'
    )
    return Unreached(HIDDEN, f"{title} name", (VISIBLE, *failing, *listed), _POSSIBLE)


#: That nvidia-smi was called in the container itself.
_INSIDE = regex(r"(?i)\b(?:inside|within|in (?:the|my|this|a) (?:docker|container))\b")


def _beside_a_driver(facts: Facts) -> Unreached | None:
    """CUDA has no device where nvidia-smi is said to work, so that the driver runs."""
    failing, works = errors(facts, "CUDA_ERROR_NO_DEVICE"), statements(facts, "smi-works-told")
    others = (*library_gone(facts), *module_gone(facts), *smi_gone(facts))
    if not failing or not works or others or facts.known(names.WSL_VERSION) is not None:
        return None
    if facts.known(names.CONTAINER_KIND) is not None and not _INSIDE.search(
        value(facts, "smi-works-told")
    ):
        return None
    title = "nvidia-smi works, and CUDA has no device: CUDA_VISIBLE_DEVICES may hide it here"
    return Unreached(HIDDEN, title, (*failing, *works), _POSSIBLE)

"""Whom does the GPU's compute mode let in: everybody, one process, or none?"""

from __future__ import annotations

from ...facts import names
from ...facts.model import Facts, NotThere
from ..fixes.access import let_processes_in, share_or_wait
from ..model import Confidence, Finding, Findings, Link, Severity, cite, rule
from ..questions.driver.state import UNAVAILABLE, gpu_subject
from ..questions.gpus.users import is_this_one
from ..questions.place import place_of
from ..questions.source import looked_at
from .hardware import is_lost


@rule("GP304", "compute-mode-prohibited", cause="device-busy", link=Link.COMPUTE_MODE, since="0.1")
def compute_mode_prohibited(facts: Facts) -> Findings:
    """The GPU's compute mode forbids every program to use it."""
    gpus = _gpus(facts)
    closed = [gpu for gpu in gpus if facts.known(names.GPU_COMPUTE_MODE(gpu)) == "prohibited"]
    for gpu in closed:
        yield Finding(
            f"GPU {gpu} is in compute mode PROHIBITED: no program may use it",
            cite(facts, names.GPU_COMPUTE_MODE(gpu), names.GPU_NAME(gpu)),
            let_processes_in(place_of(facts), gpu, facts.known(names.GPU_NAME(gpu))),
            severity=Severity.ERROR if len(closed) == len(gpus) else Severity.WARNING,
            subject=gpu_subject(facts, gpu),
        )
    _look_at_modes(facts, gpus)


@rule("GP312", "exclusive-mode-taken", cause="device-busy", link=Link.COMPUTE_MODE, since="0.1")
def exclusive_mode_taken(facts: Facts) -> Findings:
    """A GPU lets one process in at a time, and one is there."""
    gpus = _gpus(facts)
    if not looked_at(facts):
        raise NotThere(names.GPU_PROCESSES("*").name)  # GP207 reads the codes of a text
    single = [gpu for gpu in gpus if is_exclusive(facts, gpu)]
    refused = facts.known(names.CUDA_CODE) == UNAVAILABLE
    for gpu in single:
        listed = facts.known(names.GPU_PROCESSES(gpu)) or ()
        # The program that looks keeps itself out only where it is refused.
        holders = tuple(each for each in listed if refused or not is_this_one(each))
        keys = (names.GPU_COMPUTE_MODE(gpu), names.GPU_PROCESSES(gpu), names.GPU_NAME(gpu))
        if (holders or refused) and not _is_shared(holders):
            yield Finding(
                f"GPU {gpu} lets one process in at a time, and {_named(holders)} has it",
                cite(facts, *keys, *((names.CUDA_CODE,) if refused else ())),
                share_or_wait(
                    place_of(facts), gpu, facts.known(names.GPU_COMPUTE_MODE(gpu)) or "exclusive"
                ),
                severity=Severity.ERROR if refused else Severity.WARNING,
                confidence=Confidence.CERTAIN if holders and refused else Confidence.LIKELY,
                subject=gpu_subject(facts, gpu),
            )
    _look_at_modes(facts, gpus)
    for gpu in single:
        facts.look(names.GPU_PROCESSES(gpu))


def _gpus(facts: Facts) -> tuple[str, ...]:
    gpus = facts.subjects(names.GPU_COMPUTE_MODE)
    if not gpus:
        raise NotThere(names.GPU_COMPUTE_MODE("*").name)
    return gpus


def _look_at_modes(facts: Facts, gpus: tuple[str, ...]) -> None:
    for gpu in gpus:
        if not is_lost(facts, gpu):  # GP103: a lost GPU tells nothing, not even its mode
            facts.look(names.GPU_COMPUTE_MODE(gpu))


def is_exclusive(facts: Facts, gpu: str) -> bool:
    """Whether the GPU lets one process, or one thread, in at a time."""
    return (facts.known(names.GPU_COMPUTE_MODE(gpu)) or "").startswith("exclusive")


#: NVML lists with the processes that compute those that only draw, which need not be let in.
_DRAW = ("Xorg", "Xwayland", "gnome-shell", "kwin_wayland", "kwin_x11", "sway", "weston")
#: It lets further processes in by itself: for this the mode was made.
_MPS = "nvidia-cuda-mps"


def _is_shared(holders: tuple[str, ...]) -> bool:
    """Whether nobody among these keeps others out."""
    keeping = [each for each in holders if not each.startswith(_DRAW)]
    return bool(holders) and (not keeping or any(each.startswith(_MPS) for each in keeping))


def _named(holders: tuple[str, ...]) -> str:
    """``python (process 4711)``, without what it holds."""
    keeping = [each.partition(":")[0] for each in holders if not each.startswith(_DRAW)]
    if not keeping:
        return "another process"
    return keeping[0] if len(keeping) == 1 else f"{keeping[0]} or one of {len(keeping) - 1} others"

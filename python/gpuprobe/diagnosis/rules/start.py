"""Does the driver answer? What no rule for one certain fault explains is judged by its code."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...facts import names
from ...facts.model import Absent, Facts, Family, Key, Missing, NotThere
from ..fixes.device import read_kernel_log
from ..fixes.driver import do_without_nvml, reinstall_driver
from ..model import Confidence, Finding, Findings, Fix, Link, Rule, Severity, cite, rule
from ..questions.applicable import not_without_gpu, only_with_gpu
from ..questions.codes import readings
from ..questions.codes.readings import said
from ..questions.driver.state import UNAVAILABLE, has_real_libcuda, works
from ..questions.place import Place, place_of
from ..questions.source import looked_at
from . import (
    access,
    compute_mode,
    containers,
    driver,
    driver_releases,
    hardware,
    sharing,
    system,
    wear,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..questions.codes.readings import Reading

#: What the probe does, in its order: how each step ended, and in which call.
_STEPS = (
    (names.NVML_OUTCOME, names.NVML_CALL),
    (names.CUDA_OUTCOME, names.CUDA_CALL),
    (names.KERNEL_OUTCOME, names.KERNEL_CALL),
)


@rule("GP205", "driver-hangs", cause="device-lost", link=Link.USER_DRIVER, since="0.1")
def driver_hangs(facts: Facts) -> Findings:
    """A call of the driver does not come back."""
    yield from _not_answered(facts, "hung")


@rule(
    "GP206", "driver-crashes", cause="driver-library-mismatch", link=Link.USER_DRIVER, since="0.1"
)
def driver_crashes(facts: Facts) -> Findings:
    """A call of the driver kills the program that makes it."""
    yield from _not_answered(facts, "crashed")


def _not_answered(facts: Facts, end: str) -> Findings:
    ends = [(outcome, call) for outcome, call in _STEPS if facts.known(outcome) == end]
    not_without_gpu(facts)
    if not ends:
        if all(facts.known(outcome) is None for outcome, _ in _STEPS):
            facts.need(names.NVML_OUTCOME)
        return
    calls = dict.fromkeys(facts.known(call) or "loading the library" for _, call in ends)
    evidence = cite(facts, *(key for step in ends for key in step), names.DRIVER_VERSION)
    what = " and ".join(calls)
    place = place_of(facts)
    if end == "hung":
        title, fix = f"The driver hangs: no answer from {what}", _log_or_time(place)
    else:
        title, fix = f"The driver crashes in {what}", reinstall_driver(place)
    yield Finding(title, evidence, fix, confidence=Confidence.POSSIBLE)


def _log_or_time(place: Place) -> Fix:
    """The log tells whether the card is at fault; a slow start only needs more time."""
    fix = read_kernel_log(place)
    more = "If the log has no such line, first wait longer: set GPUPROBE_TIMEOUT=300 (seconds)."
    return replace(fix, text=f"{fix.text} {more}")


#: The rules for one certain fault each; what they explain needs no reading of a code.
_SPECIFIC = (
    hardware.kernel_module_not_loaded,
    driver.driver_missing,
    driver_releases.driver_library_mismatch,
    driver.stub_library,
    containers.container_without_gpu,
    access.visible_devices_hide_all,
    sharing.mig,
    access.device_nodes,
    system.fabric_manager,
    system.forward_compat,
)
#: And those for what one code means by itself.
_OF_UNAVAILABLE = (compute_mode.compute_mode_prohibited, compute_mode.exclusive_mode_taken)
_INSUFFICIENT_DRIVER = 35  # GP203


@rule("GP207", "cuda-init-failed", cause="device-lost", link=Link.USER_DRIVER, since="0.1")
def cuda_init_failed(facts: Facts) -> Findings:
    """The driver refuses to start, for a reason that no other rule explains."""
    if not looked_at(facts):
        yield from _told(facts)
        return
    not_without_gpu(facts)
    if works(facts):
        return
    failures = tuple(_failures(facts))
    if not failures and facts.known(names.CUDA_OUTCOME) is None:
        facts.need(names.NVML_OUTCOME)
    if not failures:
        return
    title, reading = min(failures, key=lambda failure: _SURENESS[failure[1].confidence])
    if _explained(facts, alone=reading.alone):
        return
    yield Finding(
        title,
        cite(facts, *_ANSWERS, *_shown_beside(facts, reading.cause)),
        reading.fix(place_of(facts)),
        confidence=reading.confidence,
        cause=reading.cause,
    )


def _told(facts: Facts) -> Findings:
    """The codes that a text states, as far as no rule of their own stands for them."""
    from ..questions.codes.told import repair, told_code

    found = told_code(facts)
    if found is not None:
        yield Finding(
            found.title,
            cite(facts, *found.keys),
            repair(facts, found),
            confidence=found.reading.confidence,
            cause=found.reading.cause,
        )


_ANSWERS = (names.CUDA_CODE, names.NVML_CODE, names.MODULE_VERSION, names.LIBCUDA_PATH)


def _shown_beside(facts: Facts, cause: str) -> Iterator[Key[object]]:
    """What speaks for this cause, or what was looked at and does not."""
    if facts.known(names.LIBCUDA_ERROR) is not None:
        yield names.LIBCUDA_ERROR
    families: dict[str, tuple[Family[object], ...]] = {
        "device-busy": (names.GPU_COMPUTE_MODE, names.GPU_PROCESSES),
        "mig": (names.GPU_MIG, names.GPU_MIG_INSTANCES),
        "device-nodes": (names.NODE,),
    }
    for family in families.get(cause, ()):
        yield from (key for key in facts.keys_of(family) if facts.known(key) is not None)


_SURENESS = {confidence: number for number, confidence in enumerate(Confidence)}


def _failures(facts: Facts) -> Iterator[tuple[str, Reading]]:
    """What CUDA and NVML answered in place of starting, each with its usual reading."""
    yield from _without_code(facts)
    cuda, nvml = facts.known(names.CUDA_CODE), facts.known(names.NVML_CODE)
    if cuda and cuda != _INSUFFICIENT_DRIVER:
        call = facts.known(names.CUDA_CALL) or "cuInit"
        yield said(call, "driver", cuda), readings.of_cuda(facts, cuda)
    if nvml:
        call = facts.known(names.NVML_CALL) or "nvmlInit_v2"
        yield said(call, "nvml", nvml), readings.NVML.get(nvml, readings.DEFAULT)


def _without_code(facts: Facts) -> Iterator[tuple[str, Reading]]:
    """A libcuda that is found and cannot be loaded, or lacks what every driver has."""
    outcome, call = facts.known(names.CUDA_OUTCOME), facts.known(names.CUDA_CALL)
    if outcome == "not loaded" and has_real_libcuda(facts):
        path, why = facts.need(names.LIBCUDA_PATH), facts.known(names.LIBCUDA_ERROR)
        yield f"{path} cannot be loaded: {why or 'no reason given'}", readings.NOT_LOADABLE
    elif outcome == "failed" and isinstance(facts.fact(names.CUDA_CODE), Absent):
        yield (
            f"The driver's library is incomplete: {call or 'a function'} fails",
            readings.INCOMPLETE,
        )


def _explained(facts: Facts, *, alone: bool) -> bool:
    """Whether a rule for one certain fault explains why the driver does not start.

    Raises:
        Missing: The code alone shows little, and such a rule could not look.
    """
    if not alone:
        only_with_gpu(facts)
    code = facts.known(names.CUDA_CODE)
    if code == UNAVAILABLE:
        for gpu in hardware.listed_gpus(facts):
            facts.look(names.GPU_COMPUTE_MODE(gpu))
    if code == wear.ECC_UNCORRECTABLE and wear.counts_errors(facts):
        return True  # GP804 names the GPU whose memory it is
    lost = (hardware.gpu_lost,) if code in hardware.LIKE_LOST else ()
    taken = _OF_UNAVAILABLE if code == UNAVAILABLE else ()
    specific = (*lost, *taken, *_SPECIFIC)
    return any(_explains(each, facts, alone=alone) for each in specific)


def _explains(specific: Rule, facts: Facts, *, alone: bool) -> bool:
    try:
        return any(True for _ in specific.check(facts))
    except NotThere:
        return False
    except Missing:
        if not alone:
            raise
        return False


@rule("GP211", "nvml-fails", cause="device-nodes", link=Link.USER_DRIVER, since="0.1")
def nvml_fails(facts: Facts) -> Findings:
    """NVML does not start, though CUDA works."""
    code = facts.known(names.NVML_CODE)
    if not code or not works(facts):
        return
    call = facts.known(names.NVML_CALL) or "nvmlInit_v2"
    yield Finding(
        f"{said(call, 'nvml', code)}; CUDA works without it",
        cite(facts, names.NVML_CODE, names.NVML_PATH, names.CUDA_COUNT),
        do_without_nvml(place_of(facts)),
        severity=Severity.NOTE,
        confidence=Confidence.CERTAIN,
        cause=readings.NVML.get(code, readings.DEFAULT).cause,
    )

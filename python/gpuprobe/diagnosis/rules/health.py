"""Does the GPU compute, and is what it computes right?"""

from __future__ import annotations

from ...facts import names
from ...facts.model import Absent, Facts, NotThere
from ..fixes.device import read_kernel_log
from ..model import Confidence, Evidence, Finding, Findings, Fix, Link, Severity, cite, rule
from ..questions.applicable import not_without_gpu
from ..questions.codes import readings
from ..questions.codes.readings import said
from ..questions.driver.state import answer, works
from ..questions.place import place_of
from . import wear

_WORK = (names.KERNEL_OUTCOME, names.KERNEL_CALL, names.KERNEL_CODE, names.KERNEL_IMAGE,
         names.KERNEL_WHY)  # fmt: skip


def _account(facts: Facts) -> tuple[Evidence, ...]:
    """What the probe told of its work; what it did not come to says nothing."""
    told = (key for key in _WORK if facts.known(key) is not None)
    return cite(facts, *told, names.GPU_NAME("0"))


@rule("GP801", "wrong-result", cause="device-lost", link=Link.WORK, since="0.1")
def wrong_result(facts: Facts) -> Findings:
    """The GPU computed something whose answer is known, and the answer is wrong."""
    not_without_gpu(facts)
    if answer(facts, names.KERNEL_OUTCOME) == "wrong":
        fix = read_kernel_log(place_of(facts))
        yield Finding(
            "A small program ran on the GPU without an error, and its result is wrong",
            _account(facts),
            Fix(
                f"Trust no result of this GPU. {fix.text} Overclocking, heat and memory errors "
                "(`nvidia-smi -q -d ECC,ROW_REMAPPER`) are the usual reasons.",
                fix.commands,
                fix.safety,
                fix.undo,
            ),
            confidence=Confidence.LIKELY,
        )


@rule("GP802", "kernel-failed", cause="device-lost", link=Link.WORK, since="0.1")
def kernel_failed(facts: Facts) -> Findings:
    """CUDA starts and lists a GPU, but a small program cannot run on it."""
    if not works(facts):
        raise NotThere(names.CUDA_COUNT.name)
    if answer(facts, names.KERNEL_OUTCOME) != "failed":
        return
    code = facts.known(names.KERNEL_CODE)
    call = facts.known(names.KERNEL_CALL) or "the first kernel"
    if not code:
        if isinstance(facts.fact(names.KERNEL_CODE), Absent):
            yield _no_kernel_of_ours(facts, call)
        return
    if code == wear.ECC_UNCORRECTABLE and wear.counts_errors(facts):
        return  # GP804 names the GPU whose memory it is
    reading = readings.of_cuda(facts, code)
    yield Finding(
        said(call, "driver", code),
        _account(facts),
        reading.fix(place_of(facts)),
        confidence=reading.confidence,
        cause=reading.cause,
    )


def _no_kernel_of_ours(facts: Facts, call: str) -> Finding:
    """No code of the driver's: gpuprobe's program failed by itself."""
    return Finding(
        f"gpuprobe could not run its own test program on this GPU ({call})",
        _account(facts),
        Fix("Nothing is known to be wrong. Let a framework compute something to see it work."),
        severity=Severity.NOTE,
    )

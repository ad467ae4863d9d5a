"""The verdict on a pasted text: each row of the table in docs/explain.md."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.diagnosis.model import (
    Confidence,
    Diagnosis,
    Finding,
    Fix,
    Link,
    Outcome,
    Role,
    Rule,
    Severity,
    Verdict,
)
from gpuprobe.diagnosis.text import last_proof
from gpuprobe.facts import names
from gpuprobe.facts.model import Fact, Facts, Known, Value

LINE = "line 1 of the text"
#: What a text can show at work, one fact each.
TABLE = {"nvml.device_count": 2, "gpu.0.name": "Tesla T4"}
SEES = {"framework.torch.sees_gpu": True}
COMPUTED = {"framework.tensorflow.computed": True}
COUNTED = {"framework.jax.device_count": 4}
VERSIONS = {"driver.version": "535.104.05", "package.torch.version": "2.4.1"}


def facts_of(*stated: dict[str, Value]) -> Facts:
    known: dict[str, Fact[Value]] = {}
    for each in stated:
        known.update({name: Known(value, LINE) for name, value in each.items()})
    return Facts(known, silence="not in the text")


def judged(*stated: dict[str, Value], rules: tuple[Rule, ...] = ()) -> Diagnosis:
    return diagnose(facts_of(*stated), rules, pasted=True)


def made(link: Link, severity: Severity = Severity.ERROR) -> Rule:
    found = Finding("something is wrong", (), Fix("mend it"), severity=severity)
    return Rule("GP901", "made", "driver-missing", link, "0.1", lambda _: [found])


@pytest.mark.parametrize("stated", [TABLE, SEES, COMPUTED, COUNTED], ids=lambda s: next(iter(s)))
def test_what_is_shown_at_work_makes_it_healthy(stated: dict[str, Value]):
    assert judged(VERSIONS, stated).verdict is Verdict.HEALTHY


def test_versions_alone_are_unknown():
    assert judged(VERSIONS).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    "failure",
    [
        {"framework.torch.sees_gpu": False},
        {"framework.torch.device_count": 0},
        {"error.CUDA_ERROR_UNKNOWN": "unknown error"},
        {"library.cudnn.missing": "libcudnn.so.8"},
        {"nvml.init.outcome": "failed"},
        {"gpu.1.failure": "nvidia-smi shows ERR!"},
    ],
    ids=lambda failure: next(iter(failure)),
)
def test_table_beside_a_failure_that_nothing_explains_is_not_healthy(failure: dict[str, Value]):
    assert judged(TABLE, failure).verdict is Verdict.UNKNOWN


def test_library_that_a_framework_at_work_does_without_is_no_failure():
    assert judged(SEES, {"library.nvinfer.missing": "libnvinfer.so.7"}).verdict is Verdict.HEALTHY


def test_error_after_the_framework_saw_the_gpu_is_a_failure():
    assert judged(SEES, {"error.CUDA_ERROR_UNKNOWN": "x"}).verdict is Verdict.UNKNOWN


def test_finding_decides_over_every_proof():
    """A table may be older than the failure below it, so that it clears nothing."""
    diagnosis = judged(TABLE, COMPUTED, rules=(made(Link.HARDWARE),))
    assert (diagnosis.verdict, diagnosis.placed[0].role) == (Verdict.BROKEN, Role.ROOT)


def test_warning_makes_it_work_in_part():
    rule = made(Link.FRAMEWORK, Severity.WARNING)
    assert judged(SEES, rules=(rule,)).verdict is Verdict.DEGRADED


def test_check_that_could_not_look_leaves_nothing_open():
    """A text is silent about most things; on a machine the same silence would count."""

    def check(facts: Facts) -> list[Finding]:
        facts.need(names.OS_SYSTEM)
        return []

    rule = Rule("GP901", "made", "driver-missing", Link.WORK, "0.1", check)
    diagnosis = judged(SEES, rules=(rule,))
    assert diagnosis.count(Outcome.COULD_NOT_LOOK) == 1
    assert diagnosis.verdict is Verdict.HEALTHY


def test_farthest_proof_is_told():
    proof = last_proof(facts_of(TABLE, SEES, COMPUTED))
    assert proof is not None
    assert proof.sentence == "TensorFlow computed on the GPU"


def test_unknown_names_what_would_settle_it_with_the_command_for_each():
    told = {each.fact: each.how for each in judged(VERSIONS).missing}
    assert told == {
        "framework.torch.sees_gpu": "python -m torch.utils.collect_env",
        "package.torch.build": "python -m torch.utils.collect_env",
        "gpu.0.name": "nvidia-smi",
        "error.*": "the whole message of the command that fails, from its first line on",
    }


def test_known_verdict_asks_for_nothing():
    assert (judged(SEES).missing, judged(SEES).next_step) == ((), None)


@pytest.mark.parametrize(
    ("confidence", "step"), [(Confidence.POSSIBLE, "nvidia-smi"), (Confidence.LIKELY, None)]
)
def test_cause_that_is_only_possible_is_made_sure_of(confidence: Confidence, step: str | None):
    found = Finding("no driver", (), Fix("mend it"), confidence=confidence)
    rule = Rule("GP901", "made", "driver-missing", Link.USER_DRIVER, "0.1", lambda _: [found])
    diagnosis = judged(VERSIONS, rules=(rule,))
    assert diagnosis.verdict is Verdict.BROKEN
    assert (diagnosis.next_step and diagnosis.next_step.id) == step


MIXED: dict[str, Value] = {"text.machines": 2}


def test_versions_of_two_machines_that_work_make_no_fault():
    diagnosis = judged(SEES, MIXED, rules=(made(Link.RUNTIME),))
    assert (diagnosis.verdict, diagnosis.placed[0].role) == (Verdict.HEALTHY, Role.NOTE)


@pytest.mark.parametrize(
    "stated",
    [VERSIONS, {**SEES, "error.CUDA_ERROR_NO_BINARY_FOR_GPU": "no kernel image"}],
    ids=["nothing at work", "something failed"],
)
def test_fault_of_one_of_two_machines_stands(stated: dict[str, Value]):
    assert judged(stated, MIXED, rules=(made(Link.RUNTIME),)).verdict is Verdict.BROKEN


def test_what_sees_the_gpu_is_called_as_its_makers_write_it():
    proof = judged({"framework.cuda-jl.sees_gpu": True}).proof
    assert proof is not None
    assert proof.sentence == "CUDA.jl sees the GPU"

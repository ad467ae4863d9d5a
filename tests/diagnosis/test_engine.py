"""The engine, with small rules made for it: roles, outcomes, verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpuprobe.diagnosis.engine import diagnose, run, selected
from gpuprobe.diagnosis.model import (
    Finding,
    Fix,
    Link,
    Outcome,
    Role,
    Rule,
    Safety,
    Severity,
    Verdict,
)
from gpuprobe.diagnosis.watched import Watched
from gpuprobe.facts import names, said
from gpuprobe.facts.model import Absent, Facts, Known, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gpuprobe.diagnosis.model import Diagnosis
    from gpuprobe.facts.model import Fact, Value

RIGHT = Facts({"cuda.kernel.outcome": Known("right", "the probe")})
NOTHING = Facts({})
QUICK = Facts({"probe.level": Known("quick", "x"), "nvml.device_count": Known(2, "NVML")})


def made(code: str, link: Link, *findings: Finding) -> Rule:
    """A rule that always finds this."""
    return Rule(code, f"name-of-{code}", "driver-missing", link, "0.1", lambda _: findings)


def finding(
    title: str,
    severity: Severity = Severity.ERROR,
    subject: str = "machine",
    *,
    stands_alone: bool = False,
) -> Finding:
    return Finding(
        title, (), Fix("mend it"), severity=severity, subject=subject, stands_alone=stands_alone
    )


def watched(facts: Mapping[str, Fact[Value]]) -> Watched:
    return Watched(facts, "nobody looked")


def needs(code: str, link: Link) -> Rule:
    """A rule that cannot do without the driver's version."""

    def check(facts: Facts) -> Iterator[Finding]:
        facts.need(names.DRIVER_VERSION)
        yield finding("there is a driver")

    return Rule(code, f"name-of-{code}", "driver-missing", link, "0.1", check)


def roles(diagnosis: Diagnosis) -> list[tuple[str, Role]]:
    return [(each.finding.title, each.role) for each in diagnosis.placed]


def test_earliest_error_is_the_root_and_later_ones_follow_from_it():
    late = made("GP901", Link.FRAMEWORK, finding("late"))
    early = made("GP902", Link.KERNEL_MODULE, finding("early"))
    assert roles(diagnose(NOTHING, [late, early])) == [
        ("early", Role.ROOT),
        ("late", Role.CONSEQUENCE),
    ]


def test_what_stands_alone_follows_from_nothing():
    early = made("GP901", Link.HARDWARE, finding("early"))
    other = made("GP902", Link.FRAMEWORK, finding("other", stands_alone=True))
    assert roles(diagnose(NOTHING, [early, other])) == [
        ("early", Role.ROOT),
        ("other", Role.INDEPENDENT),
    ]


def test_error_is_the_root_though_a_warning_comes_earlier_in_the_chain():
    warning = made("GP901", Link.HARDWARE, finding("warning", Severity.WARNING))
    error = made("GP902", Link.FRAMEWORK, finding("error"))
    assert roles(diagnose(NOTHING, [warning, error])) == [
        ("error", Role.ROOT),
        ("warning", Role.INDEPENDENT),
    ]


def test_note_is_never_a_root():
    rule = made("GP901", Link.HARDWARE, finding("by the way", Severity.NOTE))
    diagnosis = diagnose(RIGHT, [rule])
    assert (diagnosis.root, diagnosis.verdict) == (None, Verdict.HEALTHY)
    assert roles(diagnosis) == [("by the way", Role.NOTE)]


def test_link_that_was_proved_to_work_cannot_be_broken():
    rule = made("GP901", Link.USER_DRIVER, finding("libcuda looks odd"))
    diagnosis = diagnose(RIGHT, [rule])
    assert (roles(diagnosis), diagnosis.verdict) == (
        [("libcuda looks odd", Role.NOTE)],
        Verdict.HEALTHY,
    )


def test_proof_says_nothing_of_what_comes_after_it():
    rule = made("GP901", Link.RUNTIME, finding("driver too old for torch"))
    assert diagnose(RIGHT, [rule]).verdict is Verdict.BROKEN


def test_proof_by_one_gpu_does_not_clear_another():
    rule = made("GP901", Link.HARDWARE, finding("lost", Severity.WARNING, "gpu:GPU-1"))
    assert diagnose(RIGHT, [rule]).verdict is Verdict.DEGRADED


@pytest.mark.parametrize(
    ("facts", "severity", "verdict"),
    [
        (RIGHT, None, Verdict.HEALTHY),
        (RIGHT, Severity.NOTE, Verdict.HEALTHY),
        (RIGHT, Severity.WARNING, Verdict.DEGRADED),
        (RIGHT, Severity.ERROR, Verdict.BROKEN),
        (QUICK, None, Verdict.HEALTHY),
        (NOTHING, None, Verdict.UNKNOWN),
        (NOTHING, Severity.NOTE, Verdict.UNKNOWN),
        (NOTHING, Severity.WARNING, Verdict.UNKNOWN),
        (NOTHING, Severity.ERROR, Verdict.BROKEN),
    ],
)
def test_verdict_follows_from_proof_and_worst_fault(
    facts: Facts, severity: Severity | None, verdict: Verdict
):
    found = [] if severity is None else [finding("it", severity)]
    assert diagnose(facts, [made("GP901", Link.WORK, *found)]).verdict is verdict


def test_kernel_left_out_on_purpose_leaves_the_count_as_proof():
    facts = {
        "cuda.device_count": Known(1, "the probe"),
        "cuda.kernel.outcome": Known("not run", "the probe"),
        "cuda.kernel.why_not": Known("compute mode", "the probe"),
    }
    diagnosis = diagnose(Facts(facts), [])
    assert diagnosis.verdict is Verdict.HEALTHY
    assert diagnosis.proof is not None
    assert "compute mode" in diagnosis.proof.sentence


@pytest.mark.parametrize("outcome", ["failed", "hung", "wrong"])
def test_device_count_proves_nothing_where_the_kernel_failed(outcome: str):
    facts = {
        "cuda.device_count": Known(1, "the probe"),
        "cuda.kernel.outcome": Known(outcome, "the probe"),
    }
    assert diagnose(Facts(facts), []).verdict is Verdict.UNKNOWN


def test_check_beyond_the_proof_that_could_not_look_leaves_the_verdict_open():
    assert diagnose(RIGHT, [needs("GP901", Link.RUNTIME)]).verdict is Verdict.UNKNOWN


def test_check_before_the_proof_that_could_not_look_does_not_matter():
    assert diagnose(RIGHT, [needs("GP901", Link.USER_DRIVER)]).verdict is Verdict.HEALTHY


def test_missing_fact_is_told_with_the_way_to_find_it_out():
    facts = Facts({"driver.version": Unknown("nvidia-smi is not installed")})
    [missing] = diagnose(facts, [needs("GP901", Link.RUNTIME)]).missing
    assert (missing.fact, missing.reason, missing.how) == (
        "driver.version",
        "nvidia-smi is not installed",
        "nvidia-smi",
    )


def test_fact_that_several_rules_miss_is_told_once():
    rules = [needs("GP901", Link.RUNTIME), needs("GP902", Link.WORK)]
    assert len(diagnose(NOTHING, rules).missing) == 1


def test_absent_thing_makes_a_rule_not_applicable():
    facts = watched({"driver.version": Absent("/proc")})
    assert run(needs("GP901", Link.RUNTIME), facts).outcome is Outcome.NOT_APPLICABLE


def broken(_: Facts) -> Iterator[Finding]:
    yield finding("found before it broke")
    message = "no such key"
    raise KeyError(message)


def test_rule_that_breaks_is_a_result_and_keeps_what_it_had_found():
    rule = Rule("GP901", "broken", "driver-missing", Link.WORK, "0.1", broken)
    good = made("GP902", Link.WORK, finding("good"))
    diagnosis = diagnose(RIGHT, [rule, good])
    assert [check.outcome for check in diagnosis.checks] == [Outcome.CRASHED, Outcome.FOUND]
    assert diagnosis.checks[0].trouble == "KeyError: 'no such key'"
    assert {each.finding.title for each in diagnosis.placed} == {"found before it broke", "good"}


def test_rule_that_breaks_beyond_the_proof_leaves_the_verdict_open():
    def check(_: Facts) -> Iterator[Finding]:
        raise KeyError

    rule = Rule("GP901", "broken", "driver-missing", Link.WORK, "0.1", check)
    assert diagnose(RIGHT, [rule]).verdict is Verdict.UNKNOWN


def test_what_was_found_before_a_fact_was_missing_stands():
    def check(facts: Facts) -> Iterator[Finding]:
        yield finding("torch")
        facts.need(names.DRIVER_VERSION)

    found = run(Rule("GP901", "two", "driver-missing", Link.RUNTIME, "0.1", check), watched({}))
    assert found.outcome is Outcome.FOUND
    assert found.missing is not None


def glances(facts: Facts) -> tuple[Finding, ...]:
    """A check that can do without each fact it asks for, and finds nothing."""
    facts.known(said.TOKEN_BEYOND_EMBEDDING)
    facts.answer(ask_for_the_driver)
    return ()


def ask_for_the_driver(facts: Facts) -> str:
    return str(facts.known(names.DRIVER_VERSION))


GLANCES = Rule("GP901", "glances", "driver-missing", Link.USER_DRIVER, "0.1", glances)


@pytest.mark.parametrize(
    ("facts", "outcome"),
    [
        ({}, Outcome.COULD_NOT_LOOK),
        ({"driver.version": Unknown("no NVML")}, Outcome.COULD_NOT_LOOK),
        ({"os.system": Known("Linux", "uname")}, Outcome.COULD_NOT_LOOK),
        ({"driver.version": Absent("NVML")}, Outcome.CLEAR),
        ({"driver.version": Known("535.104.05", "NVML")}, Outcome.CLEAR),
    ],
)
def test_check_is_clear_only_where_it_saw_something(
    facts: dict[str, Fact[Value]], outcome: Outcome
):
    both = watched(facts)
    first, again = run(GLANCES, both), run(GLANCES, both)  # the second takes the kept answer
    assert first == again
    assert first.outcome is outcome
    if outcome is Outcome.COULD_NOT_LOOK:
        assert first.missing is not None
        assert first.missing.fact == "driver.version"


def test_check_of_what_only_texts_tell_does_not_apply_to_silence():
    def check(facts: Facts) -> tuple[Finding, ...]:
        facts.known(said.TOKEN_BEYOND_EMBEDDING)
        return ()

    rule = Rule("GP901", "told", "user-code", Link.WORK, "0.1", check)
    assert run(rule, watched({})).outcome is Outcome.NOT_APPLICABLE


def sees_the_kernel(facts: Facts) -> tuple[Finding, ...]:
    assert facts.known(names.KERNEL_OUTCOME) == "right"
    return ()


def test_counts_add_up_to_the_catalogue():
    rules = [
        made("GP901", Link.WORK, finding("found")),
        made("GP902", Link.WORK),
        needs("GP903", Link.WORK),
        Rule("GP904", "broken", "driver-missing", Link.WORK, "0.1", broken),
        made("GP905", Link.WORK, finding("not wanted")),
        Rule("GP906", "clear", "driver-missing", Link.WORK, "0.1", sees_the_kernel),
    ]
    diagnosis = diagnose(RIGHT, rules, skip=("GP905",))
    counts = {outcome: diagnosis.count(outcome) for outcome in Outcome}
    assert counts == {
        Outcome.FOUND: 1,
        Outcome.CLEAR: 1,
        Outcome.NOT_APPLICABLE: 1,
        Outcome.COULD_NOT_LOOK: 1,
        Outcome.CRASHED: 1,
        Outcome.DESELECTED: 1,
    }


@pytest.mark.parametrize(
    ("only", "skip", "wanted"),
    [
        ((), (), True),
        (("GP203",), (), True),
        (("GP2",), (), True),
        (("driver-too-old",), (), True),
        (("GP3",), (), False),
        ((), ("GP203",), False),
        (("GP2",), ("GP203",), False),
        (("too-old",), (), False),
    ],
)
def test_rules_are_chosen_by_code_name_or_family(
    only: tuple[str, ...], skip: tuple[str, ...], wanted: bool
):
    rule = Rule("GP203", "driver-too-old", "driver-too-old", Link.RUNTIME, "0.1", lambda _: ())
    assert selected(rule, only, skip) is wanted


@pytest.mark.parametrize("safety", [Safety.ADMIN, Safety.REBOOT])
def test_fix_that_needs_an_administrator_must_tell_the_way_back(safety: Safety):
    with pytest.raises(ValueError, match="way back"):
        Fix("do it", ("sudo it",), safety)

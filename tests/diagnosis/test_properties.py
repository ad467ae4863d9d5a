"""What holds for every machine: neither the order of rules nor ignorance misleads the verdict."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuprobe.diagnosis.catalogue import rules
from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.diagnosis.model import Role, Verdict
from gpuprobe.facts.model import Facts, Family, Key, Known, Unknown
from gpuprobe.facts.names import (
    KERNEL_LOG,
    LIBRARIES_SEARCHED,
    PACKAGE_FOLDERS,
    PROBE_LEVEL,
    catalogue,
)
from gpuprobe.facts.snapshot import find_key
from support.examples import PAGES, blocks, machines, read

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuprobe.diagnosis.model import Diagnosis
    from gpuprobe.facts.model import Fact, Value


def key_of_statement(name: str) -> bool:
    """Whether a fact is one that only a program's words tell."""
    return find_key(name) is not None and not any(
        (isinstance(key, Key) and key.name == name)
        or (isinstance(key, Family) and re.fullmatch(key.pattern.replace("{}", "[^.]+"), name))
        for key in catalogue()
    )


#: All machines that are written down anywhere: the bases, and the examples of the pages.
MACHINES: dict[str, Mapping[str, Fact[Value]]] = dict(machines()) | {
    f"{page.stem} {title}": read(body, machines()).facts
    for page in sorted(PAGES.glob("GP*.md"))
    for title, body in blocks(page)
}
NAMES = sorted(MACHINES)
#: Those that were looked at. What programs said is nothing that somebody could have failed to see:
#: without a statement there is no failure to explain, and less of it points at another cause.
LOOKED_AT = [
    name
    for name in NAMES
    if PROBE_LEVEL.name in MACHINES[name]
    and not any(key_of_statement(fact) for fact in MACHINES[name])
]
#: Looks that find any number of things: their mark is known only where all of them could be seen.
WHOLE_LOOKS = (
    ("package.", PACKAGE_FOLDERS),
    ("library.", LIBRARIES_SEARCHED),
    ("xid.", KERNEL_LOG),
)
#: What a verdict promises; `unknown` promises nothing, so it is never too green.
GREEN = {Verdict.UNKNOWN: 0, Verdict.BROKEN: 0, Verdict.DEGRADED: 1, Verdict.HEALTHY: 2}


def faults(diagnosis: Diagnosis) -> set[tuple[str, str]]:
    """What is told as broken: code and kind of subject (a GPU has several names)."""
    return {
        (each.rule.code, each.finding.subject.partition(":")[0])
        for each in diagnosis.placed
        if each.role is not Role.NOTE
    }


def test_there_are_machines_to_try() -> None:
    assert len(MACHINES) > 50


@given(name=st.sampled_from(NAMES), order=st.permutations(rules()))
@settings(max_examples=200)
def test_order_of_the_rules_does_not_matter(name: str, order: list) -> None:
    facts = Facts(MACHINES[name])
    assert diagnose(facts, order).placed == diagnose(facts, rules()).placed


@given(data=st.data(), name=st.sampled_from(LOOKED_AT))
@settings(max_examples=1000)
def test_ignorance_makes_no_verdict_greener(data: st.DataObject, name: str) -> None:
    whole = MACHINES[name]
    hidden = data.draw(st.sets(st.sampled_from(sorted(whole)), max_size=6), label="hidden")
    part = {key: Unknown("hidden") if key in hidden else fact for key, fact in whole.items()}
    before, after = diagnose(Facts(whole), rules()), diagnose(Facts(part), rules())
    assert GREEN[after.verdict] <= GREEN[before.verdict]


@pytest.mark.parametrize("name", LOOKED_AT)
def test_no_single_unknown_makes_a_verdict_greener_or_finds_a_new_fault(name: str) -> None:
    whole = MACHINES[name]
    before = diagnose(Facts(whole), rules())
    for key in whole:
        after = diagnose(Facts({**whole, key: Unknown("hidden")}), rules())
        assert GREEN[after.verdict] <= GREEN[before.verdict], key
        assert faults(after) <= faults(before), key


@given(data=st.data(), name=st.sampled_from(LOOKED_AT))
@settings(max_examples=1000)
def test_removing_facts_finds_no_new_fault(data: st.DataObject, name: str) -> None:
    whole = MACHINES[name]
    kept = data.draw(st.sets(st.sampled_from(sorted(whole))), label="kept")
    for begin, mark in WHOLE_LOOKS:
        if any(key.startswith(begin) and key not in kept for key in whole):
            kept.discard(mark.name)  # the look was not finished
    # Without the level of the look it would be a text, which is judged by what it says alone.
    kept.add(PROBE_LEVEL.name)
    part = Facts({key: fact for key, fact in whole.items() if key in kept})
    assert faults(diagnose(part, rules())) <= faults(diagnose(Facts(whole), rules()))


def test_devices_that_nobody_named_are_not_told_from_those_of_the_process() -> None:
    whole = MACHINES["GP306 in time"]
    kept = {PROBE_LEVEL.name, "cuda.device_count", "visible.process_devices"}
    part = Facts({key: fact for key, fact in whole.items() if key in kept})
    assert faults(diagnose(part, rules())) == set()


def test_a_gpu_that_was_not_seen_leaves_open_whether_its_module_serves_it() -> None:
    whole = MACHINES["GP106 a module of the wrong kind"]
    part = {key: fact for key, fact in whole.items() if not key.startswith("pci.")}
    assert faults(diagnose(Facts(part), rules())) == set()


def test_a_gpu_whose_mig_mode_nobody_knows_is_not_told_to_be_hidden() -> None:
    whole = MACHINES["GP302 MIG without an instance"]
    kept = ("env.CUDA_VISIBLE_DEVICES", "cuda.init.code", "cuda.init.outcome", "nvml.device_count")
    part = {key: whole[key] for key in (PROBE_LEVEL.name, *kept)}
    assert faults(diagnose(Facts(part), rules())) == set()
    known = Facts({**part, "gpu.0.mig": Known(False, "NVML")})
    assert faults(diagnose(known, rules())) == {("GP302", "machine")}

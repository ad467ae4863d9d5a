"""Rules that need all of something, where not all of it could be seen."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.catalogue import rules
from gpuprobe.diagnosis.engine import diagnose
from support.examples import machine

#: The rules that need all packages, and those that need all libraries of CUDA.
OF_PACKAGES = ("GP203", "GP601", "GP603", "GP604", "GP606", "GP607", "GP608")
OF_LIBRARIES = ("GP401", "GP402", "GP403", "GP404", "GP501", "GP502", "GP602")


@pytest.mark.parametrize(
    ("fact", "codes"),
    [("packages.folders", OF_PACKAGES), ("libraries.searched", OF_LIBRARIES)],
)
def test_what_could_not_all_be_seen_leaves_its_rules_open(fact: str, codes: tuple[str, ...]):
    facts = machine("healthy", f"{fact} is unknown: permission denied")
    diagnosis = diagnose(facts, rules())
    missing = {check.rule.code: check.missing for check in diagnosis.checks}
    waiting = [code for code, each in missing.items() if each is not None and each.fact == fact]
    assert tuple(waiting) == codes
    assert {missing[code].reason for code in codes} == {"permission denied"}

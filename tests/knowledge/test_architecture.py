"""Capabilities, toolkits, and which code runs on which device."""

from __future__ import annotations

import itertools

import pytest

from gpuprobe.facts.version import Version
from gpuprobe.knowledge import architecture as arch
from gpuprobe.knowledge import driver_cuda as dc
from gpuprobe.knowledge.tables import Unstated, load

V = Version
NATIVE, PTX, NO, UNKNOWN = arch.Coverage


def targets(text: str) -> list[arch.Target]:
    return [target for word in text.split() for target in arch.parse_target(word)]


# --- the table -------------------------------------------------------------------------------


def test_capabilities_are_unique_and_highest_first():
    assert list(arch.capabilities()) == sorted(set(arch.capabilities()), reverse=True)


def test_toolkits_are_unique_and_newest_first():
    versions = [row.version("toolkit") for row in load("architectures").section("toolkits")]
    assert versions == sorted(set(versions), reverse=True)


def test_ptx_never_gets_older():
    rows = load("architectures").section("toolkits")
    for newer, older in itertools.pairwise(rows):
        assert newer.version("ptx_isa") >= older.version("ptx_isa")


def test_every_target_of_a_toolkit_has_an_architecture():
    for row in load("architectures").section("toolkits"):
        assert set(row.versions("capabilities")) <= set(arch.capabilities()), row.text("toolkit")


def test_first_and_last_toolkit_agree_with_what_the_toolkits_list():
    """Two lists from different sources."""
    rows = load("architectures").section("toolkits")
    oldest = rows[-1].version("toolkit")
    for capability in arch.capabilities():
        found = arch.architecture(capability)
        assert found is not None
        if found.last_toolkit is not None and found.last_toolkit < oldest:
            continue  # the other list begins later
        listing = [r.version("toolkit") for r in rows if capability in r.versions("capabilities")]
        assert found.last_toolkit == (max(listing) if max(listing) < V("13.4") else None)
        if found.first_toolkit is not None and found.first_toolkit >= oldest:
            assert found.first_toolkit == min(listing), capability


def test_every_toolkit_of_this_table_has_a_driver_branch_that_serves_it():
    served = {row.version("cuda") for row in load("driver_cuda").section("branches")}
    for row in load("architectures").section("toolkits"):
        assert row.version("toolkit") in served


def test_the_last_branch_of_a_capability_serves_its_last_toolkit():
    """A driver branch that still knows a GPU serves the last toolkit that compiled for it."""
    for capability in arch.capabilities():
        last, found = dc.last_branch(capability), arch.architecture(capability)
        if isinstance(last, Unstated) or last.branch is None:
            continue
        assert found is not None
        first = arch.first_branch(capability)
        assert isinstance(first, Unstated) or first.driver.major <= last.branch, capability


# --- look-ups ---------------------------------------------------------------------------------


def test_a_capability_has_its_architecture():
    found = arch.architecture(V("8.9"))
    assert found is not None
    assert (found.name, str(found.first_toolkit), found.last_toolkit) == (
        "Ada Lovelace",
        "11.8",
        None,
    )


@pytest.mark.parametrize(("capability", "last"), [("1.3", "6.5"), ("1.2", "6.5"), ("1.0", "6.0")])
def test_a_gpu_of_before_fermi_has_an_architecture(capability: str, last: str):
    found = arch.architecture(V(capability))
    assert found is not None
    assert (found.name, str(found.last_toolkit)) == ("Tesla", last)


def test_a_capability_that_nobody_made_is_none():
    assert arch.architecture(V("8.5")) is None


@pytest.mark.parametrize(("kind", "least"), [("bfloat16", "8.0"), ("float16", "5.3")])
def test_gpus_compute_in_a_type_from_a_capability_on(kind: str, least: str):
    assert arch.first_with(kind) == V(least)


def test_what_a_toolkit_compiles_for():
    found = arch.toolkit_targets(V("13.0.2"))
    assert found is not None
    assert V("7.0") not in found.capabilities
    assert V("7.5") in found.capabilities
    assert arch.toolkit_targets(V("12.7")) is None


@pytest.mark.parametrize(
    ("capability", "branch"), [("12.0", "570"), ("8.6", "455"), ("7.5", "410")]
)
def test_the_first_branch_follows_the_first_toolkit(capability: str, branch: str):
    found = arch.first_branch(V(capability))
    assert isinstance(found, dc.Floor)
    assert (str(found.driver), found.verified) == (branch, False)


# --- targets ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sm_86", [arch.Target("cubin", V("8.6"))]),
        ("compute_120", [arch.Target("ptx", V("12.0"))]),
        ("sm_90a", [arch.Target("cubin", V("9.0"), "a")]),
        ("8.6+PTX", [arch.Target("cubin", V("8.6")), arch.Target("ptx", V("8.6"))]),
        ("12.0", [arch.Target("cubin", V("12.0"))]),
        ("gfx90a", []),
        ("sm_", []),
        ("sm_8", []),
        ("sm_86b", []),
        ("8", []),
    ],
)
def test_target_names(text: str, expected: list[arch.Target]):
    assert list(arch.parse_target(text)) == expected


@pytest.mark.parametrize(
    ("held", "capability", "expected"),
    [
        ("sm_80 sm_86", "8.6", NATIVE),
        ("sm_80", "8.6", NATIVE),
        ("sm_86", "8.9", NATIVE),
        ("sm_120", "12.1", NATIVE),
        ("sm_86", "8.0", NO),
        ("sm_80 sm_90", "12.0", NO),
        ("sm_90 compute_90", "12.0", PTX),
        ("compute_90", "8.9", NO),
        ("sm_90a", "9.0", NATIVE),
        ("sm_90a compute_90a", "10.0", NO),
        ("sm_100a", "10.3", NO),
        ("sm_100f", "10.3", NATIVE),
        ("compute_100f", "12.0", NO),
        ("sm_80", "8.7", NO),
        ("sm_87", "8.9", NO),
        ("sm_80 compute_80", "8.7", PTX),
        ("sm_87", "8.7", NATIVE),
        ("sm_60", "6.1", NATIVE),
    ],
)
def test_coverage(held: str, capability: str, expected: arch.Coverage):
    assert arch.coverage(targets(held), V(capability)) is expected


def test_an_empty_list_of_targets_is_unknown_and_not_no():
    assert arch.coverage([], V("8.6")) is UNKNOWN


def test_each_capability_is_covered_by_its_own_cubin_and_ptx():
    for capability in arch.capabilities():
        assert arch.coverage([arch.Target("cubin", capability)], capability) is NATIVE
        assert arch.coverage([arch.Target("ptx", capability)], capability) is PTX

"""The lock: what is written of a machine, what is read, and that the two agree."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.diagnosis.questions.demands import is_newer, meets, same_minor
from gpuprobe.examine import judge
from gpuprobe.facts import locked
from gpuprobe.facts.lockfile import LockError, demands_of, write_lock
from gpuprobe.facts.model import Facts, Known, Unknown
from gpuprobe.report.redact import redact_facts
from support.examples import machine, machines
from support.samples import ALICE, broken, healthy

NAMES = sorted(machines())
CODES = ("GP105", "GP210", "GP610")
WITH_TORCH = (
    "package.torch.version = 2.4.1+cu121",
    "package.torch.build = cuda",
    "package.torch.cuda = 12.1",
)


def differing(facts: Facts, lock: str) -> list[str]:
    """What the rules find, and what they could not look at."""
    report = judge(Facts({**facts, **demands_of(lock, "gpu.lock.json")}))
    checks = [check for check in report.diagnosis.checks if check.rule.code in CODES]
    found = [each.title for check in checks for each in check.findings]
    return found + [check.missing.fact for check in checks if check.missing]


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_a_machine_is_what_its_own_lock_demands(name: str, exact: bool):
    facts = machine(name, *WITH_TORCH)
    assert differing(facts, write_lock(facts, exact=exact)[0]) == []


@pytest.mark.parametrize("sample", [healthy, broken], ids=lambda each: each.__name__)
def test_the_lock_of_a_redacted_snapshot_is_the_same(sample):  # type: ignore[no-untyped-def]
    facts = sample().facts
    lock = write_lock(facts)[0]
    assert write_lock(redact_facts(facts, ALICE))[0] == lock
    assert differing(facts, lock) == []
    assert "alice" not in lock


@given(name=st.sampled_from(NAMES), order=st.randoms())
def test_the_order_of_the_facts_changes_nothing(name: str, order):  # type: ignore[no-untyped-def]
    facts = machine(name, *WITH_TORCH, "package.numpy.version = 1.26.4")
    rows = list(facts.items())
    order.shuffle(rows)
    assert write_lock(Facts(dict(rows))) == write_lock(facts)


def test_a_lock_has_one_thing_a_line():
    lines = write_lock(machine("healthy", *WITH_TORCH))[0].splitlines()
    [torch] = [line for line in lines if "torch" in line]
    assert torch == '    "torch": {"version": "2.4.1+cu121", "build": "cuda", "cuda": "12.1"}'
    assert '  "driver": ">=535.104.05",' in lines


def test_the_driver_is_locked_exactly_where_that_is_asked_for():
    assert json.loads(write_lock(machine("healthy"), exact=True)[0])["driver"] == "535.104.05"


def test_what_could_not_be_locked_is_told():
    _, left_out = write_lock(machine("healthy", "driver.cuda is unknown: cuInit hung"))
    assert left_out == ("driver.cuda: cuInit hung",)


@pytest.mark.parametrize("version", ["dev", "2024.x", "2.0 beta"])
def test_what_is_no_version_is_left_out_of_the_lock_and_told(version: str):
    """Else the lock could not be read at all."""
    odd = machine("healthy", f"package.cupy.version = {version}")
    text, left_out = write_lock(odd)
    assert "cupy" not in json.loads(text).get("packages", {})
    assert f"package.cupy.version: {version!r} is no version" in left_out
    assert demands_of(text, "lock")


def test_equal_cards_are_counted_and_a_capability_that_is_in_part_unknown_is_left_out():
    card = {"gpu.0.name": Known("H100", "x"), "gpu.1.name": Known("H100", "x")}
    facts = Facts({**card, "gpu.1.capability": Unknown("x")})
    assert json.loads(write_lock(facts)[0])["gpus"] == [{"name": "H100", "count": 2}]


def test_a_library_is_locked_where_no_package_brings_it():
    line = "library.cudnn.version = 9.1.0"
    lock = json.loads(write_lock(machine("healthy", line))[0])
    assert lock["libraries"] == {"cudnn": "9.1.0"}
    package = "package.nvidia-cudnn-cu12.version = 9.1.0.70"
    assert "libraries" not in json.loads(write_lock(machine("healthy", line, package))[0])


def demands(**fields: object) -> dict[str, str]:
    found = demands_of(json.dumps({"gpuprobe_lock": 1, **fields}), "lock")
    return {name: str(fact.value) for name, fact in found.items() if isinstance(fact, Known)}


def test_a_version_alone_and_an_object_are_both_understood():
    packages = {"torch": ">=2.4,<2.6", "jax": {"version": "0.4.35", "build": "cuda"}}
    assert demands(packages=packages) == {
        locked.PACKAGE_VERSION("torch").name: ">=2.4,<2.6",
        locked.PACKAGE_VERSION("jax").name: "0.4.35",
        locked.PACKAGE_BUILD("jax").name: "cuda",
    }


def test_a_package_may_be_written_as_pip_allows_it():
    assert demands(packages={"Flash_Attn": "2"}) == {"lock.package.flash-attn.version": "2"}


def test_a_card_without_a_count_is_wanted_once_at_least():
    assert demands(gpus=[{"capability": ">=8.0"}])["lock.gpu.0.count"] == ">=1"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not JSON"),
        ("[]", "expected an object"),
        ("{}", "gpuprobe_lock"),
        ('{"gpuprobe_lock": 2}', "schema 1"),
        ('{"gpuprobe_lock": 1, "drivers": "1"}', "drivers: a lock has no such field"),
        ('{"gpuprobe_lock": 1, "driver": 535}', "driver: expected a text"),
        ('{"gpuprobe_lock": 1, "driver": ">>535"}', "driver: '>>535' is no version"),
        ('{"gpuprobe_lock": 1, "driver": ""}', "driver: '' is no version"),
        ('{"gpuprobe_lock": 1, "gpus": [{"nam": "x"}]}', "gpus[0].nam: no such field"),
        ('{"gpuprobe_lock": 1, "gpus": [{"count": 1.5}]}', "gpus[0].count"),
        ('{"gpuprobe_lock": 1, "gpus": [{"count": "two"}]}', "gpus[0].count: 'two' is no version"),
        ('{"gpuprobe_lock": 1, "driver": "latest"}', "driver: 'latest' is no version"),
        ('{"gpuprobe_lock": 1, "libraries": {"a.b": "1"}}', "no normalised name"),
        ('{"gpuprobe_lock": 1, "packages": {"": "1"}}', "no normalised name"),
        ('{"gpuprobe_lock": 1, "packages": {"torch": "^2.3"}}', "'^2.3' is no version"),
        ('{"gpuprobe_lock": 1, "python": "3.x"}', "python: '3.x' is no version"),
        ('{"gpuprobe_lock": 1, "driver": "*"}', "driver: '*' is no version"),
        ('{"gpuprobe_lock": 1, "packages": {"torch": {}}}', "packages.torch"),
        ('{"gpuprobe_lock": 1, "driver": "1", "driver": "2"}', "'driver' stands twice"),
        (
            '{"gpuprobe_lock": 1, "packages": {"torch": "2.4", "Torch": "2.5"}}',
            "package.torch.version is demanded twice",
        ),
    ],
)
def test_what_is_no_lock_is_said_with_its_place(text: str, told: str):
    with pytest.raises(LockError) as error:
        demands_of(text, "lock")
    assert told in str(error.value)


@given(
    st.text(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["driver", "gpus", "packages", "count", "version", "x"]),
                inner,
                max_size=3,
            )
        ),
    ).map(lambda each: json.dumps({"gpuprobe_lock": 1, "packages": each, "driver": each}))
)
def test_garbage_is_a_lock_or_is_refused(text: str):
    try:
        demands_of(text, "lock")
    except LockError:
        return


@pytest.mark.parametrize(
    ("demand", "value", "met"),
    [
        ("2.4.1+cu121", "2.4.1+cu121", True),
        ("2.4.1", "2.4.1+cu121", True),
        ("2.4.1+cu118", "2.4.1+cu121", False),
        (">=535.104.05", "535.104.5", True),
        (">=535.104.05", "535.54.03", False),
        (">=2.4,<2.6", "2.5.1", True),
        (">=2.4,<2.6", "2.6.0", False),
        ("3.11.*", "3.11.7", True),
        ("3.11", "3.11.7", True),
        ("3.1", "3.11.7", False),
        ("550", "550.54.14", True),
        ("2.3", "2.3.1+cu121", True),
        ("9.1.0", "9.1.0.70", True),
        ("==2.3", "2.3.1", False),
        ("2.3", "2.4.0", False),
        ("2.3", "2.3.0.dev20240101", False),
        ("3.11.*", "3.12.0", False),
        (">=2.9", "2.9.0.dev20250901+cu130", False),
        (">=2.8", "2.9.0.dev20250901+cu130", True),
        ("r23-custom", "r23-custom", True),
        ("r23-custom", "r24-custom", False),
        (">=1.0", "not a version", False),
    ],
)
def test_demands_are_met_as_pip_reads_them(demand: str, value: str, met: bool):
    assert meets(demand, value) is met


def test_newer_and_near_are_said_of_single_versions_only():
    assert is_newer("535.54", "535.104")
    assert not is_newer("535.104", "535.54")
    assert not is_newer(">=535", "550")
    assert same_minor("2.4.1+cu121", "2.4.0")
    assert not same_minor("2.4.1", "2.5.0")
    assert not same_minor(">=2.4", "2.4.0")

"""Two machines side by side: what is the same, what differs, and in which order it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.comparison.compare import compare
from gpuprobe.comparison.things import pairs
from gpuprobe.comparison.weight import link_of
from gpuprobe.diagnosis.model import Link
from gpuprobe.examine import explain, judge
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.facts.version import Version
from gpuprobe.report.comparison import cells_of, for_other_eyes
from support.examples import machine, machines
from support.samples import ALICE, UUID_0, UUID_1, broken, healthy, no_gpu_here, unknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuprobe.comparison.model import Comparison
    from gpuprobe.facts.model import Fact, Value

NAMES = sorted(machines())
SAMPLES = (healthy, broken, no_gpu_here, unknown)


def differing(found: Comparison) -> list[str]:
    return [each.name for each in found.differences]


def of_facts(a: Mapping[str, Fact[Value]], b: Mapping[str, Fact[Value]]) -> Comparison:
    return compare(judge(Facts(a)), judge(Facts(b)))


def bent(*lines: str) -> Comparison:
    """A healthy machine, and the same with these lines changed."""
    return compare(judge(machine("healthy")), judge(machine("healthy", *lines)))


def known(value: Value) -> Known[Value]:
    return Known(value, "a test")


def test_variables_stand_by_their_subject():
    assert link_of("env.PYTHONPATH") is link_of("env.TF_GPU_ALLOCATOR") is Link.FRAMEWORK
    assert link_of("env.CUDA_VERSION") is Link.LIBRARIES
    assert link_of("driver.version") is Link.USER_DRIVER
    assert link_of("driver.cuda") is Link.RUNTIME
    assert link_of("env.SLURM_JOB_GPUS") is Link.VISIBLE_DEVICES


def test_what_one_side_did_not_look_for_is_unseen_only_where_the_other_found_it():
    absent, found = {"libcuda.aside": Absent("x")}, {"libcuda.aside": known("/x/libcuda.so.1")}
    assert of_facts(absent, {}).unseen == of_facts({}, absent).unseen == ()
    assert of_facts(found, {}).unseen == of_facts({}, found).unseen == ("libcuda.aside",)
    assert of_facts(found, {}).differences == ()


def test_of_long_lists_only_what_differs_is_shown():
    peers = ("GPU 1: NVLink", "GPU 2: NVLink", "GPU 3: NVLink", "GPU 4: NVLink")
    fact = "gpu.0.peers"
    found = of_facts({fact: known(peers)}, {fact: known((*peers[:3], "GPU 4: down"))})
    [each] = [each for each in found.differences if each.name == fact]
    assert cells_of(each) == ("GPU 4: NVLink, …", "GPU 4: down, …")
    folders = ("/a", "/b", "/c", "/d")  # their order counts, and that of peers does not
    fact = "packages.folders"
    [each] = of_facts({fact: known(folders)}, {fact: known(folders[::-1])}).differences
    assert cells_of(each) == (", ".join(folders), ", ".join(folders[::-1]))


# -- what holds for all ---------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("everything", [False, True])
def test_a_machine_does_not_differ_from_itself(name: str, everything: bool):
    report = judge(machine(name))
    found = compare(report, report, everything=everything)
    assert (found.differences, found.unseen) == ((), ())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda each: each.__name__)
def test_a_machine_does_not_differ_from_its_redacted_self(sample):  # type: ignore[no-untyped-def]
    report = sample()
    found = compare(report, report.redacted(), everything=True)
    assert (found.differences, found.unseen) == ((), ())


@given(a=st.sampled_from(NAMES), b=st.sampled_from(NAMES), everything=st.booleans())
def test_turned_round_it_is_the_same_comparison(a: str, b: str, everything: bool):
    one, other = judge(machine(a)), judge(machine(b))
    there = compare(one, other, everything=everything)
    back = compare(other, one, everything=everything)
    assert {(each.name, each.a, each.b) for each in there.differences} == {
        (each.name, each.b, each.a) for each in back.differences
    }
    assert there.unseen == back.unseen


@given(a=st.sampled_from(NAMES), b=st.sampled_from(NAMES), data=st.data())
def test_what_one_side_cannot_see_is_no_difference(a: str, b: str, data: st.DataObject):
    whole = machine(b)
    hidden = data.draw(st.sampled_from(sorted(whole)))
    part = Facts({**whole, hidden: Unknown("hidden")})
    before = compare(judge(machine(a)), judge(whole))
    after = compare(judge(machine(a)), judge(part))
    assert hidden not in differing(after)
    assert {each.name for each in after.differences} <= {
        each.name for each in before.differences
    } | {"pci.0", "pci.1"}  # without its slot a card may be another one


# -- what counts ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "gpu.0.memory_free_bytes = 1",
        "gpu.0.temperature_c = 70",
        "gpu.0.clock_sm_mhz = 210",
        "gpu.0.processes = 4711 python",
        "gpu.0.uuid = GPU-00000001-1b7e-4c3d-9e0f-a1b2c3d4e5f6",
        "cuda.init.ms = 30.5",
        "env.GPUPROBE_TIMEOUT = 5",
    ],
)
def test_noise_is_left_out_unless_all_is_asked_for(line: str):
    other = line.replace("= ", "= 9").replace("= 9GPU-0", "= GPU-9")
    a, b = judge(machine("healthy", line)), judge(machine("healthy", other))
    assert compare(a, b).same
    assert not compare(a, b, everything=True).same


def test_what_texts_are_about_is_no_difference():
    a, b = (
        explain("torch 2.4.1 finds no GPU"),
        explain("Ubuntu: torch 2.4.1 finds no GPU in docker"),
    )
    assert not [name for name in compare(a, b).unseen if name.startswith("about.")]


def test_a_setting_is_no_noise():
    assert differing(bent("gpu.0.mig = true")) == ["gpu.0.mig"]


def test_whose_machine_it_is_makes_no_difference():
    a, b, c = (
        {"python.executable": known(f"/home/{user}/{folder}/bin/python")}
        for user, folder in (("alice", "venv"), ("bob", "venv"), ("bob", "other"))
    )
    assert of_facts(a, b).same
    assert differing(of_facts(a, c)) == ["python.executable"]


def test_what_the_verdict_rests_on_comes_first_then_the_chain():
    found = compare(healthy(), broken())
    assert differing(found)[:2] == ["driver.version", "driver.cuda"]
    assert [each.decisive for each in found.differences] == [True, True, False, False]
    links = [each.link for each in found.differences if not each.decisive]
    assert links == sorted(links)


def test_nothing_is_decisive_where_both_have_the_same_cause():
    lines = ("driver.version = 535.129.03", "cuda.device_count_unmasked is absent")
    assert not any(each.decisive for each in bent(*lines).differences)


# -- which is which -------------------------------------------------------------------------


def gpu(
    number: int, uuid: str | None, pci: str | None, name: str = "H100"
) -> dict[str, Fact[Value]]:
    found: dict[str, Fact[Value]] = {f"gpu.{number}.name": known(name)}
    found |= {} if uuid is None else {f"gpu.{number}.uuid": known(uuid)}
    return found | ({} if pci is None else {f"gpu.{number}.pci": known(pci)})


COUNTED: dict[str, Fact[Value]] = {"nvml.device_count": known(2)}


def test_gpus_are_the_same_by_uuid_whatever_their_numbers():
    a = {**gpu(0, UUID_0, None, "H100"), **gpu(1, UUID_1, None, "H200")}
    b = {**gpu(0, UUID_1, None, "H200"), **gpu(1, UUID_0, None, "H100")}
    assert of_facts(a, b).same


def test_gpus_of_a_redacted_snapshot_are_the_same_by_what_is_left_of_the_uuid():
    hidden = "GPU-5d2f9a7c-0000-0000-0000-000000000000"
    found = of_facts(gpu(0, UUID_0, None), gpu(3, hidden, None))
    assert found.same


def test_another_card_in_the_same_slot_is_compared_with_the_former_one():
    slot = "0000:01:00.0"
    found = of_facts(gpu(0, UUID_0, slot, "A100"), gpu(0, "GPU-99999999-0", slot, "H100"))
    assert differing(found) == ["gpu.0.name"]


def test_a_card_that_only_one_side_has_is_one_difference():
    a = {**COUNTED, **gpu(0, UUID_0, "0000:01:00.0"), **gpu(1, "GPU-2", "0000:02:00.0", "A100")}
    b = {**COUNTED, **gpu(0, UUID_0, "0000:01:00.0")}
    [each] = of_facts(a, b).differences
    assert (each.name, each.a, each.b) == ("gpu.1", known("A100"), Absent("no such gpu"))


def test_whole_uuids_that_begin_alike_are_two_cards():
    a, b = gpu(0, UUID_0, "0000:01:00.0"), gpu(0, UUID_1, "0000:02:00.0")
    assert len(of_facts({**COUNTED, **a}, {**COUNTED, **b}).differences) == 2


def test_numbers_of_a_redacted_uuid_are_those_of_one_document():
    """Where a card is lost, the tails of the others are numbered anew."""
    cards = range(1, 4)
    a, b = (
        [
            gpu(card, f"GPU-5d2f9a7c-0000-0000-0000-00000000000{n}", f"0000:0{card}:00.0")
            for n, card in enumerate(left)
        ]
        for left in (cards, [1, 3])
    )
    found = of_facts({**COUNTED, **a[0], **a[1], **a[2]}, {**COUNTED, **b[0], **b[1]})
    assert found.lost == ("B does not list GPU 2 (H100, 0000:02:00.0) of A",)
    assert differing(found) == ["gpu.2"]


# -- one that is lost -----------------------------------------------------------------------


def three(*, without: int = -1) -> dict[str, Fact[Value]]:
    """Three cards that reach each other, numbered as a machine does that lacks one of them."""
    cards = [card for card in range(3) if card != without]
    found: dict[str, Fact[Value]] = {**COUNTED}
    for number, card in enumerate(cards):
        head = f"gpu.{number}"
        found |= gpu(number, f"GPU-{card}", f"0000:0{card}:00.0")
        found |= {f"{head}.nvml_index": known(number), f"{head}.minor": known(number)}
        found |= {f"{head}.failure": Absent("NVML")}
        others = (other for other in range(len(cards)) if other != number)
        found[f"{head}.peers"] = known(tuple(f"GPU {other}: NVLink x18" for other in others))
    return found


def test_a_lost_card_is_told_first_and_what_follows_from_it_is_left_out():
    found = of_facts(three(), three(without=1))
    assert found.lost == ("B does not list GPU 1 (H100, 0000:01:00.0) of A",)
    assert differing(found) == ["gpu.1"]
    back = of_facts(three(without=1), three())
    assert back.lost == ("A does not list GPU 1 (H100, 0000:01:00.0) of B",)
    every = compare(judge(Facts(three())), judge(Facts(three(without=1))), everything=True)
    assert "gpu.2.nvml_index" in differing(every)


def test_a_card_that_failed_is_told_and_nothing_else_of_it():
    lost: dict[str, Fact[Value]] = {
        "gpu.1.failure": known("nvml: 15, the GPU is lost"),
        "gpu.1.name": Unknown("lost"),
        "gpu.1.uuid": Unknown("lost"),
        "gpu.1.pci": Unknown("lost"),
        "gpu.1.peers": known(("GPU 0: not told", "GPU 2: not told")),
        "gpu.0.peers": known(("GPU 1: not told", "GPU 2: NVLink x18")),
        "gpu.2.peers": known(("GPU 0: NVLink x18", "GPU 1: not told")),
    }
    found = of_facts(three(), {**three(), **lost})
    assert found.lost == (
        "B cannot use GPU 1 (H100, 0000:01:00.0) of A: nvml: 15, the GPU is lost",
    )
    assert (differing(found), found.unseen) == (["gpu.1.failure"], ())
    back = of_facts({**three(), **lost}, three())
    assert back.lost == ("A cannot use GPU 1 (H100, 0000:01:00.0) of B: nvml: 15, the GPU is lost",)


def test_several_lost_cards_are_one_sentence_and_none_where_nobody_looked():
    gone: dict[str, Fact[Value]] = {"nvml.device_count": known(0)}
    [told] = of_facts(three(), gone).lost
    assert told.startswith("B does not list 3 GPUs of A: GPU 0 (H100, 0000:00:00.0), GPU 1 (")
    assert of_facts(three(), {}).lost == ()


def test_every_form_tells_of_a_lost_card():
    found = for_other_eyes(of_facts(three(), three(without=1)), ALICE)
    told = "B does not list GPU 1 (H100, 0000:01:00.0) of A"
    for shown in (found.text(), found.html(), found.markdown()):
        assert told in shown
    assert found.to_dict()["lost"] == [told]


def test_other_eyes_see_both_cards_where_one_has_the_number_of_the_other():
    """A card of another slot is another card, and both are number 0."""

    def one(name: str, slot: str) -> dict[str, Fact[Value]]:
        told = {"name": name, "pci": slot}
        return {"nvml.device_count": known(1)} | {f"gpu.0.{k}": known(v) for k, v in told.items()}

    found = of_facts(one("A100", "0000:01:00.0"), one("H100", "0000:41:00.0"))
    assert [cells_of(each) for each in for_other_eyes(found, ALICE).differences] == [
        ("A100", "absent"), ("absent", "H100"),
    ]  # fmt: skip


def test_a_card_that_failed_is_a_difference_to_one_of_which_no_failure_is_told():
    told = {"nvml.device_count": known(1), "gpu.0.name": known("H100")}
    found = of_facts({**told, "gpu.0.failure": known("GPU_IS_LOST (15)")}, told)
    assert found.lost == ("A cannot use GPU 0 (H100) of B: GPU_IS_LOST (15)",)
    assert (differing(found), found.same) == (["gpu.0.failure"], False)


def test_several_copies_beside_one_are_a_difference():
    folders: dict[str, Fact[Value]] = {"packages.folders": known(("/site",))}
    one: dict[str, Fact[Value]] = {**folders, "package.torch.version": known("2.4.1")}
    two = {**one, "package.torch.copies": known(("2.4.1 in /site", "2.3.0 in /old"))}
    found = of_facts(one, two)
    assert differing(found) == ["package.torch.copies"]
    assert found.differences[0].a == Absent("there is one copy")


def test_a_package_that_only_one_side_has_is_one_difference():
    folders: dict[str, Fact[Value]] = {"packages.folders": known(("/site",))}
    torch: dict[str, Fact[Value]] = {
        "package.torch.version": known("2.4.1"),
        "package.torch.build": known("cuda"),
        "package.torch.cuda": known(Version("12.1")),
    }
    found = of_facts({**folders, **torch}, folders)
    assert differing(found) == ["package.torch"]
    assert "not installed" in found.text()
    assert of_facts(torch, {}).unseen == ("package.torch",)


def test_every_fact_of_either_side_is_in_one_pair():
    a, b = healthy().facts, broken().facts
    found = list(pairs(a, b))
    left = [pair.a for pair in found if pair.a is not None]
    assert len(left) == len(set(left))
    covered = {
        name for pair in found for name in a if pair.a and f"{name}.".startswith(f"{pair.a}.")
    }
    assert covered == set(a)

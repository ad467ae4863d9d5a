"""What CUDA makes of a value: every case that a source states, and two models held together."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.version import Version
from gpuprobe.knowledge.visible_devices.model import (
    Doubt,
    Fate,
    Gpu,
    Instance,
    Kind,
    Prediction,
)
from gpuprobe.knowledge.visible_devices.predictor import predict
from gpuprobe.knowledge.visible_devices.words import why

UUIDS = (
    "GPU-9e8d35e3-6f2c-4b1a-a0d7-2c5b81f49e63",
    "GPU-47c10b5d-3e8f-4a92-b6c4-d10f7e2a9585",
    "GPU-3f6a1c52-8e4b-4d0a-9b7e-51c2d86e0f10",
    "GPU-3f7b2d63-9f5c-4e1b-8a6d-62d3e97f1021",
)
FOUR = tuple(Gpu(uuid) for uuid in UUIDS)
TWO = FOUR[:2]
DRIVER_525, DRIVER_550, DRIVER_570 = Version("525.60.13"), Version("550.54"), Version("570.86")


def shown(prediction: Prediction) -> list[str] | None:
    """The visible devices: "2" for GPU 2, "2/0" for its first MIG instance."""
    if prediction.devices is None:
        return None
    return [
        str(each.gpu) if each.instance is None else f"{each.gpu}/{each.instance}"
        for each in prediction.devices
    ]


def fates(prediction: Prediction) -> list[Fate]:
    return [entry.fate for entry in prediction.entries]


@pytest.mark.parametrize(
    ("value", "gpus", "expected"),
    [
        # What PyTorch's authors held against driver 525.60.13.
        (None, FOUR, "0 1 2 3"),
        ("", FOUR, ""),
        ("0, 1, 2, -1, 3", FOUR, "0 1 2"),
        ("1gpu2,2ampere", FOUR, "1 2"),
        ("2, +3, -0, 1", FOUR, "2 3 0 1"),
        ("0, 1, 2, 1", FOUR, ""),
        ("one,two,3", FOUR, ""),
        ("3,2,two,one", FOUR, "3 2"),
        ("1, 5, 0", TWO, "1"),
        ("5,0", TWO, ""),
        ("GPU-9e8d,GPU-47", FOUR, "0 1"),
        ("GPU-9e8d, 2", FOUR, "0"),
        ("GPU-3f", FOUR, ""),
        (f"{UUIDS[0]},GPU-9e8", FOUR, ""),
        ("16", FOUR, ""),
        # What the Programming Guide states.
        ("0,2,-1,1", FOUR, "0 2"),
        ("2,0", FOUR, "2 0"),
        (UUIDS[3], FOUR, "3"),
        # What follows from these.
        ("0-2", FOUR, "0"),
        ("0;1", FOUR, "0"),
        ("0 1", FOUR, "0"),
        ("0.5,1", FOUR, "0 1"),
        (" 1", FOUR, "1"),
        ("\t1", FOUR, "1"),
        ("- 1", FOUR, ""),
        ("+-1", FOUR, ""),
        ("1,GPU-9e8d", FOUR, "1"),
        ("0,", FOUR, "0"),
        (",0", FOUR, ""),
        ("-1", FOUR, ""),
        ("-1,0", FOUR, ""),
        ('"0"', FOUR, ""),
        ("0,'1'", FOUR, "0"),
        ("all", FOUR, ""),
        ("none", FOUR, ""),
        ("void", FOUR, ""),
        ("NoDevFiles", FOUR, ""),
        ("cuda:0", FOUR, ""),
        ("00", FOUR, "0"),
        ("9" * 6000, FOUR, ""),
        ("18446744073709551616", FOUR, ""),
        ("²", FOUR, ""),  # a digit to Python, none to C
        ("GPU-", FOUR, ""),
        ("GPU-", FOUR[:1], "0"),
        (f"{UUIDS[0]}x", FOUR, ""),
        ("0", (), ""),
        (None, (), ""),
    ],
)
def test_value_shows_these_devices(value: str | None, gpus: tuple[Gpu, ...], expected: str) -> None:
    prediction = predict(value, gpus, DRIVER_525)
    assert shown(prediction) == expected.split()
    assert prediction.doubts == ()


def test_each_entry_says_what_became_of_it() -> None:
    prediction = predict("2, +0x,-1,3", FOUR, DRIVER_525)
    visible, zero, negative, unread = prediction.entries
    assert fates(prediction) == [Fate.VISIBLE, Fate.VISIBLE, Fate.NEGATIVE, Fate.UNREAD]
    assert (visible.ordinal, zero.ordinal, negative.ordinal) == (0, 1, None)
    assert (zero.text, zero.number, zero.kind) == (" +0x", 0, Kind.NUMBER)
    assert negative.number == -1
    assert unread.target is None
    assert prediction.culprit is negative


@pytest.mark.parametrize(
    ("value", "fate"),
    [
        ("", Fate.EMPTY),
        (" ", Fate.EMPTY),
        ("-1", Fate.NEGATIVE),
        ("two", Fate.WORD),
        ('"0"', Fate.QUOTED),
        ("7", Fate.OUT_OF_RANGE),
        ("GPU-123", Fate.UNKNOWN_UUID),
        ("GPU-3f", Fate.NOT_UNIQUE),
        ("1,GPU-9e8d", Fate.OTHER_KIND),
        ("1,1", Fate.DUPLICATE),
        ("MIG-9e8d35e3-6f2c-4b1a-a0d7-2c5b81f49e63", Fate.UNKNOWN_UUID),
    ],
)
def test_the_culprit_is_named_with_its_reason(value: str, fate: Fate) -> None:
    culprit = predict(value, FOUR, DRIVER_525).culprit
    assert culprit is not None
    assert culprit.fate is fate


def test_a_repetition_takes_the_others_with_it() -> None:
    prediction = predict("2,0,2,1", FOUR, DRIVER_525)
    assert fates(prediction) == [Fate.EMPTIED, Fate.EMPTIED, Fate.DUPLICATE, Fate.UNREAD]
    assert prediction.entries[0].target is not None
    assert prediction.entries[0].ordinal is None


@pytest.mark.parametrize(
    ("value", "doubt", "likelier", "other"),
    [
        ("0x1", Doubt.BASE, "0", "1"),
        ("03,010", Doubt.BASE, "3", None),  # 8 and 10 are out of range alike
        ("0,,1", Doubt.EMPTY_ENTRY, "0", "0 1"),
        ("GPU-9e8d, GPU-47", Doubt.BLANKS, "0", "0 1"),
        ("GPU-9e8d ", Doubt.BLANKS, "", "0"),
        ("GPU-9E8D", Doubt.CASE, "", "0"),
        ("gpu-9e8d", Doubt.CASE, "", "0"),
    ],
)
def test_what_no_source_states_is_said_to_be_open(
    value: str, doubt: Doubt, likelier: str, other: str | None
) -> None:
    prediction = predict(value, FOUR, DRIVER_525)
    assert shown(prediction) == likelier.split()
    assert prediction.doubts == (() if other is None else (doubt,))
    others = [[str(each.gpu) for each in listed or ()] for listed in prediction.others]
    assert others == ([] if other is None else [other.split()])


def test_octal_is_open_where_it_makes_a_difference() -> None:
    ten = tuple(Gpu(f"GPU-{number:032x}") for number in range(12))
    assert predict("010", ten).doubts == (Doubt.BASE,)
    assert predict("007", ten).doubts == ()


def test_two_open_questions_can_hang_together() -> None:
    prediction = predict(" gpu-9e8d", FOUR, DRIVER_525)
    assert set(prediction.doubts) == {Doubt.BLANKS, Doubt.CASE}
    assert shown(prediction) == []


@pytest.mark.parametrize(
    ("driver", "doubts"),
    [(DRIVER_525, ()), (DRIVER_570, (Doubt.DUPLICATE,)), (None, (Doubt.DUPLICATE,))],
)
def test_a_repetition_is_certain_only_on_drivers_where_it_was_seen(
    driver: Version | None, doubts: tuple[Doubt, ...]
) -> None:
    prediction = predict("0,0", FOUR, driver)
    assert prediction.hides_all
    assert prediction.doubts == doubts


# -- who knows no devices, or not all of them --------------------------------------------------


@pytest.mark.parametrize("value", ["", "-1", "all", '"0"', ",0", "0,0", "GPU-1,GPU-1", "²,1"])
def test_some_values_hide_every_device_of_any_machine(value: str) -> None:
    assert predict(value, None).hides_all


@pytest.mark.parametrize("value", [None, "0", "1,0,0", "GPU-9e8d", "0,-1", "MIG-1"])
def test_without_devices_other_values_stay_open(value: str | None) -> None:
    prediction = predict(value, None, DRIVER_550)
    assert prediction.devices is None or value == "MIG-1"


def test_a_uuid_is_not_checked_where_uuids_are_not_known() -> None:
    unknown = (Gpu(), Gpu())
    assert shown(predict("1", unknown)) == ["1"]
    assert fates(predict("GPU-9e8d", unknown)) == [Fate.UNCHECKED]
    assert predict("GPU-9e8d,GPU-47", (Gpu(UUIDS[0]), Gpu())).devices is None
    assert shown(predict(UUIDS[0], (Gpu(UUIDS[0]), Gpu()))) == ["0"]


def test_a_repetition_beyond_an_unchecked_entry_may_not_be_reached() -> None:
    assert predict("0,5,5", None).devices is None
    assert predict("5,5", None).devices == ()


# -- MIG ---------------------------------------------------------------------------------------

FIRST = Instance("MIG-11111111-6f2c-5b1a-a0d7-2c5b81f49e63", 1, 0)
SIBLING = Instance("MIG-22222222-6f2c-5b1a-a0d7-2c5b81f49e63", 1, 1)  # of the same GPU instance
SECOND = Instance("MIG-33333333-6f2c-5b1a-a0d7-2c5b81f49e63", 2, 0)
#: A whole GPU, one in MIG mode with three instances, and one in MIG mode without any.
SPLIT = (
    FOUR[0],
    Gpu(UUIDS[1], mig=True, instances=(FIRST, SIBLING, SECOND)),
    Gpu(UUIDS[2], mig=True),
)
OLD_NAME = f"MIG-{UUIDS[1]}/2/0"


@pytest.mark.parametrize(
    ("value", "driver", "expected"),
    [
        (SECOND.uuid, DRIVER_550, "1/2"),
        (SECOND.uuid, DRIVER_570, "1/2"),
        (SECOND.uuid, Version("460.32"), ""),  # instances had no UUID of their own
        (OLD_NAME, Version("460.32"), "1/2"),
        (f"MIG-{UUIDS[1]}/7/0", Version("460.32"), ""),
        # One instance for a program; since branch 570 one of each GPU instance.
        (f"{SECOND.uuid},{FIRST.uuid}", DRIVER_550, "1/2"),
        (f"{SECOND.uuid},{FIRST.uuid}", DRIVER_570, "1/2 1/0"),
        (f"{FIRST.uuid},{SIBLING.uuid},{SECOND.uuid}", DRIVER_570, "1/0 1/2"),
        # A GPU in MIG mode stands for its first instance, one without any for nothing.
        (UUIDS[1], DRIVER_550, "1/0"),
        (UUIDS[2], DRIVER_550, ""),
        # With an instance in the list no whole GPU is shown, before branch 570.
        (f"{UUIDS[0]},{UUIDS[1]}", DRIVER_550, "1/0"),
        (f"{UUIDS[0]},{UUIDS[1]}", DRIVER_570, "0 1/0"),
        (None, DRIVER_550, "1/0"),
        (None, DRIVER_570, "0 1/0 1/2"),
        (f"0,{FIRST.uuid}", DRIVER_550, "0"),
    ],
)
def test_mig_instances(value: str | None, driver: Version, expected: str) -> None:
    assert shown(predict(value, SPLIT, driver)) == expected.split()


@pytest.mark.parametrize(
    ("value", "driver", "doubt"),
    [
        ("MIG-33333333", DRIVER_570, Doubt.SHORT_MIG),
        (OLD_NAME, DRIVER_570, Doubt.OLD_MIG_NAME),
        ("1", DRIVER_570, None),  # the first instance, however numbers count
        ("2", DRIVER_570, Doubt.MIG_NUMBERS),
        (f"{UUIDS[0]},{SECOND.uuid}", DRIVER_570, Doubt.MIG_MIXED),
        (UUIDS[0], DRIVER_550, Doubt.MIG_BESIDE),
        (UUIDS[0], DRIVER_570, None),
        (UUIDS[1], DRIVER_570, Doubt.MIG_PARENT),
        (f"{SECOND.uuid},{FIRST.uuid}", None, Doubt.MIG_LIMIT),
    ],
)
def test_open_questions_of_mig(value: str, driver: Version | None, doubt: Doubt | None) -> None:
    doubts = predict(value, SPLIT, driver).doubts
    assert doubts == (() if doubt is None else (doubt,))


def test_an_instance_that_is_held_back_keeps_its_name() -> None:
    prediction = predict(f"{SECOND.uuid},{FIRST.uuid}", SPLIT, DRIVER_550)
    assert fates(prediction) == [Fate.VISIBLE, Fate.HELD_BACK]
    held = prediction.entries[1].target
    assert held is not None
    assert held.uuid == FIRST.uuid


# -- against a second model --------------------------------------------------------------------


def naive(value: str | None, uuids: list[str]) -> list[int]:
    """The rules of PG-env and torch-test, without MIG, in the simplest words."""
    if value is None:
        return list(range(len(uuids)))
    result: list[int] = []
    for text in value.split(","):
        by_uuid = text.startswith("GPU-")
        if by_uuid:
            found = [i for i, uuid in enumerate(uuids) if uuid.startswith(text)]
        else:
            match = re.match(r"[ \t\n\v\f\r]*([+-]?[0-9]+)", text)
            found = [i for i in range(len(uuids)) if match and int(match[1]) == i]
        if len(found) != 1 or by_uuid != value.startswith("GPU-"):
            return result
        if found[0] in result:
            return []
        result += found
    return result


ENTRIES = st.one_of(
    st.integers(-2, 6).map(str),
    st.sampled_from(["+1", "-0", " 2", "2 ", "1gpu", "", " ", "x", "0x2", "-", "+", "1.5", '"1"']),
    st.tuples(st.sampled_from(UUIDS), st.integers(3, 40)).map(lambda pair: pair[0][: pair[1]]),
    st.sampled_from(["GPU-", "GPU-0", "MIG-", "GPU-9e8d\n"]),
    st.text(max_size=4),
)
VALUES = st.one_of(st.none(), st.lists(ENTRIES, max_size=6).map(",".join))


@given(VALUES, st.integers(0, 4))
def test_two_models_agree(value: str | None, count: int) -> None:
    devices = predict(value, FOUR[:count], DRIVER_525).devices
    assert devices is not None
    assert [each.gpu for each in devices] == naive(value, [*UUIDS[:count]])


@given(st.text(), st.integers(0, 4))
def test_any_text_is_read_and_every_entry_accounted_for(value: str, count: int) -> None:
    prediction = predict(value, FOUR[:count])
    assert ",".join(entry.text for entry in prediction.entries) == value
    visible = [entry.target for entry in prediction.entries if entry.ordinal is not None]
    assert prediction.devices == tuple(visible)
    assert sum(entry.fate.ends for entry in prediction.entries) <= 1


@given(VALUES, st.integers(0, 4))
def test_what_is_said_without_devices_holds_for_every_machine(
    value: str | None, count: int
) -> None:
    blind, seeing = predict(value, None), predict(value, FOUR[:count])
    if blind.devices is not None and not blind.doubts:
        assert seeing.devices == blind.devices


def test_a_uuid_that_was_copied_from_a_redacted_report_is_told() -> None:
    redacted = f"{UUIDS[1][:12]}-0000-0000-0000-000000000001"
    [entry] = predict(redacted, TWO).entries
    assert why(entry) == (
        "no GPU has this UUID here; a redacted report keeps only its beginning, GPU-47c10b5d"
    )
    [entry] = predict(f"{UUIDS[1][:-1]}0", TWO).entries
    assert why(entry) == "no GPU has this UUID here"

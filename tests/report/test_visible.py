"""An explanation in every form: nothing is left out, it fits, and it is closed HTML."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from gpuprobe.knowledge.visible_devices.predictor import predict
from gpuprobe.knowledge.visible_devices.pytorch import torch
from gpuprobe.knowledge.visible_devices.surroundings import remarks
from gpuprobe.report.terminal import Style
from gpuprobe.report.visible.html import fragment, page
from gpuprobe.report.visible.markdown import markdown
from gpuprobe.report.visible.text import text
from gpuprobe.visible.explanation import Explanation, Process, Row
from support.html import Tags
from support.visible_machines import GPUS, UUIDS
from support.widths import too_wide

HOSTILE = '<b>|`*\x1b[31m"'
NAME = "NVIDIA GeForce RTX 4090"


def of(value: str | None, **fields: object) -> Explanation:
    """An explanation on four GPUs, whose driver agrees, unless `fields` say otherwise."""
    foretold = predict(value, GPUS)
    devices = foretold.devices or ()
    shown = {target.gpu: ordinal for ordinal, target in enumerate(devices)}
    rows = tuple(
        Row(shown.get(place), place, place, place, f"0000:0{place}:00.0", uuid, NAME)
        for place, uuid in enumerate(UUIDS)
    )
    every = predict(None, GPUS).devices or ()
    known = Explanation(value, foretold, rows, every, seen=tuple(each.uuid for each in devices))
    return replace(known, **fields)  # type: ignore[arg-type]


STARTED = Process("started", (UUIDS[0],), None, True, "1", "1")
SAMPLES = {
    "unset": of(None),
    "good": of("2,0"),
    "cut": of("2,0,7,1"),
    "nothing": of("0,0", opinions=(torch("0,9,9", UUIDS),)),
    "empty": of(""),
    "hostile": of(
        HOSTILE, unseen=HOSTILE, remarks=remarks(HOSTILE, {"CUDA_DEVICE_ORDER": HOSTILE})
    ),
    "late": of("1", process=STARTED),
    "fork": of("1", process=Process("lost in a fork", None, "1", True, "1", "1")),
    "changed": of("1", process=Process("not started", None, "0", True, "1", None)),
    "disagrees": of("1", seen=UUIDS),
    "blind": Explanation("0x1, GPU-1", predict("0x1, GPU-1", None), unknown="no GPU is known"),
    "long": of("GPU-" + "0123456789abcdef" * 20 + ",1"),
}


def in_all_forms(explanation: Explanation) -> list[str]:
    return [
        text(explanation, Style(), everything=True),
        markdown(explanation, everything=True),
        page(explanation, everything=True),
        fragment(explanation),
        json.dumps(explanation.to_dict()),
    ]


@pytest.mark.parametrize("width", [30, 50, 80, 100])
@pytest.mark.parametrize("name", SAMPLES)
def test_text_fits_the_width(name: str, width: int) -> None:
    assert too_wide(text(SAMPLES[name], Style(width), everything=True), width) == []


@pytest.mark.parametrize("name", SAMPLES)
def test_text_is_ascii_where_the_stream_is(name: str) -> None:
    assert text(SAMPLES[name], Style(ascii=True), everything=True).isascii()


@pytest.mark.parametrize("name", SAMPLES)
def test_pages_are_closed_and_hold_no_markup_of_a_value(name: str) -> None:
    for form in (page(SAMPLES[name]), fragment(SAMPLES[name])):
        tags = Tags(form)
        assert tags.open == []
        assert "b" not in {tag for tag, _ in tags.seen}


@pytest.mark.parametrize("name", SAMPLES)
def test_no_form_lets_control_characters_through(name: str) -> None:
    assert all("\x1b" not in form for form in in_all_forms(SAMPLES[name]))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unset", ("not set", "all 4 devices shown")),
        ("good", ("shows 2 of 4 devices", "The driver says the same", UUIDS[3])),
        ("cut", ("there is no GPU 7", "the list ends here", "not read")),
        ("nothing", ("hides all 4 devices", "named twice", "No document says")),
        ("empty", ("hides all 4 devices", "an empty entry names no GPU")),
        ("late", ("Too late for this process", "it was not set when it began")),
        ("fork", ("neither use CUDA nor start it",)),
        ("changed", ("os.environ says not set",)),
        ("disagrees", ("foretell 1", "The driver decides")),
        ("blind", ("devices that are not known", "could not be asked", "No GPU is known")),
    ],
)
def test_every_form_tells_the_same(name: str, words: tuple[str, ...]) -> None:
    flat = [" ".join(text(SAMPLES[name], Style()).split())]
    flat.append(markdown(SAMPLES[name]).replace("\\", ""))
    flat.append(" ".join(Tags(page(SAMPLES[name])).texts))
    for form in flat:
        assert [word for word in words if word not in form] == []


def test_readers_of_other_settings_are_shown_on_demand() -> None:
    elsewhere = replace(torch("0,9,9", UUIDS), reader="JAX", elsewhere=True)
    explanation = of("0,9,9", opinions=(elsewhere,))
    assert "JAX" not in text(explanation, Style())
    assert "JAX" in text(explanation, Style(), everything=True)


@pytest.mark.parametrize(
    ("name", "sound", "late", "agrees"),
    [
        ("unset", True, None, True),
        ("good", True, None, True),
        ("cut", False, None, True),
        ("nothing", False, None, True),
        ("late", True, True, True),
        ("fork", True, True, True),
        ("changed", True, False, True),
        ("disagrees", True, None, False),
        ("blind", False, None, None),
    ],
)
def test_what_follows_from_an_explanation(
    name: str, sound: bool | None, late: bool | None, agrees: bool | None
) -> None:
    explanation = SAMPLES[name]
    assert (explanation.is_sound, explanation.too_late, explanation.agrees) == (sound, late, agrees)


def test_orders_that_differ_are_warned_of() -> None:
    rows = (Row(0, 0, 1, uuid=UUIDS[0]), Row(None, 1, 0, uuid=UUIDS[1]))
    assert "another one in nvidia-smi" in " ".join(text(of("0", rows=rows), Style()).split())
    assert "another one in nvidia-smi" not in str(of("0"))


def test_order_of_the_bus_is_no_remedy_where_cuda_has_it_and_leaves_a_gpu_out() -> None:
    rows = (Row(0, 0, 0, uuid=UUIDS[0]), Row(1, 1, 2, uuid=UUIDS[1]))
    told = " ".join(text(of("0", rows=rows), Style()).split())
    assert "another one in nvidia-smi (CUDA leaves some out)" in told
    assert "PCI_BUS_ID" not in told

"""A few whole outputs, so that nothing changes unseen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gpuprobe.report.json import render as as_json
from gpuprobe.report.terminal import Style
from gpuprobe.report.text import render as as_text
from support import golden
from support.samples import SAMPLES

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", SAMPLES)
def test_text_at_80_columns(name: str):
    golden.check(GOLDEN / f"{name}.txt", as_text(SAMPLES[name](), Style(80)))


def test_text_at_40_columns_in_ascii():
    style = Style(40, ascii=True, home="/home/alice")
    golden.check(GOLDEN / "broken-40-ascii.txt", as_text(SAMPLES["broken"](), style))


def test_text_in_colours_at_200_columns():
    style = Style(200, colour=True, home="/home/alice")
    golden.check(GOLDEN / "broken-200-colour.txt", as_text(SAMPLES["broken"](), style))


@pytest.mark.parametrize("name", ["broken", "unknown", "question"])
def test_markdown(name: str):
    golden.check(GOLDEN / f"{name}.md", SAMPLES[name]().markdown())


@pytest.mark.parametrize("name", ["broken", "unknown", "question"])
def test_html_without_its_style_sheet(name: str):
    page = re.sub(r"<style>.*?</style>", "<style></style>", SAMPLES[name]().html(), flags=re.DOTALL)
    golden.check(GOLDEN / f"{name}.html", page)


@pytest.mark.parametrize("name", ["broken", "unknown"])
def test_junit(name: str):
    golden.check(GOLDEN / f"{name}.xml", SAMPLES[name]().junit())


def test_json():
    golden.check(GOLDEN / "broken.json", as_json(SAMPLES["broken"]().redacted()))

"""The page: whole, safe, readable without seeing it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gpuprobe import report
from gpuprobe.facts.model import Known
from gpuprobe.report.html import escape, prose
from support.html import Tags
from support.samples import SAMPLES, broken, healthy, report_of


@pytest.mark.parametrize("name", SAMPLES)
def test_tags_are_closed_in_their_order(name: str):
    assert Tags(SAMPLES[name]().html()).open == []
    assert Tags(SAMPLES[name]()._repr_html_()).open == []


@pytest.mark.parametrize("name", SAMPLES)
def test_page_fetches_nothing_and_runs_nothing(name: str):
    page = SAMPLES[name]().html()
    tags = {tag for tag, _ in Tags(page).seen}
    assert not tags & {"script", "link", "img", "iframe", "object"}
    assert not re.search(r"url\(|@import|\bon\w+=", page)


def test_value_cannot_become_markup():
    evil = "<script>alert('x')</script>\"&\x1b\ud800"
    report = report_of({"os.name": Known(evil, evil)}, overrides={"GPUPROBE_ROOT": evil})
    parsed = Tags(report.html())
    assert "script" not in {tag for tag, _ in parsed.seen}
    assert any("<script>alert('x')</script>\"&\ufffd\ufffd" in text for text in parsed.texts)


def test_escaping_covers_attributes_too():
    assert escape("\"'<>&") == "&quot;&#x27;&lt;&gt;&amp;"


def test_marks_are_said_in_words():
    page = broken().html()
    assert 'CUDA version<span class="said">: broken. </span>' in page
    assert '<html lang="en">' in page
    assert page.count("<h1>") == 1


def test_commands_stand_alone_to_be_copied():
    assert '<code class="command">sudo reboot</code>' in broken().html()


def test_verdict_is_title_and_heading():
    page = healthy().html()
    assert "<title>gpuprobe: healthy</title>" in page
    assert "<h1>Healthy. A kernel ran" in page


def test_override_is_shown():
    assert "Override in use: <code>GPUPROBE_LIBCUDA=" in broken().html()


def test_notebook_gets_a_part_of_a_page():
    part = broken()._repr_html_()
    assert part.startswith("<style>")
    assert "<html" not in part


def test_what_a_sentence_has_in_backticks_is_code_and_nothing_else_of_it():
    assert prose("run `nvcc -V <x>` and `b`") == (
        "run <code>nvcc -V &lt;x&gt;</code> and <code>b</code>"
    )
    assert prose("one ` alone") == "one ` alone"


SHEETS = "\n".join(
    sheet.read_text(encoding="utf-8")
    for sheet in sorted(Path(report.__file__).parent.rglob("*.css"))
)


@pytest.mark.parametrize(
    ("theme", "scheme"),
    [
        ('body[data-jp-theme-light="true"]', "light"),
        ('body[data-jp-theme-light="false"]', "dark"),
        ("body.vscode-light", "light"),
        ("body.vscode-dark", "dark"),
    ],
)
def test_theme_of_a_notebook_goes_before_that_of_the_system(theme: str, scheme: str):
    rules = re.findall(r":is\(([^)]*)\) \.gpuprobe \{\s*color-scheme: (\w+);", SHEETS)
    assert [told for themes, told in rules if theme in themes.split(", ")] == [scheme]
    assert "prefers-color-scheme" not in SHEETS  # a second opinion


@pytest.mark.parametrize("of", ["code", "pre", "th", "td", "tbody tr"])
def test_no_rule_of_jupyterlab_paints_over_ours(of: str):
    assert re.search(rf"\.gpuprobe\.gpuprobe {of}\b[^}}]*\}}", SHEETS)


def test_sizes_are_the_same_where_a_notebook_has_another_rem():
    assert re.findall(r"[\d.]rem\b", SHEETS) == []


def test_code_that_heads_a_row_breaks_between_its_words():
    told = re.search(r"td:first-child code \{([^}]*)\}", SHEETS)
    assert told is not None
    assert "overflow-wrap: break-word" in told[1]  # `anywhere` makes a column one letter wide

"""Markdown shows values as they are, whatever is in them."""

from __future__ import annotations

import pytest

from gpuprobe.examine import explain, judge
from gpuprobe.facts.model import Facts, Known
from gpuprobe.report.markdown import cell, code, code_cell
from support.samples import broken, healthy, report_of


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a", "`a`"),
        ("a`b", "``a`b``"),
        ("`a`", "`` `a` ``"),
        ("a```b", "````a```b````"),
        ("", "`  `"),
        ("two\nlines", "`two lines`"),
    ],
)
def test_code_survives_its_backticks(text: str, shown: str):
    assert code(text) == shown


def test_bar_does_not_end_a_cell():
    assert code_cell("a|b") == r"`a\|b`"
    assert cell("a|b") == r"a\|b"


def test_value_cannot_become_markup():
    report = report_of({"os.name": Known("<img src=x> [a](b) **c**", "x")})
    assert r"\<img src=x\> \[a\](b) \*\*c\*\*" in report.markdown()


@pytest.mark.parametrize("odd", ["\udcff", "\x00", "\x1b[2J"])
def test_what_no_document_may_hold_is_replaced(odd: str):
    """A byte of a file's name that is no UTF-8 comes as half a surrogate pair."""
    shown = report_of({"os.name": Known(f"a{odd}b", "x"), "env.X": Known(odd, odd)}).markdown()
    assert "a\N{REPLACEMENT CHARACTER}" in shown
    assert odd[0] not in shown
    assert shown.encode()


def test_verdict_comes_first_and_facts_are_folded():
    lines = broken().markdown().splitlines()
    assert lines[0].startswith("**Broken. The driver serves CUDA 11.0")
    assert lines[-1] == "</details>"


def test_fix_is_a_block_to_copy():
    assert "```sh\nsudo apt-get install nvidia-driver-535\nsudo reboot\n```" in broken().markdown()


def test_what_is_known_of_nothing_has_no_empty_tables():
    report = explain("My cat is called Tesla.")
    for shown in (report.markdown(), report.html()):
        assert "0 facts" not in shown
        assert "|---|" not in shown
        assert '<ol class="chain"></ol>' not in shown


def test_one_fact_is_counted_and_read_as_one():
    report = judge(Facts({"os.name": Known("Debian", "x")}))
    for shown in (report.markdown(), report.html()):
        assert "1 fact</summary>" in shown
        assert explain(shown).facts["os.name"].value == "Debian"  # type: ignore[union-attr]


def test_healthy_report_has_no_finding():
    assert "###" not in healthy().markdown()

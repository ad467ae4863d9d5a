"""Every finding has its page, and what the page shows is what the diagnosis finds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gpuprobe.diagnosis.catalogue import rules
from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.facts.model import Facts
from support.examples import (
    PAGES,
    Example,
    ExampleError,
    Expected,
    blocks,
    machines,
    read,
)

if TYPE_CHECKING:
    from pathlib import Path

    from gpuprobe.diagnosis.model import Diagnosis, Rule

HEADINGS = (
    "What it means",
    "Why it breaks things",
    "How it is seen",
    "How to mend it",
    "How to see that it is mended",
    "False alarms",
    "Examples",
)
BY_CODE = {rule.code: rule for rule in rules()}


def page_of(rule: Rule) -> Path:
    return PAGES / f"{rule.code}.md"


def examples_of(rule: Rule) -> list[Example]:
    page = page_of(rule)
    found = blocks(page) if page.is_file() else []
    return [read(body, machines(), title) for title, body in found]


EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.code}-{example.title.replace(' ', '-')}")
    for rule in rules()
    for example in examples_of(rule)
]


def found_in(diagnosis: Diagnosis) -> set[Expected]:
    """All findings, in the words of an example."""
    return {
        Expected(
            each.role.value,
            each.rule.code,
            each.finding.severity.value,
            each.finding.subject,
            each.finding.confidence.value,
            each.cause,
        )
        for each in diagnosis.placed
    }


def with_cause(expected: Expected) -> Expected:
    """An example names the cause only where it is not the rule's own."""
    return replace(expected, cause=expected.cause or BY_CODE[expected.code].cause)


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.code)
def test_page_begins_with_code_name_and_cause(rule: Rule) -> None:
    lines = page_of(rule).read_text(encoding="utf-8").splitlines()
    assert lines[0] == f"# {rule.code} {rule.name}"
    assert lines[2] == f"Cause: `{rule.cause}`. Link: {link_of(rule)}. Since {rule.since}."


def link_of(rule: Rule) -> str:
    return rule.link.name.lower().replace("_", " ")


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.code)
def test_page_has_all_its_parts_in_order(rule: Rule) -> None:
    text = page_of(rule).read_text(encoding="utf-8")
    assert tuple(re.findall(r"^## (.+)$", text, re.MULTILINE)) == HEADINGS


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.code)
def test_page_shows_a_case_that_fires_and_a_near_miss(rule: Rule) -> None:
    examples = examples_of(rule)
    assert any(each.code == rule.code for example in examples for each in example.expected)
    assert any(rule.code in example.silent for example in examples)


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_example_is_judged_as_the_page_says(rule: Rule, example: Example) -> None:
    pasted = example.title.startswith("text:")
    diagnosis = diagnose(Facts(example.facts), rules(), pasted=pasted)
    assert example.expected or rule.code in example.silent, "the example announces nothing"
    found = found_in(diagnosis)
    assert not {each.code for each in found} & set(example.silent)
    if example.expected:
        assert found == {with_cause(each) for each in example.expected}
    assert [check.trouble for check in diagnosis.checks if check.trouble] == []


def test_index_lists_every_finding_with_its_summary() -> None:
    text = (PAGES / "index.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| [GP")]
    assert rows == [
        f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.summary} |" for rule in rules()
    ]


def test_machines_without_a_fault_are_found_healthy() -> None:
    names = [name for name in machines() if name.startswith("healthy")]
    assert len(names) > 2
    for name in names:
        diagnosis = diagnose(Facts(machines()[name]), rules())
        assert (name, diagnosis.verdict.value, diagnosis.placed) == (name, "healthy", ())


@pytest.mark.parametrize(
    "line",
    [
        "libcuda.stub",
        "no.such.fact = 1",
        "=> root GP204",
        "like no-such-machine",
        "=> GP204 silent",
    ],
)
def test_line_that_says_nothing_is_refused(line: str) -> None:
    with pytest.raises(ExampleError):
        read(line, machines())

"""The sentences that all formats share: the verdict's, and what a note advises."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import gpuprobe
from gpuprobe.diagnosis.model import (
    Confidence,
    Diagnosis,
    Finding,
    Fix,
    Link,
    Placed,
    Proof,
    Role,
    Rule,
    Safety,
    Severity,
    Verdict,
)
from gpuprobe.facts.model import Facts
from gpuprobe.report import html, markdown, text
from gpuprobe.report.model import Report
from gpuprobe.report.terminal import Style
from gpuprobe.report.words import verdict_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT = Fix(
    "Raise the limit.", ("sudo nvidia-smi -pl 400",), Safety.ADMIN, "sudo nvidia-smi -pl 300"
)
READ = Fix("Read the manual.", ("man nvidia-smi",))
PROOF = Proof(Link.VISIBLE_DEVICES, "a kernel ran on the GPU", "the probe")


def check(_: Facts) -> Iterator[Finding]:
    """A check that is never run."""
    return iter(())


RULE = Rule("GP803", "power-thermal", "power-thermal", Link.WORK, "0.1", check)


def report_with(
    role: Role | None, *, fix: Fix = LIMIT, proof: Proof | None = None, verdict: str = "unknown"
) -> Report:
    finding = Finding("The GPU is slow", (), fix, severity=Severity.WARNING)
    placed = () if role is None else (Placed(RULE, finding, role),)
    return Report(Diagnosis(Verdict(verdict), placed, (), proof), Facts({}))


@pytest.mark.parametrize(
    ("role", "proof", "sentence"),
    [
        (None, None, "Unknown. No fault was found, and nothing was seen to work."),
        (Role.NOTE, None, "Unknown. No fault of the GPU was found, and nothing was seen to work."),
        (Role.ROOT, None, "Unknown. The GPU is slow, and nothing was seen to work."),
        (
            None,
            PROOF,
            "Unknown. A kernel ran on the GPU, and no fault was found; but not all could be seen.",
        ),
        (
            Role.ROOT,
            PROOF,
            "Unknown. The GPU is slow. A kernel ran on the GPU; not all else could be seen.",
        ),
    ],
)
def test_an_unknown_verdict_tells_the_fault_and_what_works(
    role: Role | None, proof: Proof | None, sentence: str
) -> None:
    assert verdict_sentence(report_with(role, proof=proof)) == sentence


@pytest.mark.parametrize(
    ("confidence", "sentence"),
    [
        (Confidence.CERTAIN, "Broken. The GPU is slow."),
        (Confidence.LIKELY, "Broken. The GPU is slow."),
        (Confidence.POSSIBLE, "Broken. A possible reason: The GPU is slow."),
    ],
)
def test_one_reading_of_several_is_not_told_as_the_reason(
    confidence: Confidence, sentence: str
) -> None:
    report = report_with(Role.ROOT, verdict="broken")
    [placed] = report.diagnosis.placed
    finding = replace(placed.finding, confidence=confidence)
    diagnosis = replace(report.diagnosis, placed=(replace(placed, finding=finding),))
    assert verdict_sentence(replace(report, diagnosis=diagnosis)) == sentence


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_a_note_asks_nobody_for_an_administrator(form: str) -> None:
    note = shown(report_with(Role.NOTE), form)
    assert "The GPU is slow" in note
    for word in ("Raise the limit", "nvidia-smi -pl", "administrator"):
        assert word not in note
    assert "nvidia-smi -pl 400" in shown(report_with(Role.ROOT), form)


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_a_note_keeps_advice_that_changes_nothing(form: str) -> None:
    assert "man nvidia-smi" in shown(report_with(Role.NOTE, fix=READ), form)


def shown(report: Report, form: str) -> str:
    if form == "text":
        return report.text(width=100)
    return markdown.render(report) if form == "markdown" else html.page(report)


BLACK = """\
GPU: RTX 3060 12 GB, with torch 2.1 and the newest diffusers. The script runs through at a good
speed, but every image that it writes is black, with half precision only. With float32 the images
are fine, but slow. Is there an option for the VAE, or could you add one? It would be nice to have.
"""


def test_a_machine_that_is_well_by_words_alone_is_said_so_without_a_tick() -> None:
    report = gpuprobe.explain(BLACK)
    assert verdict_sentence(report).startswith("Perhaps healthy. It reads like reports about")
    assert "✓" not in text.render(report, Style())
    assert '<header class="open">' in html.page(report)


def test_a_machine_that_was_seen_at_work_has_the_tick() -> None:
    report = gpuprobe.explain(BLACK + "\n>>> torch.cuda.is_available()\nTrue\n")
    assert verdict_sentence(report) == "Healthy, as far as this text tells. PyTorch sees the GPU."
    assert "✓ Healthy, as far as " in text.render(report, Style())
    assert '<header class="works">' in html.page(report)

"""The report object: exit codes, display, redaction by default."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts.model import Known
from support.samples import SAMPLES, broken, healthy, report_of, unknown

if TYPE_CHECKING:
    from gpuprobe.report.model import FailOn, Report


def degraded() -> Report:
    facts = dict(healthy().facts)
    facts["package.tensorflow-cpu.build"] = Known("cpu", "its name")
    return report_of(facts)


@pytest.mark.parametrize(
    ("report", "on_error", "on_warning", "never"),
    [
        (healthy, 0, 0, 0),
        (degraded, 0, 1, 0),
        (broken, 1, 1, 0),
        (unknown, 3, 3, 0),
    ],
    ids=["healthy", "degraded", "broken", "unknown"],
)
def test_exit_codes(report, on_error: int, on_warning: int, never: int):  # type: ignore[no-untyped-def]
    wanted: dict[FailOn, int] = {"error": on_error, "warning": on_warning, "never": never}
    assert {fail_on: report().exit_code(fail_on) for fail_on in wanted} == wanted


def test_report_prints_as_text():
    assert str(broken()) == broken().text()


def test_report_is_frozen():
    with pytest.raises(FrozenInstanceError):
        broken().source = "text"  # type: ignore[misc]


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("form", ["html", "markdown", "junit", "to_dict", "_repr_html_"])
def test_what_leaves_the_terminal_is_redacted(name: str, form: str):
    document = str(getattr(SAMPLES[name](), form)())
    assert "alice" not in document
    assert "1b7e-4c3d" not in document


@pytest.mark.parametrize("form", ["html", "markdown", "junit", "to_dict"])
def test_redaction_can_be_declined(form: str):
    assert "/home/alice" in str(getattr(broken(), form)(redact=False))


def test_repr_is_one_line_without_names():
    assert repr(broken()) == (
        "<gpuprobe report: broken by GP203 driver-too-old; print it to read it>"
    )
    assert repr(healthy()) == "<gpuprobe report: healthy; print it to read it>"


def test_notebook_keeps_a_redacted_text_beside_the_html():
    bundle = broken()._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert "GP203 driver-too-old" in bundle["text/plain"]
    assert "alice" not in str(bundle)

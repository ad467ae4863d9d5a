"""JUnit: one test case a check, and nothing green that was not looked at."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import gpuprobe
from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.examine import judge
from gpuprobe.facts.model import Facts
from gpuprobe.report.model import Report
from support.samples import RULES, SAMPLES, broken, report_of, unknown


def suite_of(report: Report) -> ET.Element:
    root = ET.fromstring(report.junit())  # noqa: S314  (our own text)
    suite = root.find("testsuite")
    assert suite is not None
    return suite


def tags(report: Report) -> dict[str, list[str]]:
    cases = suite_of(report).findall("testcase")
    return {str(case.get("name")): [child.tag for child in case] for case in cases}


def test_error_is_a_failure_with_its_fix():
    [failure] = suite_of(broken()).findall("testcase[@name='GP203 driver-too-old']/failure")
    assert failure.get("message") == "the driver serves CUDA 11.0, torch needs 12.1"
    assert "sudo reboot" in str(failure.text)


def test_warning_is_told_and_does_not_fail():
    assert tags(broken())["GP601 cpu-only-build"] == ["system-out"]


def test_could_not_look_is_skipped_with_its_reason():
    [skipped] = suite_of(unknown()).findall("testcase[@name='GP203 driver-too-old']/skipped")
    assert skipped.get("message") == "could not look: driver.cuda: not in the snapshot"


@pytest.mark.parametrize("report", [gpuprobe.explain(""), judge(Facts({}), source="snapshot")])
def test_nothing_passes_where_nothing_was_seen(report: Report):
    cases = suite_of(report).findall("testcase")
    assert cases
    assert all(case.find("skipped") is not None for case in cases)
    assert report.to_dict()["checks"]["clear"] == 0  # type: ignore[index]


def test_crash_is_an_error_for_checks_and_collectors():
    found = tags(unknown())
    assert found["GP801 breaks"] == ["error"]
    assert found["collector packages"] == ["error"]


def test_deselected_check_is_skipped():
    facts = Facts({})
    report = Report(diagnose(facts, RULES, skip=["GP203"]), facts)
    assert tags(report)["GP203 driver-too-old"] == ["skipped"]


@pytest.mark.parametrize("name", SAMPLES)
def test_totals_are_those_of_the_cases(name: str):
    suite = suite_of(SAMPLES[name]())
    cases = suite.findall("testcase")
    assert suite.get("tests") == str(len(cases))
    for total, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert suite.get(total) == str(len(suite.findall(f"testcase/{tag}")))


def test_characters_that_xml_forbids_are_replaced():
    report = report_of({}, overrides={"GPUPROBE_ROOT": "a\x1b\x00\ud800b<&", "\x00<": "1"})
    [value] = suite_of(report).findall("properties/property[@name='GPUPROBE_ROOT']")
    assert value.get("value") == "a\ufffd\ufffd\ufffdb<&"
    assert suite_of(report).find("properties/property[@name='\ufffd<']") is not None


def test_an_override_takes_no_verdicts_place():
    """A snapshot is another's file, and names its overrides itself."""
    report = report_of({}, overrides={"verdict": "healthy"})
    [verdict] = suite_of(report).findall("properties/property[@name='verdict']")
    assert verdict.get("value") == report.verdict.value != "healthy"

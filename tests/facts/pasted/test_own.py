"""gpuprobe's own reports, as people paste them: the same facts and the same verdict."""

from __future__ import annotations

import json

import pytest

import gpuprobe
from gpuprobe.examine import judge
from gpuprobe.facts.model import Facts, Known, Unknown
from gpuprobe.facts.pasted import read
from gpuprobe.facts.version import Version
from gpuprobe.report.json import dumps, snapshot_document
from support.commands import FACTS

REPORTS = {name: judge(Facts(facts)) for name, facts in FACTS.items() if name != "unknown"}
FORMS = {
    "JSON": lambda report: dumps(report.to_dict()),
    "snapshot": lambda report: dumps(snapshot_document(report.redacted())),
    "Markdown": lambda report: report.markdown(),
    "HTML": lambda report: report.html(),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_report_is_judged_as_the_machine_was(report: gpuprobe.Report, form):
    again = gpuprobe.explain(form(report))
    assert again.verdict is report.verdict
    assert [each.rule.code for each in again.diagnosis.placed] == [
        each.rule.code for each in report.diagnosis.placed
    ]
    assert again.source == "snapshot" or "probe.level" not in report.facts


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("name", REPORTS)
def test_facts_are_taken_whole_and_none_from_the_prose(name: str, form):
    report = judge(Facts({**FACTS[name], "driver.package": Unknown("no dpkg; no rpm: not found")}))
    again = gpuprobe.explain(form(report))
    assert dict(again.facts) == dict(report.redacted().facts)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_facts_keep_the_places_where_the_machine_was_read(form):
    report = REPORTS["healthy"]
    again = gpuprobe.explain(form(report))
    expected = report.redacted().facts
    assert {name: again.facts[name] for name in expected} == dict(expected)


def test_snapshot_inside_an_issue_is_found_and_the_rest_is_read_too():
    snapshot = dumps(REPORTS["healthy"].to_dict())
    facts = read(f"### What happens\n\n```json\n{snapshot}\n```\n\nDriver Version: 1.2")
    assert facts["gpu.0.name"].source == "cuDeviceGetName"  # type: ignore[union-attr]


@pytest.mark.parametrize("form", [FORMS["JSON"], FORMS["Markdown"], FORMS["HTML"]])
def test_what_could_not_be_looked_at_the_rest_of_a_text_may_tell(form):
    report = judge(Facts({**FACTS["broken"], "toolkit.version": Unknown("no PATH")}))
    nvcc = (
        "nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release 12.4, V12.4.131\n"
    )
    assert isinstance(read(form(report))["toolkit.version"], Unknown)
    assert read(f"{nvcc}\n{form(report)}")["toolkit.version"].value == Version("12.4.131")  # type: ignore[union-attr]


@pytest.mark.parametrize("width", [60, 80, 100])
def test_report_for_the_terminal_about_a_machine_without_a_gpu_is_judged_as_the_machine_was(
    width: int,
):
    facts = {**FACTS["broken"], "probe.level": Known("normal", "the user's choice")}
    text = judge(Facts(facts)).text(width=width)
    again = gpuprobe.explain(f"My log:\n\n{text}\n\nWhat now?")
    assert again.diagnosis.root is not None
    assert again.diagnosis.root.rule.code == "GP101"
    assert "machine.without_gpu_told" not in again.facts


def test_log_between_two_lines_of_reports_is_no_part_of_a_report():
    closing = REPORTS["broken"].text().splitlines()[-2:]
    log = "gpuprobe 0.1.0\nDriver Version: 470.1\n" + "\n".join(closing)
    assert read(log)["driver.version"].value == Version("470.1")  # type: ignore[union-attr]


def test_evidence_of_a_report_for_the_terminal_is_read():
    text = REPORTS["broken"].text()
    assert "pci.nvidia_gpu_count = 0" in text
    assert read(text)["pci.nvidia_gpu_count"].value == 0  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("shown", "size"),
    [
        ("79.6 GiB", int(79.6 * 2**30)),
        ("300.0 MiB", 300 * 2**20),
        ("12 B", 12),
        ("12884901888", 12884901888),
    ],
)
def test_size_in_the_evidence_is_read_as_bytes(shown: str, size: int):
    evidence = f"gpuprobe 0.1.0\n  Seen    gpu.0.memory_bytes = {shown} (NVML device 0)\n"
    assert read(evidence)["gpu.0.memory_bytes"] == Known(size, "NVML device 0")


def test_value_without_letters_is_read_as_one():
    evidence = "gpuprobe 0.1.0\n  Seen    env.CUDA_VISIBLE_DEVICES = (empty) (environment)\n"
    assert read(evidence)["env.CUDA_VISIBLE_DEVICES"] == Known("", "environment")


@pytest.mark.parametrize(
    "text",
    [
        '{"schema": 1, "facts": {"driver.version": {"value": 5, "source": "x"}}}',
        '{"schema": 1, "facts": []}',
        '{"schema": 1, "facts": {"driver.version"',
        '{"schema": 1, "facts": ' + "[" * 100_000,
        '{"schema":' * 50_000 + '"facts"',
    ],
    ids=["wrong type", "no object", "cut off", "nested without end", "repeated"],
)
def test_what_only_looks_like_a_snapshot_is_text(text: str):
    assert dict(read(text)) == {}


def test_fact_of_a_newer_version_is_left_out():
    document = {"schema": 1, "facts": {"new.fact": {"value": 1, "source": "x"}}}
    assert dict(read(json.dumps(document))) == {}


@pytest.mark.parametrize(
    "pasted",
    [
        "RuntimeError: CUDA error: uncorrectable ECC error encountered",
        (
            "torch 2.4.0\nUserWarning: CUDA initialization: Unexpected error from "
            "cudaGetDeviceCount(). Did you run some cuda functions before calling "
            "NumCudaDevices() that might have already set an error? Error 804: forward "
            "compatibility was attempted on non supported HW (Triggered internally at "
            "CUDAFunctions.cpp:100.)"
        ),
        (
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make "
            "sure that the latest NVIDIA driver is installed and running."
        ),
    ],
)
@pytest.mark.parametrize("form", ["terminal", "Markdown", "HTML"])
def test_report_about_a_text_is_judged_as_the_text_was(pasted: str, form: str):
    report = gpuprobe.explain(pasted)
    forms = {"terminal": report.text, "Markdown": report.markdown, "HTML": report.html}
    again = gpuprobe.explain(forms[form]())
    assert report.diagnosis.root is not None
    assert again.diagnosis.root is not None
    assert again.diagnosis.root.rule.code == report.diagnosis.root.rule.code


@pytest.mark.parametrize("form", [FORMS["JSON"], FORMS["Markdown"], FORMS["HTML"]])
def test_lines_of_the_text_that_a_report_judged_are_not_looked_for_in_another(form):
    report = gpuprobe.explain("GPU 0: NVIDIA A100\nCUDA error: uncorrectable ECC error encountered")
    again = gpuprobe.explain(f"first\nsecond\nthird\n{form(report)}")
    assert report.facts["gpu.0.name"].source == "line 1 of the text"  # type: ignore[union-attr]
    assert again.facts["gpu.0.name"].source == "line 1 of another text"  # type: ignore[union-attr]
    assert again.quotes == {}


def test_wrapped_evidence_keeps_the_numbers_of_the_lines_below_it():
    quoted = "CUDA error: " + "uncorrectable ECC error encountered " * 3
    text = gpuprobe.explain(quoted).text(width=60) + "\nDriver Version: 470.1"
    facts = read(text)
    assert facts["driver.version"].source == f"line {text.count(chr(10)) + 1} of the text"  # type: ignore[union-attr]

"""What a finding rests on: facts of a machine, lines of a text."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.diagnosis.model import Evidence, Finding, Fix
from gpuprobe.facts.model import Facts
from gpuprobe.report.seen import Seen, seen
from support.commands import FACTS


def of(pasted: str) -> list[Seen]:
    report = gpuprobe.explain(pasted)
    assert report.diagnosis.root is not None
    return [*seen(report, report.diagnosis.root.finding)]


def test_line_is_quoted_once_whatever_it_tells() -> None:
    line = (
        "RuntimeError: CUDA out of memory. Tried to allocate 60.00 MiB (GPU 0; 11.17 GiB total "
        "capacity; 505.96 MiB already allocated; 12.50 MiB free; 530.00 MiB reserved in total by "
        "PyTorch)"
    )
    (only,) = of(line)
    assert only.fact == ""
    assert "Tried to allocate 60.00 MiB" in only.value
    assert only.words.startswith("line 1: RuntimeError")


def test_version_that_stands_in_its_line_is_shown_as_a_fact() -> None:
    found = of("torch 2.8.0+cu128\nDriver Version: 470.256.02   CUDA Version: 11.4\ntorch: False")
    assert ("driver.version", "470.256.02") in [(each.fact, each.value) for each in found]


def test_long_line_is_quoted_where_it_tells() -> None:
    (only, *_) = of("x" * 600 + " RuntimeError: CUDA error: uncorrectable ECC error encountered")
    assert "uncorrectable ECC error encountered" in only.value
    assert only.value.startswith("…")


def test_line_that_nobody_quotes_stays_a_fact() -> None:
    report = gpuprobe.explain("nothing")
    finding = Finding("x", (Evidence("sign.a", "b", "line 1 of the text"),), Fix("y"))
    assert [*seen(report, finding)] == [Seen("sign.a", "b", "line 1 of the text")]


def test_table_is_named_without_the_ids_of_its_sources() -> None:
    report = gpuprobe.explain("nothing")
    told = Evidence("driver.needed", "525", "table driver_cuda/families [a, b2], read 2026-11-21")
    [shown] = seen(report, Finding("x", (told,), Fix("y")))
    assert shown.source == "table driver_cuda/families, read 2026-11-21"


@pytest.mark.parametrize(
    ("fact", "value", "words"),
    [
        ("gpu.0.memory_bytes", "12884901888", "12.0 GiB"),
        ("memory.asked_bytes", "0", "0 B"),
        ("gpu.0.memory_bytes", "absent", "absent"),
        ("gpu.count", "12884901888", "12884901888"),
        ("env.CUDA_VISIBLE_DEVICES", "", "(empty)"),
    ],
)
def test_size_is_shown_as_people_read_it(fact: str, value: str, words: str) -> None:
    finding = Finding("x", (Evidence(fact, value, "NVML device 0"),), Fix("y"))
    [shown] = seen(gpuprobe.explain("nothing"), finding)
    assert shown.words == f"{fact} = {words}"


def test_facts_of_a_machine_are_shown_as_before() -> None:
    report = gpuprobe.examine.judge(Facts(FACTS["broken"]))
    assert report.diagnosis.root is not None
    finding = report.diagnosis.root.finding
    assert [each.fact for each in seen(report, finding)] == [e.fact for e in finding.evidence]


def test_quoted_lines_are_redacted() -> None:
    report = gpuprobe.explain("alicia@example.org: CUDA error: uncorrectable ECC error encountered")
    assert "alicia" in report.text()
    assert "alicia" not in report.markdown()
    assert "alicia" not in report.html()

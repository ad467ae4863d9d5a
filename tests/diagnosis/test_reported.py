"""gpuprobe's report for a terminal, pasted back: its findings stand as they were found."""

from __future__ import annotations

import json

import pytest

import gpuprobe
from gpuprobe.diagnosis.model import Role, Safety, Severity
from gpuprobe.examine import judge
from gpuprobe.facts.model import Facts
from gpuprobe.report.terminal import Style
from gpuprobe.report.text import render
from gpuprobe.report.words import verdict_sentence
from support.commands import FACTS

FULL = """\
gpuprobe 0.1.0 · Ubuntu 22.04.4 LTS · x86_64 · Python 3.11.7

  ✓ Graphics card   NVIDIA H100 80GB HBM3, 79.6 GiB
  ✗ Computation     not tried: 300 MiB of device memory are free, a test needs
                    600 MiB; see GP701 below

✗ Other processes hold next to all memory of GPU 0
  GP701 oom-other-process · gpu:0 · likely: the usual reading of what was seen
  Seen    gpu.0.memory_free_bytes = 300.0 MiB (NVML device 0)
          gpu.0.processes = python (process 4711): 80559 MiB (NVML device 0)
          cuda.init.code = 100 (cuInit: 100 CUDA_ERROR_NO_DEVICE
          (no CUDA-capable device is detected))
          line 12: RuntimeError: CUDA error: out of
          memory
  Fix     See which processes hold the memory (a notebook that was left open, a
          run that did not end), and end those that are yours.
          $ nvidia-smi
          $ sudo fuser -v /dev/nvidia*
  Risk    changes the system and needs an administrator
  Undo    start them again
  Check   run gpuprobe again
  More    gpuprobe rule GP701

61 checks: 1 found something, 22 clear, 38 not applicable here
✗ Broken. Other processes hold next to all memory of GPU 0.
"""
HEALTHY = """\
gpuprobe 0.1.0 · Ubuntu 22.04.4 LTS · x86_64 · Python 3.11.7

  ✓ Computation     a small program ran on the GPU, and its result is right

· Xid 79: the GPU has fallen off the bus
  GP104 xid
  Seen    xid.79 = NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.
          (/dev/kmsg)
  More    gpuprobe rule GP104

61 checks: 1 found something, 24 clear, 36 not applicable here
✓ Healthy. A kernel ran on the GPU and its result is right.
"""


def test_every_part_of_a_finding_is_taken_over():
    root = gpuprobe.explain(f"Here is what it says:\n\n{FULL}\nWhat now?").diagnosis.root
    assert root is not None
    finding = root.finding
    assert (root.rule.code, root.role) == ("GP701", Role.ROOT)
    assert finding.title == "Other processes hold next to all memory of GPU 0"
    assert finding.subject == "gpu:0"
    assert finding.confidence.value == "likely"
    assert [(each.fact, each.value, each.source) for each in finding.evidence] == [
        ("gpu.0.memory_free_bytes", "300.0 MiB", "NVML device 0"),
        ("gpu.0.processes", "python (process 4711): 80559 MiB", "NVML device 0"),
        (
            "cuda.init.code",
            "100",
            "cuInit: 100 CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)",
        ),
        ("text.line", "RuntimeError: CUDA error: out of memory", "line 15 of the text"),
    ]
    assert finding.fix.text.startswith("See which processes hold the memory (a notebook")
    assert finding.fix.text.endswith("end those that are yours.")
    assert finding.fix.commands == ("nvidia-smi", "sudo fuser -v /dev/nvidia*")
    assert (finding.fix.safety, finding.fix.undo) == (Safety.ADMIN, "start them again")


def test_line_that_a_report_quotes_is_quoted_from_where_it_stands_now():
    assert "line 13: RuntimeError: CUDA error: out of memory" in gpuprobe.explain(FULL).text()


def test_healthy_report_stays_healthy_whatever_it_notes():
    report = gpuprobe.explain(HEALTHY)
    assert report.verdict.value == "healthy"
    assert [each.role for each in report.diagnosis.placed] == [Role.NOTE]


def test_what_a_report_left_open_stays_open_with_what_it_saw_at_work():
    told = "A kernel ran on the GPU and its result is right, and no fault was found; but not all"
    unknown = HEALTHY[: HEALTHY.index("✓ Healthy")] + f"· Unknown. {told}\n  could be seen.\n"
    report = gpuprobe.explain(unknown)
    assert report.verdict.value == "unknown"
    assert " ".join(report.text().split()).endswith(f"Unknown. {told} could be seen.")
    seen = f"{unknown}\n>>> torch.cuda.is_available()\nTrue\n"
    assert gpuprobe.explain(seen).verdict.value == "healthy"


def test_failure_below_a_healthy_report_is_judged():
    failure = "RuntimeError: CUDA error: uncorrectable ECC error encountered"
    report = gpuprobe.explain(f"{HEALTHY}\nAnd then:\n\n{failure}\n")
    assert report.verdict.value == "broken"
    assert report.diagnosis.root is not None
    assert report.diagnosis.root.rule.code == "GP103"


@pytest.mark.parametrize(
    "pasted",
    [
        "> " + FULL.replace("\n", "\n> "),
        ">\n> " + FULL.replace("\n\n", "\n>\n").replace("\n", "\n> "),
        "    " + FULL.replace("\n", "\n    "),
        FULL.replace("\n", "\r\n"),
        f"```\n{FULL}```",
        FULL.replace("✗", "\x1b[31;1m✗\x1b[0m").replace("Fix", "\x1b[2mFix\x1b[0m"),
    ],
    ids=["quoted", "quoted with bare lines", "indented", "of Windows", "fenced", "coloured"],
)
def test_report_is_known_however_it_is_pasted(pasted: str):
    root, plain = (gpuprobe.explain(text).diagnosis.root for text in (pasted, FULL))
    assert root is not None
    assert plain is not None
    assert (root.rule, root.finding.fix) == (plain.rule, plain.finding.fix)


def test_finding_alone_stands_too():
    start, end = FULL.index("✗ Other"), FULL.index("  Check")
    report = gpuprobe.explain(f"It told me this:\n\n{FULL[start:end]}\nWhat is it?\n")
    root = report.diagnosis.root
    assert root is not None
    assert (root.rule.code, root.finding.fix.commands[0]) == ("GP701", "nvidia-smi")


@pytest.mark.parametrize("line", ["GP106 chip", "GP106 chip - a GTX 1060"])
def test_chip_is_no_finding_that_has_its_number(line: str):
    card = f"- My card has a\n  {line}\n"
    assert not gpuprobe.explain(card).diagnosis.placed
    failure = "  RuntimeError: CUDA error: uncorrectable ECC error encountered\n"
    assert gpuprobe.explain(card + failure).verdict.value == "broken"


def test_line_behind_a_mark_is_no_finding_without_a_handle():
    log = "gpuprobe 0.1.0\n✗ Something failed\n  in a program\n  Fix     Mend it\n"
    assert not gpuprobe.explain(log).diagnosis.placed


def test_words_that_no_report_has_are_those_of_the_gravest_finding():
    fact = {"value": "odd", "source": "a file"}
    names = ("title", "severity", "confidence", "subject", "fix", "risk", "undo")
    facts = {f"report.finding.1.{name}": fact for name in names}
    facts["report.finding.1.code"] = {"value": "GP701", "source": "a file"}
    facts["report.finding.1.name"] = {"value": "oom-other-process", "source": "a file"}
    facts["report.last_line"] = {"value": 5, "source": "a file"}
    root = gpuprobe.explain(json.dumps({"schema": 1, "facts": facts})).diagnosis.root
    assert root is not None
    assert root.finding.severity is Severity.ERROR


def test_lines_of_another_text_hide_no_failure_of_this_one():
    document = json.dumps(gpuprobe.explain("\n" * 3 + HEALTHY).to_dict())
    failure = "RuntimeError: CUDA error: uncorrectable ECC error encountered"
    report = gpuprobe.explain("\n" * 5 + failure + f"\n{document}\n")
    assert report.diagnosis.root is not None
    assert report.diagnosis.root.rule.code == "GP103"


def test_last_of_several_reports_is_the_one_that_counts():
    assert gpuprobe.explain(f"Before:\n\n{FULL}\nAfter:\n\n{HEALTHY}").verdict.value == "healthy"
    assert gpuprobe.explain(f"Before:\n\n{HEALTHY}\nAfter:\n\n{FULL}").verdict.value == "broken"


def test_code_that_no_rule_has_is_left_out():
    report = gpuprobe.explain(FULL.replace("GP701 oom-other-process", "GP999 of-another-release"))
    assert not report.diagnosis.placed


@pytest.mark.parametrize(
    "style",
    [Style(width=50), Style(width=80), Style(width=100, ascii=True)],
    ids=["narrow", "usual", "wide, in ASCII"],
)
@pytest.mark.parametrize("name", FACTS)
def test_report_is_judged_as_the_machine_was_however_wide_it_is(name: str, style: Style):
    report = judge(Facts(FACTS[name]))
    again = gpuprobe.explain(render(report, style))
    told = [each for each in report.diagnosis.placed if each.role is not Role.CONSEQUENCE]
    assert again.verdict is report.verdict
    assert [(each.rule, each.role) for each in again.diagnosis.placed] == [
        (each.rule, each.role) for each in told
    ]
    assert [each.finding.fix for each in again.diagnosis.placed if each.role is not Role.NOTE] == [
        each.finding.fix for each in told if each.role is not Role.NOTE
    ]


def test_what_is_told_of_a_text_that_works_is_read_as_that():
    once = gpuprobe.explain("torch.cuda.is_available() = True\n")
    again = gpuprobe.explain(str(once))
    assert verdict_sentence(once) == "Healthy, as far as this text tells. PyTorch sees the GPU."
    assert verdict_sentence(again) == verdict_sentence(once)

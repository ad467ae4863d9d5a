"""The text for a terminal: its order, its width, its safety."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from gpuprobe.diagnosis.model import NextStep
from gpuprobe.examine import explain, judge
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.report.terminal import Style, cells
from gpuprobe.report.text import render
from support.samples import SAMPLES, broken, healthy, no_gpu_here, question, report_of, unknown


def lines(name: str, style: Style) -> list[str]:
    return render(SAMPLES[name](), style).splitlines()


def test_last_line_is_the_verdict():
    assert (
        lines("broken", Style())[-1] == "✗ Broken. The driver serves CUDA 11.0, torch needs 12.1."
    )
    assert lines("healthy", Style())[-1].startswith("✓ Healthy. A kernel ran on the GPU")
    assert lines("unknown", Style())[-1].startswith("· Unknown. ")


def test_root_comes_before_what_stands_alone():
    text = broken().text()
    assert text.index("GP203 driver-too-old") < text.index("GP601 cpu-only-build")


def test_consequence_is_one_line_under_its_root():
    text = broken().text()
    assert text.count("cuInit failed with code 35") == 1
    assert re.search(r"Hence +GP207 cuda-init-failed: cuInit failed", text)


LONG = "a source so long that it has a line of its own, as calls with their codes and words have"


def test_place_of_several_facts_that_needs_a_line_stands_below_the_last_of_them():
    report = judge(
        Facts(
            {
                "cuda.device_count": Known(1, "x"),
                "cuda.kernel.outcome": Known("failed", LONG),
                "cuda.kernel.call": Known("cuCtxCreate", LONG),
                "cuda.kernel.code": Known(214, LONG),
            }
        )
    )
    seen = [line.split()[-1] for line in report.text(width=100).splitlines() if "kernel." in line]
    assert seen == ["failed", "cuCtxCreate", "214"]
    assert report.text(width=100).count(LONG[:40]) == 1


MISMATCH = "Failed to initialize NVML: Driver/library version mismatch"


def test_text_sends_to_its_own_machine_to_check():
    assert "Check   run gpuprobe on that machine" in explain(MISMATCH).text()
    assert "Check   run gpuprobe again" in broken().text()


def test_each_evidence_tells_where_it_was_read():
    assert "driver.version = 450.80.02 (/proc/driver/nvidia/version)" in broken().text()


def test_what_is_only_good_to_know_is_told_in_brief():
    facts = {
        "probe.level": Known("normal", "x"),
        "os.system": Known("Linux", "x"),
        "env.CUDA_VISIBLE_DEVICES": Known("0", "CUDA_VISIBLE_DEVICES"),
        "pci.nvidia_gpu_count": Known(2, "x"),
        "cuda.device_count": Known(1, "x"),
        "cuda.init.code": Known(0, "x"),
        "nvml.init.code": Known(0, "x"),
        "nvml.device_count": Known(2, "x"),
        "cuda.kernel.outcome": Known("right", "x"),
    }
    note = judge(Facts(facts), source="snapshot").text()
    assert "GP308 visible-devices-hide-some" in note
    assert "unset CUDA_VISIBLE_DEVICES" in note
    assert not re.search(r"^  (Seen|Risk|Undo|Check)", note, re.MULTILINE)


HUNG = "the probe 'cuda' was killed after 2 s in cuInit"


def test_what_a_finding_stands_on_is_not_told_as_unseen_once_more():
    facts = {
        "probe.level": Known("normal", "x"),
        "os.system": Known("Linux", "x"),
        "pci.nvidia_gpu_count": Known(1, "x"),
        "libcuda.path": Known("/l/libcuda.so.1", "x"),
        "cuda.init.outcome": Known("hung", HUNG),
        "cuda.init.call": Known("cuInit", HUNG),
        "cuda.init.code": Unknown(HUNG),
        "nvml.init.code": Known(0, "x"),
        "module.nvidia.version": Unknown("not readable here"),
    }
    report = judge(Facts(facts), source="snapshot")
    assert report.diagnosis.root is not None
    assert report.diagnosis.root.rule.code == "GP205"
    assert any(missing.reason == HUNG for missing in report.diagnosis.missing)
    beside = report.text(width=120).partition("Could not be looked at")[2]
    assert beside
    assert HUNG not in beside


def test_no_gpu_is_not_called_broken():
    last = no_gpu_here().text().splitlines()[-1]
    assert last == "✗ Cannot work here. This machine has no NVIDIA GPU."


def test_advice_without_a_step_has_no_risk():
    facts = {
        "probe.level": Known("normal", "x"),
        "os.system": Known("Linux", "x"),
        "pci.nvidia_gpu_count": Known(0, "x"),
        "os.machine": Known("x86_64", "x"),
        "module.nvidia.version": Absent("x"),
        "container.kind": Absent("x"),
        "node.nvidiactl": Absent("x"),
        "wsl.version": Absent("x"),
        "tegra.model": Absent("x"),
    }
    report = judge(Facts(facts), only=["GP101"])
    assert "nothing needs to be repaired" in report.text(width=200)
    assert "What to do" in report.html()
    for told in (report.text(), report.markdown(), report.html()):
        assert "risk" not in told.lower()


def test_fix_tells_risk_and_way_back():
    text = broken().text()
    assert "$ sudo apt-get install nvidia-driver-535" in text
    assert re.search(r"Risk +changes the system, needs an administrator and a restart", text)
    assert re.search(r"Undo +sudo apt-get install nvidia-driver-450", text)


def test_override_is_shown_at_the_top():
    assert "OVERRIDE GPUPROBE_LIBCUDA=" in broken().text().splitlines()[1]


def test_snapshot_is_named_as_such():
    assert "Judged from a snapshot" in unknown().text()
    assert "Judged from" not in healthy().text()


def test_what_could_not_be_looked_at_is_grouped_by_reason():
    text = no_gpu_here().text(width=100)
    assert text.count("no compiler was found") == 1
    assert "driver.cuda (try: nvidia-smi)" in text


def test_checks_and_collectors_that_broke_are_shown():
    text = unknown().text()
    assert "check GP801 breaks broke: ZeroDivisionError: division by zero" in text
    assert "collector packages: ValueError: bad metadata" in text


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("width", [20, 40, 59, 60, 80, 100, 200])
def test_no_line_is_wider_than_the_page_but_commands_to_copy(name: str, width: int):
    limit = min(width, 100)
    wide = [line for line in lines(name, Style(width)) if cells(line) > limit]
    assert [line for line in wide if not line.lstrip().startswith("$ ")] == []


@pytest.mark.parametrize("name", SAMPLES)
def test_colours_change_no_character(name: str):
    painted = render(SAMPLES[name](), Style(colour=True))
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == render(SAMPLES[name](), Style())


@pytest.mark.parametrize("name", SAMPLES)
def test_ascii_style_prints_ascii_only(name: str):
    assert render(SAMPLES[name](), Style(40, ascii=True)).isascii()


def test_escape_sequence_in_a_value_reaches_no_terminal():
    report = report_of({"os.name": Known("Deb\x1b[31mian\x07\u202eevil", "/etc/os-release")})
    text = report.text()
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\u202e" not in text
    assert "Deb\\x1b[31mian" in text


def test_home_is_shown_as_a_tilde():
    text = render(broken(), Style(home="/home/alice"))
    assert "(~/venv/torch/version.py)" in text
    assert "/home/alice" not in text


def test_local_text_is_not_redacted():
    assert "/home/alice/venv/torch/version.py" in broken().text()


def test_next_step_stands_before_the_chain_where_the_verdict_is_unknown():
    text = question().text()
    assert text.index("→ Next: run this on that machine") < text.index("Frameworks")
    assert text.index("$ lsmod") < text.index("nouveau in the list → ")
    assert "on Windows: pnputil" in text


def test_next_step_is_not_asked_for_again_below():
    assert question().text().count("lsmod") == 1
    assert "Also of use" in question().text()


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_next_step_stands_below_a_cause_that_is_only_possible(form: str):
    step = NextStep("torch", "run this", ("python -m torch.utils.collect_env",))
    report = replace(broken(), diagnosis=replace(broken().diagnosis, next_step=step))
    shown: str = getattr(report, form)()
    assert shown.index("driver-too-old") < shown.index("To be sure") < shown.index("checks: ")
    assert shown.count("python -m torch.utils.collect_env") == 1

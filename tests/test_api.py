"""The public names of gpuprobe."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gpuprobe
from gpuprobe.device import devices_in
from gpuprobe.diagnosis.model import Outcome, Verdict
from gpuprobe.facts.model import Facts, Known, Missing
from support.samples import UUID_0, healthy
from support.trees import kernel_files, write_files

if TYPE_CHECKING:
    from gpuprobe.facts.model import Fact, Value

ROOT = Path(__file__).parents[1]


def test_version_is_that_of_the_package():
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.findall(r'^version = "(.*)"$', pyproject, re.MULTILINE) == [gpuprobe.__version__]


@pytest.mark.parametrize("first", ["gpuprobe.examine", "gpuprobe.device", "gpuprobe.cli.doctor"])
def test_public_names_are_functions_whatever_is_imported_first(first: str):
    code = f"import {first}, gpuprobe; print(callable(gpuprobe.doctor), callable(gpuprobe.devices))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["True", "True"]


def test_unknown_public_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        gpuprobe.nope  # noqa: B018


def test_all_is_what_dir_shows():
    assert set(gpuprobe.__all__) <= set(dir(gpuprobe))
    assert all(getattr(gpuprobe, name) is not None for name in gpuprobe.__all__)


#: Each is reached from the package's name alone, as a page shows it; one of a module that is not
#: public is imported by its whole path.
REACH = """
import gpuprobe, sys
from importlib import import_module
for name in sys.argv[1:]:
    first, *rest = name.split(".")[1:]
    if first in gpuprobe.__all__:
        thing = gpuprobe
        for part in (first, *rest):
            thing = getattr(thing, part)
        continue
    try:
        import_module(name)
    except ModuleNotFoundError:
        home, _, last = name.rpartition(".")
        getattr(import_module(home), last)
"""
NAME = re.compile(r"(?<![\w./-])gpuprobe(?:\.[A-Za-z_]\w*)+")
#: The sections of docs/names.md whose tables have names in their first column, by their module.
SECTIONS = {"torch.cuda": "gpuprobe.cuda", "tf.config": "gpuprobe.config"}
ROW = re.compile(r"^\| ((?:`[A-Za-z_][\w.]*`(?:, )?)+) \|", re.MULTILINE)


def names_in_documents() -> set[str]:
    """Every `gpuprobe.…` of README.md and the pages, and the names that names.md lists."""
    pages = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    found = {name for page in pages for name in NAME.findall(page.read_text(encoding="utf-8"))}
    listing = (ROOT / "docs" / "names.md").read_text(encoding="utf-8")
    for section in listing.split("\n## ")[1:]:
        home = SECTIONS[section.partition("\n")[0]]
        found |= {
            f"{home}.{name}" for row in ROW.findall(section) for name in row[1:-1].split("`, `")
        }
    return found


def test_names_in_the_documents_are_where_they_say():
    told = names_in_documents()
    assert {"gpuprobe.libraries.survey", "gpuprobe.cuda.memory_allocated"} <= told
    code = [sys.executable, "-c", REACH, *sorted(told)]
    done = subprocess.run(code, check=False, capture_output=True, text=True)
    assert done.stderr == ""


def test_checks_are_named_in_a_list():
    with pytest.raises(TypeError, match=r"\['GP203'\], not 'GP203'"):
        gpuprobe.doctor(only="GP203")
    with pytest.raises(TypeError, match="have to be in a list"):
        gpuprobe.doctor(skip="driver-too-old")


def test_check_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match=r"'driver-old'; did you mean 'driver-too-old'\?"):
        gpuprobe.doctor(only=["driver-old"])
    with pytest.raises(ValueError, match=r"'GP999'.*`gpuprobe rules` lists them"):
        gpuprobe.doctor(skip=["GP999"])


@pytest.mark.usefixtures("bare_machine")
def test_doctor_runs_the_named_checks_only():
    report = gpuprobe.doctor("quick", only=["gp2", "no-nvidia-gpu"], skip=["GP201"])
    ran = {c.rule.code for c in report.diagnosis.checks if c.outcome is not Outcome.DESELECTED}
    assert "GP101" in ran
    assert "GP201" not in ran
    assert all(code == "GP101" or code.startswith("GP2") for code in ran)


@pytest.fixture
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without a GPU."""
    write_files(tmp_path, kernel_files((), None, None, nodes=False))
    monkeypatch.setenv("GPUPROBE_ROOT", str(tmp_path))
    return tmp_path


def test_doctor_reports(bare_machine: Path):
    report = gpuprobe.doctor()
    assert report.overrides == {"GPUPROBE_ROOT": str(bare_machine)}
    assert report.diagnosis.root is not None
    assert report.diagnosis.root.rule.code == "GP101"


def test_snapshot_is_facts(bare_machine: Path):
    facts = gpuprobe.snapshot()
    assert facts["pci.nvidia_gpu_count"] == Known(0, "/sys/bus/pci/devices")
    assert bare_machine.is_dir()


def test_a_snapshot_and_its_file_are_compared_as_a_report_is(bare_machine: Path):
    there = bare_machine / "monday.json"
    there.write_text(json.dumps(healthy().to_dict(redact=False)))
    found = gpuprobe.diff(gpuprobe.explain(there), gpuprobe.snapshot())
    assert found.a.verdict is Verdict.HEALTHY
    assert found.b.verdict is gpuprobe.doctor().verdict
    assert gpuprobe.diff(gpuprobe.snapshot(), gpuprobe.snapshot()).same


def test_who_compares_a_name_of_a_file_is_told_how_it_is_read(bare_machine: Path):
    with pytest.raises(TypeError, match=r"explain\(pathlib\.Path"):
        gpuprobe.diff("monday.json", gpuprobe.snapshot())  # type: ignore[arg-type]
    assert bare_machine.is_dir()


def test_no_device_where_there_is_none(bare_machine: Path):
    assert gpuprobe.devices() == ()
    assert not gpuprobe.is_available()
    assert bare_machine.is_dir()


def test_count_is_never_0_for_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GPUPROBE_ROOT", str(tmp_path))
    monkeypatch.setenv("GPUPROBE_PROBE", str(tmp_path / "no-such-program"))
    with pytest.raises(Missing):
        gpuprobe.device_count()
    assert not gpuprobe.is_available()
    assert not gpuprobe.cuda.is_available()


def test_answer_is_kept_until_a_variable_changes(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
):
    gpuprobe.devices(refresh=True)
    from gpuprobe.examine import machine_facts

    kept = machine_facts()
    assert machine_facts() is kept
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert machine_facts() is not kept
    assert bare_machine.is_dir()


def gpu_facts(**more: Fact[Value]) -> Facts:
    return Facts({**healthy().facts, **{f"gpu.0.{name}": fact for name, fact in more.items()}})


def test_device_has_values_and_reasons():
    first, second = devices_in(gpu_facts())
    assert (first.index, first.ordinal, first.uuid) == (0, 0, UUID_0)
    assert first.capability == (9, 0)
    assert first.memory_bytes == 85_029_158_912
    assert second.sms is None
    assert second.unknown["sms"] == "cuDeviceGetAttribute failed with 999"


def test_device_prints_in_one_line():
    line = str(devices_in(gpu_facts())[0])
    assert line.startswith(
        "GPU 0: NVIDIA H100 80GB HBM3, compute capability 9.0, 132 SMs, 79.2 GiB"
    )


def test_device_shows_itself_as_a_card():
    shown = devices_in(gpu_facts(name=Known("<b>", "x")))[0]._repr_html_()
    assert "</span> &lt;b&gt;</h2>" in shown

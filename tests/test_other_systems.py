"""Windows and macOS from their files to the report: collected, judged, shown.

Nothing of this was run on those systems; the trees hold what they are known to write.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from gpuprobe.examine import judge
from gpuprobe.facts import names
from gpuprobe.facts.collect import collect
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Facts, Known
from support.macos import version_file
from support.trees import write_files
from support.windows import (
    DRIVER_FILES,
    MSVC_FILES,
    RADEON,
    RTX_4090,
    SITE,
    TOOLKITS,
    WITHOUT_DRIVER,
    Windows,
    package,
)

if TYPE_CHECKING:
    from pathlib import Path

    from gpuprobe.facts.model import Fact, Value
    from gpuprobe.report.model import Report

#: What the probe program answers on a healthy machine; it cannot be run for a system in a folder.
ANSWERED: dict[str, Fact[Value]] = {
    "probe.level": Known("normal", "the user's choice"),
    "nvml.init.outcome": Known("ok", "the probe 'nvml'"),
    "nvml.device_count": Known(1, "the probe 'nvml'"),
    "cuda.init.outcome": Known("ok", "the probe 'cuda'"),
    "cuda.device_count": Known(1, "the probe 'cuda'"),
    "cuda.kernel.outcome": Known("right", "the probe 'kernel'"),
}
FULL = {**MSVC_FILES, **DRIVER_FILES, **package("pip", "24.0")}


def folder(version: str) -> str:
    return f"{TOOLKITS}\\v{version}\\bin"


def cudart(version: str) -> str:
    return f"{folder(version)[2:]}\\cudart64_12.dll".replace("\\", "/")


def torch(cuda: str | None, version: str = "2.4.1") -> dict[str, str]:
    line = "cuda: str = None\n" if cuda is None else f"cuda: str = '{cuda}'\n"
    return package("torch", version, **{"torch/version.py": line})


@dataclass(frozen=True)
class Case:
    """A machine and the name of the one finding that is its root; None: there is no fault."""

    name: str
    machine: Windows
    finding: str | None
    cause: str | None = None
    verdict: str = "broken"
    shown: str = ""
    answered: dict[str, Fact[Value]] = field(default_factory=dict)


CASES = (
    Case(
        "healthy",
        Windows(files={**FULL, **torch("12.1")}),
        None,
        verdict="healthy",
        shown="NVIDIA GeForce RTX 4090",
        answered={**ANSWERED, "gpu.0.name": Known("NVIDIA GeForce RTX 4090", "NVML device 0")},
    ),
    Case(
        "no driver",
        Windows(cards=(WITHOUT_DRIVER,), files=MSVC_FILES),
        "GP201",
        "driver-missing",
        shown="restart Windows",
    ),
    Case(
        "a driver that is too old",
        Windows(files={**FULL, **torch("13.0", "2.9.0+cu130")}),
        "GP203",
        "driver-too-old",
        shown="536.23",
    ),
    Case(
        "TensorFlow after 2.10",
        Windows(
            files={
                **FULL,
                **package("tensorflow", "2.15.0"),
                **package("tensorflow_intel", "2.15.0"),
            }
        ),
        "GP601",
        "cpu-only-build",
        shown="WSL 2",
    ),
    Case(
        "PyTorch from the default index",
        Windows(files={**FULL, **torch(None, "2.4.1+cpu")}),
        "GP601",
        "cpu-only-build",
        shown="torch 2.4.1+cpu",
    ),
    Case(
        "no Visual C++ run time",
        Windows(files={**DRIVER_FILES, **torch("12.1")}),
        "GP407",
        "msvc-runtime-missing",
        shown="Microsoft.VCRedist.2015+.x64",
        answered=ANSWERED,
    ),
    Case(
        "an older toolkit first on PATH",
        Windows(
            files={**FULL, cudart("12.1"): "", cudart("12.6"): ""},
            environ={
                "PATH": f"C:\\Windows\\System32;{folder('12.1')};{folder('12.6')}",
                "CUDA_PATH": f"{TOOLKITS}\\v12.6",
            },
        ),
        "GP403",
        "library-path-conflict",
        verdict="degraded",
        shown="cudart64_12.dll of CUDA 12.1",
        answered=ANSWERED,
    ),
    Case(
        "a Radeon",
        Windows(cards=(RADEON,), files=MSVC_FILES),
        "GP101",
        "no-nvidia-gpu",
        shown="onnxruntime-directml",
    ),
    Case(
        "a Radeon beside an NVIDIA card",
        Windows(cards=(RADEON, RTX_4090), files=FULL),
        None,
        verdict="healthy",
        answered=ANSWERED,
    ),
)


def windows_report(tmp_path: Path, case: Case) -> Report:
    write_files(tmp_path, case.machine.tree())
    machine = Machine(
        str(tmp_path), case.machine.variables(), system="Windows", search_path=(SITE,)
    )
    facts = collect(machine, "normal")
    assert facts.need(names.COLLECT_BROKEN) == ()
    return judge(Facts({**facts, **case.answered}))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_windows_machine_is_judged_by_its_files(tmp_path: Path, case: Case):
    report = windows_report(tmp_path, case)
    root = report.diagnosis.root
    assert (root and root.rule.code, root and root.cause) == (case.finding, case.cause)
    assert report.verdict.value == case.verdict
    assert case.shown in " ".join(report.text().split())
    assert [check.trouble for check in report.diagnosis.checks if check.trouble] == []


def mac_report(tmp_path: Path, processor: str, release: str = "14.5") -> Report:
    write_files(tmp_path, version_file(release))
    machine = Machine(str(tmp_path), {"GPUPROBE_PROBE": "/nowhere"}, system="Darwin")
    facts = collect(machine, "normal")
    # The processor's name comes from this machine's own uname.
    said = {"os.machine": Known(processor, "uname")}
    return judge(Facts({**facts, **said}))


@pytest.mark.parametrize(
    ("processor", "served"),
    [("arm64", "PyTorch itself (device mps), TensorFlow with tensorflow-metal"), ("x86_64", "AMD")],
)
def test_a_mac_has_no_cuda_and_learns_what_serves_its_gpu(
    tmp_path: Path, processor: str, served: str
):
    report = mac_report(tmp_path, processor)
    root = report.diagnosis.root
    assert root is not None
    assert (root.rule.code, root.cause) == ("GP101", "no-nvidia-gpu")
    assert "10.13" in root.finding.title
    assert served in root.finding.fix.text
    assert "macOS 14.5" in report.text()
    assert len(report.diagnosis.placed) == 1

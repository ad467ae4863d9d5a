"""The real driver reads CUDA_VISIBLE_DEVICES as the fake does, whatever stands in it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import HEALTHY
from support.child import run_python
from support.machines import H100
from support.scenario import Scenario, stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from support.fakes import Fakes

SHOW = "import json; from support.vendor import *; print(json.dumps(visible_uuids()))"


def visible(environment: dict[str, str], value: str | None) -> list[str]:
    """The UUIDs that CUDA shows in this environment under this CUDA_VISIBLE_DEVICES."""
    variables = {name: text for name, text in environment.items() if name != "CUDA_VISIBLE_DEVICES"}
    if value is not None:
        variables["CUDA_VISIBLE_DEVICES"] = value
    done = run_python(variables | {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}, "-c", SHOW)
    assert done.returncode == 0, done.stderr
    uuids: list[str] = json.loads(done.stdout)
    return uuids


@pytest.mark.parametrize(
    "value",
    [
        *("", "0", "-0", "+0", " 0", "0 ", "0gpu", "00", "-1", "-1,0", "0,-1", "0,0", "0,99", "99"),
        *(
            "99,0",
            "one",
            "all",
            "none",
            "0,,0",
            ",0",
            '"0"',
            "{uuid}",
            "{prefix}",
            "{uuid},{prefix}",
        ),
        *("{uuid},0", "0,{uuid}", "GPU-00000000", "0-1"),
    ],
)
def test_the_driver_reads_visible_devices_as_the_fake_does(
    value: str, fakes: Fakes, tmp_path: Path
) -> None:
    uuids = visible(dict(os.environ), None)
    gpus = tuple(
        replace(H100, uuid=uuid, pci=f"0000:{bus:02x}:00.0", minor=bus)
        for bus, uuid in enumerate(uuids)
    )
    text = value.format(uuid=uuids[0], prefix=uuids[0][:12])
    made = stage(Scenario(name="as here", expect=HEALTHY, gpus=gpus), fakes, tmp_path)
    assert visible(dict(os.environ), text) == visible(made.environment("search"), text)


def test_the_driver_settles_open_questions_within_what_was_foretold(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """All answers are kept in the test report (--junit-xml)."""
    path = tmp_path / "answers.json"
    here = dict(os.environ) | {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = run_python(here, "-m", "benchmarks.visible_devices", "--json", str(path))
    assert done.returncode == 0, done.stderr
    document = json.loads(path.read_text(encoding="utf-8"))
    record_property("visible_devices", json.dumps(document))
    wrong = {
        answer["value"]: (answer["seen"], answer["foretold"])
        for answer in document["answers"]
        if not answer["agrees"]
    }
    assert wrong == {}


def test_a_process_that_has_started_cuda_is_told_from_one_that_has_not() -> None:
    done = run_python(dict(os.environ), "-c", STATES)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["not loaded", "not started", "started", "lost in a fork"]


#: The fork is looked at by a module that has seen nothing before: by its open file of CUDA alone.
STATES = """
import json, os
from gpuprobe.facts import process
from gpuprobe.facts.machine import Machine
from support.vendor import cuda
def state():
    return process.state(Machine(), process.look()).value
found = [state()]
driver = cuda()
found.append(state())
assert driver("cuInit", 0) == 0
found.append(state())
process._started_in = None
if os.fork() == 0:
    print(json.dumps([*found, state()]), flush=True)
    os._exit(0)
os.wait()
"""

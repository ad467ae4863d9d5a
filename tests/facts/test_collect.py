"""The runner: levels, order, and collectors that break."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.collect import Collector, collect, run
from gpuprobe.facts.model import Absent, Entry, Facts, Known, Unknown, entry
from support.machines import DRIVER_535, H100
from support.trees import BASE, kernel_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .conftest import Make, Script

ANSWERS = """\
call("cuInit")
library = {"name": "lib", "path": "/usr/lib/libcuda.so.1", "via": "search", "error": None}
device = {"uuid": "GPU-1", "name": "H100"}
masked = "CUDA_VISIBLE_DEVICES" in os.environ
none = {"kind": "cuda", "call": "cuInit", "code": 100, "name": "NO_DEVICE", "text": None}
if step == "nvml":
    answer(devices=[{**device, "index": 0}], driver_version="535.104.05")
elif masked:
    answer(failed=none, devices=[], library=library)
else:
    kernel = {"device": 0, "result": "right", "why": None, "image": "ptx sm_50"}
    answer(devices=[{**device, "ordinal": 0}], library=library, kernel=kernel)
"""


def facts_at(make: Make, environ: dict[str, str], level: str = "normal") -> Facts:
    files = {**BASE, **kernel_files((H100,), "nvidia", DRIVER_535, nodes=True)}
    return collect(make(files, environ), level)  # type: ignore[arg-type]


def test_a_healthy_machine_has_facts_of_every_subject(make: Make, script: Script):
    facts = facts_at(make, script(ANSWERS))
    assert facts.need(names.PCI_NVIDIA_COUNT) == 1
    assert facts.need(names.NVML_COUNT) == facts.need(names.CUDA_COUNT) == 1
    assert facts.need(names.KERNEL_OUTCOME) == "right"
    assert facts.need(names.GPU_ORDINAL(0)) == 0
    assert facts.need(names.PROBE_LEVEL) == "normal"
    assert facts.need(names.COLLECT_BROKEN) == ()


def test_quick_starts_nothing_of_cuda(make: Make, script: Script):
    facts = facts_at(make, script(f"assert step == 'nvml'\n{ANSWERS}"), "quick")
    assert facts.need(names.NVML_COUNT) == 1
    told = Unknown("not asked at the level 'quick'")
    for key in (names.CUDA_OUTCOME, names.CUDA_COUNT, names.KERNEL_OUTCOME):
        assert facts.fact(key) == told


def test_hidden_devices_are_counted_without_the_variable(make: Make, script: Script):
    facts = facts_at(make, {**script(ANSWERS), "CUDA_VISIBLE_DEVICES": ""})
    assert facts.need(names.CUDA_COUNT) == 0
    assert facts.need(names.CUDA_COUNT_UNMASKED) == 1


@pytest.mark.parametrize("value", [None, "0"])
def test_devices_that_nobody_hides_are_counted_once(make: Make, script: Script, value: str | None):
    asked = script(ANSWERS.replace("elif masked", "elif False"))
    facts = facts_at(make, asked if value is None else {**asked, "CUDA_VISIBLE_DEVICES": value})
    assert facts.need(names.CUDA_COUNT) == 1
    assert isinstance(facts.fact(names.CUDA_COUNT_UNMASKED), Unknown)


def test_no_device_without_the_variable_is_not_asked_again(make: Make, script: Script):
    facts = facts_at(make, script(ANSWERS.replace("elif masked", "elif True")))
    assert facts.need(names.CUDA_COUNT) == 0
    assert facts.fact(names.CUDA_COUNT_UNMASKED) == Unknown("CUDA_VISIBLE_DEVICES is not set")


def test_an_unknown_level_is_refused(make: Make):
    with pytest.raises(ValueError, match=r"'fast'.*quick, normal, deep"):
        collect(make(), "fast")  # type: ignore[arg-type]


# -- collectors that break --------------------------------------------------------------------


def breaks() -> Iterator[Entry]:
    yield entry(names.OS_SYSTEM, Known("Linux", "x"))
    raise KeyError("vendor")


def works() -> Iterator[Entry]:
    yield entry(names.WSL_VERSION, Absent("x"))


def test_a_collector_that_breaks_is_recorded_and_the_others_go_on():
    facts = run(
        [
            Collector("bad", (names.OS_SYSTEM, names.OS_NAME, names.PCI_VENDOR), breaks),
            Collector("good", (names.WSL_VERSION,), works),
        ]
    )
    assert facts.need(names.OS_SYSTEM) == "Linux"
    trouble = "bad: KeyError: 'vendor'"
    assert facts.fact(names.OS_NAME) == Unknown(f"gpuprobe's own collector broke: {trouble}")
    assert isinstance(facts.fact(names.WSL_VERSION), Absent)
    assert facts.need(names.COLLECT_BROKEN) == (trouble,)


def test_an_interrupt_is_no_broken_collector():
    def interrupted() -> Iterator[Entry]:
        yield entry(names.OS_SYSTEM, Known("Linux", "x"))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run([Collector("slow", (), interrupted)])


# -- other systems ----------------------------------------------------------------------------

FOREIGN = """
import os, sys
sys.modules.update(fcntl=None, grp=None, pwd=None, resource=None, termios=None)
for name in ("O_CLOEXEC", "O_NONBLOCK", "confstr", "uname", "getuid", "geteuid"):
    delattr(os, name)
os.supports_effective_ids = set()
from gpuprobe.facts.collect import collect
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Known
facts = collect(Machine("/nowhere", {"GPUPROBE_PROBE": "/nowhere"}, system="Windows"))
broken = facts["collect.broken"]
assert isinstance(broken, Known) and broken.value == (), broken
print(len(facts))
"""


def test_a_system_without_the_calls_of_posix_has_facts():
    """What Windows lacks is taken away before the first import."""
    done = subprocess.run(
        [sys.executable, "-c", FOREIGN], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50

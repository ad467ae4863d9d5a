"""Runs the collectors. One that breaks is recorded as a fact, and the others go on."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from . import driver, environment, host, names, nearby, outcomes, pci
from .gpus import devices
from .installed import packages
from .installed.distributions import search
from .kernel import module, nodes
from .libraries import cuda_libraries
from .libraries import of_driver as libraries
from .model import Absent, Entry, Fact, Facts, Family, Key, Known, Unknown, Value, entry
from .probe import Probe, Silent
from .systems import container, tegra, virtual, windows, wsl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .answers import Answer
    from .machine import Machine

UNMASK = "CUDA_VISIBLE_DEVICES"


#: How far the driver is asked. quick: nothing that initialises CUDA. normal: also cuInit and one
#: kernel. deep: so far the same as normal.
Level = Literal["quick", "normal", "deep"]

#: The steps of the probe by level, all started at once.
STEPS: dict[Level, tuple[str, ...]] = {
    "quick": ("nvml",),
    "normal": ("nvml", "cuda", "kernel"),
    "deep": ("nvml", "cuda", "kernel"),
}

Written = tuple[Key[object] | Family[object], ...]


class Collector(NamedTuple):
    """One subject: its name, the keys it owes, and the work."""

    name: str
    writes: Written
    read: Callable[[], Iterator[Entry]]


def collect(machine: Machine, level: Level = "normal") -> Facts:
    """All facts of `machine`. The driver is asked while the files are read.

    Raises:
        ValueError: `level` is none of the three.
    """
    if level not in STEPS:
        raise ValueError(f"no level is called {level!r}; there are {', '.join(STEPS)}")
    probe = Probe(machine.environ, machine.tell)
    try:
        probe.start(*STEPS[level])
        return run(collectors(machine, level, probe))
    finally:
        probe.stop()


def run(subjects: Iterable[Collector]) -> Facts:
    """What the collectors find, and at last the list of those that broke."""
    broken: list[str] = []
    facts = dict(line for each in subjects for line in _run_one(each, broken))
    facts.update([entry(names.COLLECT_BROKEN, Known(tuple(broken), "gpuprobe itself"))])
    return Facts(facts)


def _run_one(collector: Collector, broken: list[str]) -> Iterator[Entry]:
    """What a collector finds; if it breaks, what it still owes is unknown for that reason."""
    owed = {key.name for key in collector.writes if isinstance(key, Key)}
    try:
        for fact_name, fact in collector.read():
            owed.discard(fact_name)
            yield fact_name, fact
    except Exception as error:  # noqa: BLE001  a runner: what it broke on is shown, never hidden
        trouble = f"{collector.name}: {type(error).__name__}: {error}"
        broken.append(trouble)
        unknown: Fact[Value] = Unknown(f"gpuprobe's own collector broke: {trouble}")
        yield from ((owed_name, unknown) for owed_name in sorted(owed))


def collectors(machine: Machine, level: Level, probe: Probe) -> Iterator[Collector]:
    """The collectors in their order: first those that only read, then those that need answers."""
    always = (host, environment, container, wsl, virtual, windows, pci, tegra, module, nodes)
    around = nearby.subjects() if nearby.is_near(machine) else (nearby,)
    for subject in (*always, *around):
        name = subject.__name__.rpartition(".")[2]
        yield Collector(name, subject.WRITES, partial(subject.collect, machine))
    found = cache(partial(search, machine))  # both list the same folders
    for subject in (packages, cuda_libraries):
        name = subject.__name__.rpartition(".")[2]
        yield Collector(name, subject.WRITES, partial(subject.collect, machine, found))
    yield Collector("process", PROCESS_WRITES, partial(_process, machine))
    nvml, cuda = probe.answer("nvml"), _asked(probe, level, "cuda")
    unmasked = _unmasked(machine, cuda)
    kernel = _asked(probe, level, "kernel")
    yield Collector("probe", PROBE_WRITES, partial(_about, level, probe))
    outcome = partial(outcomes.collect, nvml, cuda, kernel, unmasked)
    yield Collector("outcomes", outcomes.WRITES, outcome)
    yield Collector("libraries", libraries.WRITES, partial(libraries.collect, machine, cuda, nvml))
    yield Collector("driver", driver.WRITES, partial(driver.collect, machine, cuda, nvml))
    yield Collector("devices", devices.WRITES, partial(devices.collect, machine, cuda, nvml))


def _asked(probe: Probe, level: Level, step: str) -> Answer | Silent:
    if step in STEPS[level]:
        return probe.answer(step)
    return Silent(step, "not run", None, f"not asked at the level {level!r}")


def _unmasked(machine: Machine, cuda: Answer | Silent) -> Answer | Silent:
    """Where CUDA sees no device and a variable may be why: the same step without it."""
    if isinstance(cuda, Silent) or not outcomes.sees_no_device(cuda):
        return Silent("cuda", "not run", None, "asked only where cuInit sees no device")
    if UNMASK not in machine.environ:
        return Silent("cuda", "not run", None, f"{UNMASK} is not set")
    rest = {name: value for name, value in machine.environ.items() if name != UNMASK}
    probe = Probe(rest, machine.tell)
    try:
        probe.start("cuda")
        return probe.answer("cuda")
    finally:
        probe.stop()


PROCESS_WRITES = (names.PROCESS_STATE, names.PROCESS_DEVICES, names.VISIBLE_AT_START)


def _process(machine: Machine) -> Iterator[Entry]:
    """CUDA in this process: it matters where the variable is set, and costs an import."""
    if UNMASK in machine.environ:
        from . import process

        yield from process.collect(machine)
        return
    unknown = Unknown(f"not looked at: {UNMASK} is not set")
    yield entry(names.PROCESS_STATE, unknown)
    yield entry(names.PROCESS_DEVICES, unknown)
    yield entry(names.VISIBLE_AT_START, unknown)


PROBE_WRITES = (names.PROBE_PROGRAM, names.PROBE_LEVEL)


def _about(level: Level, probe: Probe) -> Iterator[Entry]:
    yield entry(names.PROBE_LEVEL, Known(str(level), "the user's choice"))
    yield entry(names.PROBE_PROGRAM, _program(probe))


def _program(probe: Probe) -> Fact[str]:
    source = "gpuprobe's own files"
    return Known(probe.program, source) if probe.program else Absent(source)

"""pytest plug-in: GPU tests that say, where they cannot run, what is wrong and how to mend it.

``@pytest.mark.needs_gpu(count=, min_memory=, min_capability=)`` and the fixture `gpu` mark a GPU
test. The machine is judged once, by `gpuprobe.doctor()`, when the first GPU test is set up; where
none is selected, nothing is looked at. CUDA is never initialised in the process of the tests.

================  =======================  =======================
``--gpuprobe=``   no NVIDIA GPU (absent)   GPU unusable (broken)
================  =======================  =======================
``auto``          skip                     skip, red in the summary
``strict``        skip                     fail
``require``       fail                     fail
``off``           skip, without a look     skip, without a look
================  =======================  =======================
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NoReturn

import pytest

if TYPE_CHECKING:
    from .device import Device
    from .report.model import Report

MODES = ("auto", "strict", "require", "off")
MARKER = (
    "needs_gpu(count=1, min_memory=None, min_capability=None): the test needs this many GPUs, "
    "each with at least so much memory (bytes) and compute capability ('8.0'); see gpuprobe"
)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why GPU tests do not run: nothing to run on, something wrong, or nobody wants them."""

    kind: Literal["absent", "broken", "off"]
    reason: str


@dataclass(frozen=True, slots=True)
class Machine:
    """What one look at the machine showed: usable devices, or the obstacle.

    `left_out`: usable too, and hidden from this worker of pytest-xdist by the plug-in itself.
    """

    devices: tuple[Device, ...]
    obstacle: Obstacle | None
    left_out: tuple[Device, ...] = ()


@dataclass(frozen=True, slots=True)
class Needs:
    """What one test asks for."""

    count: int = 1
    min_memory_bytes: int = 0
    min_capability: tuple[int, int] = (0, 0)

    def met_by(self, device: Device) -> bool:
        """Whether `device` is enough; a size that nobody could read is not."""
        memory, capability = device.memory_bytes or 0, device.capability or (0, 0)
        return memory >= self.min_memory_bytes and capability >= self.min_capability

    def __str__(self) -> str:
        from .report.units import bytes_in_words

        text = f"{self.count} GPU" + ("s" if self.count > 1 else "")
        if self.min_memory_bytes:
            text += f" with {bytes_in_words(self.min_memory_bytes)}"
        if self.min_capability > (0, 0):
            text += " of compute capability {}.{}".format(*self.min_capability)
        return text


_MODE = pytest.StashKey[str]()
_SET_BY = pytest.StashKey[str]()
_MACHINE = pytest.StashKey[Machine]()
_NEEDS = pytest.StashKey[Needs]()
_FAULT = pytest.StashKey[str]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare --gpuprobe and the ini key gpuprobe_marker."""
    group = parser.getgroup("gpuprobe", "GPU tests")
    group.addoption(
        "--gpuprobe",
        choices=MODES,
        dest="gpuprobe_mode",
        help="What a GPU test does where it cannot run. auto: skip (default). strict: skip without "
        "a GPU, fail with a broken one. require: fail. off: skip all, without a look at the "
        "machine. The variable GPUPROBE_PYTEST sets the default.",
    )
    parser.addini("gpuprobe_marker", "A marker of this project that means needs_gpu().", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker and settle the mode."""
    config.addinivalue_line("markers", MARKER)
    mode = config.getoption("gpuprobe_mode") or os.environ.get("GPUPROBE_PYTEST") or "auto"
    if mode not in MODES:
        raise pytest.UsageError(f"GPUPROBE_PYTEST={mode!r}: expected one of {', '.join(MODES)}")
    config.stash[_MODE] = mode
    config.stash[_SET_BY] = "--gpuprobe" if config.getoption("gpuprobe_mode") else "GPUPROBE_PYTEST"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Read the markers, so that a wrong one ends the run before it starts."""
    adopted = config.getini("gpuprobe_marker")
    for item in items:
        _read_needs(item, adopted, may_end=not hasattr(config, "workerinput"))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Give each worker of pytest-xdist its own GPU, before a test can initialise CUDA."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    number = worker.removeprefix("gw")
    config = session.config
    if not number.isdecimal() or config.stash[_MODE] == "off":
        return
    if not any(_NEEDS in item.stash for item in session.items):
        return
    devices = _look(config).devices
    if len(devices) > 1:
        _show_only(config, devices, int(number) % len(devices))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """End a test before its fixtures are made if the machine does not have what it needs.

    pytest's own marks (skip, skipif, xfail) are heard before; they are read first of all.
    """
    if _FAULT in item.stash:
        pytest.fail(item.stash[_FAULT], pytrace=False)
    needs = item.stash.get(_NEEDS, None)
    if needs is not None:
        _devices_for(item, needs)


@pytest.fixture
def gpu(request: pytest.FixtureRequest) -> Device:
    """The first GPU that has what the test's marker asks for; CUDA is not initialised yet."""
    item: pytest.Item = request.node
    return _devices_for(item, item.stash.get(_NEEDS, Needs()))[0]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Count the GPU tests that did not run, by cause; broken set-ups in red."""
    stopped: Counter[tuple[str, str, str]] = Counter()
    # "failed": a test that asks for `gpu` while it runs, by getfixturevalue().
    for outcome in ("skipped", "error", "failed", "xfailed"):
        for report in terminalreporter.getreports(outcome):
            told = dict(getattr(report, "user_properties", ()))
            kind, reason = told.get("gpuprobe"), told.get("gpuprobe_reason")
            if isinstance(kind, str) and isinstance(reason, str):  # a test may record its own
                verb = "skipped" if outcome == "skipped" else "failed"
                stopped[verb, kind, reason] += 1
    if not stopped:
        return
    terminalreporter.section("GPU tests that did not run")
    for (verb, kind, reason), count in stopped.most_common():
        line = f"{count} {verb}, {kind}: {reason}"
        terminalreporter.write_line(line, red=kind == "broken", bold=kind == "broken")


def _read_needs(item: pytest.Item, adopted: str, *, may_end: bool) -> None:
    """Keep what a test asks for. A worker of pytest-xdist may not end the run: nobody hears why."""
    try:
        needs = _needs_of(item, adopted)
    except pytest.UsageError as error:
        if may_end:
            raise
        item.stash[_FAULT] = str(error)
    else:
        if needs is not None:
            item.stash[_NEEDS] = needs


def _needs_of(item: pytest.Item, adopted: str) -> Needs | None:
    """What a test asks for; None: it is no GPU test."""
    marks = list(item.iter_markers("needs_gpu"))  # the closest one first
    if marks:
        return _parse(marks, item.nodeid)
    # The arguments of a project's marker are its own.
    is_adopted = adopted != "" and item.get_closest_marker(adopted) is not None
    return Needs() if is_adopted or _asks_for_gpu(item) else None


def _asks_for_gpu(item: pytest.Item) -> bool:
    """Whether the fixture `gpu` is used, and is ours: projects call theirs and parameters so."""
    known = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    defined = list(known.get("gpu", ()))
    while defined and "gpu" in defined[-1].argnames:  # one that is built on the one before it
        defined.pop()
    return bool(defined) and defined[-1].func.__module__ == __name__


def _parse(marks: list[pytest.Mark], where: str) -> Needs:
    """What needs_gpu(…) asks for; what cannot be judged is an error, never passed over.

    Of several (of a module, a class, a test) each argument counts where it stands closest.
    """
    given = {name: value for mark in reversed(marks) for name, value in mark.kwargs.items()}
    given = {name: value for name, value in given.items() if value is not None}
    count, memory = given.pop("count", 1), given.pop("min_memory", 0)
    capability = given.pop("min_capability", "0.0")
    major, _, minor = str(capability).partition(".")
    if not isinstance(count, int) or count < 1:
        raise pytest.UsageError(f"{where}: needs_gpu(count={count!r}): expected 1 or more")
    if not isinstance(memory, int) or memory < 0:
        raise pytest.UsageError(
            f"{where}: needs_gpu(min_memory={memory!r}): expected bytes, as 8 * 2**30"
        )
    if not (major.isdecimal() and minor.isdecimal()):
        raise pytest.UsageError(
            f"{where}: needs_gpu(min_capability={capability!r}): expected '8.0'"
        )
    for name in ("dtype", "library"):
        if name in given:
            raise pytest.UsageError(f"{where}: needs_gpu({name}=…) cannot be judged yet")
    arguments = [argument for mark in marks for argument in mark.args]
    if given or arguments:
        strange = ", ".join([*map(repr, arguments), *given])
        raise pytest.UsageError(f"{where}: needs_gpu() has no argument {strange}; {MARKER}")
    return Needs(count, memory, (int(major), int(minor)))


def _show_only(config: pytest.Config, devices: tuple[Device, ...], place: int) -> None:
    """Narrow CUDA_VISIBLE_DEVICES to one device, an entry of the list that the caller gave.

    Among MIG instances a UUID: an entry names a whole GPU, which may stand for several of them.
    """
    name = "CUDA_VISIBLE_DEVICES"
    before = os.environ.get(name)
    number, uuid = devices[place].ordinal or 0, devices[place].uuid
    if uuid is not None and any((each.uuid or "").startswith("MIG-") for each in devices):
        os.environ[name] = uuid
    else:
        os.environ[name] = str(number) if before is None else before.split(",")[number]
    config.add_cleanup(lambda: _restore(name, before))
    left_out = (*devices[:place], *devices[place + 1 :])
    config.stash[_MACHINE] = replace(_examine(), left_out=left_out)


def _restore(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def _look(config: pytest.Config) -> Machine:
    """The judged machine; looked at once a session, at the first GPU test."""
    if _MACHINE not in config.stash:
        config.stash[_MACHINE] = _examine()
    return config.stash[_MACHINE]


def _examine() -> Machine:
    import gpuprobe

    from .device import devices_in
    from .device.here import as_cuda_lists
    from .diagnosis.model import Link

    report = gpuprobe.doctor()
    proof = report.diagnosis.proof
    # A CPU build of one framework makes the verdict broken, and leaves the GPU usable.
    if proof is None or proof.link < Link.VISIBLE_DEVICES:
        return Machine((), _obstacle(report))
    # CUDA's devices: NVML also lists those that CUDA_VISIBLE_DEVICES hides.
    return Machine(as_cuda_lists(devices_in(report.facts)), None)


def _obstacle(report: Report) -> Obstacle:
    from .diagnosis.model import in_line

    diagnosis = report.redacted().diagnosis  # a reason is read in CI, and kept in JUnit's file
    root = diagnosis.root
    if root is None:
        asked = "; ".join(f"{each.fact}: {each.reason}" for each in diagnosis.missing)
        return Obstacle("broken", f"no usable GPU was shown, and no cause found ({asked})")
    fix = root.finding.fix
    way_out = f"To mend it: {in_line(fix.commands)}" if fix.commands else fix.text
    kind: Literal["absent", "broken"] = "absent" if root.cause == "no-nvidia-gpu" else "broken"
    return Obstacle(kind, f"{root.rule.code} {root.finding.title}. {way_out}")


def _devices_for(item: pytest.Item, needs: Needs) -> tuple[Device, ...]:
    """The devices that a test may use; skips or fails it where there are none."""
    mode = item.config.stash[_MODE]
    if mode == "off":
        _stop(
            item, Obstacle("off", f"GPU tests are switched off by {item.config.stash[_SET_BY]}=off")
        )
    machine = _look(item.config)
    if machine.obstacle is not None:
        _stop(item, machine.obstacle)
    fitting = tuple(device for device in machine.devices if needs.met_by(device))
    if len(fitting) < needs.count:
        _stop(item, Obstacle("absent", f"the test needs {needs}; {_too_few(machine, needs)}"))
    return fitting


def _too_few(machine: Machine, needs: Needs) -> str:
    """What there is, or that all is there and only this worker does not see it."""
    everywhere = (*machine.devices, *machine.left_out)
    if sum(map(needs.met_by, everywhere)) >= needs.count:
        return "under pytest-xdist each worker sees one GPU: run it without -n"
    from .report.chain import listed

    # Neither slot nor UUID: a marker asks for none, and others read the reason in CI. Nor the
    # number: equal GPUs are told once, and by every worker in the same words.
    told = [str(replace(each, pci=None, uuid=None)).partition(": ")[2] for each in everywhere]
    return "there is: " + (listed(sorted(told)) or "none that CUDA shows")


def _stop(item: pytest.Item, obstacle: Obstacle) -> NoReturn:
    """Skip or fail; the properties bring the cause to the summary, also from a worker."""
    item.user_properties += [("gpuprobe", obstacle.kind), ("gpuprobe_reason", obstacle.reason)]
    mode = item.config.stash[_MODE]
    if mode == "require" or (mode == "strict" and obstacle.kind == "broken"):
        pytest.fail(obstacle.reason, pytrace=False)
    # As of a marker: told at the test, not here, where pytest would fold all tests into one.
    raise pytest.skip.Exception(obstacle.reason, _use_item_location=True)

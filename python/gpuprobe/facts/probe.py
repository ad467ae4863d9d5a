# ruff: noqa: PTH113, PTH118, PTH208
"""Asks the driver through the probe program, which may hang or crash in our place.

Steps run side by side under one deadline. Without the program, or where it cannot be executed
(a file system mounted noexec), Python itself runs the same code out of `_core` in a child.
The files that are looked up here are the package's own, so they do not go through the `Machine`.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from ..ourselves import REINSTALL
from .answers import Answer, read_answer
from .strict import GarbageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .children import Child, Ended

DEFAULT_TIMEOUT_S = 60.0
MAX_TIMEOUT_S = 24 * 3600.0

NO_CORE = f"gpuprobe was installed without its C core: install a C compiler and run {REINSTALL}"
NO_PYTHON = (
    "this program holds a Python that cannot be started alone, and gpuprobe's folder _probe is not "
    "packed with it"
)

#: What these do to a child would spoil its answer: they make the loader or the driver print, or
#: load a profiler into it.
_POLLUTING = (
    "CUDA_INJECTION64_PATH",
    "CUDA_LOG_FILE",
    "LD_DEBUG",
    "LD_DEBUG_OUTPUT",
    "LD_TRACE_LOADED_OBJECTS",
    "NVTX_INJECTION64_PATH",
)

# Run by `python -I -S -c`: neither site-packages nor the package itself is needed for `_core`.
_TWIN = """\
import sys
from importlib.machinery import ExtensionFileLoader, ModuleSpec
path = sys.argv[1]
loader = ExtensionFileLoader("gpuprobe._core", path)
core = loader.create_module(ModuleSpec("gpuprobe._core", loader, origin=path))
loader.exec_module(core)
print(core.probe(sys.argv[2:]))
"""


class Silent(NamedTuple):
    """A step that gave no answer. `outcome` is "hung", "crashed" or "not run"."""

    step: str
    outcome: str
    call: str | None  # the call in which it ended, where it came so far
    reason: str


class Probe:
    """The running steps. `answer` waits for one; `stop` kills what still runs."""

    def __init__(self, environ: Mapping[str, str], tell: Callable[[str], None]) -> None:
        self._environ = {name: environ[name] for name in environ if name not in _POLLUTING}
        self._tell = tell
        self._told = False
        self._children: dict[str, Child] = {}
        self._done: dict[str, Answer | Silent] = {}
        self.timeout_s = _timeout(environ, tell)
        self._deadline = time.monotonic() + self.timeout_s
        self.program: str | None = None

    def start(self, *steps: str) -> None:
        """Start these steps; one that cannot be started has its answer at once.

        A step may have arguments: ``kernel --device 1``.
        """
        for step in steps:
            reason = self._start(step)
            if reason is not None:
                self._done[step] = Silent(step, "not run", None, reason)

    def _start(self, step: str) -> str | None:
        """Start one step. What comes back is the reason why it could not be done."""
        from .children import Child

        reason = NO_PYTHON if any(_cores()) else NO_CORE
        for program, argv in _programs(self._environ):
            try:
                self._children[step] = Child((*argv, *step.split()), self._environ)
            except (OSError, ValueError) as error:  # noqa: PERF203  two turns at most
                why = error.strerror if isinstance(error, OSError) else None
                reason = f"{program} cannot be started: {why or error}"
            else:
                self.program = program
                return None
        return reason

    def answer(self, step: str) -> Answer | Silent:
        """Wait for the answer to a step that was started."""
        if step not in self._done:
            if step not in self._children:
                return Silent(step, "not run", None, "this step was not started")
            ended = self._children[step].result(self._deadline, self._say_waiting)
            self._done[step] = _judge(step, ended, self.timeout_s)
        return self._done[step]

    def _say_waiting(self, call: str | None) -> None:
        if not self._told:
            self._told = True
            self._tell(f"waiting for {call or 'the driver'}, at most {self.timeout_s:g} s")

    def stop(self) -> None:
        """Kill every child that still runs."""
        for child in self._children.values():
            child.kill()


def _judge(step: str, ended: Ended, limit_s: float) -> Answer | Silent:
    where = f"in {ended.call}" if ended.call else "before its first call"
    if not ended.in_time:
        end = f"was {ended.end} after {limit_s:g} s {where}"
        return Silent(step, "hung", ended.call, f"the probe {step!r} {end}")
    if ended.end is not None:
        return Silent(step, "crashed", ended.call, f"the probe {step!r}: {ended.end} {where}")
    try:
        return read_answer(ended.stdout, step.partition(" ")[0])
    except GarbageError as error:
        return Silent(step, "not run", ended.call, f"the probe {step!r} answered garbage: {error}")
    except MemoryError:
        return Silent(
            step, "not run", ended.call, f"the probe {step!r} had no memory for its answer"
        )


def _timeout(environ: Mapping[str, str], tell: Callable[[str], None]) -> float:
    text = environ.get("GPUPROBE_TIMEOUT")
    if not text:
        return DEFAULT_TIMEOUT_S
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if 0 < seconds <= MAX_TIMEOUT_S:
        return seconds
    tell(f"GPUPROBE_TIMEOUT={text} is no number of seconds; {DEFAULT_TIMEOUT_S:g} is used")
    return DEFAULT_TIMEOUT_S


def _programs(environ: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The ways to run a step, best first: how a report names it, and the command."""
    override = environ.get("GPUPROBE_PROBE")
    if override:
        yield override, (override,)
        return
    name = "gpuprobe-probe.exe" if os.name == "nt" else "gpuprobe-probe"
    for folder in _package_folders():
        program = os.path.join(folder, "_probe", name)
        if os.path.isfile(program):
            yield program, (program,)
    from .children import interpreter

    python = interpreter()
    if python is not None:
        for core in _cores():
            yield f"python with {core}", (python, "-I", "-S", "-c", _TWIN, core)


def _package_folders() -> tuple[str, ...]:
    """An editable install has two: the sources, and what was built."""
    return tuple(sys.modules[__name__.partition(".")[0]].__path__)


def _cores() -> Iterator[str]:
    for folder in _package_folders():
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        for name in names:
            if name.startswith("_core.") and name.endswith((".so", ".pyd")):
                yield os.path.join(folder, name)

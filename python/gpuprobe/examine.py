"""Collect, judge, report: the three stages joined."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from .facts import names
from .facts.model import Facts, Known, Missing

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from .comparison.model import Comparison
    from .facts.collect import Level
    from .facts.model import Fact, Value
    from .report.model import Report, Source

    #: What a lock demands, by the names of `facts.locked`.
    Demands = Mapping[str, Fact[Value]]

#: Variables that change what is looked at, or how long. Every report shows those that are set.
OVERRIDES = (
    "GPUPROBE_ROOT",
    "GPUPROBE_LIBCUDA",
    "GPUPROBE_LIBNVML",
    "GPUPROBE_LIBCUBLASLT",
    "GPUPROBE_LIBCUDNN",
    "GPUPROBE_PROBE",
    "GPUPROBE_TIMEOUT",
)


def doctor(
    level: Level = "normal",
    *,
    only: Collection[str] = (),
    skip: Collection[str] = (),
    lock: Demands | str | os.PathLike[str] | None = None,
) -> Report:
    """Look at this machine and judge it.

    Args:
        level: "quick" starts no CUDA; "normal" starts it in a child process and computes
            something there; "deep" does the same so far.
        only: Codes, names, or prefixes of codes (``GP2``) of the checks that are to run.
        skip: Likewise, of those that are not.
        lock: A file that `gpuprobe lock` wrote, or what `read_lock` made of it; where the machine
            differs from it is a finding.

    Raises:
        OSError: The lock cannot be read.
        LockError: It is no lock. It is a `ValueError`.
        ValueError: A name in `only` or `skip` is that of no check, or the level is none.
        TypeError: `only` or `skip` is a text, not a list of texts.
    """
    from .facts.collect import collect  # what looks at a machine; who explains a text needs none
    from .facts.machine import Machine

    if only or skip:
        from .diagnosis.catalogue import handles

        only, skip = handles(only), handles(skip)
    demands = read_lock(lock) if isinstance(lock, str | os.PathLike) else lock or {}
    machine = Machine.here()
    facts = Facts({**collect(machine, level), **demands})
    return judge(facts, only=only, skip=skip, overrides=overrides_of(machine.environ))


def read_lock(path: str | os.PathLike[str]) -> Demands:
    """What a lock file demands, as facts beside those of a machine.

    Raises:
        OSError: It cannot be read.
        LockError: It is no lock.
    """
    from pathlib import Path

    from .facts.lockfile import MAX_BYTES, demands_of

    with Path(path).open("rb") as file:
        return demands_of(file.read(MAX_BYTES + 1), os.fspath(path))


def diff(a: Report | Facts, b: Report | Facts, *, everything: bool = False) -> Comparison:
    """What differs between two machines, or two looks at one; see `gpuprobe.Report`.

    It prints as text, not redacted, and shows itself in a notebook, redacted. For other eyes
    compare ``a.redacted()`` and ``b.redacted()``.

    Args:
        a: A report, as `doctor` and `explain` give it, or what `snapshot` gives. Of a snapshot's
            file ``explain(pathlib.Path("monday.json"))`` makes a report.
        b: Another one.
        everything: Also compare what changes by itself (temperature, clocks, free memory) and
            what tells one card from another of its kind (UUID, slot).

    Raises:
        TypeError: One is neither: the name of a file, say.
    """
    from .comparison.compare import compare

    return compare(_report_of(a), _report_of(b), everything=everything)


def _report_of(given: object) -> Report:
    from .report.model import Report

    if isinstance(given, Facts):
        return judge(given)
    if not isinstance(given, Report):
        raise TypeError(
            f"diff: expected a report or what snapshot() gives, got {type(given)!r}; of a "
            'snapshot\'s file explain(pathlib.Path("monday.json")) makes a report'
        )
    return given


def lock(facts: Facts, *, exact: bool = False) -> str:
    """The lock of a machine, which `doctor(lock=…)` checks: versions and names, nothing personal.

    Args:
        facts: What `snapshot` gives, or a report's facts.
        exact: Lock the driver as it is, not as the least that will do.
    """
    from .facts.lockfile import write_lock

    return write_lock(facts, exact=exact)[0]


def explain(text: str | os.PathLike[str]) -> Report:
    """Judge what somebody pasted: the output of tools, a log, a traceback, a form, or a mix.

    Also reads gpuprobe's own reports and snapshots. What the text does not say stays unknown;
    this machine is not looked at.

    Args:
        text: The text itself; a path (``pathlib.Path("log.txt")``) stands for a file's content.

    Raises:
        OSError: The file cannot be read.
        TypeError: It is neither a text nor a path: bytes, or an open file.
        TextTooLargeError: It has more than 64 MiB. It is a `ValueError`.
    """
    from .facts.pasted import read_with_lines

    facts, lines = read_with_lines(_text_of(text))
    # A report or snapshot of gpuprobe knows what was looked at and what was not.
    examined = isinstance(facts.fact(names.PROBE_LEVEL), Known)
    report = judge(facts, source="snapshot" if examined else "text")
    placed = report.diagnosis.placed
    cited = {each.source for found in placed for each in found.finding.evidence}
    return replace(report, quotes=lines.quotes(cited))


def _text_of(given: object) -> str:
    from .facts.pasted.source import read_text

    if isinstance(given, str):
        return given
    if not isinstance(given, os.PathLike):
        raise TypeError(f"text: expected a str, or the pathlib.Path of a file, got {type(given)!r}")
    return read_text(given)


def judge(
    facts: Facts,
    *,
    only: Collection[str] = (),
    skip: Collection[str] = (),
    source: Source = "machine",
    overrides: Mapping[str, str] | None = None,
) -> Report:
    """The report on facts of any source."""
    from .diagnosis.catalogue import rules
    from .diagnosis.engine import diagnose
    from .report.identity import identity
    from .report.model import Report

    diagnosis = diagnose(facts, rules(), only=only, skip=skip, pasted=source == "text")
    return Report(diagnosis, facts, source, overrides or {}, identity())


def snapshot(level: Level = "normal") -> Facts:
    """All facts of this machine, not judged and not redacted."""
    from .facts.collect import collect
    from .facts.machine import Machine

    return collect(Machine.here(), level)


def device_count(*, refresh: bool = False) -> int:
    """How many GPUs CUDA sees here, after CUDA_VISIBLE_DEVICES. Asked in a child process.

    As torch's function of this name it is 0 where CUDA does not start: no driver, one that refuses,
    crashes, or does not answer within `GPUPROBE_TIMEOUT` seconds. `doctor` says which, and the fix.
    The answer is kept until a variable changes or `refresh` is given.

    Raises:
        gpuprobe.facts.model.Missing: Nobody could look. The text says why; it is not the same as 0.
    """
    facts = machine_facts(refresh=refresh)
    outcome = facts.known(names.CUDA_OUTCOME)
    if outcome is not None and outcome != "ok":
        return 0  # CUDA does not start, so it serves no GPU
    return facts.look(names.CUDA_COUNT) or 0


def is_available(*, refresh: bool = False) -> bool:
    """Whether CUDA starts here and sees a GPU. False also where nobody could look."""
    try:
        return device_count(refresh=refresh) > 0
    except Missing:
        return False


_kept: tuple[Mapping[str, str], Facts] | None = None


def machine_facts(*, refresh: bool = False) -> Facts:
    """The facts of this machine, collected once for the environment as it is now."""
    global _kept  # noqa: PLW0603  (a cache of one; two threads at worst collect twice)
    environ = dict(os.environ)
    if refresh or _kept is None or _kept[0] != environ:
        _kept = (environ, snapshot())
    return _kept[1]


def overrides_of(environ: Mapping[str, str]) -> dict[str, str]:
    """The overrides that are set, with their values."""
    return {name: environ[name] for name in OVERRIDES if environ.get(name)}

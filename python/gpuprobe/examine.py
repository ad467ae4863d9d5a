"""Collect, judge, report: the three stages joined."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .facts import names
from .facts.collect import Level, collect
from .facts.machine import Machine
from .facts.model import Facts, Known, Missing

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from .report.identity import Identity
    from .report.model import Report, Source

#: Variables that change what is looked at, or how long. Every report shows those that are set.
OVERRIDES = (
    "GPUPROBE_ROOT",
    "GPUPROBE_LIBCUDA",
    "GPUPROBE_LIBNVML",
    "GPUPROBE_PROBE",
    "GPUPROBE_TIMEOUT",
)


def doctor(
    level: Level = "normal", *, only: Collection[str] = (), skip: Collection[str] = ()
) -> Report:
    """Look at this machine and judge it.

    Args:
        level: "quick" starts no CUDA; "normal" starts it in a child process and computes
            something there; "deep" also loads libraries and frameworks, each in a child.
        only: Codes, names, or prefixes of codes (``GP2``) of the checks that are to run.
        skip: Likewise, of those that are not.
    """
    machine = Machine.here()
    facts = collect(machine, level)
    return judge(facts, only=only, skip=skip, overrides=overrides_of(machine.environ))


def explain(text: str | os.PathLike[str]) -> Report:
    """Judge what somebody pasted: the output of tools, a log, a traceback, a form, or a mix.

    Also reads gpuprobe's own reports and snapshots. What the text does not say stays unknown;
    this machine is not looked at.

    Args:
        text: The text itself; a path (``pathlib.Path("log.txt")``) stands for a file's content.

    Raises:
        OSError: The file cannot be read.
        TextTooLargeError: It has more than 64 MiB. It is a `ValueError`.
    """
    from .facts.pasted import read
    from .facts.pasted.source import read_text

    facts = read(text if isinstance(text, str) else read_text(text))
    # A report or snapshot of gpuprobe knows what was looked at and what was not.
    examined = isinstance(facts.fact(names.PROBE_LEVEL), Known)
    return judge(facts, source="snapshot" if examined else "text")


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
    from .report.model import Report

    diagnosis = diagnose(facts, rules(), only=only, skip=skip, pasted=source == "text")
    return Report(diagnosis, facts, source, overrides or {}, identity())


def snapshot(level: Level = "normal") -> Facts:
    """All facts of this machine, not judged and not redacted."""
    return collect(Machine.here(), level)


def device_count(*, refresh: bool = False) -> int:
    """How many GPUs CUDA sees here, after CUDA_VISIBLE_DEVICES. Asked in a child process.

    The answer is kept until a variable changes or `refresh` is given.

    Raises:
        Missing: Nobody could look. The text says why; it is not the same as 0.
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


def identity() -> Identity:
    """The names of this user and this machine, which redaction hides."""
    from .report.identity import Identity

    variables = os.environ
    homes = [variables.get(name) for name in ("HOME", "USERPROFILE")]
    users = [variables.get(name) for name in ("USER", "LOGNAME", "USERNAME", "SUDO_USER")]
    users += [home.replace("\\", "/").rstrip("/").rpartition("/")[2] for home in homes if home]
    hosts = [variables.get(name) for name in ("HOSTNAME", "COMPUTERNAME")]
    if hasattr(os, "uname"):
        hosts.append(os.uname().nodename)
    return Identity(_unique(users), _unique(hosts), _unique(homes))


def _unique(names_found: list[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names_found if name))

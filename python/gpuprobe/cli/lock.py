"""``gpuprobe lock``: the GPU stack of this machine as a file that `doctor --lock` checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import output

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from ..facts.collect import Level
    from ..facts.model import Facts
    from .commands import Command


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `lock`."""
    from .options import add_file, add_level, add_snapshot

    parser.add_argument(
        "--exact",
        action="store_true",
        help="lock the driver and its CUDA as they are, not as the least that will do",
    )
    add_snapshot(
        parser, "lock the machine of a snapshot, or of a report as JSON (- reads standard input)"
    )
    add_level(parser)
    add_file(parser)
    parser.add_argument("--format", choices=("json",), default="json", help="a lock is always JSON")
    parser.add_argument("--json", action="store_true", help="likewise")


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    from .options import level_of, snapshot_of

    level = level_of(parsed)
    snapshot = snapshot_of(parsed)
    return lambda: run(level, snapshot, parsed.output, exact=parsed.exact)


def run(level: Level, snapshot: str | None, path: str | None, *, exact: bool) -> int:
    """Write the lock; what it cannot hold, and what is wrong here, is told on standard error."""
    from ..facts.lockfile import write_lock
    from ..report.identity import identity
    from ..report.redact import redact_facts
    from .source import warn

    facts = redact_facts(_facts(level, snapshot), identity())
    text, left_out = write_lock(facts, exact=exact)
    for each in (*_fault(facts), *(f"not locked: {each}" for each in left_out)):
        warn(each)
    output.write(text, path, "json")
    return 0


def _fault(facts: Facts) -> Iterator[str]:
    """A lock of a machine that lost a GPU asks the others for those that it has left."""
    from ..examine import judge

    report = judge(facts)
    root = report.diagnosis.root
    if root is not None:
        told = f"{root.finding.title} ({root.rule.code})"
        yield f"this machine is {report.verdict.value}, and locked as it is: {told}"


def _facts(level: Level, snapshot: str | None) -> Facts:
    if snapshot is None:
        from ..examine import snapshot as look

        return look(level)
    from .source import read_snapshot

    return read_snapshot(snapshot, only=(), skip=()).facts

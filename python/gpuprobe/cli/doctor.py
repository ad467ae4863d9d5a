"""``gpuprobe`` and ``gpuprobe doctor``: look and judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .document import FORMATS, Shape, show
from .errors import UsageError

if TYPE_CHECKING:
    import argparse

    from ..facts.collect import Level
    from ..report.model import FailOn, Report
    from .commands import Command


@dataclass(frozen=True, slots=True)
class Options(Shape):
    """What the user asked for; the defaults are plain ``gpuprobe``."""

    level: Level = "normal"
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    fail_on: FailOn = "error"
    snapshot: str | None = None
    lock: str | None = None


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `doctor`."""
    from .options import (
        add_fail_on,
        add_level,
        add_lock,
        add_output,
        add_redaction,
        add_snapshot,
    )

    add_level(parser)
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="IDS",
        help="run these checks only: codes, names or beginnings of codes (GP2), with commas",
    )
    parser.add_argument(
        "--skip", action="append", default=[], metavar="IDS", help="leave these checks out"
    )
    add_fail_on(parser)
    add_snapshot(
        parser,
        "judge a snapshot, or a report as JSON, in place of this machine (- reads it from standard "
        "input)",
    )
    add_lock(parser)
    add_output(parser, FORMATS)
    add_redaction(parser)


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    from .options import level_of, snapshot_of

    options = Options(
        level=level_of(parsed),
        only=_handles("--only", parsed.only),
        skip=_handles("--skip", parsed.skip),
        fail_on=parsed.fail_on,
        snapshot=snapshot_of(parsed),
        lock=parsed.lock,
        format=parsed.format,
        output=parsed.output,
        redact=parsed.redact,
        color=parsed.color,
    )
    return lambda: run(options)


def run(options: Options) -> int:
    """Judge, show, and return the exit code."""
    return show(_report(options), options, options.fail_on)


def _report(options: Options) -> Report:
    from .. import examine

    lock = None
    if options.lock is not None:
        from .source import demands

        lock = demands(options.lock)
    if options.snapshot is None:
        return examine.doctor(options.level, only=options.only, skip=options.skip, lock=lock)
    from .source import read_snapshot

    return read_snapshot(options.snapshot, only=options.only, skip=options.skip, lock=lock)


def _handles(option: str, values: list[str]) -> tuple[str, ...]:
    """The checks that are named. A name that fits none is an error: it would select nothing."""
    from ..diagnosis.catalogue import handles

    named = [part.strip() for value in values for part in value.split(",") if part.strip()]
    if values and not named:
        raise UsageError(f"{option} needs at least one code or name; `gpuprobe rules` lists them")
    try:
        return handles(named)
    except ValueError as error:
        raise UsageError(f"{option}: {error}") from error

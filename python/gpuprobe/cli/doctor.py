"""``gpuprobe`` and ``gpuprobe doctor``: look and judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from . import output
from .errors import UsageError

if TYPE_CHECKING:
    import argparse

    from ..facts.collect import Level
    from ..report.model import FailOn, Report
    from ..report.terminal import ColourChoice
    from .commands import Command

Format = Literal["text", "json", "markdown", "html", "junit"]
FORMATS: tuple[Format, ...] = ("text", "json", "markdown", "html", "junit")


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for; the defaults are plain ``gpuprobe``."""

    level: Level = "normal"
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    fail_on: FailOn = "error"
    snapshot: str | None = None
    format: Format = "text"
    output: str | None = None
    redact: bool = True
    color: ColourChoice = "auto"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `doctor`."""
    from .options import add_level, add_output, add_redaction

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
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "never"),
        default="error",
        help="which findings make the exit code 1 (default: error)",
    )
    parser.add_argument(
        "--from",
        dest="snapshot",
        metavar="SNAPSHOT",
        help="judge a snapshot, or a report as JSON, in place of this machine (- reads it from "
        "standard input)",
    )
    add_output(parser, FORMATS)
    add_redaction(parser)


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    options = Options(
        level=parsed.level,
        only=_handles("--only", parsed.only),
        skip=_handles("--skip", parsed.skip),
        fail_on=parsed.fail_on,
        snapshot=parsed.snapshot,
        format=parsed.format,
        output=parsed.output,
        redact=parsed.redact,
        color=parsed.color,
    )
    return lambda: run(options)


def run(options: Options) -> int:
    """Judge, show, and return the exit code."""
    report = _report(options)
    output.write(_document(report, options), options.output, options.format)
    return report.exit_code(options.fail_on)


def _report(options: Options) -> Report:
    from .. import examine

    if options.snapshot is None:
        return examine.doctor(options.level, only=options.only, skip=options.skip)
    from .source import read_snapshot

    return read_snapshot(options.snapshot, only=options.only, skip=options.skip)


def _document(report: Report, options: Options) -> str:
    if options.format == "text":
        return _text(report, options)
    if options.redact:
        report = report.redacted()
    if options.format == "json":
        from ..report.json import render

        return render(report)
    if options.format == "markdown":
        return report.markdown(redact=False)
    if options.format == "html":
        return report.html(redact=False)
    return report.junit(redact=False)


def _text(report: Report, options: Options) -> str:
    """The terminal shows everything to its owner; a file may be passed on."""
    from ..report.text import render
    from .options import terminal_style

    to_file = options.output not in (None, "-")
    style = terminal_style(options.color, options.output)
    return render(report.redacted() if to_file and options.redact else report, style)


def _handles(option: str, values: list[str]) -> tuple[str, ...]:
    """The checks that are named. A name that fits none is an error: it would select nothing."""
    from ..diagnosis.catalogue import rules

    handles = [part.strip() for value in values for part in value.split(",")]
    handles = [handle.upper() if _is_code(handle) else handle for handle in handles if handle]
    for handle in handles:
        if not any(rule.name == handle or rule.code.startswith(handle) for rule in rules()):
            raise UsageError(f"{option} {handle}: no check has this code or name (gpuprobe rules)")
    if values and not handles:
        raise UsageError(f"{option} needs at least one code or name")
    return tuple(handles)


def _is_code(handle: str) -> bool:
    return handle[:2].upper() == "GP" and handle[2:].isdigit()

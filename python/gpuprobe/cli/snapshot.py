"""``gpuprobe snapshot``: all facts of this machine as one JSON document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import output

if TYPE_CHECKING:
    import argparse

    from ..facts.collect import Level
    from .commands import Command


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `snapshot`."""
    from .options import add_file, add_level, add_redaction

    add_level(parser)
    add_file(parser)
    parser.add_argument(
        "--format", choices=("json",), default="json", help="a snapshot is always JSON"
    )
    parser.add_argument("--json", action="store_true", help="likewise")
    add_redaction(parser)


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    from .options import level_of

    level = level_of(parsed)
    return lambda: run(level, parsed.output, redact=parsed.redact)


def run(level: Level, path: str | None, *, redact: bool) -> int:
    """Write the snapshot; `gpuprobe doctor --from` reads it."""
    from ..examine import doctor
    from ..report.json import dumps, snapshot_document

    report = doctor(level, only=(), skip=())
    output.write(dumps(snapshot_document(report.redacted() if redact else report)), path, "json")
    return 0

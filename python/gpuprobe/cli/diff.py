"""``gpuprobe diff``: what differs between two machines, or one machine on two days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import output
from .document import Shape
from .errors import UsageError

if TYPE_CHECKING:
    import argparse

    from ..comparison.model import Comparison
    from ..facts.collect import Level
    from ..report.model import Report
    from .commands import Command

FORMATS = ("text", "json", "markdown", "html")
#: What stands for this machine, as it is now.
HERE = "."


@dataclass(frozen=True, slots=True)
class Options(Shape):
    """What the user asked for."""

    a: str = HERE
    b: str = HERE
    everything: bool = False
    level: Level = "normal"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `diff`."""
    from .options import add_level, add_output, add_redaction, file_name

    told = "a snapshot, or a report as JSON; - reads standard input, . is this machine as it is now"
    parser.add_argument("a", type=file_name, metavar="A", help=told)
    parser.add_argument(
        "b", type=file_name, metavar="B", nargs="?", default=HERE, help="likewise (default: .)"
    )
    parser.add_argument(
        "--all",
        dest="everything",
        action="store_true",
        help="also what changes by itself (temperature, clocks, free memory, processes) and what "
        "tells one card from another of its kind",
    )
    add_level(parser)
    add_output(parser, FORMATS)
    add_redaction(parser)


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    from .options import level_of

    if parsed.a == parsed.b and parsed.a in ("-", HERE):
        raise UsageError(f"diff {parsed.a} {parsed.b}: that is one and the same")
    if parsed.level is not None and HERE not in (parsed.a, parsed.b):
        raise UsageError("--level is how far this machine is looked at, and neither A nor B is it")
    options = Options(
        format=parsed.format,
        output=parsed.output,
        redact=parsed.redact,
        color=parsed.color,
        a=parsed.a,
        b=parsed.b,
        everything=parsed.everything,
        level=level_of(parsed),
    )
    return lambda: run(options)


def run(options: Options) -> int:
    """Compare and show. The exit code is 1 where something differs."""
    from ..comparison.compare import compare
    from ..report.comparison import for_other_eyes

    a, b = (_side(each, options.level) for each in (options.a, options.b))
    labels = (_label(options.a), _label(options.b))
    found = compare(a, b, labels=labels, everything=options.everything)
    if options.redacts:
        from ..report.identity import identity

        found = for_other_eyes(found, identity())
    output.write(_document(found, options), options.output, options.format)
    return 0 if found.same else 1


def _side(path: str, level: Level) -> Report:
    if path == HERE:
        from ..examine import doctor

        return doctor(level)
    from .source import read_snapshot

    return read_snapshot(path, only=(), skip=())


def _label(path: str) -> str:
    return {HERE: "this machine", "-": "standard input"}.get(path, path)


def _document(found: Comparison, options: Options) -> str:
    if options.format == "json":
        from ..report.json import dumps

        return dumps(found.to_dict())
    if options.format == "markdown":
        return found.markdown()
    if options.format == "html":
        return found.html()
    from ..report.comparison import text
    from .options import terminal_style

    return text(found, terminal_style(options.color, options.output))

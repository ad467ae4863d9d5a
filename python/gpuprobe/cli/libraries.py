"""``gpuprobe libraries [NAME]``: every copy of the CUDA libraries, and who gets which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import output
from .document import Shape
from .errors import UsageError

if TYPE_CHECKING:
    import argparse

    from ..libraries import Survey
    from .commands import Command

FORMATS = ("text", "json", "markdown", "html")


@dataclass(frozen=True, slots=True)
class Options(Shape):
    """What the user asked for; `process` None: no process is asked about."""

    name: str | None = None
    process: int | None = None


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `libraries`."""
    from .options import add_output, add_redaction

    parser.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="one library, with everything about it: cublas, cudnn, libnvJitLink.so.12",
    )
    parser.add_argument(
        "--pid",
        dest="process",
        type=int,
        metavar="PID",
        help="mark what the process of this number has mapped",
    )
    add_output(parser, FORMATS)
    add_redaction(parser)


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    if parsed.name is not None:
        from ..libraries import known_stem

        try:
            known_stem(parsed.name)
        except ValueError as error:
            raise UsageError(str(error)) from None
    options = Options(
        format=parsed.format,
        output=parsed.output,
        redact=parsed.redact,
        color=parsed.color,
        name=parsed.name,
        process=parsed.process,
    )
    return lambda: run(options)


def run(options: Options) -> int:
    """Show the copies. None at all is an answer too: the exit code is 0."""
    from ..libraries import SELF, survey

    found = survey(process=SELF if options.process is None else str(options.process))
    if options.name is not None:
        found = found.of(options.name)
    if options.redacts:
        from ..report.identity import identity

        found = found.for_other_eyes(identity())
    output.write(_document(found, options), options.output, options.format)
    return 0


def _document(found: Survey, options: Options) -> str:
    from ..report import libraries as table

    if options.format == "json":
        from ..report.json import dumps, libraries_document

        return dumps(libraries_document(found.to_dict()))
    if options.format == "markdown":
        return table.markdown(found)
    if options.format == "html":
        return table.page(found)
    from .options import terminal_style

    style = terminal_style(options.color, options.output)
    return table.text(found, style) if options.name is None else table.details(found, style)

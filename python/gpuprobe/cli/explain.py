"""``gpuprobe explain``: judge what somebody pasted, a log or the output of tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .document import FORMATS, Shape, show
from .errors import GpuprobeError

if TYPE_CHECKING:
    import argparse

    from ..report.model import FailOn, Report
    from .commands import Command


@dataclass(frozen=True, slots=True)
class Options(Shape):
    """What the user asked for."""

    file: str = "-"
    fail_on: FailOn = "error"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `explain`."""
    from .options import add_fail_on, add_output, add_redaction, file_name

    parser.add_argument(
        "file",
        type=file_name,
        metavar="FILE",
        nargs="?",
        default="-",
        help="a file with the text; - or none reads the standard input",
    )
    add_fail_on(parser)
    add_output(parser, FORMATS)
    add_redaction(parser)


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    options = Options(
        format=parsed.format,
        output=parsed.output,
        redact=parsed.redact,
        color=parsed.color,
        file=parsed.file,
        fail_on=parsed.fail_on,
    )
    return lambda: run(options)


def run(options: Options) -> int:
    """Read, judge, show, and return the exit code."""
    return show(_report(options.file), options, options.fail_on)


def _report(file: str) -> Report:
    from ..examine import explain
    from ..facts.pasted.source import MAX_BYTES, TextTooLargeError, decode, read_text
    from .source import called, standard_input

    what = called(file)
    try:
        is_file = file != "-"
        text = read_text(file) if is_file else decode(standard_input(MAX_BYTES + 1, "the text"))
    except OSError as error:
        raise GpuprobeError(
            f"cannot read {what}: {error.strerror or error}{_way_out(file)}"
        ) from error
    except TextTooLargeError as error:
        raise GpuprobeError(f"{what}: {error}") from error
    _doubt(text, what)
    report = explain(text)
    _compare(report, what)
    return report


def _compare(report: Report, what: str) -> None:
    """Warn where our own report says otherwise: as text it has little of what it was judged by."""
    from ..facts import reported
    from ..report.words import OF_A_TEXT, verdict_sentence

    told = report.facts.known(reported.VERDICT)
    says = " ".join(verdict_sentence(report).split())
    if told is not None and told.replace(OF_A_TEXT, "") != says.replace(OF_A_TEXT, ""):
        from .source import warn

        warn(
            f"{what} holds a report of gpuprobe that says: {told} As text a report has only a part "
            "of the facts; with --json or --format markdown it is judged as its machine was"
        )


def _way_out(file: str) -> str:
    """What to do with what is given in the place of a file."""
    if file.startswith(("http://", "https://")):
        return "; gpuprobe uses no network: curl -sL URL | gpuprobe explain"
    if len(file.split()) > 1:
        return "; a text itself goes to the standard input: echo TEXT | gpuprobe explain"
    return ""


def _doubt(text: str, what: str) -> None:
    """Warn of what can hardly be meant."""
    why = ""
    if not text.strip():
        why = "is empty; what a program writes to standard error comes along with 2>&1"
    elif "\0" in text:
        why = "holds bytes that are no text; of a picture or a document copy the words"
    if why:
        from .source import warn

        warn(f"{what} {why}")

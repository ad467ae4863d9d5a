"""``gpuprobe visible``: what CUDA makes of a value of CUDA_VISIBLE_DEVICES."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import output
from .document import Shape

if TYPE_CHECKING:
    import argparse

    from ..visible import Explanation
    from .commands import Command

FORMATS = ("text", "json", "markdown", "html")


@dataclass(frozen=True, slots=True)
class Options(Shape):
    """What the user asked for; `value` None: the one that is set."""

    value: str | None = None
    everything: bool = False


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `visible`."""
    from .options import add_output, add_redaction

    parser.add_argument(
        "value",
        metavar="VALUE",
        nargs="?",
        help='a value of CUDA_VISIBLE_DEVICES: "2,0", "GPU-8932f937"; before one that begins with '
        "a dash stands --: gpuprobe visible -- -1,0 (default: what is set)",
    )
    parser.add_argument(
        "--all",
        dest="everything",
        action="store_true",
        help="also what TensorFlow, JAX and AMD's software make of the text in their own settings",
    )
    add_output(parser, FORMATS)
    add_redaction(parser)


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    options = Options(
        format=parsed.format,
        output=parsed.output,
        redact=parsed.redact,
        color=parsed.color,
        value=parsed.value,
        everything=parsed.everything,
    )
    return lambda: run(options)


def run(options: Options) -> int:
    """Explain, and return the exit code."""
    from ..visible.look import OWN, explain_text

    explanation = explain_text(OWN if options.value is None else options.value)
    output.write(_document(explanation, options), options.output, options.format)
    return _exit_code(explanation)


def _exit_code(explanation: Explanation) -> int:
    """0: every entry names a visible device; 1: one does not, or none is left; 3: not known."""
    if explanation.is_sound is None:
        return 3
    return 0 if explanation.is_sound else 1


def _document(explanation: Explanation, options: Options) -> str:
    """Redacted in its values only: a user may be called like a field or a tag."""
    from ..report.identity import identity
    from ..report.redact import Redactor, texts_of_plain

    if not options.redacts:
        return _written(explanation, options)
    redactor = Redactor(identity(), texts_of_plain(explanation.to_dict()))
    explanation = explanation.redacted(redactor.text)
    if options.format == "json":
        return _json(redactor.plain(explanation.to_dict()))
    written = _written(explanation, options)
    return redactor.page(written) if options.format == "html" else redactor.text(written)


def _json(found: dict[str, object]) -> str:
    from ..report.json import dumps, head

    return dumps({**head(), **found})


def _written(explanation: Explanation, options: Options) -> str:
    if options.format == "json":
        return _json(explanation.to_dict())
    if options.format == "html":
        from ..report.visible.html import page

        return page(explanation, everything=options.everything)
    if options.format == "markdown":
        from ..report.visible.markdown import markdown

        return markdown(explanation, everything=options.everything)
    from ..report.visible.text import text
    from .options import terminal_style

    style = terminal_style(options.color, options.output)
    return text(explanation, style, everything=options.everything)

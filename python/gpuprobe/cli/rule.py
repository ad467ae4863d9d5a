"""``gpuprobe rule``: what one finding means, why it breaks, how to mend it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from . import output
from .document import Shape
from .errors import UsageError

if TYPE_CHECKING:
    import argparse

    from ..diagnosis.model import Rule
    from .commands import Command

FORMATS = ("text", "json", "markdown", "html")
_PACKAGE = Path(__file__).parents[1]
#: Where the pages lie: inside an installed package, or in the source tree beside it.
FOLDERS = (_PACKAGE / "findings", _PACKAGE.parents[1] / "docs" / "findings")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `rule`."""
    from .options import add_output

    parser.add_argument("handle", metavar="CODE|NAME", help="GP203 or driver-too-old")
    add_output(parser, FORMATS)


def prepare(parsed: argparse.Namespace) -> Command:
    """Find the rule."""
    from ..diagnosis.catalogue import find, no_such

    rule = find(parsed.handle)
    if rule is None:
        raise UsageError(no_such(parsed.handle))
    shape = Shape(format=parsed.format, output=parsed.output, color=parsed.color)
    return lambda: run(rule, shape)


def run(rule: Rule, shape: Shape) -> int:
    """Show the page."""
    output.write(_document(rule, shape), shape.output, shape.format)
    return 0


def page(rule: Rule) -> str:
    """The page of a rule as Markdown; without one, what the rule says of itself."""
    for folder in FOLDERS:
        for file in sorted(folder.glob(f"{rule.code}*.md")):
            return file.read_text(encoding="utf-8").strip()
    return f"# {rule.code} {rule.name}\n\n{rule.summary}"


def _document(rule: Rule, shape: Shape) -> str:
    from ..report import finding_page

    if shape.format == "json":
        from ..report.json import dumps, rules_document

        return dumps({**rules_document([rule]), "page": finding_page.markdown(page(rule))})
    if shape.format == "html":
        from ..report.html import wrap_page

        return wrap_page(f"{rule.code} {rule.name}", finding_page.html(page(rule)))
    if shape.format == "markdown":
        return finding_page.markdown(page(rule))
    from .options import terminal_style

    return finding_page.text(page(rule), terminal_style(shape.color, shape.output))

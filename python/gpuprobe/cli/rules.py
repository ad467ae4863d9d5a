"""``gpuprobe rules``: what is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import output

if TYPE_CHECKING:
    import argparse

    from ..report.terminal import ColourChoice
    from .commands import Command

FORMATS = ("text", "json", "markdown", "html")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `rules`."""
    from .options import add_output

    add_output(parser, FORMATS)


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    return lambda: run(parsed.format, parsed.output, parsed.color)


def run(form: str, path: str | None, color: ColourChoice) -> int:
    """Show the list in the order of the codes."""
    output.write(_document(form, path, color), path, form)
    return 0


def _document(form: str, path: str | None, color: ColourChoice) -> str:
    from ..diagnosis.catalogue import rules
    from ..report import rules as table

    if form == "json":
        from ..report.json import dumps, rules_document

        return dumps(rules_document(rules()))
    if form == "markdown":
        return table.markdown(rules())
    if form == "html":
        from ..report.html import wrap_page

        title = f"<header><h1>What gpuprobe checks: {len(rules())} findings</h1></header>"
        return wrap_page("gpuprobe: rules", title + table.html_table(rules()))
    from .options import terminal_style

    return table.text(rules(), terminal_style(color, path))

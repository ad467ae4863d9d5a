"""``gpuprobe devices``: the list of GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import output

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ..device import Device
    from ..report.terminal import ColourChoice
    from .commands import Command

FORMATS = ("text", "json", "markdown", "html")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `devices`."""
    from .options import add_output, add_redaction

    add_output(parser, FORMATS)
    add_redaction(parser)


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    return lambda: run(parsed.format, parsed.output, parsed.color, redact=parsed.redact)


def run(form: str, path: str | None, color: ColourChoice, *, redact: bool) -> int:
    """Show the list. An empty one is an answer too: the exit code is 0."""
    from ..device import devices_in
    from ..examine import identity, snapshot

    facts = snapshot()
    to_terminal = form == "text" and path in (None, "-")
    if redact and not to_terminal:
        from ..report.redact import redact_facts

        facts = redact_facts(facts, identity())
    output.write(_document(devices_in(facts), form, path, color), path, form)
    return 0


def _document(devices: Sequence[Device], form: str, path: str | None, color: ColourChoice) -> str:
    from ..report import devices as table

    if form == "json":
        from ..report.json import devices_document, dumps

        return dumps(devices_document([device.to_dict() for device in devices]))
    if form == "markdown":
        return table.markdown(devices)
    if form == "html":
        from ..report.html import wrap_page

        return wrap_page("gpuprobe: devices", table.html_table(devices))
    from .options import terminal_style

    return table.text(devices, terminal_style(color, path))

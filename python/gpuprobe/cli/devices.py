"""``gpuprobe devices``: the list of GPUs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import output
from .document import Shape

if TYPE_CHECKING:
    import argparse

    from ..facts.model import Facts
    from ..report.devices.listing import Listing
    from .commands import Command

FORMATS = ("text", "json", "markdown", "html")


@dataclass(frozen=True, slots=True)
class Options(Shape):
    """What the user asked for."""

    everything: bool = False


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `devices`."""
    from .options import add_output, add_redaction

    parser.add_argument(
        "--all",
        dest="everything",
        action="store_true",
        help="everything that is known of each GPU, and why the rest is not",
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
        everything=parsed.everything,
    )
    return lambda: run(options)


def run(options: Options) -> int:
    """Show the list. An empty one is an answer too: the exit code is 0."""
    from ..examine import snapshot
    from ..report.identity import identity

    facts = snapshot()
    if options.redacts:
        from ..report.redact import redact_facts

        facts = redact_facts(facts, identity())
    output.write(_document(_listing(facts), options), options.output, options.format)
    return 0


def _listing(facts: Facts) -> Listing:
    """The GPUs; where there is none, the doctor says why."""
    from ..device import devices_in
    from ..report.devices.listing import listing_of

    devices = devices_in(facts)
    return listing_of(facts, devices, "" if devices else none_because(facts))


def none_because(facts: Facts) -> str:
    """Why there is no GPU to show: what the doctor finds, else why nobody could look."""
    from ..examine import judge
    from ..facts import names
    from ..facts.model import Unknown
    from ..report.words import headline

    root = judge(facts).diagnosis.root
    if root is not None:
        return headline(root).rstrip(".")
    count = facts.fact(names.NVML_COUNT)
    return f"Nobody could look: {count.reason.rstrip('.')}" if isinstance(count, Unknown) else ""


def _document(listing: Listing, options: Options) -> str:
    if options.format == "json":
        from ..report.json import devices_document, dumps

        devices = [device.to_dict() for device in listing.devices]
        return dumps(devices_document(devices, listing.none_because))
    if options.format == "markdown":
        from ..report.devices.markdown import markdown

        return markdown(listing, everything=options.everything)
    if options.format == "html":
        from ..report.devices.html import page

        return page(listing, everything=options.everything)
    from ..report.devices import text
    from .options import terminal_style

    style = terminal_style(options.color, options.output)
    return text.everything(listing, style) if options.everything else text.text(listing, style)

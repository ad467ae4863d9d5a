"""``gpuprobe memory``: who holds the memory of each GPU."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from . import output
from .document import Shape

if TYPE_CHECKING:
    import argparse

    from ..memory import Holders
    from .commands import Command

FORMATS = ("text", "json", "markdown", "html")
_NO_CUDA = "CUDA is not started for it, as that would take memory; `gpuprobe devices` asks it"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `memory`."""
    from .options import add_output, add_redaction

    add_output(parser, FORMATS)
    add_redaction(parser)


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    shape = Shape(
        format=parsed.format, output=parsed.output, redact=parsed.redact, color=parsed.color
    )
    return lambda: run(shape)


def run(shape: Shape) -> int:
    """Show the holders. No GPU at all is an answer too: the exit code is 0."""
    from ..device import devices_in
    from ..examine import snapshot
    from ..memory import holders_in
    from ..report.identity import identity
    from .devices import none_because

    facts = snapshot("quick")  # a look that starts CUDA would hold memory itself
    if shape.redacts:
        from ..report.redact import redact_facts

        facts = redact_facts(facts, identity())
    gpus = tuple(
        replace(each, unknown={**each.unknown, "ordinal": _NO_CUDA})
        for each in holders_in(devices_in(facts))
    )
    document = _document(gpus, "" if gpus else none_because(facts), shape)
    output.write(document, shape.output, shape.format)
    return 0


def _document(gpus: tuple[Holders, ...], because: str, shape: Shape) -> str:
    from ..report import memory

    if shape.format == "json":
        from ..report.json import dumps, memory_document

        return dumps(memory_document([each.to_dict() for each in gpus], because))
    if shape.format == "markdown":
        return memory.markdown(gpus, because)
    if shape.format == "html":
        return memory.page(gpus, because)
    from .options import terminal_style

    return memory.text(gpus, because, terminal_style(shape.color, shape.output))

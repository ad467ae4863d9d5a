"""``gpuprobe verify``: compute, and prove what was computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import output
from .document import Shape
from .errors import GpuprobeError

if TYPE_CHECKING:
    import argparse

    from ..compute.verification import Verification
    from .commands import Command

FORMATS = ("text", "json", "markdown", "html")


@dataclass(frozen=True, slots=True)
class Options(Shape):
    """What the user asked for; `device` None: the GPU."""

    device: str | None = None
    seed: int | None = None


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `verify`."""
    from .options import add_output

    parser.add_argument(
        "--device",
        choices=("gpu", "cpu"),
        default="gpu",
        help="what computes: the GPU (default), or the plain reference on the CPU",
    )
    parser.add_argument(
        "--seed", type=_seed, metavar="N", help="repeat the verification that named this seed"
    )
    add_output(parser, FORMATS)


def _seed(text: str) -> int:
    """The type of --seed."""
    if not (text.isascii() and text.isdecimal()):
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"expected a whole number, 0 or more, got {text!r}")
    return int(text)


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    options = Options(
        format=parsed.format,
        output=parsed.output,
        color=parsed.color,
        device=None if parsed.device == "gpu" else parsed.device,
        seed=parsed.seed,
    )
    return lambda: run(options)


def run(options: Options) -> int:
    """Climb the ladder; 0 right, 1 wrong, 3 where nothing could be run."""
    from ..compute.verify import verify

    try:
        found = verify(options.device, seed=options.seed)
    except ImportError as error:
        raise GpuprobeError(str(error)) from error
    output.write(_document(found, options), options.output, options.format)
    return found.exit_code


def _document(found: Verification, options: Options) -> str:
    from ..report import verification

    if options.format == "json":
        from ..report.json import dumps, verification_document

        return dumps(verification_document(found.to_dict()))
    if options.format == "markdown":
        return verification.markdown(found)
    if options.format == "html":
        return verification.page(found)
    from .options import terminal_style

    return verification.text(found, terminal_style(options.color, options.output))

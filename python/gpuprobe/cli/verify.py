"""``gpuprobe verify``: compute, and prove what was computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import output
from .document import Shape
from .errors import GpuprobeError, UsageError

if TYPE_CHECKING:
    import argparse

    from ..compute.verification import Verification
    from .commands import Command

FORMATS = ("text", "json", "markdown", "html")
_GPU, _CPU = "gpu", "cpu"


@dataclass(frozen=True, slots=True)
class Options(Shape):
    """What the user asked for; `devices` empty: every GPU."""

    devices: tuple[str | int, ...] = ()
    seed: int | None = None


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `verify`."""
    from .options import add_output, add_redaction

    parser.add_argument(
        "--device",
        type=_device,
        action="append",
        default=[],
        metavar="WHICH",
        help="the GPU with this number of CUDA, or this UUID, also several times; gpu: every GPU "
        "(default); cpu: the plain reference",
    )
    parser.add_argument(
        "--seed", type=_seed, metavar="N", help="repeat the verification that named this seed"
    )
    add_output(parser, FORMATS)
    add_redaction(parser)


def _device(text: str) -> str | int:
    """The type of --device."""
    if text.isascii() and text.isdecimal():
        return int(text)
    if text in (_GPU, _CPU) or text.startswith(("GPU-", "MIG-")):
        return text
    from argparse import ArgumentTypeError

    raise ArgumentTypeError(f"expected CUDA's number, a UUID, {_GPU} or {_CPU}, got {text!r}")


def _seed(text: str) -> int:
    """The type of --seed."""
    if not (text.isascii() and text.isdecimal()):
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"expected a whole number, 0 or more, got {text!r}")
    return int(text)


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    named = tuple(dict.fromkeys(parsed.device))
    if len(named) > 1 and not {_GPU, _CPU}.isdisjoint(named):
        raise UsageError(f"--device {_GPU} and --device {_CPU} stand alone")
    options = Options(
        format=parsed.format,
        output=parsed.output,
        redact=parsed.redact,
        color=parsed.color,
        devices=() if named == (_GPU,) else named,
        seed=parsed.seed,
    )
    return lambda: run(options)


def run(options: Options) -> int:
    """Climb the ladder; 0 right, 1 wrong, 3 where nothing was computed."""
    from ..compute.verify import verify

    is_cpu = options.devices == (_CPU,)
    try:
        found = verify(_CPU if is_cpu else options.devices or None, seed=options.seed)
    except ImportError as error:
        raise GpuprobeError(str(error)) from error
    except ValueError as error:  # CUDA shows no such GPU
        raise UsageError(str(error)) from error
    shown = _redacted(found) if options.redacts else found
    output.write(_document(shown, options), options.output, options.format)
    return found.exit_code


def _redacted(found: Verification) -> Verification:
    from ..report.identity import identity
    from ..report.redact import Redactor

    reasons = [step.why for step in found.steps if step.why]
    return found.redacted(Redactor(identity(), reasons).text)


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

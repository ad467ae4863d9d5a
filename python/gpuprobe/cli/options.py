"""Options that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ..facts.collect import Level
    from ..report.terminal import ColourChoice, Style


def file_name(text: str) -> str:
    """The type of every argument that names a file."""
    if not text:
        from argparse import ArgumentTypeError

        raise ArgumentTypeError("the name is empty; is a variable not set?")
    return text


def add_output(parser: argparse.ArgumentParser, formats: Sequence[str]) -> None:
    """--format, --json, -o, --color."""
    parser.set_defaults(formats=tuple(formats))
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--format",
        choices=formats,
        help="form of the document (default: what the ending of FILE says, else text)",
    )
    form.add_argument(
        "--json", dest="format", action="store_const", const="json", help="short for --format json"
    )
    add_file(parser)
    parser.add_argument(
        "--color",
        "--colour",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours in the text (default: where the terminal shows them)",
    )


def add_file(parser: argparse.ArgumentParser) -> None:
    """-o."""
    parser.add_argument(
        "-o",
        "--output",
        type=file_name,
        metavar="FILE",
        help="write into FILE, which only you can read then",
    )


def add_redaction(parser: argparse.ArgumentParser) -> None:
    """--no-redact."""
    parser.add_argument(
        "--no-redact",
        dest="redact",
        action="store_false",
        help="keep names, addresses and whole UUIDs in what is meant for other eyes",
    )


def add_fail_on(parser: argparse.ArgumentParser) -> None:
    """--fail-on."""
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "never"),
        default="error",
        help="which findings make the exit code 1 (default: error)",
    )


def add_snapshot(parser: argparse.ArgumentParser, told: str) -> None:
    """--from."""
    parser.add_argument(
        "--from",
        dest="snapshots",
        type=file_name,
        action="append",
        default=[],
        metavar="SNAPSHOT",
        help=told,
    )


def snapshot_of(parsed: argparse.Namespace) -> str | None:
    """The machine that stands for this one; a second one would be left out without a word."""
    if len(parsed.snapshots) > 1:
        raise UsageError(
            f"--from names {len(parsed.snapshots)} machines, and one is looked at; many are judged "
            f"by gpuprobe nodes {' '.join(parsed.snapshots[:2])} ..."
        )
    return next(iter(parsed.snapshots), None)


def add_lock(parser: argparse.ArgumentParser) -> None:
    """--lock."""
    parser.add_argument(
        "--lock",
        type=file_name,
        metavar="FILE",
        help="also check the machine against a lock that `gpuprobe lock` wrote",
    )


def add_level(parser: argparse.ArgumentParser) -> None:
    """--level."""
    parser.add_argument(
        "--level",
        choices=("quick", "normal", "deep"),
        help="quick: start no CUDA; normal: start it and compute something (default); "
        "deep: so far the same as normal",
    )


def level_of(parsed: argparse.Namespace) -> Level:
    """The level that was asked for; beside a snapshot, of which all is known, it is refused."""
    if parsed.level is not None and vars(parsed).get("snapshots"):
        raise UsageError(
            "--level is how far this machine is looked at, and --from judges what a snapshot "
            "holds: give one of the two"
        )
    level: Level = parsed.level or "normal"
    return level


def terminal_style(color: ColourChoice, path: str | None) -> Style:
    """How the text is to be written: as the terminal shows it, or plain for a file."""
    import sys

    from ..report.terminal import Style, style_of

    if path is not None and path != "-":
        return Style(colour=color == "always")
    return style_of(sys.stdout, color)

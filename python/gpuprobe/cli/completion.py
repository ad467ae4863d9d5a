"""What a shell offers where Tab is pressed; `argcomplete` speaks with bash, zsh, fish, PowerShell.

The shell starts the program with the variable `_ARGCOMPLETE`, and reads what could stand next.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import TYPE_CHECKING, cast

from .commands import COMMANDS

if TYPE_CHECKING:
    from .commands import CommandModule


def complete() -> int:
    """Answer the shell, and look at nothing else; argcomplete, where it is there, ends here."""
    try:
        import argcomplete
    except ImportError:
        return 1
    argcomplete.autocomplete(_everything(), always_complete_options=False)
    return 1


def _everything() -> argparse.ArgumentParser:
    """All commands with their options; those of `doctor` stand without one, too."""
    parser = argparse.ArgumentParser(prog="gpuprobe", allow_abbrev=False)
    parser.add_argument("--version", action="version", version="")
    _declare("doctor", parser)
    commands = parser.add_subparsers()
    for name, about in COMMANDS.items():
        _declare(name, commands.add_parser(name, help=about, allow_abbrev=False))
    return parser


def _declare(name: str, parser: argparse.ArgumentParser) -> None:
    module = cast("CommandModule", import_module(f".{name}", __package__))
    module.add_options(parser)
    for action in parser._actions:  # noqa: SLF001  argparse has no other way to them
        if action.dest == "handle":
            action.completer = _handles  # type: ignore[attr-defined]


def _handles(**_: object) -> list[str]:
    """Codes and names of the findings."""
    from ..diagnosis.catalogue import rules

    return [handle for each in rules() for handle in (each.code, each.name)]

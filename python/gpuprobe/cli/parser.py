"""From arguments to a command that is ready to run; argparse is imported here only."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import NoReturn, Protocol, cast

from .. import __version__
from .errors import UsageError
from .output import write

Command = Callable[[], int]

#: Each command is a module of this package.
COMMANDS = {
    "doctor": "look at this machine and judge it (what plain `gpuprobe` does)",
    "devices": "list the GPUs",
    "snapshot": "write all facts down, for `doctor --from`",
    "rule": "explain one finding: GP203 or driver-too-old",
    "rules": "list what is checked",
}

_HELP = """usage: gpuprobe [COMMAND] [OPTIONS]

Says whether this machine's GPU set-up works, proves it, or names the one thing that is wrong.

commands:
{commands}

  gpuprobe COMMAND --help tells the options of a command.

exit codes:
  0  works, or works in part below --fail-on
  1  something is wrong
  2  wrong usage, or gpuprobe itself failed
  3  unknown: nothing wrong was found, and nothing was seen to work"""


class CommandModule(Protocol):
    """What a module of a command offers."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options."""

    def prepare(self, parsed: argparse.Namespace) -> Command:
        """Check the options and return what is to be done."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def command_of(arguments: list[str]) -> Command:
    """The command that `arguments` name; without a name it is `doctor`."""
    first = arguments[0]
    if first in ("-h", "--help", "help"):
        return lambda: _show(help_text())
    if first in ("-V", "--version"):
        return lambda: _show(f"gpuprobe {__version__}")
    if first.startswith("-"):
        return _parse("doctor", arguments)
    if first not in COMMANDS:
        raise UsageError(_no_such_command(first))
    return _parse(first, arguments[1:])


def help_text() -> str:
    """The page of `gpuprobe --help`."""
    return _HELP.format(
        commands="\n".join(f"  {name:10} {words}" for name, words in COMMANDS.items())
    )


def _parse(name: str, arguments: list[str]) -> Command:
    module = cast("CommandModule", import_module(f".{name}", __package__))
    about = COMMANDS[name]
    parser = _Parser(prog=f"gpuprobe {name}", description=about[0].upper() + about[1:] + ".")
    module.add_options(parser)
    return module.prepare(parser.parse_args(arguments))


def _show(text: str) -> int:
    write(text)
    return 0


def _no_such_command(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, COMMANDS, n=1)
    meant = f"; did you mean {close[0]!r}?" if close else ""
    return f"there is no command {name!r}{meant}"

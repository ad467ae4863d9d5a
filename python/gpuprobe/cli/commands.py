"""Which command the arguments name; plain questions are answered without a parser."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from .. import __version__
from .errors import UsageError
from .output import write

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    Command = Callable[[], int]

#: Each command is a module of this package.
COMMANDS = {
    "doctor": "look at this machine and judge it (what plain `gpuprobe` does)",
    "explain": "judge a pasted log, or what nvidia-smi and others printed",
    "devices": "list the GPUs",
    "visible": "explain a value of CUDA_VISIBLE_DEVICES, entry by entry",
    "run": "start a program with GPUs that are named, idle, or have room",
    "memory": "show who holds the memory of each GPU",
    "libraries": "list every copy of the CUDA libraries, and who gets which",
    "verify": "compute, and prove what was computed",
    "snapshot": "write all facts down, for `doctor --from`",
    "diff": "compare two snapshots, or one with this machine",
    "nodes": "judge the snapshots of many machines, those that are alike together",
    "lock": "write the GPU stack down, for `doctor --lock` in CI",
    "rule": "explain one finding: GP203 or driver-too-old",
    "rules": "list what is checked",
}

_HELP = """usage: gpuprobe [COMMAND] [OPTIONS]

Says whether this machine's GPU set-up works, proves it, or names the one thing
that is wrong.

commands:
{commands}

  gpuprobe COMMAND --help tells the options of a command; without one they are
  those of doctor. gpuprobe --version tells the version.

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


def command_of(arguments: list[str]) -> Command:
    """The command that `arguments` name; without a name it is `doctor`."""
    first = arguments[0]
    if first in ("-h", "--help", "help"):
        return _help_of(arguments[1:])
    if first in ("-V", "--version", "version"):
        return lambda: _show(f"gpuprobe {__version__}")
    if first.startswith("-"):
        return _parsed("doctor", arguments)
    if first not in COMMANDS:
        raise UsageError(_no_such_command(first))
    return _parsed(first, arguments[1:])


def _help_of(arguments: list[str]) -> Command:
    """The page of the command that stands behind, or that of all."""
    named = next(iter(arguments), "-h")
    if named.startswith("-") or named == "help":
        return lambda: _show(help_text())
    return command_of([named, "--help"])


def help_text() -> str:
    """The page of `gpuprobe --help`."""
    lines = (f"  {name:10} {words}" for name, words in COMMANDS.items())
    return _HELP.format(commands="\n".join(lines))


def help_for(arguments: Sequence[str]) -> str:
    """How to see the options of the command that was meant."""
    command = next(iter(arguments), "")
    if command.startswith("-") and command not in ("-h", "--help"):  # they are doctor's
        command = "doctor"
    return f"gpuprobe {command} --help" if command in COMMANDS else "gpuprobe --help"


def _parsed(name: str, arguments: list[str]) -> Command:
    from .parser import Parser

    module = cast("CommandModule", import_module(f".{name}", __package__))
    about = COMMANDS[name]
    parser = Parser(prog=f"gpuprobe {name}", description=about[0].upper() + about[1:] + ".")
    module.add_options(parser)
    return module.prepare(parser.options(arguments))


def _show(text: str) -> int:
    write(text)
    return 0


def _no_such_command(name: str) -> str:
    from difflib import get_close_matches

    from .. import __all__ as public
    from ..diagnosis.catalogue import find

    close = get_close_matches(name.lower(), COMMANDS, n=1, cutoff=0.65)
    meant = f"; did you mean {close[0]!r}?" if close else ""
    if name in public:
        meant = f"; it is gpuprobe.{name} in Python"
    elif find(name) is not None:
        meant = f"; a finding is explained by gpuprobe rule {name}"
    elif Path(name).is_file():
        meant = f"; a file is judged by gpuprobe explain {name}"
    return f"there is no command {name!r}{meant}"

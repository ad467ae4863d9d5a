"""Which command the arguments name; plain questions are answered without a parser."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .. import __version__
from .commands import COMMANDS, help_text
from .errors import UsageError
from .output import write

if TYPE_CHECKING:
    from .commands import Command, CommandModule


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

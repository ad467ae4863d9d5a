"""The commands that there are, what each has to offer, and the page of help that lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

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

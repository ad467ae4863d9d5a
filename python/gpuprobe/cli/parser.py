"""argparse, made to raise our errors; imported only where there are options to parse."""

from __future__ import annotations

import argparse
import re
from pathlib import PurePath
from typing import TYPE_CHECKING, NoReturn

from .commands import COMMANDS
from .errors import UsageError
from .output import write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _typeshed import SupportsWrite

#: What argparse says, by the program, and how it is done. It takes a value that begins with a dash
#: for an option.
_HINTS = {
    "gpuprobe doctor": (
        r"unrecognized arguments: \S*\.json",
        "a snapshot is judged by gpuprobe doctor --from FILE, many by gpuprobe nodes FILE ...",
    ),
    "gpuprobe explain": (
        r"unrecognized arguments: [^-]",
        "several files are one text: cat FILE FILE | gpuprobe explain",
    ),
    "gpuprobe snapshot": (
        r"unrecognized arguments: [^-]",
        "the file to write is named by -o: gpuprobe snapshot -o FILE",
    ),
    "gpuprobe lock": (
        r"unrecognized arguments: [^-]",
        "the file to write is named by -o: gpuprobe lock -o FILE",
    ),
    "gpuprobe verify": (
        r"unrecognized arguments: (?:\d|GPU-|cpu|gpu)",
        "what is verified is named by --device: gpuprobe verify --device 0",
    ),
    "gpuprobe visible": (
        r"unrecognized arguments: -\d",
        "a VALUE that begins with a dash stands behind --: gpuprobe visible -- -1,0",
    ),
    "gpuprobe run": (
        "argument --visible: expected one argument",
        "a VALUE that begins with a dash is written with =: --visible=-1",
    ),
}


#: Forms by the ending of the file that -o names.
_ENDINGS = {".json": "json", ".md": "markdown", ".html": "html", ".htm": "html", ".xml": "junit"}


class Parser(argparse.ArgumentParser):
    """A parser of one command's options, which are written whole.

    A script with the beginning of a name would break as soon as a later option begins so too.
    """

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(prog=prog, description=description, allow_abbrev=False)

    def options(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The options; without --format a file's name tells the form."""
        parsed = self.parse_args(arguments)
        if getattr(parsed, "format", "") is None:
            form = _ENDINGS.get(PurePath(parsed.output or "").suffix.lower())
            parsed.format = form if form in parsed.formats else "text"
        return parsed

    def error(self, message: str) -> NoReturn:
        """Wrong usage is shown by `main`, as JSON where JSON was asked for."""
        said, hint = _HINTS.get(self.prog, ("$", ""))
        way_out = hint if re.match(said, message) else self._meant(message)
        raise UsageError(f"{message}; {way_out}" if way_out else message)

    def _meant(self, message: str) -> str:
        """What a word may have been meant as that is no argument here."""
        from difflib import get_close_matches

        refused = re.match(r"unrecognized arguments: ([^\s=]+)", message)
        word = refused[1] if refused else ""
        if word in COMMANDS:
            return f"a command stands first: gpuprobe {word}"
        if not word.startswith("--"):
            return ""
        options = [*self._option_string_actions]
        begun = [each for each in options if each.startswith(word)]
        close = begun or get_close_matches(word, options, n=1, cutoff=0.75)
        return f"did you mean {' or '.join(close)}?" if close else ""

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:  # noqa: ARG002  argparse gives none
        """The page of `--help` goes the way of every document."""
        write(self.format_help().rstrip("\n"))

"""argparse, made to raise our errors; imported only where there are options to parse."""

from __future__ import annotations

import argparse
from typing import IO, NoReturn

from .errors import UsageError
from .output import write


class Parser(argparse.ArgumentParser):
    """A parser of one command's options."""

    def error(self, message: str) -> NoReturn:
        """Wrong usage is shown by `main`, as JSON where JSON was asked for."""
        raise UsageError(message)

    def print_help(self, file: IO[str] | None = None) -> None:  # noqa: ARG002  argparse gives none
        """The page of `--help` goes the way of every document."""
        write(self.format_help().rstrip("\n"))

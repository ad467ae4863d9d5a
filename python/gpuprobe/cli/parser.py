"""argparse, made to raise our errors; imported only where there are options to parse."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NoReturn

from .errors import UsageError
from .output import write

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class Parser(argparse.ArgumentParser):
    """A parser of one command's options."""

    def error(self, message: str) -> NoReturn:
        """Wrong usage is shown by `main`, as JSON where JSON was asked for."""
        raise UsageError(message)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:  # noqa: ARG002  argparse gives none
        """The page of `--help` goes the way of every document."""
        write(self.format_help().rstrip("\n"))

"""argparse, made to raise our errors; imported only where there are options to parse."""

from __future__ import annotations

import argparse
from typing import NoReturn

from .errors import UsageError


class Parser(argparse.ArgumentParser):
    """A parser of one command's options."""

    def error(self, message: str) -> NoReturn:
        """Wrong usage is shown by `main`, as JSON where JSON was asked for."""
        raise UsageError(message)

"""The whole contract of a driver; `python -m support.contracts NAME` checks one statement."""

from __future__ import annotations

import sys

from . import contract_copies  # noqa: F401  (enters its statements)
from .contract import CONTRACT

__all__ = ["CONTRACT"]

if __name__ == "__main__":
    CONTRACT[sys.argv[1]]()

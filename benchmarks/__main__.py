"""``python -m benchmarks``: every benchmark that runs on this machine, one after the other."""

from __future__ import annotations

import sys

from . import startup

if __name__ == "__main__":
    sys.exit(startup.main())

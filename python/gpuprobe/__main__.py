"""``python -m gpuprobe`` is the same program as ``gpuprobe``."""

from __future__ import annotations

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())

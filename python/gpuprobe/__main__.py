"""The program: what ``gpuprobe`` and ``python -m gpuprobe`` run."""

from __future__ import annotations

import gc
import sys

from .cli import main


def program() -> int:
    """Run one command in a process that is ours alone.

    It lives for less than a tenth of a second and frees its memory by ending. Garbage
    collections while modules are imported and at shutdown would be a tenth of that.
    """
    gc.disable()
    try:
        return main()
    finally:
        gc.freeze()


if __name__ == "__main__":
    sys.exit(program())

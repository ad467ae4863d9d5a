"""The program: what ``gpuprobe`` and ``python -m gpuprobe`` run."""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import NoReturn

from .cli import main


class _EndedError(BaseException):
    """Somebody ends the program (`timeout 30 gpuprobe`): not before its children are ended."""


def program() -> int:
    """Run one command in a process that is ours alone.

    It lives for less than a tenth of a second and frees its memory by ending. Garbage
    collections while modules are imported and at shutdown would be a tenth of that.
    """
    gc.disable()
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # `nohup` ignores it
            signal.signal(number, _end)
    try:
        return main()
    except _EndedError as ended:
        os.kill(os.getpid(), ended.args[0])  # so that whoever waits for us sees what ended us
        raise
    finally:
        gc.freeze()


def _end(number: int, _: object) -> NoReturn:
    """Leave by the way of an exception; a second signal ends at once."""
    signal.signal(number, signal.SIG_DFL)
    raise _EndedError(number)


if __name__ == "__main__":
    sys.exit(program())

# PYTHON_ARGCOMPLETE_OK
"""The program: what ``gpuprobe`` and ``python -m gpuprobe`` run."""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import NoReturn

from .cli import INTERRUPTED, main


class _EndedError(BaseException):
    """Somebody ends the program (`timeout 30 gpuprobe`): not before its children are ended."""


def program() -> int:
    """Run one command in a process that is ours alone.

    It lives for less than a tenth of a second and frees its memory by ending. Garbage
    collections while modules are imported and at shutdown would be a tenth of that.
    """
    if "_ARGCOMPLETE" in os.environ:  # a shell asks, for Tab was pressed
        from .cli.completion import complete

        return complete()
    gc.disable()
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # `nohup` ignores it
            signal.signal(number, _end)
    try:
        code = main()
    except _EndedError as ended:
        _die_of(ended.args[0])
        raise
    else:
        if code == INTERRUPTED and os.name == "posix":
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            _die_of(signal.SIGINT)
        return code
    finally:
        gc.freeze()


def _die_of(number: int) -> None:
    """End by the signal itself: a shell ends its loop over us only where it sees that."""
    os.kill(os.getpid(), number)


def _end(number: int, _: object) -> NoReturn:
    """Leave by the way of an exception; a second signal ends at once."""
    signal.signal(number, signal.SIG_DFL)
    raise _EndedError(number)


if __name__ == "__main__":
    sys.exit(program())

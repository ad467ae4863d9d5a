"""The command line: one file a command.

The standard output carries the document and nothing else; every other word goes to standard
error. Exit codes: 0 fine, 1 findings, 2 wrong usage or a fault of gpuprobe, 3 unknown.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from .errors import GpuprobeError, UsageError, crash_report, show

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
#: As a shell tells of a program that SIGPIPE ended.
NO_READER = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code. No traceback unless GPUPROBE_DEBUG is set."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    _replace_closed_streams()
    try:
        return _run(arguments)
    except UsageError as error:
        from .commands import help_for

        show(error, arguments, help_for(arguments))
        return 2
    except GpuprobeError as error:
        show(error, arguments)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # of standard error; `output.write` deals with that of the document
        return NO_READER
    except Exception as error:  # the outermost runner: the user gets one line
        if os.environ.get("GPUPROBE_DEBUG"):
            raise
        show(crash_report(error), arguments)
        return 2


def _run(arguments: list[str]) -> int:
    if not arguments:  # the plain `gpuprobe` needs no parser, whose import would cost 5 ms
        from . import doctor

        return doctor.run(doctor.Options())
    from .dispatch import command_of

    return command_of(arguments)()


def _replace_closed_streams() -> None:
    """Who closed one (`gpuprobe >&-`) wants the exit code; without it print() goes astray."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))

"""Become the program that was asked for; the one place where gpuprobe starts what is not its own.

On POSIX the program takes this process over: signals, job control, the exit code and the standard
streams are its own, and nothing of gpuprobe stays behind. Windows has no such call, so there the
program is a child that is waited for.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: As shells say it.
NOT_FOUND, NOT_EXECUTABLE = 127, 126


class NotStartedError(Exception):
    """The program could not be started; `code` is the exit code that shells give."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def become(command: Sequence[str], environ: Mapping[str, str]) -> int:
    """Run `command`, found on the PATH of `environ`. Returns on Windows only: its exit code.

    Raises:
        NotStartedError: It is not there, or no program.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    try:
        return _wait(command, environ) if os.name == "nt" else _replace(command, environ)
    except (FileNotFoundError, NotADirectoryError) as error:
        why = _missing(command[0], environ)
        raise NotStartedError(f"{command[0]}: {why}", NOT_FOUND) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NotStartedError(f"{command[0]}: {reason}", NOT_EXECUTABLE) from error


def _missing(program: str, environ: Mapping[str, str]) -> str:
    """The system says the same where a script is there, and who would run it is not."""
    from shutil import which

    if which(program, path=environ.get("PATH")) is None:
        return "no such program"
    return (
        "it is there, and what would run it is not: see whether its first line (#!…) names a file "
        "that exists, and has no line end of Windows"
    )


def _replace(command: Sequence[str], environ: Mapping[str, str]) -> int:
    import signal

    # Python ignores these; the program expects them as a shell would hand them over.
    for name in ("SIGPIPE", "SIGXFSZ"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    os.execvpe(command[0], list(command), dict(environ))  # noqa: S606  what the command is for
    raise AssertionError("exec came back")  # pragma: no cover


def _wait(command: Sequence[str], environ: Mapping[str, str]) -> int:
    """Wait for the child. Ctrl-C reaches both; the child decides what becomes of it."""
    import subprocess

    with subprocess.Popen(list(command), env=dict(environ)) as child:
        code = None
        while code is None:
            with suppress(KeyboardInterrupt):
                code = child.wait()
    return with_sign(code)


def with_sign(code: int) -> int:
    """A code of Windows, 32 bits without a sign (0xC0000005), as `sys.exit` passes it on."""
    return code - (1 << 32) if code >= 1 << 31 else code

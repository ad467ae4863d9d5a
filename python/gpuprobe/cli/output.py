"""The way of a document to the standard output or into a file."""

from __future__ import annotations

import errno
import os
import stat
import sys

from .errors import GpuprobeError

_FLAGS = os.O_WRONLY | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def write(document: str, path: str | None = None, form: str = "text") -> None:
    """Write `document` and a line end; into a file that only its owner reads where one is named.

    Text is written as the terminal reads it; what programs read is UTF-8 everywhere. A reader that
    has left (`gpuprobe | grep -q`) has read enough: that is no error, and changes no exit code.
    """
    if path is not None and path != "-":
        _to_file(document + "\n", path)
        return
    if sys.stdout is None:
        raise GpuprobeError("there is no standard output to write to")
    try:
        _to_stdout(document + "\n", form)
    except BrokenPipeError:
        _forget_stdout()
    except OSError as error:
        _forget_stdout()
        why = error.strerror or error
        raise GpuprobeError(f"cannot write the standard output: {why}") from error


def _to_stdout(text: str, form: str) -> None:
    """A value may hold anything, also what the stream's encoding cannot say."""
    if form != "text" and hasattr(sys.stdout, "buffer"):
        sys.stdout.flush()
        sys.stdout.buffer.write(_utf_8(text))
        sys.stdout.buffer.flush()
        return
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()


def _forget_stdout() -> None:
    """The stream keeps what could not be written, and must not try it again at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


def _utf_8(text: str) -> bytes:
    """Half a surrogate pair stands for a byte of a file's name that was no UTF-8."""
    return text.encode("utf-8", "backslashreplace")


def _to_file(text: str, path: str) -> None:
    """Links are not followed: the name may lie in a folder where others write."""
    try:
        with os.fdopen(_opened(path), "wb") as file:
            _take(file.fileno())
            file.write(_utf_8(text))
    except OSError as error:
        is_link = error.errno == errno.ELOOP  # "Too many levels of symbolic links", says the system
        why = "it is a link, and no link is followed" if is_link else error.strerror or error
        raise GpuprobeError(f"cannot write {path}: {why}") from error


def _opened(path: str) -> int:
    """Windows has no flag for it, and looks for a link first; there making one takes a right."""
    from pathlib import Path

    no_link = getattr(os, "O_NOFOLLOW", None)
    if no_link is None and Path(path).is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
    return os.open(path, _FLAGS | (no_link or 0), 0o600)


def _take(descriptor: int) -> None:
    """Make a file its owner's alone, then empty it; a pipe or device (/dev/null) is others' too.

    On a file system without modes (Windows' drives in WSL, a USB stick) one's own file stays as it
    is. Another's is not written where it cannot be closed to others.
    """
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        return
    if hasattr(os, "fchmod") and hasattr(os, "geteuid"):
        try:
            os.fchmod(descriptor, 0o600)
        except OSError:
            if status.st_uid != os.geteuid():
                raise
    os.ftruncate(descriptor, 0)

"""The way of a document to the standard output or into a file."""

from __future__ import annotations

import os
import sys

from .errors import GpuprobeError

_FLAGS = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_TRUNC
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def write(document: str, path: str | None = None) -> None:
    """Write `document` and a line end; into a file that only its owner reads where one is named."""
    if path is None or path == "-":
        _to_stdout(document + "\n")
    else:
        _to_file(document + "\n", path)


def _to_stdout(text: str) -> None:
    """A value may hold anything, also what the stream's encoding cannot say."""
    stream = sys.stdout
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


def _to_file(text: str, path: str) -> None:
    """Links are not followed: the name may lie in a folder where others write."""
    try:
        descriptor = os.open(path, _FLAGS, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            if hasattr(os, "fchmod"):
                os.fchmod(descriptor, 0o600)
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise GpuprobeError(f"cannot write {path}: {error.strerror or error}") from error

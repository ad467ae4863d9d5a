"""Reading a snapshot, or the JSON report that holds one; and a lock."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..report.json import SCHEMA
from .errors import GpuprobeError, UsageError, say

if TYPE_CHECKING:
    from collections.abc import Collection

    from ..examine import Demands
    from ..report.model import Report

#: A snapshot is some ten thousand characters long; what is much larger is another file.
MAX_BYTES = 16 << 20


def read_snapshot(
    path: str, *, only: Collection[str], skip: Collection[str], lock: Demands | None = None
) -> Report:
    """The report on the facts in a file; ``-`` is the standard input. `lock`: what is demanded."""
    from ..examine import judge
    from ..facts.model import Facts
    from ..facts.snapshot import SnapshotError, facts_from_json

    document = _parse(_read(path), path)
    try:
        facts, skipped = facts_from_json(document.get("facts"))
    except SnapshotError as error:
        raise GpuprobeError(f"{called(path)} is no snapshot of gpuprobe: {error}") from error
    if skipped:
        names = ", ".join(skipped)
        warn(f"{called(path)} has facts that this version does not know, left out: {names}")
    facts = Facts({**facts, **(lock or {})})
    return judge(
        facts, only=only, skip=skip, source="snapshot", overrides=_overrides(document, path)
    )


def demands(path: str) -> Demands:
    """What the lock in a file demands of a machine."""
    from ..examine import read_lock
    from ..facts.lockfile import LockError

    try:
        return read_lock(path)
    except OSError as error:
        raise GpuprobeError(f"cannot read {path}: {error.strerror or error}") from error
    except LockError as error:
        raise GpuprobeError(f"{path} is no lock of gpuprobe: {error}") from error


def warn(message: str) -> None:
    """A line for the person, beside the document."""
    say(f"gpuprobe: {message}")


def called(path: str) -> str:
    """What is read, as a sentence names it."""
    return "the standard input" if path == "-" else path


def standard_input(most_bytes: int, what: str) -> bytes:
    """What comes in, at most so much of it. Who sits in front of it is told what is waited for."""
    if sys.stdin is None:  # closed by the caller: `<&-`
        raise UsageError("there is no standard input to read")
    if sys.stdin.isatty():
        keys = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
        say(f"Paste {what}, then press Enter and {keys}.")
    return sys.stdin.buffer.read(most_bytes)


def _read(path: str) -> bytes:
    try:
        if path == "-":
            return standard_input(MAX_BYTES + 1, "the snapshot")
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise GpuprobeError(f"cannot read {called(path)}: {error.strerror or error}") from error


def _parse(content: bytes, path: str) -> dict[str, object]:
    what = called(path)
    if len(content) > MAX_BYTES:
        raise GpuprobeError(f"{what} has more than {MAX_BYTES >> 20} MiB; that is no snapshot")
    if not content.strip():
        raise GpuprobeError(f"{what} is empty; was the program that wrote it stopped?")
    try:
        document: object = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise GpuprobeError(
            f"{what} is not JSON: {error}. What `gpuprobe snapshot` or --json writes is read here; "
            f"a log or another text is read by `gpuprobe explain {path}`"
        ) from error
    if not isinstance(document, dict) or "facts" not in document:
        raise GpuprobeError(
            f"{what} is no snapshot of gpuprobe: it has no field 'facts'. `gpuprobe snapshot` "
            "writes one, and so does `gpuprobe doctor --json`"
        )
    schema = document.get("schema", SCHEMA)
    if schema != SCHEMA:
        raise GpuprobeError(
            f"{what} is of schema {schema}, and this gpuprobe ({__version__}) reads schema "
            f"{SCHEMA}: read it with the gpuprobe that wrote it, or a later one"
        )
    return document


def _overrides(document: dict[str, object], path: str) -> dict[str, str]:
    overrides = document.get("overrides", {})
    if not isinstance(overrides, dict):
        raise GpuprobeError(f"{called(path)} is no snapshot of gpuprobe: 'overrides' is no object")
    return {str(name): str(value) for name, value in overrides.items()}

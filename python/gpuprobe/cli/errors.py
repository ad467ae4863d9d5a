"""What goes wrong outside a report, in one line on standard error."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class GpuprobeError(Exception):
    """The command could not do its work; exit code 2."""

    kind = "failed"


class UsageError(GpuprobeError):
    """The command was called wrongly."""

    kind = "usage"


def crash_report(error: Exception) -> GpuprobeError:
    """The line for an error that is gpuprobe's own fault."""
    return GpuprobeError(
        f"gpuprobe itself failed: {type(error).__name__}: {error}. This is a fault of gpuprobe, "
        "not of your machine. Run it again with GPUPROBE_DEBUG=1 and report what it prints."
    )


def show(error: GpuprobeError, arguments: Sequence[str], hint: str = "") -> None:
    """Print the error: as JSON for who asked for JSON, else with the hint behind it."""
    message = " ".join(str(error).split())
    if wants_json(arguments):
        import json

        line = json.dumps({"error": {"kind": error.kind, "message": message}})
    else:
        line = f"gpuprobe: {message} ({hint})" if hint else f"gpuprobe: {message}"
    with suppress(OSError):  # nobody can be told of it
        say(line)


def say(line: str) -> None:
    """A line on standard error. What it names may be another's: it must not steer the terminal."""
    from ..report.terminal import printable

    stream = sys.stderr
    if stream is None:
        return
    encoding = stream.encoding or "ascii"
    print(printable(line).encode(encoding, "backslashreplace").decode(encoding), file=stream)


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether the arguments, which may be wrong ones, ask for JSON; not those of a program."""
    if next(iter(arguments), "") == "run":
        return False  # it has no JSON of its own
    arguments = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if "--json" in arguments or "--format=json" in arguments:
        return True
    return "--format" in arguments and arguments[arguments.index("--format") + 1 :][:1] == ["json"]

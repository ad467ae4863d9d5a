"""``gpuprobe run``: start a program with GPUs that were chosen before it begins."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import GpuprobeError, UsageError, say
from .output import write

if TYPE_CHECKING:
    import argparse

    from ..facts.collect import Level
    from ..launch.choice import Choice
    from .commands import Command


#: Of a number of devices.
_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for."""

    command: tuple[str, ...]
    visible: str | None = None
    idle: int | None = None
    min_free_bytes: int | None = None
    level: Level | None = None
    only_print: bool = False
    quiet: bool = False


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `run`."""
    parser.add_argument(
        "--visible",
        metavar="VALUE",
        help="these devices, as CUDA_VISIBLE_DEVICES would name them (--visible=-1: none)",
    )
    parser.add_argument(
        "--idle", metavar="N", help="N devices on which nobody holds memory, the emptiest first"
    )
    parser.add_argument(
        "--min-free",
        metavar="SIZE",
        help="only devices with so much free memory: 10GiB; alone: all of these",
    )
    parser.add_argument(
        "--level",
        choices=("quick", "normal"),
        help="quick: ask NVML only; normal: also start CUDA in a child process, and take only "
        "devices that it lists (default: quick, and normal where numbers have to be read)",
    )
    parser.add_argument(
        "--print", dest="only_print", action="store_true", help="print what would be set, and end"
    )
    parser.add_argument("--quiet", action="store_true", help="do not say what was chosen")
    parser.add_argument("command", nargs="...", metavar="-- COMMAND", help="the program to start")
    # argparse names it "...", whatever its metavar is.
    usage = parser.format_usage().removeprefix("usage: ").rstrip()
    parser.usage = f"{usage.removesuffix('...')}-- COMMAND"


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    command = tuple(parsed.command[1:] if parsed.command[:1] == ["--"] else parsed.command)
    if not command and not parsed.only_print:
        raise UsageError("run needs a command: gpuprobe run --idle 1 -- python train.py")
    if parsed.visible is parsed.idle is parsed.min_free is None:
        raise UsageError("run needs --visible, --idle or --min-free")
    if parsed.visible is not None and parsed.idle is not None:
        raise UsageError("--visible names the devices, --idle chooses them: give one of the two")
    options = Options(
        command,
        visible=parsed.visible,
        idle=_count(parsed.idle),
        min_free_bytes=_size(parsed.min_free),
        level=parsed.level,
        only_print=parsed.only_print,
        quiet=parsed.quiet,
    )
    return lambda: run(options)


def run(options: Options) -> int:
    """Choose, and become the program; the exit code is the program's own."""
    from ..launch.program import NotStartedError, become

    environ = dict(os.environ)
    choice = _choice(options, environ)
    if options.only_print:
        write("\n".join(f"{name}={value}" for name, value in choice.variables.items()))
        return 0
    if not options.quiet:
        say(f"gpuprobe: {sentence(choice)}")
    try:
        return become(options.command, {**environ, **choice.variables})
    except NotStartedError as error:
        say(f"gpuprobe: {error}")
        return error.code


def sentence(choice: Choice) -> str:
    """What was chosen, in one line: ``GPU 1, 23.5 GiB free: CUDA_VISIBLE_DEVICES=GPU-…``."""
    from ..report.units import bytes_in_words

    devices = [
        each.label
        if each.free_bytes is None
        else f"{each.label} ({bytes_in_words(each.free_bytes)} free)"
        for each in choice.devices
    ]
    setting = " ".join(f"{name}={value}" for name, value in choice.variables.items())
    return f"{', '.join(devices) or 'no GPU'}: {setting}"


def _choice(options: Options, environ: dict[str, str]) -> Choice:
    from ..launch import choose
    from ..launch.choice import NotChosenError

    try:
        return choose(
            visible=options.visible,
            idle=options.idle,
            min_free_bytes=options.min_free_bytes,
            level=options.level,
            environ=environ,
        )
    except NotChosenError as error:
        raise GpuprobeError(str(error)) from error


def _count(text: str | None) -> int | None:
    if text is None:
        return None
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    if not is_number or int(text) == 0:
        raise UsageError(f"--idle {text}: a number of devices is wanted, 1 or more")
    return int(text)


def _size(text: str | None) -> int | None:
    from ..launch.size import bytes_of

    if text is None:
        return None
    try:
        return bytes_of(text)
    except ValueError as error:
        raise UsageError(f"--min-free: {error}") from error

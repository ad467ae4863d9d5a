"""``gpuprobe nodes``: the snapshots of many machines, and those that are not like the others."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from . import output
from .document import Shape
from .errors import GpuprobeError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from ..examine import Demands
    from ..report.model import FailOn
    from ..report.nodes import Node
    from .commands import Command

FORMATS = ("text", "json", "markdown", "html")


@dataclass(frozen=True, slots=True)
class Options(Shape):
    """What the user asked for."""

    paths: tuple[str, ...] = ()
    lock: str | None = None
    fail_on: FailOn = "error"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `nodes`."""
    from .options import add_fail_on, add_lock, add_output, add_redaction, file_name

    parser.add_argument(
        "paths",
        type=file_name,
        metavar="PATH",
        nargs="+",
        help="a snapshot, or a report as JSON, called like its machine; or a folder of such",
    )
    add_lock(parser)
    add_fail_on(parser)
    add_output(parser, FORMATS)
    add_redaction(parser)


def prepare(parsed: argparse.Namespace) -> Command:
    """Check the options."""
    options = Options(
        format=parsed.format,
        output=parsed.output,
        redact=parsed.redact,
        color=parsed.color,
        paths=tuple(parsed.paths),
        lock=parsed.lock,
        fail_on=parsed.fail_on,
    )
    return lambda: run(options)


def run(options: Options) -> int:
    """Judge each, show those that are alike together, and return the exit code."""
    from ..report.nodes import exit_code

    nodes = _judged(files_of(options.paths), options)
    output.write(_document(nodes, options), options.output, options.format)
    return exit_code(nodes, options.fail_on)


def files_of(paths: Sequence[str]) -> list[Path]:
    """The files that are named, each once, and of a folder those that end in .json.

    A pipe that is named has somebody who writes into it: ``<(ssh node gpuprobe snapshot)``. One
    that lies in a folder would stop all.
    """
    return [*dict.fromkeys(file for path in paths for file in _files(Path(path)))]


def _files(path: Path) -> Iterator[Path]:
    if not _is_folder(path):
        yield path
        return
    try:
        listed = (each for each in path.iterdir() if each.suffix == ".json")
        found = sorted(each for each in listed if not each.is_fifo())
    except OSError as error:
        raise GpuprobeError(f"cannot read {path}: {error.strerror or error}") from error
    if not found:
        raise UsageError(f"there is no file that ends in .json in {path}")
    yield from found


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # in a folder that is closed, or a name too long: who reads it tells why
        return False


def _judged(files: Sequence[Path], options: Options) -> list[Node]:
    from ..report.progress import Progress
    from .source import demands

    hide = _redactor(files) if options.redacts else str
    lock = None if options.lock is None else demands(options.lock)
    nodes = []
    stems = Counter(file.stem for file in files)
    with Progress(sys.stderr) as progress:
        for number, file in enumerate(files, 1):
            progress.begins(f"{file.name} ({number} of {len(files)})")
            name = file.stem if stems[file.stem] == 1 else str(file.with_suffix(""))
            nodes.append(_node(name, file, lock, hide, redact=options.redacts))
    return nodes


def _node(
    name: str, file: Path, lock: Demands | None, hide: Callable[[str], str], *, redact: bool
) -> Node:
    """One that cannot be read is told beside the others: it must not hide them."""
    from ..report.nodes import Node
    from .source import read_snapshot

    shown = hide(name) if name != file.stem else name
    try:
        report = read_snapshot(str(file), only=(), skip=(), lock=lock)
    except GpuprobeError as error:
        return Node(shown, None, hide(str(error)), hide(str(file)))
    return Node(shown, report.redacted() if redact else report)


def _redactor(files: Sequence[Path]) -> Callable[[str], str]:
    """One for all: two files in the homes of two people must not become one name."""
    from ..report.identity import identity
    from ..report.redact import Redactor

    return Redactor(identity(), map(str, files)).text


def _document(nodes: Sequence[Node], options: Options) -> str:
    from ..report import nodes as shown

    if options.format == "json":
        from ..report.json import dumps

        return dumps(shown.document(nodes))
    if options.format == "markdown":
        return shown.markdown(nodes)
    if options.format == "html":
        return shown.page(nodes)
    from .options import terminal_style

    return shown.text(nodes, terminal_style(options.color, options.output))

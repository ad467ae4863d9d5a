"""What the benchmarks on a GPU share at their ends: options, the loop over cases, the output."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import gpuprobe

from .cuda_driver import Driver
from .gpu_setting import Setting, setting, state_of_gpu
from .gpu_timing import QUICK, Method, Stopwatch, measure
from .on_a_fake import on_the_fake
from .torch_side import torch_here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from _typeshed import DataclassInstance

    from .gpu_setting import State
    from .gpu_timing import Case, Row, Timed

CACHES = "warm: the same arrays serve each call, of every contestant"
DATA = "normally distributed; of int8 all its values alike"


@dataclass(frozen=True, slots=True)
class Plan:
    """A case that is yet to be made, as its arrays are large."""

    name: str
    make: Callable[[], Case]


@dataclass(slots=True)
class Document:
    """All that was found, as JSON has it.

    Attributes:
        not_begun: The cases for which there was no time.
    """

    benchmark: str
    method: Method
    caches: str = CACHES
    data: str = DATA
    setting: Setting | None = None
    before: State | None = None
    after: State | None = None
    rows: list[Row] = field(default_factory=list)
    not_begun: list[str] = field(default_factory=list)


def write(found: DataclassInstance, to: str | None) -> None:
    """Into a file if one is named; its folder is made."""
    if to and to != "-":
        Path(to).parent.mkdir(parents=True, exist_ok=True)
        Path(to).write_text(json.dumps(asdict(found), indent=1) + "\n", encoding="utf-8")


def parser_of(name: str, text: str, kinds: Sequence[str], backends: Sequence[str]) -> Parser:
    """The options that all of them have."""
    parser = Parser(prog=f"python -m benchmarks.{name}", description=text.partition("\n")[0])
    parser.add_list("--dtypes", kinds)
    parser.add_list("--backends", backends)
    add_common(parser, Method().rounds)
    return parser


def add_common(parser: argparse.ArgumentParser, rounds: int) -> None:
    """Those of the benchmark of memory, too."""
    parser.add_argument("--rounds", type=int, help=f"that are counted; default: {rounds}")
    parser.add_argument("--minutes", type=float, default=8.0, help="begin nothing later than that")
    parser.add_argument("--json", metavar="FILE", help="write the result there; - prints it")
    parser.add_argument("--commit", help="of the sources, where git does not tell")
    parser.add_argument("--quick", action="store_true", help="see that it runs; no good figures")
    parser.add_argument("--fake", action="store_true", help="likewise, on the tests' fake driver")
    parser.add_argument("--inside-a-fake", action="store_true", help=argparse.SUPPRESS)


class Parser(argparse.ArgumentParser):
    """With lists of known words."""

    def add_list(self, option: str, known: Sequence[str]) -> None:
        """An option that takes some of the words, with commas between them; default: all."""

        def words(text: str) -> tuple[str, ...]:
            given = tuple(text.split(","))
            strange = ", ".join(each for each in given if each not in known)
            if strange:
                raise argparse.ArgumentTypeError(f"{strange}: there are {', '.join(known)}")
            return given

        self.add_argument(option, type=words, default=tuple(known), help=f"of {','.join(known)}")


def started(
    name: str,
    tiny: Sequence[str],
    work: Callable[[argparse.Namespace], int],
    parser: argparse.ArgumentParser,
    arguments: Sequence[str] | None,
) -> int:
    """Parse, and work here or on the fake; 2 where there is no GPU to work on."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = parser.parse_args(given)
    if options.fake and options.json:
        parser.error("what a fake took is not written down: leave --json or --fake out")
    if options.fake:
        rest = [each for each in given if each != "--fake"]
        print(on_the_fake(name, ["--inside-a-fake", "--quick", *tiny, *rest]), end="")
        return 0
    try:
        torch_here()
        gpuprobe.cuda.synchronize()  # starts CUDA
        return work(options)
    except (gpuprobe.GpuUnavailable, ImportError) as error:
        print(f"{parser.prog}: {str(error).partition(chr(10))[0]}", file=sys.stderr)
        return 2


def measured(name: str, plans: Iterable[Plan], options: argparse.Namespace) -> Document:
    """All cases for which there is time; what was found is written down after each."""
    method = QUICK if options.quick else Method()
    if options.rounds:
        method = replace(method, rounds=options.rounds)
    found = Document(name, method, before=state_of_gpu())
    end = time.monotonic() + 60 * options.minutes
    with Driver() as driver:
        stopwatch = Stopwatch(driver, method)
        for plan in plans:
            if time.monotonic() > end:
                found.not_begun.append(plan.name)
                continue
            found.rows.append(measure(plan.make(), stopwatch))
            if found.setting is None:  # where the program is ended, it stands in the file
                found.setting = setting(options.commit)
            if not (options.inside_a_fake or options.json == "-"):
                show_row(found.rows[-1])
            write(found, options.json)
    found.after, found.setting = state_of_gpu(), setting(options.commit)
    write(found, options.json)
    return found


# -- the output ----------------------------------------------------------------------------------


def show_row(row: Row) -> None:
    """A row for people, as soon as it is there."""
    place = f"{row.kind:16} {row.name:24}"
    for each in row.timed:
        print(f"{place} {_figures(each)}")
    for by, why in row.left_out.items():
        print(f"{place} {by:7} left out: {why}")
    if row.wrong is not None:
        print(f"{place} NOT TIMED, {row.wrong}")
    sys.stdout.flush()


def _figures(timed: Timed) -> str:
    device, ratio = timed.device_s, timed.of_torch
    parts = [
        f"{timed.by:7} {device.median * 1e6:11.2f} us",
        f"({device.low * 1e6:.2f} to {device.high * 1e6:.2f})",
        f"{timed.tflops:9.3f} TFLOP/s",
        f"submit {timed.submit_s.median * 1e6:.2f} us",
    ]
    if ratio is not None:
        parts.append(f"{ratio.median:.3f} x torch's speed ({ratio.low:.3f} to {ratio.high:.3f})")
    if not timed.is_queued_ahead:
        parts.append("WITH TIME OF THE HOST")
    if timed.proof.startswith("WRONG"):
        parts.append(timed.proof.partition("\n")[0])
    return "  ".join(parts)


def finished(found: Document, options: argparse.Namespace, summary: Sequence[str] = ()) -> int:
    """The end of the output; 1 where a result was wrong."""
    wrong = [row for row in found.rows if row.wrong is not None]
    if options.inside_a_fake:
        print(fake_words(found.benchmark, f"{len(found.rows) - len(wrong)} rows"))
        for row in wrong:
            show_row(row)
    elif options.json == "-":
        print(json.dumps(asdict(found), indent=1))
    else:
        method = f"medians and quartiles of {found.method.rounds} rounds; caches {found.caches}"
        where = setting_lines(found.setting, found.before, found.after, found.not_begun)
        for line in (*summary, method, *where):
            print(line)
    return 1 if wrong else 0


def fake_words(name: str, what: str) -> str:
    """All that is told of a run on a fake."""
    return f"{name}: {what} went through on the fake driver; it has no speed to tell of"


def setting_lines(
    there: Setting | None, before: State | None, after: State | None, not_begun: Sequence[str]
) -> list[str]:
    """On what it was measured, and how the GPU did."""
    lines = [f"before: {before or 'nobody tells'}", f"after: {after or 'nobody tells'}"]
    if there is not None:
        libraries = ", ".join(f"{stem} {told}" for stem, told in there.libraries.items())
        lines += [
            f"on {there.device}, driver {there.driver} (CUDA {there.driver_cuda}), {there.machine}",
            f"{libraries or 'no library of NVIDIA loaded'}; torch: {there.torch}",
            f"gpuprobe {there.gpuprobe} ({there.commit}), Python {there.python}, {there.date}",
        ]
    if not_begun:
        lines.append(f"no time for {len(not_begun)}: {', '.join(not_begun)}")
    return lines

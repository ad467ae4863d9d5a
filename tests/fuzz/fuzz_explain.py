"""Feed `gpuprobe.explain` with texts that no tool prints, and look whether anything breaks.

    python tests/fuzz/fuzz_explain.py [--seconds 60] [--seed N]     random accidents
    python tests/fuzz/fuzz_explain.py --atheris [ARGUMENTS]         guided by coverage

The second way needs the package atheris; what stands after ``--atheris`` goes to libFuzzer. A
text that breaks something is written to the current folder, and its path is printed.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import gpuprobe
from fuzz.corrupt import corrupted
from gpuprobe.diagnosis.model import Outcome
from gpuprobe.facts.pasted.source import decode
from support.cases import load


class BrokenError(Exception):
    """A text that gpuprobe could not take; the message says what broke."""


def check(text: str) -> None:
    """Explain a text and show it in every form.

    Raises:
        BrokenError: Something broke.
    """
    try:
        report = gpuprobe.explain(text)
        report.text()
        report.to_dict()
        report.html()
        report.markdown()
        report.junit()
    except Exception as error:
        raise BrokenError(f"{type(error).__name__}: {error}") from error
    crashed = [
        f"{check.rule.code}: {check.trouble}"
        for check in report.diagnosis.checks
        if check.outcome is Outcome.CRASHED
    ]
    if crashed or report.crashed:
        raise BrokenError("; ".join([*crashed, *report.crashed]))


def seeds() -> list[str]:
    """Real texts and made ones, from which the accidents start."""
    from cases.made import cases

    return [case.text for case in (*load("open"), *cases()[::7])]


def fuzz(seconds: float, seed: int) -> int:
    """Random accidents for some seconds; how many texts were tried."""
    starts, dice, tried = seeds(), random.Random(seed), 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        text = corrupted(starts, dice)
        tried += 1
        try:
            check(text)
        except BrokenError as error:
            path = Path(f"broken-{seed}-{tried}.txt")
            path.write_text(text, encoding="utf-8", errors="surrogatepass")
            raise SystemExit(f"{path}: {error}") from error
    return tried


def guided(arguments: list[str]) -> None:
    """Hand over to libFuzzer; it never comes back."""
    import atheris

    atheris.instrument_all()
    atheris.Setup([sys.argv[0], *arguments], lambda content: check(decode(content)))
    atheris.Fuzz()


def main() -> int:
    """Fuzz as the arguments say."""
    import argparse

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--atheris", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if options.atheris is not None:
        guided(options.atheris)
    print(f"{fuzz(options.seconds, options.seed)} texts, seed {options.seed}: nothing broke")
    return 0


if __name__ == "__main__":
    sys.exit(main())

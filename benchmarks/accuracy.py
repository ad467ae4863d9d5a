"""How often is the diagnosis of a pasted text right?

    python -m benchmarks.accuracy                 every set, one line each
    python -m benchmarks.accuracy --set open -v   the cases that are not right, one line each
    python -m benchmarks.accuracy --confusion     expected cause against named cause
    python -m benchmarks.accuracy --reveal        also of the cases that nobody is to read yet
    python -m benchmarks.accuracy --sure          how often each confidence is right
    python -m benchmarks.accuracy --file new.json the cases of a file, written as those of `found`

What no rule names may be named by its words (GP903), which were learned from all sets but
`set_aside`, `misleading` and `messages`: how many are right by that alone is told, as it is no
measure of unknown texts. --file judges texts that are in no set yet: their first reading.

Seven sets, never added up: `open` are real machines that the rules were written with; `found` are
machines told of in other public threads, their texts rebuilt from what the threads say; `recalled`
are texts as such threads have them, written from memory by readers who had not seen the rules;
`set_aside` are real machines that nobody read before the rules stood (ids whose SHA-256 is
divisible by 3), of which only totals are printed unless `--reveal` is given; `made` are machines
rendered from the tables (tests/cases/made); `misleading` are machines that work, told so as to
mislead, with which false alarms are measured; `messages` are what programs can say of their set-up,
one message each, collected from their sources. A case is *right* when the named cause is the
confirmed one or one that the case accepts, which is told apart, *silent* when the verdict is
unknown, a *false alarm* when a healthy machine is called broken, and *wrong* otherwise.
"""

from __future__ import annotations

import argparse
import enum
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from support.cases import Case

TESTS = Path(__file__).resolve().parent.parent / "tests"
SETS = ("open", "found", "recalled", "set_aside", "made", "misleading", "messages")
UNREAD = "set_aside"


class Score(enum.Enum):
    """How the judgement of one case ended."""

    RIGHT = "right"
    WRONG = "wrong"
    SILENT = "silent"
    FALSE_ALARM = "false alarm"


@dataclass(frozen=True, slots=True)
class Judged:
    """A case and what was named for it."""

    case: Case
    named: str
    score: Score
    by_words: bool  # no rule named it (GP903)
    sure: str  # the confidence of the finding; without one, the verdict


def load(name: str) -> tuple[Case, ...]:
    """The cases of one set."""
    if name == "made":
        from cases.made import cases

        return cases()
    from support.cases import load as real_machines

    return real_machines(name)


def judge(case: Case) -> Judged:
    """The case with the cause that gpuprobe names for its text."""
    import gpuprobe
    from support.cases import named

    report = gpuprobe.explain(case.text)
    name, root = named(report), report.diagnosis.root
    by_words = report.diagnosis.guess is not None
    sure = name if root is None else root.finding.confidence.value
    return Judged(case, name, score(case, name), by_words, sure)


def score(case: Case, named: str) -> Score:
    """Whether `named` is right for `case`."""
    if case.accepts(named):
        return Score.RIGHT
    if named == "unknown":
        return Score.SILENT
    return Score.FALSE_ALARM if case.is_healthy else Score.WRONG


def summary(name: str, judged: Sequence[Judged]) -> str:
    """One line: how many, and how they ended."""
    counts = Counter(each.score for each in judged)
    parts = ", ".join(f"{counts[each]} {each.value}" for each in Score)
    share = counts[Score.RIGHT] / len(judged)
    line = f"{name:<10} {len(judged):>4} cases: {parts} ({share:.1%} right)"
    right = [each for each in judged if each.score is Score.RIGHT]
    confirmed = sum(each.named in each.case.expected for each in right)
    by_words = sum(each.by_words for each in right)
    return (
        f"{line}, {confirmed} by the confirmed cause itself; {by_words} of the right ones only by "
        "words that were learned from such texts"
    )


def by_sureness(judged: Iterable[Judged]) -> str:
    """A line for each word for how sure it is: how many were right of those so named."""
    groups: dict[str, list[Judged]] = {}
    for each in judged:
        groups.setdefault(each.sure + " by words" * each.by_words, []).append(each)
    return "\n".join(
        f"  {sure:<28} {sum(each.score is Score.RIGHT for each in members):>3} / {len(members)}"
        for sure, members in sorted(groups.items())
    )


def by_cause(judged: Iterable[Judged]) -> str:
    """A line for each expected cause: right of all, and what was named instead."""
    groups: dict[str, list[Judged]] = {}
    for each in judged:
        groups.setdefault(each.case.expected[0], []).append(each)
    lines = []
    for cause, members in sorted(groups.items()):
        right = sum(each.score is Score.RIGHT for each in members)
        others = Counter(each.named for each in members if each.score is not Score.RIGHT)
        instead = ", ".join(f"{named} {count} times" for named, count in others.most_common())
        lines.append(f"  {cause:<28} {right:>3} / {len(members):<3} {instead}")
    return "\n".join(lines)


def not_right(judged: Iterable[Judged]) -> str:
    """A line for each case that is not right."""
    return "\n".join(
        f"  {each.case.id:<32} {each.score.value:<12} "
        f"{' or '.join(each.case.expected)} -> {each.named}"
        for each in judged
        if each.score is not Score.RIGHT
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the accuracy of each set."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.accuracy", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--set", choices=SETS, action="append", help="only this set")
    parser.add_argument("--file", type=Path, help="instead of the sets, the cases of this file")
    parser.add_argument("--sure", action="store_true", help="a line for each confidence")
    parser.add_argument("--confusion", action="store_true", help="a line for each cause")
    parser.add_argument("-v", "--verbose", action="store_true", help="each case that is not right")
    parser.add_argument("--reveal", action="store_true", help="more than totals of set_aside too")
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(TESTS))
    if options.file:
        from support.cases import read_cases

        sets = {options.file.stem: read_cases(options.file)}
        if not sets[options.file.stem]:
            parser.error(f"no cases in {options.file}")
    else:
        sets = {name: load(name) for name in options.set or SETS}
    for name, cases in sets.items():
        judged = [judge(case) for case in cases]
        print(summary(name, judged))
        if name == UNREAD and not options.reveal:
            continue
        if options.sure:
            print(by_sureness(judged))
        if options.confusion:
            print(by_cause(judged))
        if options.verbose:
            print(not_right(judged))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How much do the words of a text alone tell of its cause?

    python -m benchmarks.likeness            learn from some machines, ask about the others
    python -m benchmarks.likeness --write    learn from all, and write knowledge/data/likeness.txt

The model is a linear support vector machine (scikit-learn's LinearSVC), each cause against all
others, over the distinct words of a text and its pairs of neighbouring words, weighted by how few
texts have them. It learns from `open`, `found`, `recalled` and `made` of benchmarks.accuracy, never
from `set_aside`. Asked is in five parts: what is printed is about machines that the model had not
learned from. Needs the extra `learning`.
"""

from __future__ import annotations

import argparse
import string
import sys
from collections import Counter
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.accuracy import TESTS, load

from gpuprobe.facts.pasted.likeness import telling
from gpuprobe.facts.pasted.text import Text
from gpuprobe.knowledge.likeness import model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from support.cases import Case

TABLE = Path(__file__).parents[1] / "python/gpuprobe/knowledge/data/likeness.txt"
ABOUT = """\
How far each word, and each two beside each other, pull toward each cause: learned by
`python -m benchmarks.likeness --write` from the cases in tests/cases, not read anywhere.
The causes, each with a letter and a bias; the terms, each with its rarity and its pulls.
"""
SETS = ("open", "found", "recalled", "made")
FEWEST_TEXTS = 3
PENALTY = 1.0
#: A false alarm is worse than a silence.
HEALTHY_COUNTS = 3.0
#: By which scores are multiplied, so that a share of so much is right about that often.
SHARPNESS = 7.0
NEGLIGIBLE = 5
PARTS = 5
STEPS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def met(text: str) -> frozenset[str]:
    """The terms of a text that count when it is read."""
    return frozenset[str]().union(*(found for _, found in telling(Text(text))))


def class_weights(labels: Sequence[str]) -> dict[str, float]:
    """Causes that are seldom told count as much as others, and a healthy machine more."""
    counts = Counter(labels)
    weights = {label: len(labels) / (len(counts) * count) for label, count in counts.items()}
    return {**weights, "healthy": weights["healthy"] * HEALTHY_COUNTS}


def learn(texts: Sequence[frozenset[str]], labels: Sequence[str]) -> str:
    """The table: biases of the causes, and the pulls of the terms."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.svm import LinearSVC

    columns = TfidfVectorizer(analyzer=sorted, binary=True, min_df=FEWEST_TEXTS)
    matrix = columns.fit_transform(texts)
    fitted = LinearSVC(C=PENALTY, class_weight=class_weights(labels), random_state=0)
    fitted.fit(matrix, labels)
    letters = string.ascii_letters[: len(fitted.classes_)]
    biases = zip(letters, fitted.classes_, fitted.intercept_ * SHARPNESS, strict=True)
    rarities = columns.idf_.tolist()
    pulls = (fitted.coef_ * columns.idf_ * SHARPNESS).T.tolist()
    terms = zip(columns.get_feature_names_out(), rarities, pulls, strict=True)
    known = [
        f"{term}\t{rarity:.1f}\t{told}"
        for term, rarity, each in terms
        if (told := _told(letters, each))
    ]
    causes = (f"{letter} {cause} {bias:.2f}" for letter, cause, bias in biases)
    return "\n".join([ABOUT, *causes, "", *sorted(known), ""])


def _told(letters: str, pulls: Sequence[float]) -> str:
    rounded = zip(letters, map(round, pulls), strict=True)
    return "".join(f"{letter}{pull}" for letter, pull in rounded if abs(pull) >= NEGLIGIBLE)


def machines() -> list[Case]:
    """All to learn from: machines of which the cause is known, and what nothing follows from."""
    from support.cases import FOLDER, Case

    known = [case for name in SETS for case in load(name)]
    about_others = (FOLDER / "no_alarm.txt").read_text(encoding="utf-8").split("\n-----\n")
    nothing = [
        Case(f"no-alarm-{number}", text, ("unknown",), ("healthy",))
        for number, text in enumerate(about_others)
    ]
    return [*known, *nothing]


def lessons(cases: Sequence[Case]) -> list[Case]:
    """The cases, and each healthy one in pieces: what is left of its text alarms nobody either."""
    from cases.mutations import thinned

    healthy = [case for case in cases if case.expected[0] == "healthy"]
    return [*cases, *(replace(case, text=thinned(case.text)) for case in healthy)]


def taught(cases: Sequence[Case]) -> str:
    """What these cases teach, as a table."""
    from_each = lessons(cases)
    return learn([met(case.text) for case in from_each], [case.expected[0] for case in from_each])


def ask(cases: Sequence[Case]) -> list[tuple[Case, str, float]]:
    """Each case with the cause that the others' words tell, and its share."""
    told = []
    for part in range(PARTS):
        learned = model(taught([case for at, case in enumerate(cases) if at % PARTS != part]))
        for case in cases[part::PARTS]:
            found = learned.likeness(met(case.text))
            told.append((case, found.cause, found.share) if found else (case, "unknown", 0.0))
    return told


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, and print how often it is right, or write the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.likeness", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--write", action="store_true", help="learn from all and write the table")
    options = parser.parse_args(arguments)
    if find_spec("sklearn") is None:
        parser.error("scikit-learn is missing: pip install '.[learning]'")
    sys.path.insert(0, str(TESTS))
    cases = machines()
    if options.write:
        TABLE.write_text(taught(cases), encoding="utf-8")
        return 0
    kept = {case.id for case in load("found")}
    told = [each for each in ask(cases) if each[0].id in kept or each[0].id.startswith("no-alarm")]
    print(f"{len(told)} texts; of those whose cause has at least this share:")
    for least in STEPS:
        named = [(case, cause) for case, cause, share in told if share >= least]
        right = sum(case.accepts(cause) for case, cause in named)
        alarms = sum(case.is_healthy and not case.accepts(cause) for case, cause in named)
        print(f"  {least:.0%}: {len(named)} named, {right / len(named):.1%} right, {alarms} alarms")
    return 0


if __name__ == "__main__":
    sys.exit(main())

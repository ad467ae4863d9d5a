"""How much do the words of a text alone tell of its cause?

    python -m benchmarks.likeness            learn from some machines, ask about the others
    python -m benchmarks.likeness --write    learn from all, and write knowledge/data/likeness.json

The model is multinomial logistic regression (scikit-learn) over the distinct words of a text,
weighted by how few texts have them. It learns from `open`, `found`, `recalled` and `made` of
benchmarks.accuracy, never from `set_aside`. Asked is in five parts: what is printed is about
machines that the model had not learned from. Needs the extra `learning`.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.accuracy import TESTS, load

from gpuprobe.knowledge.likeness import model, words
from gpuprobe.knowledge.tables import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from support.cases import Case

#: The rows of a table, by its sections.
Sections = dict[str, list[dict[str, str | float]]]

TABLE = Path(__file__).parents[1] / "python/gpuprobe/knowledge/data/likeness.json"
SETS = ("open", "found", "recalled", "made")
FEWEST_TEXTS = 3
PENALTY = 50.0
#: A false alarm is worse than a silence.
HEALTHY_COUNTS = 2.0
NEGLIGIBLE = 0.8
PARTS = 5
STEPS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


def rarities(texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """How rare each word is that several texts have: the logarithm of all by those that have it."""
    counts = Counter(word for text in texts for word in text)
    several = {word: count for word, count in counts.items() if count >= FEWEST_TEXTS}
    return {
        word: round(math.log((1 + len(texts)) / (1 + several[word])) + 1, 1)
        for word in sorted(several)
    }


def class_weights(labels: Sequence[str]) -> dict[str, float]:
    """Causes that are seldom told count as much as others, and a healthy machine more."""
    counts = Counter(labels)
    weights = {label: len(labels) / (len(counts) * count) for label, count in counts.items()}
    return {**weights, "healthy": weights["healthy"] * HEALTHY_COUNTS}


def learn(cases: Sequence[Case]) -> Sections:
    """The table: biases of the causes, and the pulls of the words."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    texts = [words(case.text) for case in cases]
    rarity = rarities(texts)
    columns = DictVectorizer()
    matrix = columns.fit_transform([_weighted(text, rarity) for text in texts])
    labels = [case.expected[0] for case in cases]
    fitted = LogisticRegression(C=PENALTY, max_iter=1000, class_weight=class_weights(labels))
    fitted.fit(matrix, labels)
    causes = fitted.classes_.tolist()
    biases = fitted.intercept_.tolist()
    pulls = zip(columns.feature_names_, fitted.coef_.T.tolist(), strict=True)
    return {
        "causes": [
            {"cause": cause, "bias": round(bias, 2)}
            for cause, bias in zip(causes, biases, strict=True)
        ],
        "words": [
            {"word": word, "rarity": rarity[word], **_pulls(causes, weights, rarity[word])}
            for word, weights in pulls
        ],
    }


def _weighted(text: frozenset[str], rarity: Mapping[str, float]) -> dict[str, float]:
    """The words of a text that are known, as a vector of length 1."""
    known = sorted(text & rarity.keys())
    length = math.sqrt(sum(rarity[word] ** 2 for word in known))
    return {word: rarity[word] / length for word in known}


def _pulls(causes: Sequence[str], weights: Sequence[float], rarity: float) -> Mapping[str, float]:
    return {
        cause: round(weight * rarity)
        for cause, weight in zip(causes, weights, strict=True)
        if abs(weight) >= NEGLIGIBLE
    }


def write(table: Sections) -> None:
    """The table as a file, a word a line."""
    parts = []
    for section, rows in table.items():
        lines = ",\n".join("  " + json.dumps(row) for row in rows)
        parts.append(f" {json.dumps(section)}: [\n{lines}\n ]")
    TABLE.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


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


def ask(cases: Sequence[Case]) -> list[tuple[Case, str, float]]:
    """Each case with the cause that the others' words tell, and its share."""
    told = []
    for part in range(PARTS):
        others = [case for at, case in enumerate(cases) if at % PARTS != part]
        learned = model(Table("likeness", {"sources": [], **learn(lessons(others))}))
        for case in cases[part::PARTS]:
            found = learned.likeness(words(case.text))
            told.append((case, found.cause, found.share) if found else (case, "unknown", 0.0))
    return told


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, and print how often it is right, or write the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="learn from all and write the table")
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(TESTS))
    cases = machines()
    if options.write:
        write({"sources": [], **learn(lessons(cases))})
        return 0
    told = [each for each in ask(cases) if each[0].id.startswith(("found", "no"))]
    print(f"{len(told)} texts; of those whose cause has at least this share:")
    for least in STEPS:
        named = [(case, cause) for case, cause, share in told if share >= least]
        right = sum(case.accepts(cause) for case, cause in named)
        alarms = sum(case.is_healthy and not case.accepts(cause) for case, cause in named)
        print(f"  {least:.0%}: {len(named)} named, {right / len(named):.1%} right, {alarms} alarms")
    return 0


if __name__ == "__main__":
    sys.exit(main())

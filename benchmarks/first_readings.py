"""Draw how the rules did on texts that they had not seen, batch after batch.

    python -m benchmarks.first_readings    writes docs/first_readings.svg

The figures are those of tests/cases/first_readings.json, which was written down when each batch
was read for the first time; nothing is run.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests/cases/first_readings.json"
PICTURE = ROOT / "docs/first_readings.svg"

WIDTH, HEIGHT = 920, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 44, 44
#: The lowest share that is drawn; one batch, of the worst causes alone, is below the others.
LOWEST = 0.3
WORDS, RULES, INK, FAINT = "#1a7f37", "#57606a", "#24292f", "#d0d7de"


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts that were written down together, and how they were read for the first time."""

    batch: str
    cases: int
    by_rules: int
    with_words: int | None
    wrong: int
    silent: int
    #: How often it was said how sure that is, and how often that was right; not kept of all.
    sure: dict[str, tuple[int, int]] = field(default_factory=dict)


def batches() -> tuple[Batch, ...]:
    """All of them, in the order in which they were read."""
    return tuple(Batch(**row) for row in json.loads(DATA.read_text(encoding="utf-8")))


def _y(share: float) -> float:
    return TOP + (1 - share) / (1 - LOWEST) * (HEIGHT - TOP - BOTTOM)


def _text(x: float, y: float, words: str, *, anchor: str = "middle", colour: str = INK) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def _dot(x: float, share: float, each: Batch, colour: str, what: str) -> str:
    radius = (each.cases / 12) ** 0.5 + 1
    title = escape(f"{each.batch}: {share:.1%} of {each.cases} right {what}")
    place = f'cx="{x:.1f}" cy="{_y(share):.1f}" r="{radius:.1f}"'
    return f'<circle {place} fill="{colour}" fill-opacity="0.8"><title>{title}</title></circle>'


def picture(rows: tuple[Batch, ...]) -> str:
    """The drawing: a column for each batch, the size of a dot tells how many cases it has."""
    step = (WIDTH - LEFT - RIGHT) / len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        "<style>text { font: 11px system-ui, sans-serif }</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(LEFT, 18, "Right at the first reading, of each batch of found texts", anchor="start"),
        f'<circle cx="{LEFT + 5}" cy="31" r="4" fill="{RULES}"/>',
        _text(LEFT + 14, 35, "by rules alone", anchor="start"),
        f'<circle cx="{LEFT + 125}" cy="31" r="4" fill="{WORDS}"/>',
        _text(LEFT + 134, 35, "with what a text reads like", anchor="start"),
    ]
    for percent in range(30, 101, 10):
        y = _y(percent / 100)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{FAINT}"/>')
        parts.append(_text(LEFT - 8, y + 4, f"{percent} %", anchor="end", colour=RULES))
    for number, each in enumerate(rows):
        x = LEFT + (number + 0.5) * step
        parts.append(_dot(x, each.by_rules / each.cases, each, RULES, "by rules alone"))
        if each.with_words is not None:
            parts.append(_dot(x, each.with_words / each.cases, each, WORDS, "with words"))
        name = each.batch.partition("_")[2]
        parts.append(_text(x, HEIGHT - BOTTOM + 18, escape(name), colour=RULES))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(_text(middle, HEIGHT - 8, "batches, in the order in which they were read"))
    return "\n".join([*parts, "</svg>", ""])


def main() -> int:
    """Write the drawing."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.first_readings", description=__doc__.partition("\n")[0]
    )
    parser.parse_args()
    PICTURE.write_text(picture(batches()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

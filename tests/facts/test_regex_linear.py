"""A search takes work in proportion to the line: of no pattern can a text make more.

Each pattern is given what its own repeats take, again and again, and its steps are counted.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
from typing import TYPE_CHECKING

import pytest

import gpuprobe.diagnosis
import gpuprobe.facts
import gpuprobe.knowledge
import gpuprobe.report
from support.regex_pumps import pumps
from support.regex_steps import TOO_MANY, Counter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

PACKAGES = (gpuprobe.facts, gpuprobe.diagnosis, gpuprobe.knowledge, gpuprobe.report)
SHORT = 24
#: Four times the text is four times the work, and some more where a bound is not reached yet.
LONG, NO_MORE = 4 * SHORT, 7
#: What a text has to say for each new start may be short in a line, which has 4,000 characters:
#: of longer words it holds too few. These modules read a text that is not cut into lines.
WORD, WHOLE_TEXTS = 8, ("gpuprobe.facts.pasted.own", "gpuprobe.facts.pasted.text")
#: Patterns that may take more, each with the reason.
ALLOWED = {
    r"(?a)(?<!Out)(?<!In )\[[^\]]{0,2000}\]": (
        "a list of sixteen GPUs has some two thousand characters, and no line has many of them"
    ),
}


def modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(found.name)


def patterns(value: object) -> Iterator[re.Pattern[str]]:
    """What a value is or holds of them."""
    if isinstance(value, re.Pattern) or type(value).__name__ == "_Uncompiled":
        yield value  # type: ignore[misc]
    elif isinstance(value, tuple | list | frozenset):
        for each in value:
            yield from patterns(each)
    elif isinstance(value, dict):
        yield from patterns(tuple(value.items()))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from patterns([getattr(value, field.name) for field in dataclasses.fields(value)])


def methods(module: ModuleType) -> dict[str, set[str]]:
    """By names of a module: what is called of them; "" where they are used otherwise."""
    tree = ast.parse(inspect.getsource(module))
    found: dict[str, set[str]] = {}
    of_methods = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.setdefault(node.value.id, set()).add(node.attr)
            of_methods.add(node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in of_methods:
            found.setdefault(node.id, set()).add("")
    return found


def hardest(called: set[str]) -> str:
    """A search, unless a pattern is only matched where a text begins."""
    if not called or called - {"match", "fullmatch"}:
        return "search"
    return "fullmatch" if "fullmatch" in called else "match"


def named_patterns(module: ModuleType) -> Iterator[tuple[str, re.Pattern[str], str]]:
    """Each pattern of a module, its name, and the method by which it takes most work."""
    called = methods(module)
    for name, value in vars(module).items():
        method = hardest(called.get(name, set()))
        for pattern in patterns(value):
            pattern.search("")
            if isinstance(pattern.pattern, str):
                yield f"{module.__name__}.{name}", pattern, method


def growth(pattern: re.Pattern[str], *, method: str, word: int | None) -> str:
    """The text of which four times as much takes far more than four times the work; or none."""
    counter = Counter(pattern)
    for pump in pumps(pattern):
        if word is not None and len(pump.word) > word:
            continue
        few = counter.steps(pump.text(SHORT), method)
        many = counter.steps(pump.text(LONG), method)
        if many > min(NO_MORE * max(few, 1), TOO_MANY):
            return f"{few} steps, then {many}: {pump}"
    return ""


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_four_times_the_text_takes_four_times_the_work(package: ModuleType) -> None:
    found, seen = [], set()
    for module in modules(package):
        word = None if module.__name__ in WHOLE_TEXTS else WORD
        for name, pattern, method in named_patterns(module):
            known = (pattern.pattern, pattern.flags, method)
            if pattern.pattern in ALLOWED or known in seen:
                continue
            seen.add(known)
            if more := growth(pattern, method=method, word=word):
                found.append(f"{name}: {more}\n    {pattern.pattern}")
    assert not found, "\n".join(found)
    assert seen


@pytest.mark.parametrize(
    "pattern",
    [
        r"\s*x",
        r"\A\s*-?\s*x",
        r"(a+)+b",
        r"\w+@\w",
        r"(?:\w+[ -]?){2,}\Z",
        r"\bgcc\D*\d",
        r"\A(\S.*?)\s*\Z",
        r'"[^"]*\d[^"]*"',
    ],
)
def test_a_pattern_that_takes_more_is_found(pattern: str) -> None:
    assert growth(re.compile(pattern), method="search", word=WORD)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\A\s*x",
        r"(?<!\s)\s+x",
        r"(?<!\w)\w{1,80}@\w",
        r"\A\w+(?:[ -]\w+)*\Z",
        r"\bgcc\D{0,80}\d",
        r"\A(\S.*)\Z",
        r'"[^"\d]*\d[^"]*"',
        r"(?i)Error: (?P<text>[^\n]+)\Z",
    ],
)
def test_one_that_does_not_is_left_alone(pattern: str) -> None:
    assert not growth(re.compile(pattern), method="search", word=WORD)

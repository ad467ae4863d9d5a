"""Patterns that are compiled when they are first used: they have to be patterns all the same."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import gpuprobe.diagnosis
import gpuprobe.facts
from gpuprobe.facts.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

#: Imports every reader, then counts the patterns that this took.
_COUNT = """
import re
compiled = []
compile = re.compile
def counted(*given):
    compiled.append(given)
    return compile(*given)
re.compile = counted
from gpuprobe.facts import pasted
pasted._readers()
print(len(compiled))
"""


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(found.name)


def _patterns(value: object) -> Iterator[re.Pattern[str]]:
    if type(value).__name__ == "_Uncompiled":
        yield value  # type: ignore[misc]
    elif isinstance(value, tuple | list | frozenset):
        for each in value:
            yield from _patterns(each)
    elif isinstance(value, dict):
        yield from _patterns(tuple(value.values()))


def test_every_pattern_of_the_package_compiles() -> None:
    broken, count = [], 0
    for package in (gpuprobe.facts, gpuprobe.diagnosis):
        for module in _modules(package):
            for name, value in vars(module).items():
                for pattern in _patterns(value):
                    count += 1
                    try:
                        pattern.search("")
                    except re.error as error:
                        broken.append(f"{module.__name__}.{name}: {error}")
    assert broken == []
    assert count > 500, "the walk has to find them"


def test_it_does_what_a_compiled_pattern_does() -> None:
    lazy, compiled = regex(r"(?P<word>[a-z]+)", re.IGNORECASE), re.compile("(?i)(?P<word>[a-z]+)")
    text = "One, two"
    assert lazy.findall(text) == compiled.findall(text)
    assert lazy.sub("x", text, count=1) == compiled.sub("x", text, count=1)
    found = lazy.search(text, 1)
    assert found is not None
    assert found["word"] == "ne"
    assert lazy.groupindex == compiled.groupindex
    assert lazy.pattern == r"(?P<word>[a-z]+)"
    with pytest.raises(AttributeError, match="serach"):
        lazy.serach  # type: ignore[attr-defined]  # noqa: B018


def test_a_broken_pattern_says_so_at_its_first_use() -> None:
    broken = regex("(")
    with pytest.raises(re.error, match="missing \\)"):
        broken.search("")


def test_to_import_the_readers_compiles_next_to_nothing() -> None:
    counted = subprocess.run(
        [sys.executable, "-c", _COUNT], capture_output=True, text=True, check=True
    )
    assert int(counted.stdout) < 40  # the tables' and the standard library's

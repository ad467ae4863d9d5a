"""Machines written down as facts, a line each: the format of the examples in docs/findings.

    like healthy                        start from a machine that was written down before
    libcuda.stub = true                 known
    module.nvidia.version is absent     somebody looked, and it is not there
    cuda.device_count is unknown: hung  nobody could look, and why
    => root GP204 error                 what the diagnosis has to find, for certain
    => root GP205 error, possible       or as one of several readings
    => GP201 is silent                  or what it must not find

The machines that examples start from are the blocks of docs/findings/index.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gpuprobe.facts.model import Absent, Fact, Facts, Known, Unknown, Value
from gpuprobe.facts.snapshot import find_key
from gpuprobe.facts.version import Version

if TYPE_CHECKING:
    from collections.abc import Mapping

PAGES = Path(__file__).parents[2] / "docs" / "findings"
_BLOCK = re.compile(r"^```facts *(?P<title>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_LINE = re.compile(
    r"(?P<name>[\w.-]+)(?:(?P<absent> is absent)|(?P<unknown> is unknown: .+)|\ =(?P<value>.*))"
)
_EXPECTED = re.compile(
    r"=> (?P<role>root|consequence|independent|note) (?P<code>GP\d{3}) "
    r"(?P<severity>error|warning|note)"
    r"(?: (?P<subject>(?:package|library):[\w-]+|gpu:[^\s,]+|process))?"
    r"(?:, (?P<confidence>likely|possible))?(?:, cause (?P<cause>[\w-]+))?"
)
_SILENT = re.compile(r"=> (?P<code>GP\d{3}) is silent")
_SWITCHES = {"true": True, "false": False}


class ExampleError(ValueError):
    """A line of an example that says nothing that we understand."""


@dataclass(frozen=True, slots=True)
class Expected:
    """One finding that an example announces."""

    role: str
    code: str
    severity: str
    subject: str = "machine"
    confidence: str = "certain"
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """One block: its title, its machine, and what has to be found there and what not."""

    title: str
    facts: Mapping[str, Fact[Value]]
    expected: tuple[Expected, ...]
    silent: tuple[str, ...]


def machine(name: str, *lines: str) -> Facts:
    """The facts of a machine of docs/findings/index.md, with some lines changed."""
    return Facts(read(f"like {name}\n" + "\n".join(lines), machines()).facts)


@cache
def machines() -> dict[str, Mapping[str, Fact[Value]]]:
    """All machines that examples may start from."""
    found: dict[str, Mapping[str, Fact[Value]]] = {}
    for title, body in blocks(PAGES / "index.md"):
        found[title] = read(body, found).facts
    return found


def blocks(page: Path) -> list[tuple[str, str]]:
    """Title and body of each block of facts on a page."""
    text = page.read_text(encoding="utf-8")
    return [(match["title"].strip(), match["body"]) for match in _BLOCK.finditer(text)]


def read(
    body: str, known: Mapping[str, Mapping[str, Fact[Value]]], title: str = "example"
) -> Example:
    """One example. Raises `ExampleError` for a line that is none."""
    facts: dict[str, Fact[Value]] = {}
    expected: list[Expected] = []
    silent: list[str] = []
    for raw in body.splitlines():
        line = raw.rstrip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("like "):
            facts.update(_base(line.removeprefix("like "), known))
        elif announced := _EXPECTED.fullmatch(line):
            given = {name: value for name, value in announced.groupdict().items() if value}
            expected.append(Expected(**given))
        elif quiet := _SILENT.fullmatch(line):
            silent.append(quiet["code"])
        else:
            name, fact = _fact(line)
            facts[name] = fact
    return Example(title, facts, tuple(expected), tuple(silent))


def _base(name: str, known: Mapping[str, Mapping[str, Fact[Value]]]) -> Mapping[str, Fact[Value]]:
    if name not in known:
        raise ExampleError(f"no machine is called {name!r}; there are {', '.join(known)}")
    return known[name]


def _fact(line: str) -> tuple[str, Fact[Value]]:
    match = _LINE.fullmatch(line)
    if match is None:
        raise ExampleError(f"neither a fact nor an expectation: {line!r}")
    name = match["name"]
    key = find_key(name)
    if key is None:
        raise ExampleError(f"no fact is called {name!r}")
    if match["absent"]:
        return name, Absent("the example")
    if match["unknown"]:
        return name, Unknown(match["unknown"].removeprefix(" is unknown: "))
    return name, Known(_value(key.type, match["value"].strip()), "the example")


def _value(wanted: type[object], text: str) -> Value:
    if wanted is bool:
        return _SWITCHES[text]
    if wanted is int:
        return int(text)
    if wanted is float:
        return float(text)
    if wanted is Version:
        return Version(text)
    if wanted is tuple:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return text

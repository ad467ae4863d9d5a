"""The JSON Schemas of docs/schema, and what commands print held against them.

Which command prints which document stands in docs/cli.md.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gpuprobe.cli.commands import COMMANDS
from gpuprobe.cli.errors import wants_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jsonschema.protocols import Validator

DOCS = Path(__file__).parents[2] / "docs"
_ROW = re.compile(r"^\| (.*) \| \[[^]]+\]\(schema/([a-z]+)-1\.schema\.json\) \|$", re.MULTILINE)
#: What prints JSON without being asked for it.
ALWAYS = ("snapshot", "lock")
#: A document is printed, whatever it says.
_PRINTED = (0, 1, 3)


@cache
def documents() -> dict[str, str]:
    """Command -> the name of the schema of its JSON, as docs/cli.md says."""
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    return {
        command: name
        for commands, name in _ROW.findall(page)
        for command in re.findall(r"`gpuprobe ([a-z]+)`", commands)
    }


@cache
def schemas() -> dict[str, dict[str, object]]:
    """File -> schema."""
    files = sorted((DOCS / "schema").iterdir())
    return {file.name: json.loads(file.read_text(encoding="utf-8")) for file in files}


@cache
def validator(name: str) -> Validator:
    """Of the schema of this name, with those that it refers to."""
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    found = schemas()
    pairs = ((file, Resource.from_contents(schema)) for file, schema in found.items())
    return Draft202012Validator(
        found[f"{name}-1.schema.json"], registry=Registry().with_resources(pairs)
    )


def complaints(name: str, document: object) -> list[str]:
    """What is wrong with a document, each with its place in it."""
    errors = validator(name).iter_errors(document)
    return [f"{error.json_path}: {error.message[:200]}" for error in errors]


def check(arguments: Sequence[str], code: int, out: str, err: str) -> None:
    """Hold what a command printed against its schema; nothing is asked of what is no JSON."""
    try:
        import jsonschema  # noqa: F401
    except ImportError:  # tests/gpu runs where there is none
        return
    first = next(iter(arguments), "")
    command = first if first in COMMANDS else "doctor"
    asked = wants_json(arguments)
    if code in _PRINTED and out.startswith("{") and (asked or command in ALWAYS):
        assert complaints(documents()[command], json.loads(out)) == []
    elif code not in _PRINTED and asked and err.startswith("{"):
        assert complaints("error", json.loads(err)) == []

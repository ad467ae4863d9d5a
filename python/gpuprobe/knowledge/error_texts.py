"""The words in which the vendor's libraries state their codes, for reading what people paste."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from . import errors
from .tables import load


@dataclass(frozen=True, slots=True)
class ErrorText:
    """One wording of one code.

    `name` is the canonical one; `text` is in small letters. `alone` says that these words mean
    this code wherever they stand; others count only where the interface is named before them.
    """

    api: errors.Api
    name: str
    text: str
    alone: bool


def canonical(found: errors.ErrorCode) -> str:
    """One name for one meaning: the driver's where the driver has this number."""
    if found.api == "runtime":
        return name_of("driver", found.code) or found.name
    return found.name


def name_of(api: errors.Api, code: int) -> str | None:
    """The canonical name of a number; None for one that `api` does not list."""
    found = errors.by_code(api, code)
    if found is None and api == "driver":
        found = errors.by_code("runtime", code)
        return None if found is None else found.name
    return None if found is None else canonical(found)


@functools.cache
def texts() -> tuple[ErrorText, ...]:
    """All wordings, the longest first, so that a text is met before one that it contains."""
    table = load("error_texts")
    found: dict[tuple[errors.Api, str], ErrorText] = {}
    apis: tuple[tuple[str, errors.Api], ...] = (("cuda", "driver"), ("nvml", "nvml"))
    for section, api in apis:
        for row in table.section(section):
            name = name_of(api, row.integer("code"))
            for text in map(str.lower, row.texts("texts")):
                if name is not None:
                    wording = ErrorText(api, name, text, row.flag("alone"))
                    found.setdefault((api, text), wording)
    return tuple(sorted(found.values(), key=lambda each: -len(each.text)))


@functools.cache
def before_10_1() -> dict[int, str]:
    """Canonical names of the numbers that the run time gave before CUDA 10.1."""
    names: dict[int, str] = {}
    for row in load("error_texts").section("runtime_before_10_1"):
        for found in errors.by_name(row.text("name")):
            names[row.integer("code")] = canonical(found)
    return names

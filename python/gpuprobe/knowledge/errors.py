"""Error and status codes: name, meaning, and whether the set-up of a machine can be the reason."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal, get_args

from .tables import Record, load

Api = Literal["driver", "runtime", "nvml", "cudnn", "cublas"]


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One code of one interface. `causes` and `hints` are experience, not verified.

    `major` is set for cuDNN, whose version 9 numbers its codes anew. `meaning` and `setup` are
    None where the table does not say.
    """

    api: Api
    code: int
    name: str
    aliases: tuple[str, ...]
    major: int | None
    meaning: str | None
    setup: bool | None
    causes: tuple[str, ...]
    hints: tuple[str, ...]
    source: str


def codes(api: Api) -> tuple[ErrorCode, ...]:
    """All codes of an interface, in the order of the table."""
    if api in ("driver", "runtime"):
        rows = (row for row in load("errors").section("cuda") if row.has(api))
        return tuple(_code(api, row, row.text(api)) for row in rows)
    return tuple(_code(api, row, row.text("name")) for row in load("errors").section(api))


def _code(api: Api, row: Record, name: str) -> ErrorCode:
    return ErrorCode(
        api,
        row.integer("code"),
        name,
        row.texts("aliases"),
        row.integer_or_none("major"),
        row.text_or_none("meaning"),
        row.flag_or_none("setup"),
        row.texts("causes"),
        row.texts("hints"),
        row.source,
    )


@functools.cache
def _by_code() -> dict[tuple[Api, int], ErrorCode]:
    # The codes of cuDNN 8 and 9 are disjoint but for 0, which is success in both.
    return {(api, found.code): found for api in get_args(Api) for found in codes(api)}


@functools.cache
def _by_name() -> dict[str, tuple[ErrorCode, ...]]:
    index: dict[str, tuple[ErrorCode, ...]] = {}
    for api in get_args(Api):
        for found in codes(api):
            for name in (found.name, *found.aliases):
                index[name.lower()] = (*index.get(name.lower(), ()), found)
    return index


def by_code(api: Api, code: int) -> ErrorCode | None:
    """What `code` means in `api`; None: the table does not list it."""
    return _by_code().get((api, code))


def by_name(name: str) -> tuple[ErrorCode, ...]:
    """The codes with this name, in any interface and in any case of letters; () for none.

    More than one only for cuDNN, where versions 8 and 9 share names.
    """
    return _by_name().get(name.strip().lower(), ())

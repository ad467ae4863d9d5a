"""All rules, in the order of their codes. A new rule is a row here, a check, and a page."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .model import Rule

if TYPE_CHECKING:
    from collections.abc import Collection


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule; the modules of rules are imported at the first call."""
    from .rules import (
        access,
        builds,
        compute_mode,
        containers,
        cuda,
        cudnn,
        driver,
        driver_releases,
        frameworks,
        hardware,
        health,
        likeness,
        lock,
        memory,
        program,
        sharing,
        slowness,
        start,
        system,
        visible,
        wear,
        wsl,
        xid,
    )

    modules = (
        *(access, builds, compute_mode, containers, cuda, cudnn, driver, driver_releases),
        *(frameworks, hardware, health, likeness, lock, memory, program, sharing, slowness),
        *(start, system, visible, wear, wsl, xid),
    )
    found = [rule for module in modules for rule in vars(module).values() if isinstance(rule, Rule)]
    return tuple(sorted(found, key=lambda rule: rule.code))


def find(handle: str) -> Rule | None:
    """The rule with this code (any case) or name."""
    return next(
        (rule for rule in rules() if handle.upper() == rule.code or handle.lower() == rule.name),
        None,
    )


def handles(named: Collection[str]) -> tuple[str, ...]:
    """Codes (any case), names and beginnings of codes, as `diagnose` takes them.

    Raises:
        TypeError: A text that stands alone, which Python would take letter by letter.
        ValueError: One fits no check, so it would select nothing.
    """
    if isinstance(named, str):
        raise TypeError(f"the checks have to be in a list: [{named!r}], not {named!r}")
    return tuple(map(_handle, named))


def _handle(named: str) -> str:
    handle = named.upper() if named[:2].upper() == "GP" and named[2:].isdigit() else named
    names, codes = [rule.name for rule in rules()], [rule.code for rule in rules()]
    if handle and (handle in names or any(code.startswith(handle) for code in codes)):
        return handle
    raise ValueError(no_such(named))


def no_such(named: str) -> str:
    """What is said of a handle that is none, with the nearest that is one."""
    from difflib import get_close_matches

    names, codes = [rule.name for rule in rules()], [rule.code for rule in rules()]
    begun = [code for code in codes if code.startswith(named.upper())] if named else []
    if begun:
        return f"{named!r} begins {begun[0]} to {begun[-1]}; `gpuprobe rules` lists them"
    close = get_close_matches(named.upper(), codes, n=1) or get_close_matches(named, names, n=1)
    meant = f"did you mean {close[0]!r}? " if close else ""
    return f"no check has the code or name {named!r}; {meant}`gpuprobe rules` lists them"

"""All rules, in the order of their codes. A new rule is a row here, a check, and a page."""

from __future__ import annotations

from functools import cache

from .model import Rule


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
        *(hardware, driver, start, containers, access, compute_mode, frameworks, health),
        *(memory, program, sharing, slowness, system, visible, wear, wsl, xid),
        *(builds, cuda, cudnn, likeness, lock),
    )
    found = [rule for module in modules for rule in vars(module).values() if isinstance(rule, Rule)]
    return tuple(sorted(found, key=lambda rule: rule.code))


def find(handle: str) -> Rule | None:
    """The rule with this code (any case) or name."""
    return next(
        (rule for rule in rules() if handle.upper() == rule.code or handle.lower() == rule.name),
        None,
    )

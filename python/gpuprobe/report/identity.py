"""Who and where: the names that redaction hides."""

from __future__ import annotations

import os
from typing import NamedTuple


class Identity(NamedTuple):
    """The names that belong to the person and the machine a report was made by and on."""

    users: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    homes: tuple[str, ...] = ()


def identity() -> Identity:
    """Those of this user and this machine, whatever the machine that is looked at."""
    variables = os.environ
    homes = [variables.get(name) for name in ("HOME", "USERPROFILE")]
    users = [variables.get(name) for name in ("USER", "LOGNAME", "USERNAME", "SUDO_USER")]
    users += [home.replace("\\", "/").rstrip("/").rpartition("/")[2] for home in homes if home]
    hosts = [variables.get(name) for name in ("HOSTNAME", "COMPUTERNAME")]
    if hasattr(os, "uname"):
        hosts.append(os.uname().nodename)
    return Identity(_unique(users), _unique(hosts), _unique(homes))


def _unique(found: list[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in found if name))

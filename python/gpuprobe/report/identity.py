"""Who and where: the names that redaction hides."""

from __future__ import annotations

from typing import NamedTuple


class Identity(NamedTuple):
    """The names that belong to the person and the machine a report was made by and on."""

    users: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    homes: tuple[str, ...] = ()

"""What the kernel module logged of a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import said
from ...facts.model import NotThere
from ..fixes.device import read_kernel_log
from ..fixes.program import find_the_access
from ..model import Confidence, Finding, Link, cite, rule
from ..questions.place import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts, Key
    from ...knowledge.xid import Xid


_PREFIX = "XID_"


def _key(number: int | str) -> Key[str]:
    return said.ERROR(f"{_PREFIX}{number}")


@rule("GP104", "xid", cause="device-lost", link=Link.HARDWARE, since="0.1")
def xid(facts: Facts) -> Iterator[Finding]:
    """The kernel logged an Xid event, by which a GPU failed."""
    events = _listed(facts)
    if not events:
        raise NotThere(_key("*").name)
    worst = [event for event in events if event.blames == "device"]
    for event in worst[:1]:
        yield Finding(
            f"Xid {event.number}: {event.meaning}",
            cite(facts, *(_key(each.number) for each in events)),
            read_kernel_log(place_of(facts)),
            confidence=Confidence.CERTAIN if event.verified else Confidence.LIKELY,
        )


@rule("GP902", "xid-of-program", cause="user-code", link=Link.WORK, since="0.1")
def xid_of_program(facts: Facts) -> Iterator[Finding]:
    """The kernel logged an Xid event that mostly comes from the program that ran."""
    events = _listed(facts)
    if not events:
        raise NotThere(_key("*").name)
    if any(event.blames == "device" for event in events):
        return
    for event in [event for event in events if event.blames == "program"][:1]:
        yield Finding(
            f"Xid {event.number}: {event.meaning}",
            cite(facts, _key(event.number)),
            find_the_access(),
            confidence=Confidence.LIKELY,
        )


def _listed(facts: Facts) -> tuple[Xid, ...]:
    """The events that the table knows; it is read only where there are any."""
    names = [name for name in facts.subjects(said.ERROR) if name.startswith(_PREFIX)]
    if not names:
        return ()
    from ...knowledge.xid import by_number

    numbers = (name.removeprefix(_PREFIX) for name in names)
    found = (by_number(int(number)) for number in numbers if number.isdigit())
    return tuple(event for event in found if event is not None)

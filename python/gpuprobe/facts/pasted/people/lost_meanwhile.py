"""A container that has its GPU at first and loses it: what systemd anew takes from it.

Told over several lines as often as in one: "After / systemctl daemon-reload / on the host it
cannot open the device any more". That it is lost at times, and back with the container's next
start, tells of the same: the GPU and its driver work on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...excerpt import excerpt
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Line, Text

_GONE = (
    r"(?:cannot|can(?:no|')?t|no longer|any ?more|los(?:es?|t)|gone|disappear\w*|vanish\w*|fails?"
    r"|unknown error|stops? working|not (?:accessible|found|visible|available))"
)
_RELOADED = regex(
    rf"(?i)\b(?:after|once|when(?:ever)?|until)\b[^.\n]{{0,60}}\bdaemon-reload\b[^.\n]{{0,120}}"
    rf"\b{_GONE}\b|\b{_GONE}\b[^.\n]{{0,80}}\b(?:after|once|when(?:ever)?|by)\b[^.\n]{{0,60}}"
    r"\bdaemon-reload\b"
)
_AGAIN = regex(
    r"(?i)\buntil (?:I (?:have )?(?:restart|start)(?:ed)? the (?:docker )?container|(?:the|my|a)"
    r" (?:docker )?container (?:is|was|has been|gets|had been) (?:re-?started|recreated))\b"
    r"|\b(?:re-?starting|re-?start|recreating) (?:of )?(?:the|my) (?:docker )?container"
    r" (?:always |then |only )?(?:fixes|helps|solves|resolves|brings|cures|makes) (?:it|this|the)\b"
    r"|\b(?:I )?(?:have|need) to (?:restart|recreate|re-create|stop and start|remove)"
    r" (?:the|my|this|that) (?:docker )?container\b|\bhelp(?:s|ed)? (?:so far )?(?:but|except) to\b"
    r"[^.\n]{0,40}\bcontainer\b|\bonly (?:a |the )?(?:restart(?:ing)?|recreat(?:ing|ion)|new start)"
    r" (?:of )?(?:the |my )?(?:docker )?container (?:helps|fixes|brings)\b"
    r"|\bworks? (?:again|fine again) (?:after|once|when) (?:I )?(?:re-?start|recreat|re-?creat)\w*"
    r" (?:of )?(?:the|my) (?:docker )?container\b"
)
#: The container has no GPU any more, as somebody says it.
_LOST = regex(
    r"(?i)\b(?:no longer|stop(?:s|ped)?|cannot|can(?:no|')?t|does(?: not|n't)|unable to)"
    r" (?:any ?more )?(?:detect|see|find|recogni[sz]e|access|reach)(?:s|ing)?"
    r" (?:the |my |its |any |an )?(?:nvidia )?(?:gpus?|nvidia|cards?|devices?|cuda)\b"
    r"|\blos(?:es?|t|ing) (?:access to |sight of |track of )?(?:the |my |its |their )?(?:nvidia )?"
    r"(?:gpus?|cards?|cuda)\b"
    r"|\b(?:gpus?|nvidia cards?|cuda)\b[^.\n]{0,16}\b(?:disappear\w*|vanish\w*|(?:is|are|was) gone"
    r"|(?:is|are) lost|(?:is|are) (?:not|no longer) (?:found|detected|visible|available|seen))\b"
)
#: After which time it goes, without which it may never have worked.
_IN_TIME = regex(
    r"(?i)\b(?:for|after|within|every) (?:up to |about |around |roughly )?(?:an?|some|several"
    r"|(?:a )?few|\d{1,3}|two|three|four|five|six|twelve|many) (?:random )?(?:time|while|minutes?"
    r"|hours?|days?|weeks?)\b|\b(?:at first|eventually|randomly|from time to time|after a while"
    r"|sometimes|overnight|every (?:now and then|so often|few)|once in a while|occasionally"
    r"|at random|at times)\b"
)
_GPU = regex(r"(?i)\b(?:gpus?|nvidia\w*|cuda|cards?|devices?|nvml|nvenc|transcod\w+)\b|/dev/nvidia")
_NOT_NOW = regex(r"(?i)\?|\b(?:if|unless|should|may|might|fix(?:ed)? in|no longer happens)\b")
_CONTAINERS = ("container", "docker", "podman", " pod", "runc", "kubernetes")
_LONGEST = 500


def read(text: Text) -> Statements:
    """The first telling of each kind, where the text is about containers."""
    if not any(each in text for each in _CONTAINERS):
        return
    for line in text.having("daemon-reload"):
        if (joined := _around(text, line)) and _RELOADED.search(joined) and _GPU.search(joined):
            yield say(said.SIGN("lost-on-reload-told"), excerpt(line.text), line)
            break
    for line in text.having("container"):
        joined = _around(text, line)
        if _AGAIN.search(line.text) and _IN_TIME.search(joined) and not _NOT_NOW.search(joined):
            yield say(said.SIGN("container-restart-helps-told"), excerpt(line.text), line)
            if _LOST.search(joined):
                yield say(said.SIGN("container-loses-gpu-told"), excerpt(line.text), line)
            break


def _around(text: Text, line: Line) -> str:
    """The line with those next to it, as one sentence may run through all three."""
    near = (*text.before(line, 1), line, *text.after(line, 1))
    joined = " ".join(each.text.strip() for each in near)
    return joined if len(joined) <= _LONGEST else ""

"""Who says that CUDA_VISIBLE_DEVICES, set in the program, changes nothing.

What one line says is a row of `wordings`; here the sentence goes on in the next lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...excerpt import excerpt
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_SET_IN_CODE = regex(
    r"(?i)\bos(?:\.environ)?\[['\"]CUDA_VISIBLE_DEVICES['\"]\]"
    r"|environ\.setdefault\(['\"]CUDA_VISIBLE_DEVICES"
    r"|\bset\w* `?CUDA_VISIBLE_DEVICES`?[^.\n]{0,30}\b(?:in|inside|within|from) (?:the |my |a )?"
    r"(?:python |jupyter )?(?:code|script|program|notebook|file|\w+\.py)\b"
    r"|\bCUDA_VISIBLE_DEVICES`? (?:is|was|gets) set(?: to)? (?:in|inside|within) (?:the |my |a )?"
    r"(?:code|script|program|notebook|\w+\.py)\b"
)
_IN_VAIN = regex(
    r"(?i)\b(?:always|still|only|keeps?|constantly|consistently)\b[^.\n]{0,12}"
    r"\b(?:us(?:es?|ing)|select\w*|runs?|running|on|pick\w*|goes to|choos\w*|takes?|sees?|shows?"
    r"|(?:attempts?|tries) to (?:use|utili[sz]e)|defaults? to)\b"
    r"[^.\n]{0,12}(?:(?:gpu|cuda|device|card)(?: (?:index|id|number))?[: ]?#?0\b"
    r"|\b(?:the )?first (?:gpu|card|device)"
    r"|\ball (?:of )?(?:the |my )?(?:\w+ )?(?:gpus|cards|devices))"
    r"|\b(?:process|program|script|training|it) (?:uses?|takes?|runs on) all (?:of )?(?:the |my )?"
    r"(?:gpus|cards)\b[^.\n]{0,30}\binstead\b"
    r"|\ball (?:the |my )?(?:gpus|cards)\b[^.\n]{0,24}\b(?:are|were|get) (?:still )?"
    r"(?:detected|used)\b"
    r"|\b(?:is|are|was) of no effect\b"
    r"|\b(?:has|have|had) no effect\b|\b(?:is|was|gets?) ignored\b|不起作用|不生效"
)
_WORK_ELSEWHERE = regex(
    r"(?i)\b(?:still|also) uses? all (?:of )?(?:the |my )?(?:\w+ )?(?:gpus|cards)\b"
    r"|\ball (?:of )?(?:the |my )?(?:processes|models|jobs|workers)\b[^.\n]{0,16}\b(?:running|run"
    r"|loaded|land|are|were)\b[^.\n]{0,12}\b(?:gpu|cuda|device|card)[: ]?#?0\b"
    r"|\bshows? (?:it|the (?:work|process|job)) on gpu ?#?0 every time\b"
    r"|\b(?:still|only|always)\b[^.\n]{0,12}\b(?:gpu|cuda|device|card)[: ]?#?0 (?:is|gets|was)"
    r" (?:being )?used\b"
)
#: More GPUs than the variable names.
_COUNTED = regex(
    r"(?i)\b(?:but|still|however|yet|although)\b[^.\n]{0,24}(?:torch\.cuda\.)?device_count\(\)[`'\"]?"
    r"[^.\n\d]{0,16}\b(?:shows?|is|returns?|gives?|says?|prints?|equals?)\b[^.\n\d]{0,6}(\d{1,2})\b"
)
#: The same of what a tool shows of the program: "however it occupies four GPUs".
_PROGRAM = (
    r"\b(?:it|nvidia-smi|training|python"
    r"|(?:the|my) (?:[\w-]{1,20} )?(?:script|code|program|model|job|process|training|run))\b(?!')"
)
_USED = regex(
    rf"(?i)(?:\b(?:but|however|yet|although)\b,? (?:(?:then|now|still) )?{_PROGRAM}[^.\n]{{0,40}}"
    rf"|{_PROGRAM} still )\b(?:us(?:es?|ing)|utili[sz](?:es?|ing)|occup(?:ies|ying)|takes?"
    r"|runs? on)\b (?:all )?(?:of )?(?:the |my )?(\d{1,2}|two|three|four|five|six|seven|eight)"
    r" (?:gpus|cards|devices)\b"
)
_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_NAMED = regex(r"\s*=\s*['\"](\d{1,2}(?:,\s?\d{1,2}){0,15})['\"]")
_FOLLOWING = 5
#: Somebody tells first that it is in vain, and shows the code below that.
_TOLD_ABOVE = 12
_NAMES_FIRST = regex(r"\s*=\s*['\"]0\b")


def read(text: Text) -> Statements:
    """That the variable changes nothing."""
    for line in text.having("cuda_visible_devices"):
        code = _SET_IN_CODE.search(line.text)
        if code is None:
            continue
        behind = (line.text[code.end() :], *(each.text for each in text.after(line, _FOLLOWING)))
        above = text.before(line, _TOLD_ABOVE) if code[0].startswith("os") else ()
        around = (*behind, *(each.text for each in above))
        elsewhere = not _NAMES_FIRST.match(behind[0]) and any(map(_WORK_ELSEWHERE.search, around))
        in_vain = any(map(_IN_VAIN.search, behind)) or any(_is_more(e, behind[0]) for e in behind)
        if elsewhere or in_vain:
            yield say(said.SIGN("visible-devices-ineffective"), excerpt(line.text), line)
            return


def _is_more(said_of_it: str, value: str) -> bool:
    """Whether more GPUs are counted than the variable was given; one, where it is not shown."""
    counted = _COUNTED.search(said_of_it) or _USED.search(said_of_it)
    named = _NAMED.match(value)
    if counted is None:
        return False
    count = _WORDS.get(counted[1].lower()) or int(counted[1])
    return count > (len(named[1].split(",")) if named else 1)

"""How somebody closes a report of their own: "EDIT: solved, everything works now".

Who tells so has nothing to be mended any more, whatever stands above it. What is mended has to be
the matter itself: that one of several things was fixed closes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import say
from ..text import cues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..statement import Statement
    from ..text import Text

#: What begins a line that comes back to the report as a whole.
_HEAD = (
    r"(?:(?:final|last|quick|small|one more) )?(?:edit(?:ed)?|update[ds]?|upd|closing(?: note)?"
    r"|never ?mind|nvm|follow-?up|eta|ps|p\.s|ok(?:ay)?|good news|great|for the record|answer"
    r"|solution)"
)
_MATTER = (
    r"(?:(?:the|my|this|that|our) )?(?:whole )?"
    r"(?:it|this|that|everything|all|all of it|problem|issue|error|matter|thing|gpus?|cards?"
    r"|setup|set-up|training|inference|torch|pytorch|tensorflow|jax|ollama)"
)
#: How it is said to be over, and how what failed is said to do its work.
_OVER = r"(?:solved|resolved|fixed|sorted(?: out)?|cleared up|taken care of)"
_WELL = (
    r"(?:works?|working|runs?|running|is (?:fine|ok|okay|back|used|in use|seen|found|detected"
    r"|recogni[sz]ed))"
)
_NOW = r"(?: (?:now|again|finally|at last|as expected|as it should|like a charm))"
_BETWEEN = r"(?:'s| is| are| has been| have been| got| now| all| both| finally| been| it| just)"
_END = r"(?=\W{0,4}(?:\Z|[.,;!)\]])|\W{1,3}(?:by|after|with|thanks?|now|since|and|for me)\b)"
_SAID = (
    rf"(?:{_MATTER}{_BETWEEN}{{0,3}} )?(?:now |finally )?{_OVER}"
    rf"(?: (?:it|this|that|the (?:problem|issue|error)))?(?:{_END}|:)"
    rf"|{_MATTER}{_BETWEEN}{{0,2}} {_WELL}(?: (?:fine|well|perfectly|without \w+))?{_NOW}"
    rf"|(?:now|finally),? {_MATTER}{_BETWEEN}{{0,2}} {_WELL}{_END}"
    rf"|{_WELL}{_NOW}{_END}"
)
_OF_MATTER = rf"{_MATTER}{_BETWEEN}{{1,3}} (?:now |finally )?{_OVER}{_END}"
#: Such a line.
_CLOSED = regex(
    rf"(?i)\A[\s>*_#\[(-]{{0,8}}(?:{_HEAD}\b[\W\d_]{{1,16}})?(?:I (?:have )?)?(?:{_SAID})"
    rf"|\A[\s>*_#\[(-]{{0,8}}{_HEAD}\b[\W\d_]{{1,16}}[\w ,.'-]{{0,80}}\b{_OF_MATTER}"
    r"|(?:已(?:经)?(?:解决|搞定|修复)|解决了|搞定了|现在(?:可以|好|正常)了)[\u3002.!~\s]{0,4}\Z"
)
#: One that says besides that the report may be closed.
_CLOSING = regex(
    r"(?i)\A(?=.*\b(?:clos(?:e|ing) (?:this|it|the (?:issue|ticket|report))|can be closed"
    rf"|closing\W*\Z)).*\b(?:{_SAID})"
)
#: What makes another thing of it: a wish, a question, another fault, a time that is over.
_OPEN = regex(
    r"(?i)\?|\b(?:but|until|till|however|except|although|though|yet|unless|sometimes|mostly"
    r"|partly|almost|each|every|only(?! had to)|not(?! sure)|never(?! ?mind)|cannot|no longer|cpu"
    r"|another|other|next|same|second|new|if|when|once|while|should|would|might|may|hope\w*|please"
    r"|how|thought|expect\w*|temporarily|workaround|work-around|randomly|for (?:a|an|some|now|\d+)"
    r"|lasted|then|before|yesterday|want|need|has to|have to|must|fail\w*|false|crash\w*|remains?"
    r"|stays|others|some(?:body|one)|people|users|read"
    r"|(?<!without )(?<!without any )errors?"
    r"(?! (?:is|was|got|has been) (?:now )?(?:gone|\w+ed)\b))\b"
    r"|n't\b|:\W{0,3}(?:no|nope|nothing)\b"
    r"|没|未|但|还是|怎么|吗|如何|不"
)
_CUES = cues(
    "solved|fixed|sorted|cleared up|taken care|works|working|runs|running|is fine|is ok|is back"
    "|is used|is seen|is found|detected|recognised|recognized|in use|work now|work again|run now"
    "|run again|解决|搞定|修复|现在"
)
_LONGEST = 300


def read(text: Text) -> Iterator[Statement]:
    """The last line by which a report is closed."""
    closed = [line for line in text.having(*_CUES) if _is_closed(line.text)]
    if closed:
        yield say(said.CLOSED, closed[-1].text.strip(), closed[-1])


def _is_closed(line: str) -> bool:
    if len(line) > _LONGEST or _OPEN.search(line):
        return False
    return bool(_CLOSED.search(line) or ("clos" in line.lower() and _CLOSING.search(line)))

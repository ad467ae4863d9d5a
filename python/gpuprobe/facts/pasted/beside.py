"""Sentences about what is not so here: what is over, denied, supposed, or another machine's.

They tell in people's words of what a machine could suffer from, and name no message.
"""

from __future__ import annotations

from ..regex import regex
from .text import cues

#: A sentence, and no line of code or of a log.
_SENTENCE = regex(r"\A[\s>*•-]{0,6}[A-Z][\w'/-]{0,30},? \S+(?: \S+){3}(?!.*(?:\w\(\)|==|;\s*\Z))")

_SOLVED = r"(?:solved|fixed|resolved|cured|sorted|over|gone|history)"
_FINE = r"\b(?:works?|runs?|fine|well|ok|okay|good|right)\b"
#: Another machine, or somebody else's.
_ELSEWHERE = regex(
    r"(?i)\b(?:old(?:er)?|other|another|second|former|previous|friend's|colleague's)"
    r" (?:\w+ )?(?:laptop|machine|pc|computer|box|server|workstation|node|notebook|desktop|instance"
    r"|system|cluster|card|gpu)\b|\b(?:colleague|co-?worker|friend|lab ?mate|team ?mate)s?\b"
)
_HERE = regex(
    r"(?i)\b(?:here|mine|this (?:one|machine|box|server|pc|laptop|card)|for me|on the new one"
    r"|ours)\b"
)
_HERE_IS_FINE = regex(
    rf"(?i)(?:{_HERE.pattern.removeprefix('(?i)')}[^.,;]{{0,40}}{_FINE}"
    rf"|{_FINE}[^.,;]{{0,24}}{_HERE.pattern.removeprefix('(?i)')})"
)
_NOT = regex(r"(?i)\b(?:not|never|no longer|neither|stopped)\b|n't\b")
_PAGE = (
    r"\b(?:docs?|documentation|readme|troubleshooting|faq|manual|page|guide|wiki|tutorial|article"
    r"|blog|book)\b"
)
#: Of one clause: what goes on behind a comma may be the matter.
_WHOLE = r"[^,;:?\n]*[.!)]?\s*\Z"

_BESIDE = regex(
    r"(?i)\A[\s>*•-]{0,6}(?:"
    # it is over
    rf"(?=.*\b(?:that|this|it|which) (?:is|was|has been|got) (?:now |long |all )?{_SOLVED}\b)"
    r"(?=.*\b(?:had|was|were|got|fell|ran|did|used to|last|earlier|previously|ago)\b)"
    rf"|.*\bwhich [^,;.?\n]{{2,40}}\b(?:solved|fixed|resolved|cured)\W{{0,3}}\Z"
    r"|until (?:the|my|a) (?:\w+ )?(?:update|upgrade|re-?\w+|repair|fix|swap|change)\b"
    r"(?!.*\b(?:worked|fine|well|ok|good)\b)[^,;:?\n]*"
    rf"\b(?:was|were|fell|hung|did|had|got|failed|crashed|said|ran|could)\b{_WHOLE}"
    # it is not so
    r"|(?:so |and )?(?:it|this|that) (?:is|was)(?: not|n't) (?:that|because|about|an?|the)\b"
    rf"{_WHOLE}"
    rf"|(?:I|we)(?: have|'ve)? (?:already )?(?:ruled out|excluded)\b{_WHOLE}"
    r"|(?:I|we)(?: have|'ve)? (?:checked|verified|tested|looked) (?:whether|if)\b[^,;:?\n]*"
    r"[:,] (?:no|it (?:is|does|did) not|not so|negative)\W{0,3}\Z"
    # what if
    r"|what (?:happens|would happen) (?:if|when)\b[^?\n]*\?\s*\Z"
    r"|how (?:does|do|would|will) (?:the|your|this|a) (?:\w+ )?(?:program|library|tool|script"
    r"|app\w*"
    r"|code|server|package|plugin|check|wheel|installer|framework)s?\b[^?\n]*\?\s*\Z"
    r"|otherwise\b[^?\n]*,? so (?:I|we)\b"
    # what a program should tell, and what a page does
    r"|(?:feature (?:request|wish|idea)|enhancement|proposal|suggestion)\b\W[^?\n]*"
    r"\b(?:when|if|that|whether)\b"
    r"|[^,;?\n]*\b(?:tell|warn|inform|notify) (?:the |a |our )?(?:users?|people|reader)\b[^,;?\n]*"
    rf"\b(?:when|if|that|whether)\b{_WHOLE}"
    rf"|(?:the |our |your |their )[^,;.?\n]{{0,40}}{_PAGE}[^,;.?\n]{{0,40}}"
    rf"\b(?:explains?|describes?|says?|tells?|shows?|covers?|mentions?)\b[^,;?\n]{{0,40}}"
    rf"\b(?:what|how|when|if)\b{_WHOLE}"
    # what is tested
    r"|(?:\w+ )?(?:adds?|added|adding|new|more) (?:an? |some |\w+ )?(?:unit |regression )?tests?\b"
    rf"[^,;?\n]{{0,40}}\b(?:for|where|when|if|that)\b{_WHOLE}"
    # another report
    r"|unlike\b[^?\n]*\b(?:here|mine|all|everything|it)\b[^?\n]{0,24}\bworks?\b"
    r")"
)
#: It goes on, it came back, or somebody wants to be rid of it.
_GOES_ON = regex(
    r"(?i)\b(?:still|again|keeps?|however|yet|came back|comes back|return(?:s|ed)|instead I"
    r"|help|please|how (?:to|can)|why|what (?:is|does|can|should) (?:I|it|this|that|we|be|the)"
    r"|unable"
    r"|cannot|can't|could not|couldn't|trying|tried"
    r"|to be (?:solved|fixed|resolved)|(?:not|never|n't)(?: \w+)? (?:solved|fixed|resolved|gone)"
    r"|past|since|suddenly)\b(?! the (?:re)?(?:install|build|boot|update|upgrade)\b)"
    r"|\bnow\b(?!,? (?:it|all|everything|that)?,? ?(?:works?|runs?|is (?:fine|gone|solved|fixed)))"
    r"|\bbut\b(?! (?:that|it|this|they) (?:was|is|has been|were|got|went)\b)"
)
CUES = cues(
    "solved|fixed|resolved|cured|sorted| over|gone|history| not |n't |ruled out|excluded|whether"
    "| if |happens|would happen|how does|how do |how would|how will|otherwise|feature|enhancement"
    "|proposal|suggestion|tell |warn |inform |notify |doc|readme|troubleshooting|faq|manual|page"
    "|guide|wiki|tutorial|article|blog|book|test|unlike|old|other |second |former |previous "
    "|colleague|worker|friend|mate"
)


def is_beside(sentence: str) -> bool:
    """Whether it is such a sentence."""
    if not _SENTENCE.match(sentence) or goes_on(sentence):
        return False
    return _BESIDE.match(sentence) is not None or is_of_another(sentence)


def is_of_another(sentence: str) -> bool:
    """Whether another machine is as it says, and this one, which it speaks of once, is well."""
    if len(_HERE.findall(sentence)) != 1 or not _ELSEWHERE.search(sentence):
        return False
    fine = _HERE_IS_FINE.search(sentence)
    return fine is not None and not _NOT.search(fine[0])


def goes_on(sentence: str) -> bool:
    """Whether what it tells of goes on, came back, or is to be mended."""
    return _GOES_ON.search(sentence) is not None

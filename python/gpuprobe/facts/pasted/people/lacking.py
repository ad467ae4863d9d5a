"""Libraries of which somebody says that they are not found: "it can't load MSVCP140.dll".

What Windows shows in a box is not in the text, and is told in a sentence, as much of a log that
somebody sums up is; programs' own words are read by `failures/`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ..failures.library_names import base, of_gpu, stem
from ..statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..statement import Statement
    from ..text import Text

_NAME = (
    r"(?:(?!onnxruntime)[A-Za-z][\w.+-]{2,60}\.dll"
    r"|lib(?:cudart|cublas|cudnn|cufft|curand|cusolver|cusparse|nvrtc)\w{0,20}\.so(?:\.\d{1,4}){1,3})\b"
)
_NAMES = rf"{_NAME}(?:[`'\"]?(?:, (?:and )?| and | & | or |/)[`'\"]?{_NAME}){{0,8}}"
_GET = (
    r"(?:(?:can ?not|can['\u2019]?t|could(?: not|n't)|unable to|fails? to|failed to) (?:be )?"
    r"(?:find|found|load(?:ed)?|locate[d]?|open(?:ed)?)|(?:does|did)(?: not|n't) (?:find|locate))"
)
_LACKING = regex(
    rf"(?i)\b{_GET}(?:\.|:| is| are| was| were)? (?:the |a |file )?[`'\"]?({_NAMES})"
    rf"|\b({_NAMES})[`'\"]? (?:that |which )?(?:\w+ ){{0,3}}?{_GET}\b"
    rf"|\b({_NAMES})[`'\"]? (?:is|are|was|were)(?: not|n't) (?:found|there|present|loaded)\b"
    rf"|\b({_NAMES})[`'\"]?,? (?:which|that|but (?:it|that|this|they)) (?:is|are|was|were)"
    r"(?: not|n't) (?:found|there|present|installed)\b"
    rf"|\b({_NAMES})[`'\"]? (?:is|are|was|were) (?:\w+ )?missing\b"
    rf"|\b(?:misses|lacks?|lacking|complains? (?:about|of)|no) (?:the )?[`'\"]?(?!lib)({_NAMES})"
)
#: Advice, what is over, and what is only supposed.
_NOT_NOW = regex(
    r"(?i)\b(?:if|unless|when|in case|fix(?:e[sd])?|solved|resolved|no longer|not missing|ignore"
    r"|may|might|maybe|perhaps|optional|example|previous\w*|earlier"
    r"|statically|provided|do not use|don't use)\b"
)
_LONGEST = 400
_FILE = regex(rf"(?i){_NAME}")


def read(text: Text) -> Iterator[Statement]:
    """Each of CUDA's and the run time's libraries that a sentence says not to be found."""
    for line in text.having(".dll", ".so."):
        match = _LACKING.search(line.text) if len(line.text) <= _LONGEST else None
        if match is None or _NOT_NOW.search(line.text):
            continue
        for name in _FILE.findall(next(filter(None, match.groups()))):
            if of_gpu(stem(name)):
                yield say(names.LIBRARY_MISSING(stem(name)), base(name), line)

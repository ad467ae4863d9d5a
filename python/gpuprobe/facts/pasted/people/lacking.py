"""Libraries of which somebody says that they are not found: "it can't load MSVCP140.dll".

What Windows shows in a box is not in the text, and is told in a sentence, as much of a log that
somebody sums up is; programs' own words are read by `failures/`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ..failures.library_names import base, of_gpu, stem
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_NAME = (
    r"(?:(?!onnxruntime)[A-Za-z][\w.+-]{2,60}\.dll"
    r"|lib(?:cudart|cublas|cudnn|cufft|curand|cusolver|cusparse|nvrtc)\w{0,20}\.so(?:\.\d{1,4}){1,3})\b"
)
_NAMES = rf"{_NAME}(?:[`'\"]?(?:, (?:and )?| and | & | or |/)[`'\"]?{_NAME}){{0,8}}"
#: More of them, without their names: "and a few others".
_MORE = (
    r"(?:,? (?:and|or) (?:(?:an?|the|all|some|several|many|most|few|\w{3,5}) ){0,3}"
    r"(?:others?|more|rest|similar|dlls?|files?|libraries))?"
)
_GET = (
    r"(?:(?:can ?not|can'?t|could(?: not|n't)|unable to|fails? to|failed to) (?:be )?"
    r"(?:find|found|load(?:ed)?|locate[d]?|open(?:ed)?)|(?:does|did)(?: not|n't) (?:find|locate))"
)
_LACKING = regex(
    rf"(?i)\b{_GET}(?:\.|:| is| are| was| were)? (?:the |a |file )?[`'\"]?({_NAMES})"
    rf"|\b({_NAMES})[`'\"]? (?:that |which )?(?:\w+ ){{0,3}}?{_GET}\b"
    rf"|\b({_NAMES})[`'\"]?{_MORE} (?:is|are|was|were)(?: not|n't)"
    r" (?:found|there|present|loaded)\b"
    rf"|\b({_NAMES})[`'\"]?,? (?:which|that|but (?:it|that|this|they)) (?:is|are|was|were)"
    r"(?: not|n't) (?:found|there|present|installed)\b"
    rf"|\b({_NAMES})[`'\"]?{_MORE} (?:is|are|was|were) (?:\w+ )?missing\b"
    rf"|\b(?:misses|lacks?|lacking|complains? (?:about|of)|no) (?:the )?[`'\"]?(?!lib)({_NAMES})"
)
#: A wheel that was to bring it: what else is installed is no reason that it lacks it.
_OF_WHEEL = regex(
    r"(?i)\b(?:missing|lacking|left out|not (?:found|there|present|included)) (?:from|in|of) "
    r"(?:the |this |that )?((?:[\w.-]{1,24} ){0,3}(?:[\w.+-]{1,120}\.whl|wheels?\b))"
)
#: Advice, what is over, and what is only supposed.
_NOT_NOW = regex(
    r"(?i)\b(?:if|unless|when|in case|fix(?:e[sd])?|solved|resolved|no longer|not missing|ignore"
    r"|may|might|maybe|perhaps|optional|example|previous\w*|earlier"
    r"|statically|provided|do not use|don't use)\b"
)
#: A cuDNN that is asked for by its file, beside one that is there by another.
_OF_CUDNN = r"(?:cudnn64_\d\.dll|libcudnn\.so\.\d)\b"
_ASKED = regex(
    r"(?i)\b(?:asks? for|asking for|wants?|needs?|looks? for|looking for|searche?s? for|expects?"
    rf"|requires?|tries to load) (?:the )?(?:file )?[`'\"]?(?P<file>{_OF_CUDNN})"
)
_CUDNN = regex(rf"(?i)\b{_OF_CUDNN}")
#: A toolkit that came without one of its libraries; who compiles without one means something else.
_CAME_WITHOUT = regex(
    r"(?i)\A(?!.*(?:\?|\b(?:buil[dt]|compil\w*|flags?|options?|links?|linked)\b)).*?"
    r"(?:\b(?:cuda|toolkit)\b(?:[^\s,;]{0,12} ){1,6}?(?:(?:has|with|brings?|had|contains?) no"
    r"|(?:comes?|came|is installed|was installed|installs) without)"
    r"|\bno(?= \S{1,20} in (?:/usr|the (?:toolkit|cuda)))) "
    r"(?:the |any )?(?:lib)?(cublas|cufft|curand|cusolver|cusparse)(?:\.so)?\b"
)
#: Files of the Visual C++ run time, by names of which people leave out the end.
_MSVC = r"((?:vcruntime140(?:_1)?|msvcp140(?:_[12])?|concrt140)(?:\.dll)?)(?![\w.*-]*\w)"
_NOT_FOUND = r"\b(?:not (?:be )?found|(?:is|are|was|were)n't found|missing)\b"
_MSVC_LACKED = regex(
    rf"(?i)\bdlls?\b[^.?\n]{{0,60}}?{_NOT_FOUND}[^.?\n]{{0,40}}?\b{_MSVC}"
    rf"|\b{_MSVC}\W{{1,12}}(?:which |\w{{2,8}} ){{0,2}}?{_NOT_FOUND}"
    rf"|\b(?:misses|lacks?|missing|{_GET}) (?:the )?(?:files? |dlls? )?[`'\"]?{_MSVC}"
)
#: What is over, supposed or listed; "when" and "for example" begin what somebody saw.
_MSVC_NOT_NOW = regex(
    r"(?i)\b(?:if|unless|in case|fix(?:e[sd])?|solved|resolved|no longer|ignore|optional"
    r"|(?:is|are) not missing|previous\w*|installed|where|present)\b|\?"
)
_LONGEST = 400
_FILE = regex(rf"(?i){_NAME}")


def read(text: Text) -> Statements:
    """Each of CUDA's and the run time's libraries that a sentence says not to be found."""
    for line in text.unlike(".dll", ".so."):
        match = _LACKING.search(line.text) if len(line.text) <= _LONGEST else None
        if match is None or _NOT_NOW.search(line.text):
            continue
        for name in _FILE.findall(next(filter(None, match.groups()))):
            if of_gpu(stem(name)):
                yield say(names.LIBRARY_MISSING(stem(name)), base(name), line)
                if wheel := _OF_WHEEL.search(line.text):
                    yield say(said.SIGN("missing-in-wheel-told"), wheel[1], line)
    yield from _asked_beside_another(text)
    for line, lacked in text.matching(_MSVC_LACKED, "vcruntime140", "msvcp140", "concrt140"):
        if len(line.text) <= _LONGEST and not _MSVC_NOT_NOW.search(line.text):
            file = next(filter(None, lacked.groups())).lower().removesuffix(".dll")
            yield say(names.LIBRARY_MISSING(file), f"{file}.dll", line)
            break
    for line, lacked in text.matching(_CAME_WITHOUT, "cublas", "cufft", "curand", "cuso", "cuspa"):
        if len(line.text) <= _LONGEST and not _NOT_NOW.search(line.text):
            library = lacked[1].lower()
            yield say(names.LIBRARY_MISSING(library), f"lib{library}", line)


def _asked_beside_another(text: Text) -> Statements:
    """The cuDNN that a program asks for, where the file of another one is there."""
    for line, asked in text.matching(_ASKED, "cudnn64_", "libcudnn.so."):
        others = {each.lower() for each in _CUDNN.findall(line.text)} - {asked["file"].lower()}
        if others and len(line.text) <= _LONGEST and not _NOT_NOW.search(line.text):
            yield say(names.LIBRARY_MISSING("cudnn"), asked["file"], line)
            yield say(said.LIBRARY_LISTED("cudnn"), tuple(sorted(others)), line)

"""Builds for the CPU of which somebody says that they got them: "conda took the CPU version".

What the package itself is called, and what it says of itself, is read elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say
from ..text import BETWEEN_SENTENCES

if TYPE_CHECKING:
    from ..text import Line, Text

_KIND = r"(?:version|build|wheel|package|variant|release)s?\b"
#: A build for the CPU, by its kind, by the framework that it is of, or by conda's name for it.
_FOR_CPU = regex(
    rf"(?i)(?<![\w.-])[`*'\"(\[]{{0,3}}cpu(?:[- ]only)?[`*'\")\]]{{0,3}} (?:[`*'\"]?(?:py)?torch"
    rf"[`*'\"]? |tensorflow |jax )?{_KIND}"
    r"|(?<![\w.-])[`*'\"]{0,2}cpu(?:[- ]only)?[`*'\"]{0,2} [`'\"]?(?:(?:py)?torch|tensorflow|jax)\b"
    r"|(?<![\w.-])(?:py)?torch_cpu\b|\b(?:is|as|gets?|got) (?:a |the )?cpu[- ]only\b"
    r"|\b(?:(?:py)?torch|tensorflow|jax(?:lib)?)[`*'\"]{0,2}(?: v?\d[\w.]*)?"
    r" without (?:the )?cuda\b"
    r"|\b(?:(?:py)?torch|tensorflow|jaxlib) v?\d[\w.]*[`*'\"]{0,2} \(no cuda\b"
)
#: That this is what an installation came to.
_GOT = regex(
    r"(?i)\b(?:install(?:s|ed)|got|gets?|getting|result(?:s|ed) in|pull(?:s|ed)|end(?:s|ed)? up"
    r"|comes|came|takes?|taken|took|puts?|put|defaults? to|replac(?:es|ed)|upgrad(?:es|ed?)|picks?"
    r"|picked|downloads?|downloaded|chooses?|chose|selects?|selected|brings?|brought|only it is)\b"
    r"|\u2192|->"
)
#: What is asked, wished for, done on purpose or over, and where there is no GPU.
_NOT_NOW = regex(
    r"(?i)\?|\b(?:if|unless|whether|should|could|would|may|might|can|must|want(?:s|ed)?"
    r"|need(?:s|ed)?|works?|worked|tried|try|fine|tests?|compar\w+|macs?|macos|amd|no gpu"
    r"|i have no|without (?:an? )?gpu|no longer|how to|purpose|intentional\w*|uninstall\w*|please"
    r"|recommend\w*|instead of the cpu|not the cpu|on (?:the )?cpu|no matter"
    r"|makes? sure|not replac\w+|with (?:the|an?) (?:cuda|gpu)|before|earlier"
    r"|previous\w*|i (?:then )?(?:download|install(?:ed)?|took|put|downgraded)|drivers?"
    r"|fix(?:e[sd])?|solved"
    r"|only (?:have|has)|also|both|either|instructions?|docs?|says?)\b"
)
#: The other half of a pair, of which both are there.
_OVER = regex(r"(?i)\b(?:was installed with pip|pip and conda|besides?)\b")
_LONGEST = 400


def read(text: Text) -> Statements:
    """The first sentence that tells of one; the value is the framework, where it is named."""
    for line in text.having("cpu", "without", "(no cuda"):
        if len(line.text) > _LONGEST:
            continue
        for sentence in BETWEEN_SENTENCES.split(line.text):
            if _is_told(sentence):
                yield say(said.SIGN("got-cpu-build-told"), _framework(sentence, line), line)
                return


def _is_told(sentence: str) -> bool:
    told = _FOR_CPU.search(sentence) and _GOT.search(sentence)
    return bool(told) and not (_NOT_NOW.search(sentence) or _OVER.search(sentence))


_NAMED = regex(
    r"(?i)(?<![\w./-])(?P<name>(?:py)?torch|tensorflow|jax(?:lib)?|onnxruntime)(?![a-z])"
)


def _framework(sentence: str, line: Line) -> str:
    """As pip calls it; empty where neither the sentence nor its line names one."""
    named = _NAMED.search(sentence) or _NAMED.search(line.text)
    name = named["name"].lower() if named else ""
    return {"pytorch": "torch", "jax": "jaxlib"}.get(name, name)

"""Failures that are only mentioned: by code, by an alert's condition, by speech."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .text import Text

_LONGEST_ALERT = 8
#: Where code says what it expects, or looks for.
_EXPECTED = re.compile(
    r"\b(?:pytest\.raises|assertRaises\w*|expect_error|EXPECT_(?:THROW|DEATH)|@test_throws"
    r"|should_panic)\b"
    r"|\bgrep(?: -\w{1,8}){0,3} (?:'[^'\n]*\w \w[^'\n]*'|\"[^\"\n]*\w \w[^\"\n]*\")"
    # A call in C or a comment in XML; a program's texts by their names; data to learn from.
    r"|\(.{0,80}\"[^\"\n]{8,}\"[^\"\n]{0,60}\);\s*\Z|\A\s*<!--.*-->\s*\Z"
    r"|\A\w+\.[\w.]+=\"[^\"\n]*\w \w+ \w+ \w[^\n]*\"\s*\Z|\A\s*\{\"text\": \".*\"label\": "
    r"|\A\s*#\s*(?:NOTE|TODO|FIXME)\b|\A\s*#\s{2,}(?:=>|->|means\b)"
    r"|\bamtool alert add\b|`(?:raise|throw) \w+\("
    r"|\A\s*\*\"[^\"\n]+\"\*\)|\|[~=] ?\"|\A\s*(?:annotations: *\{|expr:)|\A\s*///"
)
_EXPECTED_CUES = (
    *("raises", "expect_", "@test_throws", "should_panic", "grep", '*"', '|~ "', '|= "'),
    *("annotations:", "expr:", "///", "amtool", "note", "todo", "fixme", "=>", "means"),
    *("`raise ", "`throw ", '");', "<!--", '="', '"label": '),
)
#: A line of a comment that documents C; where such comments are, a code's number or its return.
_OF_C = re.compile(r"\A\s*(?:/?\*{1,2}(?:[\s/]|\Z)|\w+\s*=\s*(?:0x)?[\da-fA-F]+,|return \w+;)")
#: Below an alert's condition: what it would say.
_CONDITION = re.compile(r"\A\s*(?:- )?(?:expr|calc|crit|warn):")
_OF_ALERT = re.compile(r"\A\s*(?:[-#]|\w+:|\Z)")
_WOULD_SAY = re.compile(r"\A\s*(?:\w{1,24}: ?['\"].*['\"]|info: .*)\s*\Z")
#: A message of a chat; one of a program, for its translators; a sentence that was heard.
_SPOKEN = re.compile(
    r"\A\W{0,8}(?:\"messages\": ?\[\W{0,6})?\"role\": ?\"(?:user|assistant|system)\""
    r".*[\"\]},]\s*\Z|\A(?:msgid|msgstr)(?:\[\d\])? \""
    r"|\A\s*\[\d[\d:.]*s? ?-{1,2}> ?\d[\d:.]*s?\] |<\|im_(?:start|end)\|>"
    r"|\A\s*\[SPEAKER_\d\d\]: "
)
_SPOKEN_CUES = ('"role":', "msgid", "msgstr", "->", "-->", "<|im_", "[speaker_")
_DEFINED = re.compile(r"\A\s*(?:def \w+\(.*\).*:|else:|if .*:|except.*:)\s*\Z")
_RAISED = re.compile(r"\A\s*raise \w+\(")


def lines_mentioned(text: Text) -> frozenset[int]:
    """The numbers of the lines that name failures without one."""
    spoken = (line.number for line, _ in text.matching(_SPOKEN, *_SPOKEN_CUES))
    return frozenset((*_of_code(text), *_of_alerts(text), *spoken))


def _of_code(text: Text) -> Iterator[int]:
    """Code that raises, looks for, or expects a failure; a trace names the file above its lines."""
    for line, _ in text.matching(_RAISED, "raise "):
        above = text.before(line, 1)
        if above and _DEFINED.match(above[0].text):
            yield line.number
    for line, _ in text.matching(_EXPECTED, *_EXPECTED_CUES):
        yield line.number
    for line, _ in text.matching(_OF_C, " *", "= ", "return ") if "/**" in text else ():
        yield line.number


def _of_alerts(text: Text) -> Iterator[int]:
    """What Prometheus' alerts would say, below their conditions."""
    for line, _ in text.matching(_CONDITION, "expr:", "calc:", "crit:", "warn:"):
        for below in text.after(line, _LONGEST_ALERT):
            if _CONDITION.match(below.text) or not _OF_ALERT.match(below.text):
                break
            if _WOULD_SAY.match(below.text):
                yield below.number

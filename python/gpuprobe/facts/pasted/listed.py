"""Lines that list texts instead of telling what happens: code, its history, codes, file names.

Who shows them names failures that others may have. Like all that stands aside (`asides.py`) they
count where nothing else shows the GPU at work.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from ..regex import regex
from .prompts import commands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .text import Line, Text

#: Commands that show code and its history; a search through one program's log shows the failure.
_SEARCH = regex(
    r"\A(?:git grep|rg|ag|ack|grep (?:-\w* )*-[^\WrR]*[rR]\w*)\b"
    r"(?![^\n]*(?:\.(?:log|txt|out)\b|/var/log|syslog|\bmessages\b|\bkern\b|dmesg|journal))"
    r"|\Agrep (?:[^|\n\"']|\"[^\"\n]*\"|'[^'\n]*')*"
    r"\.(?:h|hpp|c|cc|cpp|cu|cuh|py|pyx|rs|go|js|ts|java|jl|ini|md)\s*\Z"
)
_HISTORY = regex(r"\Agit (?:bisect log|blame|log|shortlog|show|diff|tag|stash list)\b|\Adiff -")
_WITH_GAPS = regex(r"\Agit (?:log(?![^\n]*--oneline)|show|diff)\b|\Adiff -")
_BISECTED = regex(r"\A# (?:good|bad|first bad commit|skip): \[[0-9a-f]{7,40}\] ")
#: Where a change of code begins, and the lines that it takes away, adds, or shows around them.
_PATCH = regex(r"\Adiff --git |\A@@ -\d|\A--- a/")
_PATCHED = regex(r"\A(?:[-+ ]|@@ |diff |index |\Z)")
_EDITED = regex(r"\A[-+] {2,}\S")
#: A heading of a list of changes, what stands below it, and how one is told without a heading.
_CHANGES = regex(
    r"(?i)\A\W{0,6}(?:what's new|(?:bug ?)?fix(?:e[ds])?|changed?|changes|added|removed|deprecated"
    r"|improve(?:d|ments)|known issues)\W{0,4}\Z"
)
_CHANGE = regex(r"\A\s*[-*\u2022] \S")
_FIX = regex(
    r"\A\s*[-*\u2022] (?:Fix(?:e[ds])?|Add(?:ed)?|Remove[ds]?|Deprecate[ds]?|Drop(?:ped)?) "
)
#: What a program says, among what somebody tried.
_MESSAGE = regex(r"\A\s*[-*\u2022] (?:[^\"'`\n]{0,160}\W)?[\w.]{0,60}(?:Error|Exception): ")
_MOST_CHANGES = 40
#: The name of a document; a trace names files of code, of which no name has blanks in it.
_DOCUMENT = regex(
    r"\A\s*(?:[-*] )?(?:[\w.-]{1,60}/){1,8}[^/\n]{0,80}\w \w[^/\n]{0,80}"
    r"\.(?:md|rst|html?|pdf|docx?|adoc|eml)\b"
)
#: Codes and their names; a language's texts; hits and how near they are. So many lines of one of
#: these kinds are a list.
_CODE = regex(
    r"\A\W{0,4}-?\d{1,4}\W{1,4}(?:cudaError\w+|cudaSuccess|CUDA_(?:ERROR_\w+|SUCCESS))\W*\Z"
    r"|\A(?:typedef enum \{)?\s*(?:nccl|cuda|CUDA|CUDNN|CUBLAS)\w+\s*=\s*\d{1,4}\s?[,}]"
    r"|\A\s*\d{1,4}: ?\(?['\"][^\n]*['\"]\)?,?\s*\Z"
)
_STRING = regex(r"\A\s*\[?(?P<quote>['\"])[^\n]{8,200}(?P=quote)[,\]]{0,2}\s*\Z")
_HIT = regex(r"\A\s*-?\d\.\d{2,6}\s{1,6}[\"']?[A-Za-z][^\d\n]*\s")
_LISTS = (
    (_CODE, 4, ("cudaerror", "cuda_error", "success", "': \"", ": (", '",', "',", "= ")),
    (_STRING, 3, ("',", '",', "']", '"]')),
    (_HIT, 3, ("0.",)),
)


def lines_listed(text: Text) -> frozenset[int]:
    """The numbers of the lines that list texts about failures among others."""
    documents = (line.number for line, _ in text.matching(_DOCUMENT, *_DOCUMENT_CUES))
    return frozenset((*_of_history(text), *_of_changes(text), *_of_lists(text), *documents))


_DOCUMENT_CUES = ".md", ".rst", ".htm", ".pdf", ".doc", ".adoc", ".eml"


def _of_history(text: Text) -> Iterator[int]:
    """What a search through code answers, what its history says, and changes that are shown."""
    for _, command, answer in commands(text, "grep", "rg ", "ag ", "ack ", "git ", "diff "):
        if _WITH_GAPS.match(command):
            yield from (line.number for line in answer if line.text.strip())
        elif _SEARCH.match(command) or _HISTORY.match(command):
            yield from (line.number for line in takewhile(_is_filled, answer))
    for line, _ in text.matching(_BISECTED, "# good: [", "# bad: [", "# first bad", "# skip: ["):
        yield line.number
    for start, _ in text.matching(_PATCH, "diff --git", "@@ -", "--- a/"):
        for line in takewhile(_is_filled, text.after(start, _MOST_CHANGES)):
            if not _PATCHED.match(line.text):
                break
            yield line.number
    edited = [line.number for line, _ in text.matching(_EDITED, "+  ", "-  ")]
    yield from edited if len(edited) > 1 else ()


def _is_filled(line: Line) -> bool:
    return bool(line.text.strip())


def _of_changes(text: Text) -> Iterator[int]:
    for head, _ in text.matching(_CHANGES, "fix", "chang", "added", "removed", "improve", "issues"):
        yield from _changes(text.after(head, _MOST_CHANGES))
    fixes = [line for line, _ in text.matching(_FIX, "fix", "add", "remove", "deprecate", "drop")]
    if len(fixes) > 1:
        first = text.before(fixes[0], _MOST_CHANGES)
        yield from _changes(reversed(first))
        yield from _changes((fixes[0], *text.after(fixes[0], _MOST_CHANGES)))


def _changes(lines: Iterable[Line]) -> Iterator[int]:
    for line in takewhile(lambda each: _CHANGE.match(each.text), lines):
        if not _MESSAGE.match(line.text):
            yield line.number


def _of_lists(text: Text) -> Iterator[int]:
    for pattern, fewest, cues in _LISTS:
        listed = [line.number for line, _ in text.matching(pattern, *cues)]
        if len(listed) >= fewest:
            yield from listed

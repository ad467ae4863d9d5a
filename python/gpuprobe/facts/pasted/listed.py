"""Lines that list texts instead of telling what happens: code, its history, codes, file names.

Who shows them names failures that others may have. Like all that stands aside (`asides.py`) they
count where nothing else shows the GPU at work.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .prompts import commands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .text import Text

#: Commands that show code and its history; a search through one program's log shows the failure.
_SEARCH = re.compile(
    r"\A(?:git grep|rg|ag|ack|grep (?:-\w* )*-\w*[rR]\w*)\b(?![^\n]*\.(?:log|txt|out)\b)"
)
_HISTORY = re.compile(
    r"\Agit (?:bisect log|blame|log|shortlog|show|diff|tag|stash list)\b|\Adiff -"
)
_BISECTED = re.compile(r"\A# (?:good|bad|first bad commit|skip): \[[0-9a-f]{7,40}\] ")
#: A heading of a list of changes, and what stands below it.
_CHANGES = re.compile(
    r"(?i)\A\W{0,6}(?:what's new|(?:bug ?)?fix(?:e[ds])?|changed?|changes|added|removed|deprecated"
    r"|improve(?:d|ments)|known issues)\W{0,4}\Z"
)
_CHANGE = re.compile(r"\A\s*[-*\u2022] \S")
_MOST_CHANGES = 40
#: The name of a document; a trace names files of code, of which no name has blanks in it.
_DOCUMENT = re.compile(
    r"\A\s*(?:[-*] )?(?:[\w.-]{1,60}/){1,8}[^/\n]{0,80}\w \w[^/\n]{0,80}"
    r"\.(?:md|rst|html?|pdf|docx?|adoc|eml)\b"
)
#: So many lines of one of these kinds are a list.
_FEWEST = 4
_CODE = re.compile(
    r"\A\W{0,4}-?\d{1,4}\W{1,4}(?:cudaError\w+|cudaSuccess|CUDA_(?:ERROR_\w+|SUCCESS))\W*\Z"
)
_STRING = re.compile(r"\A\s*\[?(?P<quote>['\"])[^\n]{8,200}(?P=quote)[,\]]{0,2}\s*\Z")
_FEWEST_STRINGS = 3


def lines_listed(text: Text) -> frozenset[int]:
    """The numbers of the lines that list texts about failures among others."""
    documents = (line.number for line, _ in text.matching(_DOCUMENT, *_DOCUMENT_CUES))
    return frozenset((*_of_history(text), *_of_changes(text), *_of_lists(text), *documents))


_DOCUMENT_CUES = ".md", ".rst", ".htm", ".pdf", ".doc", ".adoc", ".eml"


def _of_history(text: Text) -> Iterator[int]:
    """What a search through code answers, and what its history says."""
    for _, command, answer in commands(text, "grep", "rg ", "ag ", "ack ", "git ", "diff "):
        if _SEARCH.match(command) or _HISTORY.match(command):
            yield from (line.number for line in answer if line.text.strip())
    for line, _ in text.matching(_BISECTED, "# good: [", "# bad: [", "# first bad", "# skip: ["):
        yield line.number


def _of_changes(text: Text) -> Iterator[int]:
    for head, _ in text.matching(_CHANGES, "fix", "chang", "added", "removed", "improve", "issues"):
        for line in text.after(head, _MOST_CHANGES):
            if not _CHANGE.match(line.text):
                break
            yield line.number


def _of_lists(text: Text) -> Iterator[int]:
    """Numbers and names of CUDA's codes one below the other; texts as a language prints them."""
    codes = [line.number for line, _ in text.matching(_CODE, "cudaerror", "cuda_error", "success")]
    if len(codes) >= _FEWEST:
        yield from codes
    strings = [line.number for line, _ in text.matching(_STRING, "',", '",', "']", '"]')]
    if len(strings) >= _FEWEST_STRINGS:
        yield from strings

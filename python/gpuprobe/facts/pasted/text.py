"""A pasted text, cleaned and indexed, so that readers look only at the lines that concern them.

People paste logs with colours, quoted with ``> ``, numbered, with Windows line ends. What a
line says is kept; what the way of pasting added is taken off. Reading is linear in the input:
a reader names the words that it is interested in (its cues) and gets the lines that hold them,
found by plain substring search.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

#: A longer line is cut: nothing that is read here stands so far to the right.
LINE_LIMIT = 4000
#: Of a text that is longer than this, only what is not said again and again is indexed.
LARGE = 1 << 19
#: So many lines that differ in nothing but their digits are indexed, of a large text.
ALIKE_LIMIT = 32
#: And so many characters of what is left, from its start and again from its end.
INDEX_LIMIT = 1 << 18

#: Of so many letters the index keeps every sequence that occurs: one look tells most cues absent.
_SEQUENCE = 4

_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\u200b\ufeff]")
#: Digits of other scripts, which a terminal in their language may print.
_DIGIT = re.compile(r"[^\D0-9]")
#: Word processors and chats put these in the place of plain ones.
_PLAIN_QUOTES = (("\u2018", "'"), ("\u2019", "'"), ("\u201c", '"'), ("\u201d", '"'))
_NO_BREAK = re.compile(r"[\u00a0\u202f\u3000]")
_BREAK = re.compile(r"[\n\x0b\x0c\r\x85\u2028\u2029]")
_QUOTE = re.compile(r"\A(?:>[ \t])+|\A>\Z")
_PROCESS = re.compile(r"\A\((?:[\w.-]+ )*pid=\d+[^)\n]{0,40}\) ?")
#: What runs a program writes in front of its lines: the journal, Compose, torchrun, GitHub's
#: runners, llama.cpp's own clock.
_HEAD = re.compile(
    r"""(?ax)\A(?:
        [A-Z][a-z]{2}\s{1,2}\d{1,2}\s\d\d:\d\d:\d\d\s[\w.-]{1,64}\s[\w@.-]{1,64}\[\d{1,9}\]:\s
      | [\w.-]{1,60}-\d{1,3}\s{1,20}\|\s
      | (?:\[(?:default|rank|trainer)\d{1,4}\]:\s?){1,2}
      | \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z\s
      | \d{1,3}\.\d\d\.\d{3}\.\d{3}\s[A-Z]\s{1,3}
    )"""
)
#: A line inside a frame, as Rich draws one around tracebacks; a table has a bar inside as well.
_FRAMED = re.compile(r"\A[│┃] ?([^│┃]*?)\s*[│┃]\Z")
_NUMBER = re.compile(r"\A[ \t]*(\d{1,7})(?:\t|[ \t]*[:|│][ \t]?|\Z)")
#: Advice for the case that something fails, which does not tell that it did.
_SUPPOSED = re.compile(
    r"(?i)\b(?:if|when|whenever|in case) (?:you|users|people) (?:(?:are|also|ever|still|will) )?"
    r"(?:get(?:ting)?|see(?:ing)?|encounter\w*|hit|run(?:ning)? into|fac(?:e|ing)|receiv(?:e|ing)"
    r"|experienc(?:e|ing)|have (?:an?|the|this|that) (?:error|problem|issue))\b.*"
    r"|如果(?:你|您)?(?:遇到|出现|看到|碰到).*"
)
_WITHOUT_DIGITS = str.maketrans("", "", "0123456789")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the text; `number` counts from 1 as the reporter's editor does."""

    number: int
    text: str

    @property
    def source(self) -> str:
        """Where a fact that this line states was read."""
        return f"line {self.number} of the text"


class Text:
    """The cleaned lines, and a case-blind index over them."""

    __slots__ = (
        "_folded", "_indexed", "_omitted", "_pasted", "_sequences", "_starts", "_texts",
    )  # fmt: skip

    def __init__(self, pasted: str, omitted: Collection[int] = ()) -> None:
        self._pasted, self._omitted = pasted, frozenset(omitted)
        self._texts = _clean(pasted)
        for number in self._omitted:
            self._texts[number - 1] = ""
        folded = [text.lower() for text in self._texts]
        self._indexed: list[int] | range = range(len(folded))
        if len(pasted) > LARGE:
            self._indexed = _both_ends(_worth_reading(folded), folded)
            folded = [folded[index] for index in self._indexed]
        self._folded = "\n".join(folded)
        self._sequences = {
            self._folded[at : at + _SEQUENCE] for at in range(len(self._folded) - _SEQUENCE + 1)
        }
        self._starts = [0, *accumulate(len(text) + 1 for text in folded)]

    def without(self, numbers: Collection[int]) -> Text:
        """The same text, where the lines of these numbers are empty."""
        return Text(self._pasted, self._omitted.union(numbers)) if numbers else self

    def __contains__(self, cue: str) -> bool:
        return self._may_hold(cue) and cue in self._folded

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines, in order."""
        return tuple(Line(number, text) for number, text in enumerate(self._texts, start=1))

    def first(self, count: int) -> tuple[Line, ...]:
        """Up to `count` lines from the beginning."""
        return tuple(self._line(index) for index in range(min(count, len(self._texts))))

    def having(self, *cues: str) -> Iterator[Line]:
        """The lines that hold one of these lower-case words, each once, in order."""
        found = {index for cue in cues if self._may_hold(cue) for index in self._find(cue)}
        for index in sorted(found):
            yield self._line(self._indexed[index])

    def matching(
        self, pattern: re.Pattern[str], *cues: str
    ) -> Iterator[tuple[Line, re.Match[str]]]:
        """The lines that hold a cue and, somewhere, the pattern; each with its first match."""
        for line in self.having(*cues):
            match = pattern.search(line.text)
            if match is not None:
                yield line, match

    def after(self, line: Line, count: int) -> tuple[Line, ...]:
        """Up to `count` lines that follow `line`."""
        end = min(line.number + count, len(self._texts))
        return tuple(self._line(index) for index in range(line.number, end))

    def before(self, line: Line, count: int) -> tuple[Line, ...]:
        """Up to `count` lines that stand right before `line`, in order."""
        start = max(line.number - 1 - count, 0)
        return tuple(self._line(index) for index in range(start, line.number - 1))

    def _line(self, index: int) -> Line:
        return Line(index + 1, self._texts[index])

    def _may_hold(self, cue: str) -> bool:
        """Whether the first, middle and last letters of a cue occur: a search costs far more."""
        middle = (len(cue) - _SEQUENCE) // 2
        return len(cue) < _SEQUENCE or (
            cue[:_SEQUENCE] in self._sequences
            and cue[-_SEQUENCE:] in self._sequences
            and cue[middle : middle + _SEQUENCE] in self._sequences
        )

    def _find(self, cue: str) -> Iterator[int]:
        at = self._folded.find(cue)
        while at >= 0:
            index = bisect.bisect_right(self._starts, at) - 1
            yield index
            at = self._folded.find(cue, self._starts[index + 1])


def _worth_reading(folded: list[str]) -> list[int]:
    """The numbers of the lines that say something new; a log of megabytes repeats itself."""
    seen: dict[str, int] = {}
    kept = []
    for index, text in enumerate(folded):
        shape = text.translate(_WITHOUT_DIGITS)
        count = seen.get(shape, 0)
        if count < ALIKE_LIMIT:
            seen[shape] = count + 1
            kept.append(index)
    return kept


def _both_ends(numbers: list[int], folded: list[str]) -> list[int]:
    """Without the middle of what is longer than anybody reads, so that time stays bounded."""
    ends = list(accumulate(len(folded[number]) + 1 for number in numbers))
    if not ends or ends[-1] <= 2 * INDEX_LIMIT:
        return numbers
    head = bisect.bisect_right(ends, INDEX_LIMIT)
    tail = bisect.bisect_left(ends, ends[-1] - INDEX_LIMIT)
    return numbers[:head] + numbers[tail:]


def _clean(pasted: str) -> list[str]:
    plain = pasted.replace("\r\n", "\n")
    if "\x1b" in plain:
        plain = _ANSI.sub("", plain)
    if not plain.isascii():
        plain = _DIGIT.sub(lambda match: str(int(match[0])), plain)
        for quote, plain_quote in _PLAIN_QUOTES:
            plain = plain.replace(quote, plain_quote)
    plain = _NO_BREAK.sub(" ", _CONTROL.sub("", plain))
    texts = [_unwrap(text) for text in _BREAK.split(plain)]
    if _is_numbered(texts):
        texts = [_NUMBER.sub("", text, count=1) for text in texts]
    return texts


def _unwrap(text: str) -> str:
    text = text[:LINE_LIMIT].rstrip()
    if text.startswith(">"):
        text = _QUOTE.sub("", text, count=1)
    if text.startswith(("│", "┃")):
        text = _FRAMED.sub(r"\1", text, count=1)
    if text.startswith("("):
        text = _PROCESS.sub("", text, count=1)
    if " you " in text or "如果" in text:
        text = _SUPPOSED.sub("", text, count=1)
    return _HEAD.sub("", text, count=1)


_FEWEST_NUMBERED = 3


def _is_numbered(texts: list[str]) -> bool:
    """Whether an editor or ``cat -n`` numbered the lines: nearly all start with a count."""
    filled = [text for text in texts if text]
    found = [int(match[1]) for text in filled if (match := _NUMBER.match(text))]
    if len(found) < max(_FEWEST_NUMBERED, 0.9 * len(filled)):
        return False
    steps = sum(later - former == 1 for former, later in pairwise(found))
    return steps >= 0.8 * (len(found) - 1)

"""A pasted text, cleaned and indexed, so that readers look only at the lines that concern them.

People paste logs with colours, quoted with ``> ``, numbered, with Windows line ends. What a
line says is kept; what the way of pasting added is taken off. Reading is linear in the input:
a reader names the words that it is interested in (its cues) and gets the lines that hold them,
found by plain substring search.
"""

from __future__ import annotations

import bisect
from copy import copy
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from ..regex import regex
from .wrapped import LINE_LIMIT, joined

if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

#: Of a long text so many characters are indexed from its start, and again from its end.
INDEX_LIMIT = 3 << 16
#: Of a text that is longer than this, only what is not said again and again is indexed.
LARGE = 2 * INDEX_LIMIT
#: So many lines that differ in nothing but their digits are indexed, of a large text.
ALIKE_LIMIT = 32

#: Of so many letters the index keeps every sequence that occurs: one look tells most cues absent.
_SEQUENCE = 4

ANSI = regex(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
#: Control characters, and spaces that are wide, narrow or unbreakable.
_ODD = regex(r"[\x00-\x08\x0e-\x1f\x7f\u200b\ufeff\u00a0\u202f\u3000]")
_SPACES = "\u00a0\u202f\u3000"
#: Digits of other scripts, which a terminal in their language may print.
_DIGIT = regex(r"[^\D0-9]")
#: Word processors and chats put these in the place of plain ones.
_PLAIN_QUOTES = {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'}
#: The wide forms of "(", ":", "a" and the like, which a Chinese or Japanese keyboard has.
_WIDE = {chr(wide): chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
_IN_ASCII = str.maketrans({**_PLAIN_QUOTES, **_WIDE})
#: How a line in ASCII begins that `_unwrap` may shorten.
_BEGINNINGS = frozenset(">(0123456789")
_QUOTE = regex(r"\A(?:>[ \t])+|\A>\Z")
_PROCESS = regex(r"\A\((?:[\w.-]+,? )*pid=\d+[^)\n]{0,40}\) ?")
#: What runs a program writes in front of its lines: the journal, Compose, torchrun, GitHub's
#: runners, llama.cpp's own clock.
_HEAD = regex(
    r"""(?ax)\A(?:
        [A-Z][a-z]{2}\s{1,2}\d{1,2}\s\d\d:\d\d:\d\d\s[\w.-]{1,64}\s[\w@.-]{1,64}\[\d{1,9}\]:\s
      | [\w.-]{1,60}-\d{1,3}\s{1,20}\|\s
      | (?:\[(?:default|rank|trainer)\d{1,4}\]:\s?){1,2}
      | \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z\s
      | \d{1,3}\.\d\d\.\d{3}\.\d{3}\s[A-Z]\s{1,3}
    )"""
)
#: A line inside a frame, as Rich draws one around tracebacks; a table has a bar inside as well.
_FRAMED = regex(r"\A[│┃] ?([^│┃]*)[│┃]\Z")
#: Where a line of prose is parted into its sentences.
BETWEEN_SENTENCES = regex(r"(?<=[.!?;])\s+")
#: What `Line.source` gives.
_SOURCE = regex(r"line (\d{1,9}) of the text")
_NUMBER = regex(r"\A[ \t]*(\d{1,7})(?:\t|[ \t]*[:|│][ \t]?|\Z)")
#: Advice for the case that something fails, which does not tell that it did.
_SUPPOSED = regex(
    r"(?i)\b(?:if|when|whenever|in case) (?:you|users|people) (?:(?:are|also|ever|still|will) )?"
    r"(?:get(?:ting)?|see(?:ing)?|encounter\w*|hit|run(?:ning)? into|fac(?:e|ing)|receiv(?:e|ing)"
    r"|experienc(?:e|ing)|have (?:an?|the|this|that) (?:error|problem|issue))\b.*"
    r"|如果(?:你|您)?(?:遇到|出现|看到|碰到).*"
)


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
        *("_folded", "_found", "_indexed", "_sequences", "_starts", "_texts", "_where"),
        "lacks_middle",
    )

    def __init__(self, pasted: str) -> None:
        self._texts = _clean(pasted)
        self._indexed: Sequence[int] = range(len(self._texts))
        #: Whether it is longer than anybody reads, even without what it repeats.
        self.lacks_middle = False
        if sum(map(len, self._texts)) + len(self._texts) > LARGE:
            telling = _worth_reading(self._texts)
            self._indexed = _both_ends(telling, self._texts)
            self.lacks_middle = len(self._indexed) < len(telling)
        self._index()
        self._sequences = {
            self._folded[at : at + _SEQUENCE] for at in range(len(self._folded) - _SEQUENCE + 1)
        }

    def _index(self) -> None:
        """Of the lines that are indexed, as cues are written; what is repeated is searched once."""
        where: dict[str, list[int]] = {}
        for index in self._indexed:
            where.setdefault(self._texts[index], []).append(index)
        folded = [text.lower() for text in where]
        self._where = [*where.values()]
        self._folded = "\n".join(folded)
        self._found: dict[str, tuple[int, ...]] = {}
        self._starts = [0, *accumulate(len(text) + 1 for text in folded)]

    def without(self, numbers: Collection[int]) -> Text:
        """The same text, where the lines of these numbers are empty."""
        return self.shortened(dict.fromkeys(numbers, ""))

    def shortened(self, left: Mapping[int, str]) -> Text:
        """The same text, where only so much is left of the lines of these numbers."""
        if not left:
            return self
        rest = copy(self)
        rest._shorten(left)  # noqa: SLF001  its own kind
        return rest

    def _shorten(self, left: Mapping[int, str]) -> None:
        """Of the sequences some may be gone then: they tell what cannot be there."""
        self._texts = self._texts.copy()
        for number, text in left.items():
            self._texts[number - 1] = text
        self._index()

    def __contains__(self, cue: str) -> bool:
        return bool(self._places(cue))

    def quotes(self, sources: Iterable[str]) -> dict[str, str]:
        """The lines that facts of this text name as their sources."""
        matches = {source: _SOURCE.fullmatch(source) for source in sources}
        numbers = {source: int(match[1]) for source, match in matches.items() if match}
        return {
            source: self._texts[number - 1].strip()
            for source, number in numbers.items()
            if 0 < number <= len(self._texts)
        }

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines, in order."""
        return tuple(Line(number, text) for number, text in enumerate(self._texts, start=1))

    def first(self, count: int) -> tuple[Line, ...]:
        """Up to `count` lines from the beginning."""
        return tuple(self._line(index) for index in range(min(count, len(self._texts))))

    def having(self, *cues: str) -> Iterator[Line]:
        """The lines that hold one of these lower-case words, each once, in order."""
        return map(self._line, self._indexes(cues))

    def unlike(self, *cues: str) -> Iterator[Line]:
        """Of these lines the first of each text: what another one says as well, it has said."""
        return (self._line(self._where[place][0]) for place in self._any_of(cues))

    def _any_of(self, cues: Iterable[str]) -> list[int]:
        """Where among the unlike lines one of the cues stands, in order."""
        found: set[int] = set()
        for cue in cues:
            if places := self._places(cue):
                found.update(places)
        return sorted(found)

    def _indexes(self, cues: Iterable[str]) -> list[int]:
        """Of all lines in which one of the cues stands, in order."""
        places = self._any_of(cues)
        return sorted(index for place in places for index in self._where[place]) if places else []

    def matching(
        self, pattern: re.Pattern[str], *cues: str
    ) -> Iterator[tuple[Line, re.Match[str]]]:
        """The lines that hold a cue and, somewhere, the pattern; each with its first match."""
        matches: dict[str, re.Match[str] | None] = {}  # what is repeated is searched once
        for index in self._indexes(cues):
            text = self._texts[index]
            if text not in matches:
                matches[text] = pattern.search(text)
            if match := matches[text]:
                yield self._line(index), match

    def shows(self, pattern: re.Pattern[str], *cues: str) -> bool:
        """Whether there is such a line."""
        return any(True for _ in self.matching(pattern, *cues))

    def after(self, line: Line, count: int) -> tuple[Line, ...]:
        """Up to `count` lines that follow `line`."""
        end = min(line.number + count, len(self._texts))
        return tuple(self._line(index) for index in range(line.number, end))

    def before(self, line: Line, count: int) -> tuple[Line, ...]:
        """Up to `count` lines that stand right before `line`, in order."""
        start = max(line.number - 1 - count, 0)
        return tuple(self._line(index) for index in range(start, line.number - 1))

    def holding(self, middles: AbstractSet[str]) -> AbstractSet[str]:
        """Those of the `middles` of cues that occur somewhere: of a table of cues, at one look."""
        return middles & self._sequences

    def _line(self, index: int) -> Line:
        return Line(index + 1, self._texts[index])

    def _may_hold(self, cue: str) -> bool:
        """Whether the first, middle and last letters of a cue occur: a search costs far more."""
        return len(cue) < _SEQUENCE or (
            cue[:_SEQUENCE] in self._sequences
            and cue[-_SEQUENCE:] in self._sequences
            and middle_of(cue) in self._sequences
        )

    def _places(self, cue: str) -> tuple[int, ...]:
        """Where among the unlike lines a cue stands; many readers look for the same ones."""
        places = self._found.get(cue)
        if places is None:
            places = tuple(self._find(cue)) if self._may_hold(cue) else ()
            self._found[cue] = places
        return places

    def _find(self, cue: str) -> Iterator[int]:
        at = self._folded.find(cue)
        while at >= 0:
            index = bisect.bisect_right(self._starts, at) - 1
            yield index
            at = self._folded.find(cue, self._starts[index + 1])


def cues(joined: str) -> tuple[str, ...]:
    """Cues as a table writes them, one behind the other: ``"no such file|not found"``."""
    return tuple(joined.split("|"))


def middle_of(cue: str) -> str:
    """Four letters of a cue by which `Text.holding` looks for it; empty: it has fewer."""
    at = (len(cue) - _SEQUENCE) // 2
    return cue[at : at + _SEQUENCE] if at >= 0 else ""


#: Bytes by their small letter, as `bytes.translate` takes them.
_SMALL = bytes(range(256)).lower()


def _worth_reading(texts: list[str]) -> list[int]:
    """The numbers of the lines that say something new; a log of megabytes repeats itself."""
    whole = "\n".join(texts).encode("utf-8", "surrogatepass")
    shapes = whole.translate(_SMALL, b"0123456789").split(b"\n")
    seen: dict[bytes, int] = {}
    kept = []
    for index, shape in enumerate(shapes):
        count = seen.get(shape, 0)
        if count < ALIKE_LIMIT:
            seen[shape] = count + 1
            kept.append(index)
    return kept


def _both_ends(numbers: list[int], texts: list[str]) -> list[int]:
    """Without the middle of what is longer than anybody reads, so that time stays bounded."""
    ends = list(accumulate(len(texts[number]) + 1 for number in numbers))
    if not ends or ends[-1] <= 2 * INDEX_LIMIT:
        return numbers
    head = bisect.bisect_right(ends, INDEX_LIMIT)
    tail = bisect.bisect_left(ends, ends[-1] - INDEX_LIMIT)
    return numbers[:head] + numbers[tail:]


def _clean(pasted: str) -> list[str]:
    texts = _unwrapped(_lines(pasted))
    if _is_numbered(texts):
        texts = [_NUMBER.sub("", text, count=1) for text in texts]
    return joined(texts)


def _lines(pasted: str) -> list[str]:
    """The lines without what a terminal or an editor put into them."""
    plain = pasted.replace("\r\n", "\n") if "\r" in pasted else pasted
    if "\x1b" in plain:
        plain = ANSI.sub("", plain)
    plain = _ODD.sub(lambda odd: " " if odd[0] in _SPACES else "", plain)
    lines = plain.splitlines()
    if max(map(len, lines), default=0) > LINE_LIMIT:
        lines = [line[:LINE_LIMIT] for line in lines]
    return lines


def _unwrapped(lines: list[str]) -> list[str]:
    """The lines by themselves. Most of a log's show by a look that there is nothing around them."""
    return [
        _unwrap(text)
        if text[:1] in _BEGINNINGS
        or "|" in text
        or "]:" in text
        or " you " in text
        or not text.isascii()
        else text
        for text in map(str.rstrip, lines)
    ]


def _unwrap(text: str) -> str:
    if not text.isascii():
        text = _in_ascii(text)
    if text.startswith(">"):
        text = _QUOTE.sub("", text, count=1)
    if text.startswith(("│", "┃")):
        text = _FRAMED.sub(r"\1", text, count=1).rstrip()
    if text.startswith("("):
        text = _PROCESS.sub("", text, count=1)
    if " you " in text or "如果" in text:
        text = _SUPPOSED.sub("", text, count=1)
    if text[:1].isdigit() or "|" in text or "]:" in text:  # as all of these heads
        head = _HEAD.match(text)
        text = text[head.end() :] if head else text
    return text


def _in_ascii(text: str) -> str:
    """With the digits, quotes and brackets that programs print."""
    return _DIGIT.sub(lambda digit: str(int(digit[0])), text.translate(_IN_ASCII))


_FEWEST_NUMBERED = 3


def _is_numbered(texts: list[str]) -> bool:
    """Whether an editor or ``cat -n`` numbered the lines: nearly all start with a count."""
    filled = [text for text in texts if text]
    spare = len(filled) - max(_FEWEST_NUMBERED, 0.9 * len(filled))  # so many may have no number
    found: list[int] = []
    for text in filled:
        if match := _NUMBER.match(text):
            found.append(int(match[1]))
        else:
            spare -= 1
        if spare < 0:
            return False
    steps = sum(later - former == 1 for former, later in pairwise(found))
    return bool(found) and steps >= 0.8 * (len(found) - 1)

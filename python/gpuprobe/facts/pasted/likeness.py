"""What a text's words are mostly told of, for the case that nothing that it states decides."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from ...knowledge.likeness import learned, words
from .. import said
from ..regex import regex
from .statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...knowledge.likeness import Likeness
    from .statement import Statement
    from .text import Text

#: Of a cause with a smaller share nothing is said: it is too often wrong. It takes more to say that
#: nothing is wrong: who believes it stops looking.
_LEAST_SHARE, _LEAST_HEALTHY = 0.4, 0.6
#: Fewer words that are known tell too little; nearly all reports have more.
_FEWEST_WORDS = 18
#: Where more of the words are in no report, it is a text of another kind: a header, a test, a list.
_LEAST_KNOWN = 0.75
#: Of a longer text the beginning is read, as the reports that were learned from are short.
_LINES = 400
_WORDS_SHOWN = 5
#: nvidia-smi names every reason for a slow clock, and of each whether it holds; its questions and
#: headings name what may be asked; code that was commented out does not run; the kernel tells of a
#: processor and of a disk in the same words.
_TELLS_NOTHING = ": Not Active", "--query-gpu=", "mce: CPU", "nvme "
_HEADING = regex(
    r"[a-z_.]+(?: \[[\w%]+\])?(?:, [a-z_.]+(?: \[[\w%]+\])?)+\s*\Z"
    r"|\s*#\s?[\w.]+(?:\[[^\]\n]*\])? ?= ?\S"
    r"|\W{0,2}(?:\w+ ?[=:] ?[Ff]alse,? ?){3,}\W{0,2}\Z"
)
#: What PyTorch's report about every machine says, which readers of their own take apart.
_OF_REPORT = regex(
    r"\[(?:pip3?|conda)\] |Collecting environment information|Versions of relevant libraries"
    r"|(?:Is debug build|ROCM used to build PyTorch|GCC version|Clang version|CMake version"
    r"|Libc version|Python version|Python platform|HIP runtime version|MIOpen runtime version"
    r"|Is XNNPACK available|CUDA_MODULE_LOADING set to): "
)
_ABOUT_GPUS = ("gpu", "cuda", "nvidia", "cudnn", "nccl", "显卡")


def read(text: Text) -> Iterator[Statement]:
    """The cause, its share, and the words that pull most, of the line that pulls most."""
    if not any(cue in text for cue in _ABOUT_GPUS):
        return
    lines = [(line, words(line.text)) for line in text.first(_LINES) if _tells(line.text)]
    there = frozenset[str]().union(*(found for _, found in lines))
    told = learned().likeness(there)
    if told is None or not _stands_out(told) or len(told.pulls) < _LEAST_KNOWN * len(there):
        return
    line, found = max(lines, key=lambda each: fsum(told.pulls.get(word, 0) for word in each[1]))
    strongest = sorted(found & told.pulls.keys(), key=lambda word: (-told.pulls[word], word))
    yield say(said.READS_LIKE, told.cause, line)
    yield say(said.READS_LIKE_PERCENT, round(told.share * 100), line)
    yield say(said.READS_LIKE_WORDS, tuple(strongest[:_WORDS_SHOWN]), line)


def _tells(line: str) -> bool:
    return not (
        any(each in line for each in _TELLS_NOTHING)
        or _HEADING.match(line)
        or _OF_REPORT.match(line)
    )


def _stands_out(told: Likeness) -> bool:
    least = _LEAST_HEALTHY if told.cause == "healthy" else _LEAST_SHARE
    enough = len(told.pulls) >= _FEWEST_WORDS and told.share >= least
    return enough and told.cause != "unknown"

"""What a text's words are mostly told of, for the case that nothing that it states decides."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from ...knowledge.likeness import Likeness, learned, terms
from .. import said
from ..regex import regex
from .noise import is_noise
from .statement import Statements, say

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from .text import Line, Text

#: Of a cause that is told less often than this beyond a machine that works, or by fewer words that
#: are known, nothing is said: it is too often wrong. It takes more to say that nothing is wrong:
#: who believes it stops looking.
_LEAST_LEAD, _LEAST_SHARE_HEALTHY, _FEWEST_WORDS = 0.5, 0.6, 14
#: Of a report's words nearly all are known, and most of its pairs; of a header, a test or a list
#: the words may be, but not so beside each other.
_LEAST_KNOWN_WORDS, _LEAST_KNOWN_PAIRS = 0.85, 0.25
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
#: A text with none of these is about something else, or tells too little to be sure.
_ABOUT_GPUS = (
    *("gpu", "cuda", "nvidia", "cudnn", "nccl", "显卡"),
    *("torch", "tensorflow", "onnx", "wsl", "ptx"),
)


def read(text: Text) -> Statements:
    """The cause, its share, and the terms that pull most, of the line that pulls most.

    No fault is told of by a line that is known to be harmless.
    """
    if not any(cue in text for cue in _ABOUT_GPUS):
        return
    lines = telling(text)
    there = frozenset[str]().union(*(found for _, found in lines))
    told = learned().likeness(there)
    if told is None or not stands_out(told, there):
        return
    line, found = max(lines, key=lambda each: fsum(told.pulls.get(term, 0) for term in each[1]))
    if told.cause != "healthy" and is_noise(line):
        return
    yield say(said.READS_LIKE, told.cause, line)
    yield say(said.READS_LIKE_PERCENT, round(told.share * 100), line)
    shown = _strongest(found.keys() & told.pulls.keys(), told.pulls)
    yield say(said.READS_LIKE_WORDS, tuple(found[term] for term in shown), line)


def stands_out(told: Likeness, there: AbstractSet[str]) -> bool:
    """Whether what the terms of a text are told of is worth saying."""
    pairs, known_pairs = (sum(" " in term for term in each) for each in (there, told.pulls))
    words, known = len(there) - pairs, len(told.pulls) - known_pairs
    if known < _LEAST_KNOWN_WORDS * words or known_pairs < _LEAST_KNOWN_PAIRS * pairs:
        return False
    if told.cause == "healthy":
        enough = told.share >= _LEAST_SHARE_HEALTHY
    else:
        enough = told.share - told.healthy >= _LEAST_LEAD
    return enough and known >= _FEWEST_WORDS and told.cause != "unknown"


def _strongest(found: AbstractSet[str], pulls: Mapping[str, float]) -> tuple[str, ...]:
    """The terms that pull most, each word once: beside "visible devices" no "visible"."""
    shown = list[str]()
    there = set[str]()
    for term in sorted(found, key=lambda each: (-pulls[each], each)):
        parts = term.split(" ")
        if len(shown) < _WORDS_SHOWN and there.isdisjoint(parts):
            shown.append(term)
            there.update(parts)
    return tuple(shown)


def telling(text: Text) -> list[tuple[Line, dict[str, str]]]:
    """The lines whose words count, each with its terms and how they stand there."""
    lines = [(line, terms(line.text)) for line in text.first(_LINES) if _tells(line.text)]
    return [each for each in lines if each[1]]


def _tells(line: str) -> bool:
    return not (
        any(each in line for each in _TELLS_NOTHING)
        or _HEADING.match(line)
        or _OF_REPORT.match(line)
    )

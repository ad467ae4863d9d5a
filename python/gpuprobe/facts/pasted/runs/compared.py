"""The same work on the GPU and on the CPU: what came out of it, and how long it took.

Where the two differ, what ran on the GPU was not done by the CPU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say
from ..text import BETWEEN_SENTENCES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

#: A heading of results: "Output on CUDA:", "### Using CPUExecutionProvider (…)", "GPU:".
_HEADING = regex(
    r"(?i)\A\W{0,6}(?:using |(?:my |the )?(?:outputs?|results?|predictions?|answer)"
    r" (?:on|of|from|with|in|by) (?:the )?)?"
    r"(?P<where>cpu|gpu|cuda|tensorrt|onnx ?runtime)(?:execution ?provider)?(?:[_ ]onnx ?runtime)?"
    r"(?: (?:outputs?|results?|predictions?))?(?: \([^()\n]{3,80}\))?\W{0,4}\Z"
)
#: A row of numbers that an array or a list begins with; the numbers have a point. Where nothing
#: was computed, memory may hold zeros.
_ROW = regex(
    r"(?a)\A[\s\w:]{0,12}(?:\[?(?:array|tensor)\(\s?)?[\[(]{0,8}\s{0,4}"
    r"(?P<first>-?\d{1,8}\.\d{0,20}(?:e[+-]?\d{1,3})?)(?=[\s,\])])"
)
_NOT_ZERO = regex(r"(?a)[1-9]")
_WITHIN = 4
#: One check of a program, of each: "[ Info: check gpu gradient: ([36, 45, 54], …)".
_CHECKED = regex(
    r"(?i)\b(?P<where>cpu|gpu) (?:gradients?|results?): (?P<told>[\[(]{0,4}-?\d.{2,200})"
)

#: "0.1 s on the CPU", "700 steps per second on the GPU", "with the GPU it takes 17 minutes".
_UNIT = (
    r"(?P<unit{0}>ms|s|sec(?:ond)?s?|min(?:ute)?s?|h(?:ours?|rs?)?"
    r"|(?:\w{{2,12}} ?(?:/|per) ?s(?:ec(?:ond)?)?))\b"
)
_NUMBER = r"(?<![\w.=\[])(?P<number{0}>\d{{1,6}}(?:\.\d{{1,6}})?) ?"
_ON = (
    r"\b(?:on|with|using|by|for|from) (?:the |a |my |several |\d |\w{{3,24}}=)?"
    r"(?P<where{0}>[cg]pu)s?\b"
)
_TIMED = regex(
    rf"(?i){(_NUMBER + _UNIT).format(1)}(?: (?:in total|each))?,? {_ON.format(1)}"
    rf"|{_ON.format(2)}(?:[^.;:\d\n]{{0,60}}(?::|\b(?:takes?|took|needs?|around|about|some|is|it)\b)"
    rf"[^.;\d\n]{{0,24}}?)?\W{{0,3}}(?:\d{{1,4}}-)?{(_NUMBER + _UNIT).format(2)}"
)
_NOT_TOLD = regex(
    r"(?i)\?|\b(?:if|should|would|could|expect\w*|must|per (?:month|hour|day)|timeout|wait\w*"
    r"|start\w*|load\w*|install\w*|compil\w+|import\w*|first|before|used to)\b"
)
#: A heading of times, and a time below it.
_TIMES_OF = regex(
    r"(?i)\A\W{0,4}(?:on (?:the )?)?(?P<where>[cg]pu)(?: (?:test )?(?:results?|times?|run))?"
    r"\W{0,3}\Z"
)
_TIME = regex(
    r"(?ai)\btimes? ?[:=] {0,3}(\d{1,6}\.\d{1,20})(?![\w.])"
    r"|\((\d{1,6}\.\d{1,6}) ?s(?:ec)?\)"
)
_REPEATED = 8
_DIGITS = regex(r"[\d.]+")
_LONGEST = 400
_FACTOR = 1.4
_SECONDS = {"ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


def read(text: Text) -> Statements:
    """Results first, then times."""
    yield from _results(text)
    yield from _checks(text)
    times: dict[bool, tuple[float, str, Line]] = {}
    for where, amount, kind, line in (*_times(text), *_below_headings(text)):
        times.setdefault(where, (amount, kind, line))
    if True in times and False in times and times[True][1] == times[False][1]:
        (gpu, _, line), (cpu, _, _) = times[True], times[False]
        if min(gpu, cpu) > 0 and max(gpu, cpu) >= _FACTOR * min(gpu, cpu):
            yield say(said.SIGN("gpu-timed-told"), line.text.strip()[:120], line)


def _below_headings(text: Text) -> Iterator[tuple[bool, float, str, Line]]:
    """The median of the times that a program prints again and again below a heading."""
    for line, match in text.matching(_TIMES_OF, "cpu", "gpu"):
        below: dict[str, list[float]] = {}
        for each in text.after(line, _REPEATED):
            if _TIMES_OF.match(each.text):
                break
            if timed := _TIME.search(each.text):
                label = _DIGITS.sub("", each.text[: timed.start()])
                below.setdefault(label, []).append(float(timed[1] or timed[2]))
        from statistics import median  # which brings fractions and random numbers along

        for label, numbers in below.items():
            if len(numbers) > 1:
                yield match["where"].lower() == "gpu", median(numbers), label, line
                break


def _results(text: Text) -> Statements:
    """Each heading with the numbers below it."""
    told: dict[str, tuple[str, Line]] = {}
    for line, match in text.matching(_HEADING, "cpu", "gpu", "cuda", "tensorrt", "onnx"):
        for below in text.after(line, _WITHIN):
            row = _ROW.match(below.text)
            if row is not None:
                told.setdefault(match["where"].lower(), (row["first"], below))
                break
    yield from _differing(told)


def _checks(text: Text) -> Statements:
    told: dict[str, tuple[str, Line]] = {}
    for line, match in text.matching(_CHECKED, "cpu ", "gpu "):
        told.setdefault(match["where"].lower(), (match["told"].strip(), line))
    yield from _differing(told)


def _differing(told: dict[str, tuple[str, Line]]) -> Statements:
    by_gpu = next((told[each] for each in ("gpu", "cuda", "tensorrt") if each in told), None)
    others = (told[each][0] for each in ("cpu", "onnxruntime", "onnx runtime") if each in told)
    if by_gpu is None or not _NOT_ZERO.search(by_gpu[0]):
        return
    if any(other != by_gpu[0] for other in others):
        yield say(said.FRAMEWORK_COMPUTED("program"), True, by_gpu[1])


def _times(text: Text) -> Iterator[tuple[bool, float, str, Line]]:
    """Of each amount whether it is the GPU's, the amount, of what kind it is, its line."""
    for line in text.unlike("gpu", "cpu"):
        told = BETWEEN_SENTENCES.split(line.text) if len(line.text) <= _LONGEST else ()
        plain = (sentence for sentence in told if not _NOT_TOLD.search(sentence))
        for match in (match for sentence in plain for match in _TIMED.finditer(sentence)):
            at = 1 if match["where1"] else 2
            unit = match[f"unit{at}"].lower()
            is_rate = "/" in unit or " per " in unit or unit.endswith("persecond")
            amount = float(match[f"number{at}"])
            scale = 1.0 if is_rate else _SECONDS["ms" if unit == "ms" else unit[0]]
            kind = "rate" if is_rate else "time"
            yield match[f"where{at}"].lower() == "gpu", amount * scale, kind, line

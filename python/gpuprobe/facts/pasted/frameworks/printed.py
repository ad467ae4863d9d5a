"""What code in the text asked and printed: at a prompt, by ``python -c``, by a script's prints.

The code's expressions (see `expressions`) stand in a certain order; so do the values in the
lines that answer it. Labels count too: "torch.cuda.is_available(): False".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..prompts import command_of
from ..statement import say
from .expression_values import fails_at_last, sees_elsewhere, sees_what_it_counts
from .expressions import EXPRESSIONS, Expression

if TYPE_CHECKING:
    from ..statement import Statements
    from ..text import Line, Text

    #: Where an expression begins and ends in its line.
    _Place = tuple[int, int, Expression]

#: An answer is looked for in so many lines; a framework's warnings may stand before it.
_FAR = 40
_PRINT = regex(r"\bprint\s?\(|\bprintf?\b|-[ce]\s+[\"']|\becho\b|\bcout\b|\bprintln!")
_CODE = regex(
    r"\A\s*(?:import |from \w|print\s?\(|#|[\w.,]+(?:\[[^\]\n]{1,60}\])? = |for |if |else:|elif "
    r"|with |def |try:|except|(?:os|sys)\.\w+[.(]|\.\.\. ?|\Z)"
)
_NOISE = regex(
    r"(?a)\A\s*(?:\d{4}-\d\d-\d\d |[IWEF]\d{4} |[IWEF] (?:tensorflow|external)|WARNING"
    r"|\S+:\d+: \w*Warning|return [\w.]+\(|warnings?\.warn|To enable |Skipping regist|File \""
    r"|(?:Executing|Ending) Cell \d)"  # papermill
)
_STATED = regex(
    r"(?i)\A[)\"'`]*(?:\s{0,3}(?:[:=]{1,2}|-{1,2}>|=>|#|\b(?:is|was|gives|giving|returns?|returned"
    r"|returning|keeps|prints?|outputs?|shows?|says|evaluates to|yields|always|still|just|only|also"
    r"|now)\b)){1,3}\s{0,3}[\"'`*]*"
)
#: "is_available() True, torch 2.4": nothing between them, and nothing behind that goes on.
_STATED_BARE = regex(r"[ \t]{1,3}(?=(?:True|False|None)\s?(?:[,;.)]|\Z)|'\d+\.\d[\w.+]*')")
#: The same in other languages, of which only a no is taken: people tell there of machines that did
#: better.
_STATED_NO = regex(
    r"\s?(?:一直|总|还|都|也|就|依然|仍然){0,3}(?:是|为|返回|显示|输出|打印|发现){1,3}\s?(?=[Ff]alse)"
    r"|[\"'`]?\s?(?:が|は|で)\s?(?=[Ff]alse)"
    r"|[\"'`]?\s(?:\w{2,8} )?(?:ist|gibt|liefert|zeigt|meldet|est|renvoie|retourne|donne|affiche"
    r"|es|da|devuelve|muestra|retorna|é|è|restituisce|возвращает|выда[её]т|показывает)\s"
    r"(?:\w{2,8} )?[\"'`*]*(?=[Ff]alse)"
)
#: What may stand before a printed value: nothing, brackets, words with a sign, a word or two.
_LABEL = regex(
    r"[\s'\"(\[{,*]*|\[1\] |.*[:=?>]\s*['\"\[(]*|.*\bv?"
    r"|\W*(?:(?i:and) )?(?:\w+ ){1,2}`?"
    r"|.*\b(?:it|this|that) (?:is|was|gives|prints|says|returns|shows|still says|remains) `?"
    r"|/job:\S{1,80} "  # a device of TensorFlow's
)
_COMMENT = regex(
    r"#\s{0,3}(?:=>|->|>>>|prints?:?|returns?:?|outputs?:?|still|always|only|just)?\s{0,3}"
)
#: Words that make of "is_available() returns True" a wish, a condition or a question.
_HEDGED = regex(
    r"(?i)\b(?:should|must|make sure|ensure|expect\w*|if|when|assert|until|unless|whether|why"
    r"|before|previously|would|could|assuming|check|verify|confirm|want|used to|instead|once"
    r"|wenn|falls|sollte|si|quand|cuando|quando|debe|deve|если|когда)\b"
)


#: The other answer in the same sentence: "returns True on the host, but returns False inside".
_BUT_NO = regex(
    r"(?:[^.;?\n]|\.(?=\d)){1,100}?\b(?:but|yet|while|whereas|although|though|and)\b[^.;?\n]{0,40}?"
    r"\b(?:is|returns?|gives?|prints?|shows?|says|becomes?) [\"'`*]*(False)\b"
)
#: A comment that tells what an answer would mean, and not which one came.
_MEANT = regex(r"\s{1,3}(?:means?|if|when|unless|indicates|would|or)\b")
#: The same in a sentence, as manuals have it.
_DEFINED = regex(r"`?\s{1,3}(?:if|when) (?:an?|any|the (?:system|machine)|there) ")


def read(text: Text) -> Statements:
    """The values of all expressions of the table that the text asks and answers."""
    stated = list(_values(text))
    yield from _unasked(text)
    yield from fails_at_last(stated)
    yield from sees_what_it_counts(stated)
    yield from sees_elsewhere(stated)


#: A line of a script's answers: torch's CUDA, a number of GPUs or of cuDNN's, the GPU's name.
_CUDA = regex(r"(?a)\A\s*(\d{1,2})\.(\d)\s*\Z")
_NUMBER = regex(r"(?a)\A\s*\d{1,6}\s*\Z")
_GPU = regex(r"\A\s*(?:NVIDIA|Tesla|Quadro|GeForce) [\w -]{2,60}\Z")
_ANSWERS = 4


def _unasked(text: Text) -> Statements:
    """A script's answers alone: True, the CUDA of the torch that is named, and a GPU's name."""
    for line in text.having("true"):
        if line.text.strip() != "True":
            continue
        below = [each.text for each in text.after(line, _ANSWERS)]
        rest = [each for each in below if not _NUMBER.match(each)][:2]
        cuda = _CUDA.match(rest[0]) if rest else None
        named = len(rest) > 1 and _GPU.match(rest[1]) is not None
        if cuda and named and f"+cu{cuda[1]}{cuda[2]}" in text:
            yield say(said.FRAMEWORK_SEES_GPU("torch"), True, line)


def _values(text: Text) -> Statements:
    lines = sorted(
        {line.number: line for each in EXPRESSIONS for line in text.having(each.cue)}.items()
    )
    pending: list[tuple[Expression, Line]] = []
    last = 0
    for number, line in lines:
        found = _found(line)
        yield from _stated(line, found)
        asked = _asked(line, found)
        if pending and not _one_script(text, last, number, pending[-1][1]):
            yield from _answered(text, pending)
            pending = []
        pending += [(each, line) for each in asked]
        last = number
    yield from _answered(text, pending)


def _found(line: Line) -> list[_Place]:
    """Where expressions stand in a line, in order."""
    return sorted(
        (
            (match.start(), match.end(), each)
            for each in EXPRESSIONS
            for match in each.code.finditer(line.text)
        ),
        key=lambda found: found[:2],
    )


def _asked(line: Line, found: list[_Place]) -> list[Expression]:
    """Those of the expressions in a line whose values this line of code prints."""
    if not found:
        return []
    command = command_of(line)
    bare = command is not None and line.text.lstrip().startswith((">>>", "In"))
    alone = line.text.strip(" `") == line.text[found[0][0] : found[-1][1]].strip()
    if not (bare or alone or _PRINT.search(line.text)):
        return []
    if bare and re.match(r"(?:[\w.]+ = |if |assert |for |while |with |device)", command or ""):
        return []
    return [each for _, _, each in found]


def _stated(line: Line, found: list[_Place]) -> Statements:
    """``expression: value`` and ``print(expression)  # value`` in one line."""
    for _, end, each in found:
        rest = line.text[end : end + 200]
        sign = _STATED.match(rest) or _STATED_NO.match(rest) or _STATED_BARE.match(rest)
        if sign is None and (comment := _COMMENT.search(rest)) and _PRINT.search(line.text):
            sign = comment
        if sign is None or _HEDGED.search(line.text[: end + sign.end()]):
            continue
        answer = rest[sign.end() :].lstrip("'\"` ")
        value = each.value.match(answer)
        if value is None or _DEFINED.match(answer, value.end()):
            continue
        if not ("#" in sign[0] and _MEANT.match(answer, value.end())):
            no = _BUT_NO.match(answer, value.end()) if value[0] == "True" else None
            yield from each.told(no[1], line) if no else ()
            yield from each.told(value[0], line)


def _one_script(text: Text, former: int, later: int, line: Line) -> bool:
    """Whether nothing but code stands between two lines that ask: their answers follow both."""
    if command_of(line) is not None or later - former > _FAR:
        return False
    between = text.after(line, later - former - 1)
    return all(_CODE.match(each.text) or "print" in each.text for each in between)


def _answered(text: Text, pending: list[tuple[Expression, Line]]) -> Statements:
    """The values, in the order of the questions."""
    if not pending:
        return
    answers = _answers(text, pending[-1][1])
    at, column = 0, 0
    for each, _ in pending:
        for index in range(at, len(answers)):
            start = column if index == at else 0
            value = _value(each, answers[index], start)
            if value is not None:
                yield from each.told(value[0], answers[index])
                at, column = index, value.end()
                break


def _answers(text: Text, line: Line) -> list[Line]:
    """The lines that a program printed after `line`, without what it only warned about."""
    from ..prompts import answer

    found = answer(text, _start_of(text, line) or line)[:_FAR]
    at = next((n for n, each in enumerate(found) if not _CODE.match(each.text)), len(found))
    kept = (each for each in found[at:] if not _NOISE.match(each.text) and each.text.strip())
    return [each for each in kept if not each.text.startswith("Traceback")][:_FAR]


#: A command that shows a script, and one that runs it.
_SHOWN = regex(r"(?i)\A(?:cat|type|head|tail|more|less|bat)\b.{0,200}?([\w-]{1,60}\.py)\b")
_RUN = regex(r"(?i)\bpy(?:thon)?[\w.]{0,6}(?:\.exe)?['\"]? .{0,200}?([\w-]{1,60}\.py)\b")


def _start_of(text: Text, line: Line) -> Line | None:
    """The command that runs the script in whose listing `line` stands, if it is the next one."""
    above = (command_of(each) for each in reversed(text.before(line, _FAR)))
    shown = _SHOWN.match(next((each for each in above if each is not None), ""))
    if command_of(line) is not None or shown is None:
        return None
    for each in text.after(line, _FAR):
        command = command_of(each)
        if command is not None:
            run = _RUN.search(command)
            return each if run and run[1].lower() == shown[1].lower() else None
    return None


def _value(each: Expression, line: Line, start: int) -> re.Match[str] | None:
    """The value in a line that holds little else: alone, in a row of values, behind a label."""
    match = each.value.search(line.text, start)
    if match is None:
        return None
    label = line.text[start : match.start()]
    rest = line.text[match.end() :]
    if len(label) > 80 or len(rest) > 400 or _HEDGED.search(label):  # noqa: PLR2004
        return None
    return match if _LABEL.fullmatch(label) else None

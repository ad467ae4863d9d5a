"""Messages that a sentence names in passing: what is over, denied, supposed, or another's.

A program writes its message in a line of its own; who writes about one puts it in quotes and says
what there is about it. What is said is looked for in what is left when the quotation is taken out,
so that no word of a message decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..regex import regex
from .beside import CUES, goes_on, is_beside, is_of_another
from .text import cues

if TYPE_CHECKING:
    from .text import Text

#: What stands for the quotation.
_MARK = "§"
#: A quotation of a message, and not of a name or a command: of four words at least.
_WORDS = r"(?=(?:[^{0}\n]* ){{3}})(?![^{0}\n]* -{{1,2}}\w)[^{0}\n]{{8,500}}"
_QUOTED = regex(
    rf"`{{1,3}}{_WORDS.format('`')}`{{1,3}}|\"{_WORDS.format(chr(34))}\""
    r"|[`\"'](?:CUDA|CUDNN|CUBLAS|CUFFT|CUSPARSE|CUSOLVER|NVML|NCCL)_(?:ERROR|STATUS)_[A-Z_]+[`\"']"
    rf"|(?<!\w)'{_WORDS.format(chr(39))}'(?!\w)|“{_WORDS.format('“”')}”"
)
#: A line of a program's log, which quotes as well.
_LOGGED = regex(
    r"\A[\s\[(>|]{0,4}(?:[IWEF]\d{4} |(?:time=\"?)?\d{2,4}[-/]\d\d[-/]\d\d|\d\d:\d\d|\d+\.\d+\]"
    r"|[\w:.\[-]{0,20}(?:INFO|WARN|ERROR|DEBUG)\b|\w+(?:Error|Warning|Exception): )"
)
_LONGEST = 900

_SOLVED = r"(?:solved|fixed|resolved|gone|history|sorted|cured)"
_PAST = r"(?:got|had|saw|said|was|were|showed|printed|gave|failed|hit|ran into|met|ended)"
_TIME = (
    r"(?:earlier|previously|formerly|in the past|back then|last (?:week|month|year|summer|winter)"
    r"|(?:days|weeks|months|years) ago|before (?:the|that|my|this|I|we))"
)
_PAGE = (
    r"\b(?:docs?|documentation|readme|troubleshooting|faq|manual|page|guide|wiki|tutorial|article"
    r"|release notes?|change ?log|blog|book|course)\b"
)
_MENTIONS = r"(?:lists?|mentions?|says?|names?|describes?|explains?|covers?|warns?|tells?|shows?)"

#: Each is searched for in a sentence without its quotation.
_SAID = regex(
    "(?i)"
    # it is over
    rf"{_MARK}[^{_MARK}]{{0,160}}\b(?:is|was|are|were|got|been|went)\b[^{_MARK}.]{{0,24}}"
    rf"\b(?:{_SOLVED}|away)\b"
    rf"|\b(?:I|we|got) (?:have |had |already |then )?(?:solved|fixed|resolved|cured|rid of)\b"
    rf"[^{_MARK}.,;]{{0,24}}{_MARK}"
    rf"|\bused to (?:see|get|have|be|say|print|show|fail|give|end)\b[^{_MARK}]{{0,40}}{_MARK}"
    rf"|{_MARK}[^{_MARK}]{{0,80}}\b(?:not any ?more|any longer|no longer|anymore)\b"
    rf"|\bno longer (?:see|get|have|shows?|prints?|gives?|says?)\b[^{_MARK}]{{0,30}}{_MARK}"
    # it is not so
    r"|\b(?:do|does|did|have|has|had|is|are|was|were)(?: not|n't)"
    r" (?:(?:see|get|have|show|print|give|receive|encounter|hit|observe|contain|say|the|an?|any"
    r"|this|that|such|usual|same|known|even|find|about|error|message|warning|line|seen|got|had)"
    rf"[\s:]{{1,2}}){{1,6}}{_MARK}"
    r"|\b(?:never|no|without)(?: (?:see|saw|seen|got|get|had|the|an?|any|this|that|such|usual"
    rf"|error|message|warning|line))*[\s:]{{1,2}}{_MARK}"
    # what might be
    rf"|\A\W*(?:and |so |but )?(?:could|would|will|may|might) (?:this|that|it|such|there|they)\b"
    rf"[^?]*{_MARK}[^?]*\?\W*\Z"
    r"|\b(?:if|when|where|in case|whenever)\b[^§.]{0,60}"
    r"\b(?:some(?:body|one)|any(?:body|one)|a user|users|people|customers)\b"
    rf"[^{_MARK}.]{{0,80}}{_MARK}"
    rf"|\bif there (?:is|are) no (?:gpus?|cuda|drivers?|nvidia|cards?)\b[^{_MARK}.]{{0,60}}{_MARK}"
    # what somebody wishes, or what a page says
    r"|\b(?:clearer|better|nicer|friendlier|more (?:helpful|useful|informative|telling|readable))\b"
    rf"[^{_MARK}]{{0,40}}\b(?:than|instead of|in place of)\b[^{_MARK}]{{0,24}}{_MARK}"
    rf"|{_PAGE}[^{_MARK}.]{{0,40}}\b{_MENTIONS}\b[^{_MARK}]{{0,60}}{_MARK}"
    # another report
    r"|\b(?:related|see also|unlike|not the same as|different from|not a duplicate of|unrelated to)"
    rf"\b[^{_MARK}]{{0,40}}#\d{{1,7}}\b[^{_MARK}]{{0,20}}{_MARK}"
)
#: It was so, and nobody says how it went on.
_BEFORE = regex(rf"(?i)\b{_TIME}\b[^{_MARK}]{{0,80}}\b{_PAST}\b[^{_MARK}]{{0,30}}{_MARK}")
#: Code that prints the message. What code raises may be a frame of a traceback.
_IN_CODE = regex(
    r"\A\s*(?:print|printf|fprintf|echo|puts|log(?:ger|ging)?\.\w+"
    rf"|console\.\w+|std::cerr)\b[^{_MARK}]{{0,60}}{_MARK}"
)
_COMMENT = regex(
    r"\A\s*(?:#|//) {1,2}(?:avoids?|prevents?|otherwise|works? around|to (?:avoid|prevent)"
    r"|without this)\b"
)
#: An entry of a list of changes, or another report, that names the message without quotes.
_ENTRY = regex(
    r"(?i)\A\W{0,6}(?:\[[^\]\n]{1,24}\]\W{0,3})?(?:bug ?)?(?:fix(?:ed|es)?|resolve[sd]?|handle[sd]?"
    r"|avoid(?:s|ed)?|prevent(?:s|ed)?|improve[sd]?)\b[^\n]{4,300}"
    r"(?:#\d{1,7}|\bby @[\w-]{2,40})\)?\W{0,3}\Z"
    r"|\A\W{0,6}(?:related|see also|unlike|not a duplicate of|unrelated to)\b\W{0,3}"
    r"[\w/.-]{0,60}#\d{1,7}\b"
)
_FIRST_PERSON = regex(r"(?i)\b(?:I|my|me|we|our|us|here)\b")
_CUES = cues(
    "solved|fixed|resolved|gone|history|sorted|cured|rid of| away|used to|any more|anymore"
    "|any longer|no longer|earlier|previously|formerly|in the past|back then|last week|last month"
    "|last year| ago|before |not |n't |never |no |without |could |would |will |may |might |if "
    "|when |where |in case|clearer|better|nicer|friendlier|more |doc|readme|troubleshooting|faq"
    "|manual|page|guide|wiki|tutorial|article|release note|changelog|change log|related|see also"
    "|unlike|different from|old|other|second|former|previous|friend|colleague|worker|mate|raise "
    "|throw |assert |print|log|warn|echo |avoid|prevent|otherwise|around|fix|resolve|handle"
    "|improve|blog|book|course|puts "
)


#: Where one sentence ends and another one begins.
_BETWEEN = regex(r"(?<=[.!?)]) {1,2}(?=[A-Z(`\"'§])")


def sentences_left(text: Text) -> dict[int, str]:
    """What is left of the lines in which a sentence names something in passing, by number."""
    cues = *_CUES, *CUES
    short = (line.text for line in text.unlike(*cues) if len(line.text) <= _LONGEST)
    left = {line: kept for line in short if (kept := _kept(line)) != line}
    if not left:
        return {}
    return {line.number: left[line.text] for line in text.having(*cues) if line.text in left}


def _kept(line: str) -> str:
    """A line without such sentences; what a quotation holds ends none."""
    if _COMMENT.match(line):
        return ""
    if _ENTRY.match(line):
        return line if _FIRST_PERSON.search(line) else ""
    if _LOGGED.match(line):
        return line
    quoted = [match[0] for match in _QUOTED.finditer(line)]
    sentences = _BETWEEN.split(_QUOTED.sub(_MARK, line))
    kept = []
    for sentence in sentences:
        own = [quoted.pop(0) for _ in range(sentence.count(_MARK)) if quoted]
        if not _is_in_passing(sentence, line):
            kept.append(_filled(sentence, own))
    return line if len(kept) == len(sentences) else " ".join(kept)


def _filled(sentence: str, quoted: list[str]) -> str:
    for each in quoted:
        sentence = sentence.replace(_MARK, each, 1)
    return sentence


def _is_in_passing(sentence: str, line: str) -> bool:
    if _MARK not in sentence:
        return is_beside(sentence)
    if _IN_CODE.match(sentence):
        return True
    if _SAID.search(sentence) or is_of_another(sentence) or is_beside(sentence):
        return not goes_on(sentence)
    return _BEFORE.search(sentence) is not None and not goes_on(line)

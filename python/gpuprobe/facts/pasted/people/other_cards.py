"""What people say of a machine of theirs without a card of NVIDIA's: another maker's, or none.

A product of NVIDIA's named anywhere in the text may be the card beside it; then nothing is said.
Nor is it by sentences that suppose, or that tell what others have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from .. import gpu_names
from ..statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..statement import Statement
    from ..text import Line, Text

#: Of a line, and of a sentence.
_LONGEST, _LONGEST_SENTENCE = 2000, 400
#: What a program says, which people quote within a sentence of their own.
_QUOTED = regex(r"\"[^\"\n]{0,300}\"|`[^`\n]{0,300}`")
#: Words that stand out, as Markdown has it: "a machine **without** a card".
_EMPHASIS = regex(r"\*\*|(?<!\w)__|__(?!\w)")
_SENTENCE = regex(r"(?<=[.!?;])\s+|[\u3002\uff0c\uff01\uff1f\uff1b]")
_SUPPOSED = regex(
    r"(?i)\b(?:if|when|unless|whether|in case|require\w*|recommend\w*|users?|people|anyone"
    r"|someone|those|allow\w*|e\.g|for example|such as|until|check that|also|another|other|old"
    r"|previous\w*|friend\w*|should|instead)\b|如果|需要|建议|是否|另一"
)
_NVIDIA = regex(r"(?i)\b(?:nvidia|geforce|gtx|rtx|quadro|tesla)\b|英伟达|N卡")
#: The maker's name, and how people misspell it.
_BRAND = r"n(?:vidia|ividia|videa|vida|vdia|ividea)\b"
_BRAND_CUES = ("nvid", "nivid", "nvdia")
_CARD = r"(?:gpus?|(?:graphics? |video )?(?:cards?|adapters?|hardware|devices?)|graphics)\b"
_MACHINE = (
    r"(?:machine|computer|laptop|notebook|pc|desktop|server|vm|virtual machine|instance|node|box"
    r"|workstation|system|cluster|host|platform|mac(?:book)?(?: pro| air| mini)?)"
)
#: What makes it another statement: "no GPU memory", "without GPU support", "no GPU available".
_OF_IT = (
    r"(?![ -](?:memory|support\w*|access|drivers?|available|free|left|utili\w+|usage|process\w*"
    r"|accel\w+|is|are|was|version|passthrough|build|backend|code)\b)"
)
#: A machine that lacks a card, whichever way it is put: "this laptop has no GPU", "a PC without a
#: CUDA-capable card"; and its owner, who has none.
_LACKS = (
    r"(?:w/o|without|with no|has no|have no|has got no|lacks?|lacking|does(?:n'?t| not) have"
    r"|do(?:n'?t| not) have|contains no)"
)
_KIND = (
    rf"(?:an? |any |the |real |physical |actual )?(?:(?:{_BRAND}|dedicated|discrete|separate"
    r"|cuda(?:[- ](?:capable|enabled|compatible))?),? ){0,2}"
)
#: Nothing goes on that makes it another statement: "no GPU quota", "no GPU in task manager".
_ALONE = (
    r"(?=\W{0,3}(?:\Z|[.,;:!?()])|,? (?:and|but|so|at all|whatsoever|just|only|to|for|hence|which"
    r"|that|installed|attached|built|raise[sd]?|gives?|either|anyway|then|I|we|it)\b)"
)
_LACKING = regex(
    rf"(?i)\b(?:{_MACHINE}|host os|hosts?|nodes?),? (?:that |which )?{_LACKS} {_KIND}{_CARD}"
    rf"{_ALONE}|\b(?:I|we)(?: currently| simply| just)? (?:have no|(?:do not|don'?t)(?: even)?"
    rf" (?:have|own)) {_KIND}{_CARD}{_ALONE}"
    rf"|\bno {_KIND}{_CARD} (?:is|are) (?:attached|installed|present|built in|plugged in)\b"
    rf"|\b{_MACHINE} (?:that |which )?(?:only has|has only|with only) (?:an? |one |its )?cpus?\b"
    rf"{_ALONE}"
    rf"|\b(?:{_MACHINE}|device) (?:that |which )?has (?:an? )?cpu only\b"
    r"(?! (?:build|version|image|wheel))"
    rf"|\b{_MACHINE},? (?:there is |and )?no {_KIND}{_CARD}(?=\W{{0,3}}\Z)"
    # In a list of what there is: neither where one looked, nor after what one did.
    r"|\A(?!\W{0,4}(?:in|inside|on|under|with|after|at|from|within|when|by|through|via|for)\b)"
    r"(?!.*\b(?:re)?(?:install|updat|upgrad|boot|start|ran|run|tried)\w*)"
    r"[^\n]{1,40}, no gpu\W{0,3}\Z"
    r"|\b(?:I'm|am) running without {1,2}(?:an? )?gpu\b(?! (?:flag|option|and))"
    r"|\bnon[- ]gpu (?:instance|node|machine|server)\b"
    r"|(?<!说)(?<!示)没有(?:显卡|GPU|独显)(?=\W{0,2}(?:\Z|[,;\uff0c\u3002\uff1b]))"
)
#: One of them is in all that `_LACKING` finds, at a hundredth of its price.
_NEGATIONS = ("no", "w/o", "without", "lack", "n't", "only", "没有")
#: What works there as well is no machine of which anything is asked.
_WORKS = regex(
    r"(?i)\b(?:works?|worked|fine|succeed\w*|passes|(?:run|try|use|test|start) (?:it|this|that))\b"
)
#: A symptom, a quotation, or a machine on which the work does not run.
_ELSE = regex(
    r"(?i)\b(?:login|head|build|front[- ]?end|control|ci|compile)"
    r" (?:node|machine|host|box|server|runner)s?\b"
    r"|\b(?:after|since (?:the|an?|my|last)|any ?more|suddenly|yet|says?|according to|reports?)\b"
    r"|\b(?:error|docker host)\b|nvidia-smi|\blspci\b|\bwsl\b|\bgpu (?:nodes?|queue|partition)\b"
)
#: Where a card is to be passed on to, or what is to find it: the machine may well have one.
_PLACED = regex(
    r"(?i)\b(?:in|inside|within|under)(?: of)? (?:the |an? |my |our |this |its )?(?:\w+ )?"
    r"(?:containers?|docker|podman|pods?|vm|virtual machine|guest|wsl ?2?|kubernetes|k8s|lxc|jail"
    r"|chroot|notebook|jupyter\w*|pytorch|torch|tensorflow|keras|jax|task manager|device manager)"
    rf"\b(?!,? (?:that |which )?(?:{_LACKS}|(?:only )?ha[sd]\b|with only)\b)"
)
#: What was there before something was changed.
_LOST = regex(
    r"(?i)\b(?:after|since|until) (?:[\w-]+ ){0,3}?(?:updat|upgrad|reboot|restart|reinstall|kernel"
    r"|driver|suspend|resum|sleep|hibernat|crash|change|switch|mov)\w*"
    r"|\b(?:any ?more|suddenly|no longer)\b"
)
_OWNED = (
    r"\b(?:I|we|my|our)\b[^.\n]{0,24}?\b(?:have|has|own|use[ds]?|using|got|with|run(?:s|ning)? on"
    r"|on|is|has got)\b (?:only |just |an? |the |my |this )*"
)
_NONE = regex(
    rf"(?i)\bthere(?:'s| is) no (?:{_BRAND}|cuda) (?:device|{_CARD}) in (?:this|my) {_MACHINE}\b|"
    r"\b(?:I|we|(?:my|our|this) \w+) (?:don'?t|do not|doesn'?t|does not)(?: even)?"
    rf" (?:have|own|use) (?:an? |any |the )?(?:{_BRAND}|geforce|dedicated|discrete"
    rf"|cuda[- ]capable) {_CARD}{_OF_IT}"
    rf"|\b(?:I|we|(?:my|our|this) \w+) (?:have|has|got) no (?:{_BRAND}|dedicated|discrete) "
    rf"{_CARD}{_OF_IT}"
    rf"|\b(?:I|we|my|our|this)\b[^.\n]{{0,60}}\b{_MACHINE},? (?:(?:that|which) )?(?:w/o|without"
    rf"|with no|has no|does(?:n't| not) have) (?:an? |any )?(?:{_BRAND} |dedicated |discrete )*"
    rf"{_CARD}{_OF_IT}"
    rf"|\b(?:on|using) (?:an? |the |my |this )(?:\w+ )?{_MACHINE},? (?:w/o|without|with no|that has"
    rf" no|which has no) (?:an? |any )?{_BRAND} {_CARD}{_OF_IT}"
    rf"|\b(?:on|using|of) (?:the |those |these |some |our |my |all )?(?:\w+ )?{_MACHINE}s,? "
    rf"(?:w/o|without|with no|that have no|which have no) (?:an? |any )?{_BRAND} {_CARD}{_OF_IT}"
    rf"|(?:\A|\b(?:on|using|with|have|is) (?:an? |the |my |our |this ))\W{{0,4}}cpu[- ]only "
    rf"{_MACHINE}\b(?! (?:type|learning|image|build))"
    rf"|(?:\A|[:=]|\b(?:on|using|with|in)) (?:the |our |those |these )?cpu[- ]only (?:\w+ )?"
    rf"{_MACHINE}s\b(?! (?:type|learning|image|build))"
    rf"|\b(?:this|these|those|the|my|our) (?:\w+ )?{_MACHINE}s? (?:has|have|with) no gpus? "
    r"(?:attached|installed|at all|whatsoever)\b"
    rf"|\A\W{{0,4}}{_MACHINE}\s?[:=]\s?cpu[- ]only\b(?! (?:type|learning|image|build))"
    rf"|\bthe {_MACHINE} has no (?:{_BRAND}|dedicated|discrete|separate) {_CARD}{_OF_IT}"
    rf"|\b(?:on|of|in) (?:an? |the |my |this ){_MACHINE},? (?:that|which) has (?:only an? cpu"
    r"|an? cpu only)\b(?! (?:build|version))"
    rf"|\b(?:my|our|this|the) {_MACHINE} is one (?:w/o|without|with no) (?:an? |any )?{_BRAND} "
    rf"{_CARD}{_OF_IT}"
    rf"|\b{_MACHINE},? (?:w/o|without|with no) (?:an? |any )?{_BRAND}(?: \w{{1,4}})?"
    r"(?: ?/ ?|,? (?:and|or) )cuda\b"
    r"|\b(?:(?:I'm|I am|am) using|I have|my \w+ (?:has|uses)) (?:only )?(?:an? |the )?"
    r"(?:intel|amd)\b[^.\n]{0,40}, (?:and )?not (?:an? )?nvidia\b"
    rf"|\bthere (?:is|are) (?:currently |at (?:the|this) moment )?no {_BRAND} {_CARD}{_OF_IT}"
    r"[^.\n]{0,12}\b(?:present|installed|in (?:the|this|my))\b"
    r"|(?:我|电脑|本机|机器)[^\n]{0,8}没有(?:NVIDIA|英伟达|独立|独)?的?(?:显卡|GPU|N卡|独显)"
    r"(?!驱动|内存|显存)"
)
_OF_AMD = regex(
    rf"(?i){_OWNED}(?:(?:amd|ati)(?:[ -](?:radeon|gpus?|(?:graphics |video )?cards?|hardware|vega"
    r"|rx)\b"
    r"|(?=\W{0,2}(?:\Z|[.,;!)])))|radeon\b|RX ?[4-9]\d{2,3}(?: ?XTX?)?\b"
    rf"|vega ?(?:8|11|56|64)\b|instinct mi\d){_OF_IT}"
    r"|我[^\n]{0,12}(?:AMD ?(?:的)?显卡|A卡)"
    r"|\b(?:on|with|and|have) (?:an? |my |one )(?:single )?(?:AMD )?(?:Radeon )?"
    r"RX ?(?:[45][6789]0|5[567]00|[679]\d{2}0)(?: ?XTX?)?\b"
    # What somebody did, or what does not work, as titles have it.
    r"|\A\W{0,8}(?:failed|fails|failing|failure|unable|cannot|can't|could not|crash\w*|errors?"
    r"|won't|will not|does ?n[o']t|not)\b[^.?\n]{0,40} (?:on|with|using) (?:an? |my )?AMD "
    r"(?:radeon )?(?:gpu|(?:graphics |video )?card)(?= (?:with|on|under|in) |\W{0,4}\Z)"
    r"|\bOpenCL device \[? ?AMD\b"  # as miners list what they found
    r"|\A\W{0,4}AMD GPUs \(RX \d|\blinux with amd\b|\bamd on (?:an? )?linux\b"
    r"|\b(?:system|laptop|pc|computer|machine|hardware) specs?\b[^.\n]{0,120}?"
    r"\b(?:AMD )?Radeon (?:RX ?[4-9]\d{2,3} ?(?:XTX?|M)?|[5-9]\d{3} ?XTX?)\b"
    # A card by itself, as people list what they have: "AMD Radeon RX 6700 XT on Windows".
    r"|\A\W{0,4}(?:(?:gpu|graphics)\s?[:=]\s?)?(?:AMD )?Radeon (?:RX|R[579]|VII|Pro)\b"
    r"(?=[\w /-]{0,24}\Z)"
    # The same as the last part of a list, and by the numbers that no processor of theirs has.
    r"|[,;+&] ?(?:AMD |ATI )(?:Mobility )?Radeon(?:\(TM\))? (?:RX|R[579]|HD|VII|Pro|Vega)"
    r"(?:\b|(?=\d))(?=[\w /-]{0,24}\Z)"
    r"|(?:\A|[,;+&] ?)AMD ?(?:RX ?(?:5[567]00|[679]\d{2}0)|5[57]00|[679]\d{2}0) ?XTX?"
    r"(?=\W{0,3}(?:\Z|[,;]))"
)
_OF_INTEL = regex(
    rf"(?i){_OWNED}(?:intel(?:\(r\)|®)? (?:\w+ )?(?:iris\w*|u?hd|xe|arc|integrated|onboard"
    rf"|graphics|gpu)\b|(?:integrated|onboard) (?:graphics|gpu)\b){_OF_IT}"
    r"|\bgpu of (?:an? |my |the )?intel\b|\bgraphics card is (?:an? |the )?intel\b"
    r"|我[^\n]{0,12}(?:集成显卡|核显)"
)
#: A board of which no model takes a card of NVIDIA's as it is.
_BOARD = regex(
    r"(?i)\A\W{0,4}(?:device|hardware|machine|board|os|model)\s?[:=]\s?\W?raspberry pi ?\d?\b"
)
_CUES = ("amd", "radeon", "intel", "rx ", "rx5", "rx6", "rx7", "vega", "instinct", "integrated",
         "onboard", "显", "卡", *_BRAND_CUES, "w/o", "without", "with no", " no ", "not have",
         "n't have", "cpu-only", "cpu only", "dedicated", "discrete", "raspberry pi",
         "only a cpu", "only has", "has only", "non gpu", "non-gpu", "没有", "lack", "contains no",
         "have no", "n't even", "not even", "n't own", "not own")  # fmt: skip


#: A form's boxes: one for NVIDIA's that was left empty, and another's that was ticked.
_BOX = regex(r"(?i)\A\W{0,4}\[(?P<tick>[ x+v\u2713])\]\s{0,2}(?P<maker>nvidia|intel|amd)\b\W*\Z")
_FORM = 8


def _ticked(text: Text) -> Iterator[Statement]:
    """The maker that alone is ticked in a form that asks for the GPU's."""
    boxes = list(text.matching(_BOX, "] nvidia", "] intel", "] amd"))
    ticked = [(line, match["maker"].lower()) for line, match in boxes if match["tick"] != " "]
    asked = {match["maker"].lower(): line.number for line, match in boxes}
    if len(ticked) != 1 or ticked[0][1] == "nvidia" or len(asked) != len(boxes):
        return
    line, maker = ticked[0]
    if any(_product(each) for each in text.having(*_PRODUCTS)):
        return
    if "nvidia" in asked and abs(asked["nvidia"] - line.number) <= _FORM:
        yield say(names.PCI_NVIDIA_COUNT, 0, line)
        yield say(names.PCI_VENDOR(0), maker, line)


def read(text: Text) -> Iterator[Statement]:
    """That there is no card of NVIDIA's, and whose there is instead."""
    yield from _ticked(text)
    for line in text.having(*_CUES):
        if len(line.text) > _LONGEST:
            continue
        plain = _EMPHASIS.sub("", _QUOTED.sub('""', line.text))
        for sentence in _SENTENCE.split(plain):
            lacking = _lacks(sentence)
            maker = "" if lacking else _other(sentence)
            if maker is not None and not any(_product(each) for each in text.having(*_PRODUCTS)):
                yield say(names.PCI_NVIDIA_COUNT, 0, line)
                if lacking:
                    yield say(said.WITHOUT_GPU_TOLD, sentence.strip(), line)
                if maker:
                    yield say(names.PCI_VENDOR(0), maker, line)
                return


def _lacks(sentence: str) -> bool:
    """Whether the machine is said to have no card whatever."""
    folded = sentence.lower()
    if len(sentence) > _LONGEST_SENTENCE or not any(word in folded for word in _NEGATIONS):
        return False
    lacking = _LACKING.search(sentence)
    if lacking is None or _SUPPOSED.search(sentence[: lacking.end()]):
        return False
    return not any(each.search(sentence) for each in (_WORKS, _ELSE, _PLACED, _LOST))


def _other(sentence: str) -> str | None:
    """Whose card the sentence says its writer has; empty: there is none of NVIDIA's."""
    if len(sentence) > _LONGEST_SENTENCE:
        return None
    for maker, told in (("", _NONE), ("", _BOARD), ("amd", _OF_AMD), ("intel", _OF_INTEL)):
        match = told.search(sentence)
        if match is None or _SUPPOSED.search(sentence[: match.end()]):
            continue
        if told is _NONE and (_PLACED.search(sentence) or _LOST.search(sentence)):
            continue
        if not maker or not _NVIDIA.search(sentence):
            return maker
    return None


_PRODUCTS = ("rtx", "gtx", "geforce", "tesla", "quadro", "titan", "nvidia", "gpu", "显卡",
             "100", "200", "l40", "a800", "h800", "h20", "gb10")  # fmt: skip


def _product(line: Line) -> bool:
    return len(line.text) <= _LONGEST_SENTENCE and bool(gpu_names.mentioned(line.text))

"""Sentences that say that a machine has no card: none at all, or none of NVIDIA's."""

from __future__ import annotations

from ...regex import regex
from .card_words import BRAND, BRAND_CUES, CARD, LONGEST_SENTENCE, MACHINE, OF_IT, SUPPOSED

#: One of them is in each line that may have such a sentence.
CUES = (*BRAND_CUES, "w/o", "without", "with no", " no ", "not have", "n't have", "have no",
        "n't even", "not even", "n't own", "not own", "lack", "contains no", "no longer ",
        "dedicated", "discrete", "cpu-only", "cpu only", "only a cpu", "only has", "has only",
        "non gpu", "non-gpu", "on a cpu ", "没有")  # fmt: skip
#: A machine that lacks a card, whichever way it is put: "this laptop has no GPU", "a PC without a
#: CUDA-capable card"; and its owner, who has none.
_LACKS = (
    r"(?:w/o|without|with no|has no|have no|has got no|lacks?|lacking|does(?:n'?t| not) have"
    r"|do(?:n'?t| not) have|contains no)"
)
_KIND = (
    rf"(?:an? |any |the |real |physical |actual )?(?:(?:{BRAND}|dedicated|discrete|separate"
    r"|cuda(?:[- ](?:capable|enabled|compatible))?),? ){0,2}"
)
_IN_IT = r"in(?:side)? it(?! (?:is|are|was|were|works?|gets?|can|shows?|appears?)\b)"
#: Nothing goes on that makes it another statement: "no GPU quota", "no GPU in task manager".
_ALONE = (
    r"(?=\W{0,3}(?:\Z|[.,;:!?()])|,? (?:and|but|so|at all|whatsoever|just|only|to|for|hence|which"
    r"|that|installed|attached|built|raise[sd]?|gives?|either|anyway|then|I|we|it"
    rf"|{_IN_IT})\b)"
)
_LACKING = regex(
    rf"(?i)\b(?:{MACHINE}|host os|hosts?|nodes?),? (?:that |which )?{_LACKS} {_KIND}{CARD}"
    rf"{_ALONE}|\b(?:I|we)(?: currently| simply| just)? (?:have no|(?:do not|don'?t)(?: even)?"
    rf" (?:have|own)) {_KIND}{CARD}{_ALONE}"
    rf"|\bno {_KIND}{CARD} (?:is|are) (?:attached|installed|present|built in|plugged in)\b"
    rf"|\b{MACHINE} (?:that |which )?(?:only has|has only|with only) (?:an? |one |its )?cpus?\b"
    rf"{_ALONE}"
    rf"|\b(?:{MACHINE}|device) (?:that |which )?has (?:an? )?cpu only\b"
    r"(?! (?:build|version|image|wheel))"
    rf"|\b{MACHINE},? (?:there is |and )?no {_KIND}{CARD}(?=\W{{0,3}}\Z)"
    # In a list of what there is: neither where one looked, nor after what one did.
    r"|\A(?!\W{0,4}(?:in|inside|on|under|with|after|at|from|within|when|by|through|via|for)\b)"
    r"(?!.*\b(?:re)?(?:install|updat|upgrad|boot|start|ran|run|tried)\w*)"
    r"[^\n]{1,40}, no gpu\W{0,3}\Z"
    r"|\b(?:I'm|am) running without {1,2}(?:an? )?gpu\b(?! (?:flag|option|and))"
    r"|\bnon[- ]gpu (?:instance|node|machine|server)\b"
    r"|\b(?:run|running|ran|start|started|deploy|deployed)\b[^.?\n]{0,60}"
    r" on a cpu (?:instance|node|machine|server)\b"
    # What it has comes first, and nobody looked for the card there.
    rf"|\b(?:{MACHINE}|host os) (?:with|has|that has|which has) [^.,;?\n]{{3,60}}?,?"
    rf" (?:but|and|yet) (?:has |with )?no {_KIND}{CARD} {_IN_IT}\b"
    # Processors are what it has.
    rf"|\b(?:{MACHINE}|host os) (?:with|has|that has|which has|having) (?:[\w-]+ ){{0,3}}"
    rf"(?:cpus?|cores?|processors?),? (?:but|and|yet) (?:has |with )?(?:no|without|w/o) {_KIND}"
    rf"{CARD}{_ALONE}"
    # What it is for comes first; what happened to it, as "rebooted", tells of a card that was lost.
    rf"|\b(?:this|the|my|our|one) (?:\w+ )?(?:{MACHINE}|worker|miner)"
    r"(?: (?:of|in) (?:my|our|the|this) \w+)?(?: only| just| mostly)?"
    r" (?:does|runs|is|serves|handles|hosts|acts|works)"
    rf"(?: (?!again\b|back\b|now\b)[\w'/-]+){{1,8}},? and (?:it )?{_LACKS} {_KIND}{CARD}{_ALONE}"
    # Several machines of theirs, or those at whose name the sentence begins; nothing is asked.
    rf"|(?:\b(?:I|we|my|our)\b[^?\n]{{0,60}}?|\A\W{{0,4}}on (?:some |the )?)"
    rf"\b(?:{MACHINE}s|boxes),? (?:that |which )?{_LACKS} {_KIND}{CARD}"
    rf"(?:{_ALONE}|(?= the\b))(?![^\n]*\?)"
    # In brackets behind it, or what somebody has or uses it for in between.
    rf"|\b{MACHINE} \((?:it |which |that )?{_LACKS} {_KIND}{CARD}\)"
    rf"|\b{MACHINE} (?:that |which )?(?:I|we) (?:have|use|got|own)(?: (?:at|for|in) \w+)?"
    rf" (?:has|had|comes with) no {_KIND}{CARD} {_IN_IT}"
    r"|(?<!说)(?<!示)没有(?:显卡|GPU|独显)(?=\W{0,2}(?:\Z|[,;\u3002]))"
)
#: One of them is in all that `_LACKING` finds, at a hundredth of its price.
_NEGATIONS = ("no", "w/o", "without", "lack", "n't", "only", "on a cpu ", "没有")
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
#: The same of one maker, and what people say of a machine that has a processor only.
_NONE_OF_NVIDIA = regex(
    rf"(?i)\bthere(?:'s| is) no (?:{BRAND}|cuda) (?:device|{CARD}) in (?:this|my) {MACHINE}\b|"
    r"\b(?:I|we|(?:my|our|this) \w+) (?:don'?t|do not|doesn'?t|does not)(?: even)?"
    rf" (?:have|own|use) (?:an? |any |the )?(?:{BRAND}|geforce|dedicated|discrete"
    rf"|cuda[- ]capable) {CARD}{OF_IT}"
    rf"|\b(?:I|we|(?:my|our|this) \w+) (?:have|has|got) no (?:{BRAND}|dedicated|discrete) "
    rf"{CARD}{OF_IT}"
    rf"|\b(?:I|we|my|our|this)\b[^.\n]{{0,60}}\b{MACHINE},? (?:(?:that|which) )?(?:w/o|without"
    rf"|with no|has no|does(?:n't| not) have) (?:an? |any )?(?:{BRAND} |dedicated |discrete )*"
    rf"{CARD}{OF_IT}"
    rf"|\b(?:on|using) (?:an? |the |my |this )(?:\w+ )?{MACHINE},? (?:w/o|without|with no|that has"
    rf" no|which has no) (?:an? |any )?{BRAND} {CARD}{OF_IT}"
    rf"|\b(?:on|using|of) (?:the |those |these |some |our |my |all )?(?:\w+ )?{MACHINE}s,? "
    rf"(?:w/o|without|with no|that have no|which have no) (?:an? |any )?{BRAND} {CARD}{OF_IT}"
    rf"|(?:\A|\b(?:on|using|with|have|is) (?:an? |the |my |our |this ))\W{{0,4}}cpu[- ]only "
    rf"{MACHINE}\b(?! (?:type|learning|image|build))"
    rf"|(?:\A|[:=]|\b(?:on|using|with|in)) (?:the |our |those |these )?cpu[- ]only (?:\w+ )?"
    rf"{MACHINE}s\b(?! (?:type|learning|image|build))"
    rf"|\b(?:this|these|those|the|my|our) (?:\w+ )?{MACHINE}s? (?:has|have|with) no gpus? "
    r"(?:attached|installed|at all|whatsoever)\b"
    rf"|\A\W{{0,4}}{MACHINE}\s?[:=]\s?cpu[- ]only\b(?! (?:type|learning|image|build))"
    rf"|\bthe {MACHINE} has no (?:{BRAND}|dedicated|discrete|separate) {CARD}{OF_IT}"
    rf"|\b(?:on|of|in) (?:an? |the |my |this ){MACHINE},? (?:that|which) has (?:only an? cpu"
    r"|an? cpu only)\b(?! (?:build|version))"
    rf"|\b(?:my|our|this|the) {MACHINE} is one (?:w/o|without|with no) (?:an? |any )?{BRAND} "
    rf"{CARD}{OF_IT}"
    rf"|\b{MACHINE},? (?:w/o|without|with no) (?:an? |any )?{BRAND}(?: \w{{1,4}})?"
    r"(?: ?/ ?|,? (?:and|or) )cuda\b"
    r"|\b(?:(?:I'm|I am|am) using|I have|my \w+ (?:has|uses)) (?:only )?(?:an? |the )?"
    r"(?:intel|amd)\b[^.\n]{0,40}, (?:and )?not (?:an? )?nvidia\b"
    rf"|\b(?:I|we) (?:[\w ]{{1,24}} and )?no longer (?:have|own) (?:an? |any )?(?:{BRAND} )?{CARD}"
    rf" in (?:the|my|our|this) {MACHINE}\b"
    rf"|\bthere (?:is|are) (?:currently |at (?:the|this) moment )?no {BRAND} {CARD}{OF_IT}"
    r"[^.\n]{0,12}\b(?:present|installed|in (?:the|this|my))\b"
    # The maker stands before it: "the driver is NVIDIA's, and the machine has no such card".
    rf"|\b{BRAND}[^.\n]{{0,60}}?\b(?:there (?:is|was)|has|have|with|is) no such {CARD}{OF_IT}"
    r"|(?:我|电脑|本机|机器)[^\n]{0,8}没有(?:NVIDIA|英伟达|独立|独)?的?(?:显卡|GPU|N卡|独显)"
    r"(?!驱动|内存|显存)"
)


def without_any(sentence: str) -> bool:
    """Whether the machine is said to have no card whatever."""
    folded = sentence.lower()
    if len(sentence) > LONGEST_SENTENCE or not any(word in folded for word in _NEGATIONS):
        return False
    lacking = _LACKING.search(sentence)
    if lacking is None or SUPPOSED.search(sentence[: lacking.end()]):
        return False
    return not any(each.search(sentence) for each in (_WORKS, _ELSE, _PLACED, _LOST))


def without_nvidia(sentence: str) -> bool:
    """Whether the machine is said to have no card of NVIDIA's."""
    match = _NONE_OF_NVIDIA.search(sentence)
    if match is None or SUPPOSED.search(sentence[: match.end()]):
        return False
    around = sentence[: match.start()] + sentence[match.end() :]  # "no longer have" is no loss here
    return not (_PLACED.search(sentence) or _LOST.search(around))

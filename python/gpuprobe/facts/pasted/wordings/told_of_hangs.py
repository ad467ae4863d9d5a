"""What people say of a run that stands still on several GPUs, and of one on a single GPU."""

from ..sign import Sign
from ..text import cues

#: A run that does not go on.
_STANDS = r"(?:hangs?|hung|(?:gets?|is|was) stuck|deadlocks?|freezes|froze)"
#: Several GPUs; that it is so, and no question and no advice; one GPU alone.
_TOGETHER = (
    r"(?:\btensor[- _]?parallel\w*(?:[- _]size)?[ =:(]{0,3}[2-8]\b|(?<!\w)-?-?tp[ =]{1,2}[2-8]\b"
    r"|\b(?:2|two|both|3|three|4|four|8|eight|several|multiple|more than one)"
    r"(?: or (?:more|three|four|[34]))?(?: [\w-]+){0,2} (?:gpus?|cards)\b"
    r"|\b(?:with|on|using) (?:two|three|four|[2-8])(?: or (?:more|three|four|[34]))?(?= it\b)"
    r"|\b(?:n(?:um)?_?gpus?|gpus|gpu(?==))[= ]{1,3}[2-8]\b|\bmulti[-_ ]?(?:gpu|card)s?\b"
    r"|\bnproc_per_node[ =][2-8]\b"
    r"|\b(?:DDP|(?:nn\.)?(?:Distributed)?DataParallel|init_process_group)\b)"
)
_IS_SO = (
    r"\A(?=.{1,500}\Z)(?!.*(?:\?|\b(?:if(?! (?:I|we)\b)|unless|whether|may|might|should|would"
    r"|avoid|prevent\w*|fix\w*|solved|neither|nor|used to|gloo|no longer|never hang\w*"
    r"|not? (?:hang|stuck)|not (?:work|run))\b|n't (?:hang|work|run)))"
    r".*?"
)
_ALONE = (
    r"\bwithout (?:tensor|model|data)[- _]?parallel\w*"
    r"|(?<!than )\b(?:single|one|1|either)[- ](?:gpu|card)\b"
    r"|\b(?:num_?|n_?)?gpus?[= ]{1,3}1\b|\btensor[- _]?parallel\w*(?:[- _]size)?[ =:(]{0,3}1\b"
    r"|\bnproc_per_node[ =]1\b|(?<!\w)tp[ =]{1,2}1\b|\b(?:gpu|card) alone\b|\bwith one(?= it\b)"
)
_GOES_ON = (
    r"\b(?:works?|worked|trains?|runs?|ran|loads?|normally|goes through|no problems?"
    r"|(?:is|was) (?:fine|ok))\b"
)

SIGNS = (
    Sign(
        "several-hang-told",
        "somebody says that a run on several GPUs does not go on",
        ("hang", "hung", "stuck", "deadlock", "freezes", "froze"),
        rf"{_IS_SO}({_TOGETHER},?(?:[^\n.;,]|\.(?=\w)){{0,60}}?\b{_STANDS}\b"
        rf"|\b{_STANDS}\b(?:[^\n.;,]|\.(?=\w)){{0,40}}?(?:{_TOGETHER}|\ball gpus\b)"
        # What there is stands before or behind it, as titles have it.
        rf"|{_TOGETHER}; it {_STANDS}\b"
        rf"|\b{_STANDS}, (?:one|1) node, (?:two|three|four|[2-8]) gpus\b)",
    ),
    Sign(
        "one-goes-on-told",
        "somebody says that the same work goes on with one GPU alone",
        cues(
            "single|one gpu|1 gpu|one card|1 card|alone|with one|gpus=1|without tensor"
            "|without model|without data|parallel-size|tp=1|per_node=1"
        ),
        rf"{_IS_SO}((?:{_ALONE})(?:[^\n.;,]|,(?= (?:it|that|all)\b)|\.(?=\w)){{0,60}}?"
        rf"{_GOES_ON}|(?<!\bI )(?<!\bwe )\b{_GOES_ON}[^\n.;,]{{0,24}}?(?:{_ALONE})"
        rf"|\b{_GOES_ON}\W{{1,3}}(?:and )?with (?:only |just )?(?:one|1|a single) gpu"
        r" (?:as well|too)\b)",
    ),
    Sign(
        "one-hangs-told",
        "somebody says that one GPU alone does not go on either",
        ("single", "one gpu", "1 gpu", "one card", "1 card", "alone"),
        rf"(?:{_ALONE})(?: (?:it|this|that|also|always|still|the \w+)){{0,3}} (?:{_STANDS}"
        r"|(?:does|did|will|do)(?: not|n't) (?:work|run|help))\b"
        rf"|\b{_STANDS} (?:also |even )?(?:on|with) (?:only |just |a )?(?:{_ALONE})",
    ),
)

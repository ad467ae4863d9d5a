"""What people say of a fault that is over, and of one that they want so."""

from __future__ import annotations

from ..sign import Sign

_WORKS = r"(?:works|is working|runs|is running|is fine)"

SIGNS = (
    Sign(
        "repair-told",
        "somebody says that the fault is over",
        (
            *("solved", "fixed", "works", "working", "went away", "is gone", "are gone"),
            *("no longer my", " since", "i forgot", "i just forgot", "i simply forgot"),
            *("已解决", "解决了"),
            *("that was it", "sorted", "cured", "culprit", "has been replaced", "was replaced"),
            *("closing note", "post-mortem", "postmortem", "reporting back", "thanks, that"),
        ),
        r"\A(?!.*(?:\?|\b(?:but|still|until|every|sometimes|only|not solved|not fixed|cpu)\b"
        r"|\b(?:one|new|another|next|other) (?:error|problem|issue|machine)"
        r"|\bnow (?:I|we|it|this|the|there)(?: only| just)? "
        r"(?:get|got|see|have|fail|one|error|is)))(?:"
        r"(?:re|fwd?|aw)?\W{0,8}(?:it is |that is |is |was |got )?(?:solved|fixed)\b"
        rf"|.*\b(?:it|everything|all|cuda|torch|gpu) (?:now {_WORKS}|{_WORKS} (?:now|again))\b"
        r"|.*\b(?:that|it|which|this|error|message) (?:went away|is gone (?:now|since))\b"
        r"|.*\bno longer (?:my|the) (?:question|problem)\b"
        r"|.*\bI (?:just |only |simply )?forgot (?:the (?:flag|option|argument)"
        r"|to (?:restart|reboot|start|enable|install|pass|add|set|load|activate|enrol\w*))\b"
        r"|.*\bthat was it\b(?! (?:not|for))|\W{0,8}(?:update|edit)\b\W.{0,30}\bsorted\b"
        r"|.*\b(?:cured (?:that|it|this)|(?:was|turned out to be) the culprit)\b"
        r"|.*\b(?:has been|was) replaced (?:under|by|in|last|since)\b"
        r"|.*\b(?:closing note|post-?mortem|reporting back)\b"
        r"|.*(?:已解决|解决了))"
        r"|\b(?:have|has) not (?:had|seen|got) (?:a|one|any) [^.\n]{0,24}\bsince\b",
    ),
    Sign(
        "survived-told",
        "a program went on after a failure by itself",
        (
            *("restored from", "resumed from", "resuming from", "batch size", "attempt", "halves"),
            *("by itself", "went on", "to the end", "was repeated", "retried", "retrying"),
        ),
        r"\b(?:restored|resumed|resuming) from (?:checkpoint|step|epoch|the last)"
        r"|\battempt \d{1,3} (?:of|/) ?\S|(?:->|=>|trying|with|using) (?:smaller )?batch size"
        r"|\bby halves\b|\b(?:trains?|trained|runs?|ran|went on|goes on) (?:on )?to the end\b"
        r"|\b(?:goes|went) (?:on|down) [^.\n]{0,24}\bby itself\b"
        r"|\bwas repeated\b|\bretri(?:ed|es)\b",
    ),
    Sign(
        "matter-told",
        "somebody says what the question is, or that it is only that",
        (
            *("question", "trouble:", "my trouble", "like to know", "want to know", "wish to know"),
            *("what remains", "what is left", "open point", "small thing", "only thing", "feature"),
            *("purely", "typo", "unrelated", "happy to send", "send a pr", "please review"),
            *("code review", "native speaker", "hypothetical", "suppose ", "for a lecture"),
            *("what would happen", "is it true", "if i ", "may i ask"),
        ),
        r"\b(?:my|the|an?|one|only|open|purely a?|side|second|other|small|quick) question\b"
        r"(?: (?:is|now|then|about|for|of)|:|,)"
        r"|\bquestion (?:is|about|for|only)\b|\A\W*question\b"
        r"|\b(?:what|all|that) (?:I|we)(?:'d| would)? (?:like|want|wish) to know\b"
        r"|\b(?:I|we)(?:'d| would)? (?:like|want|wish) to (?:know|understand)\b"
        r"|\bwhat (?:remains|is left)\b|\bopen point\b|\b(?:small|only|one) thing\b|\bmy trouble\b"
        r"|\bfeature request\b|\btypo\b|\bunrelated\b|\bhappy to send\b|\bsend a pr\b"
        r"|\bplease review\b|\bcode review\b|\bnative speaker\b|\bhypothetical\b|\bfor a lecture\b"
        r"|\bsuppose (?:that )?(?:some|I|one|we|a|the|you)|\bwhat would happen\b|\bis it true\b"
        r"|\bif I (?:buy|bought|upgrade|switch|update|replace|add|put)\b|\bmay I ask\b",
    ),
    Sign(
        "purpose-told",
        "somebody says that a program leaves the GPU alone on purpose",
        (
            *("by choice", "by intention", "by design", "on purpose", "intentional", "deliberate"),
            *("as intended", "so that it leaves", "to leave the", "by us", "by me"),
        ),
        r"\b(?:capped|limited) (?:at|to) \d{2,4} ?W\b[^.\n]{0,24}\bby (?:us|me)\b"
        r"|\A(?=.*(?:\d W\b|\b(?:cpu|hid\w*|leaves?|without|disabled?|cuda_visible_devices)\b))"
        r"(?!.*(?:\?|\bbut\b))"
        r".*\b(?:by (?:choice|intention|design)|on purpose|intentional(?:ly)?|deliberate(?:ly)?"
        r"|as intended|so that it leaves|to leave the (?:gpus?|cards?))\b",
    ),
)

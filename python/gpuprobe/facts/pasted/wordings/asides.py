"""How people introduce, or dismiss, what is beside the matter."""

from __future__ import annotations

from ..sign import Sign

_PIECE = (
    r"(?:outputs?|logs?|errors?|messages?|trace(?:back)?s?|reports?|posts?|questions?|comments?)"
)
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_PAGE = (
    r"(?:docs?|documentation|readme(?:\.\w{2,4})?|release notes?|change ?log|faq|wiki|manual"
    r"|tutorial|man ?page|guide|page|article|docstring)"
)
_PERSON = (
    r"(?:his|her|their|(?:a|my|the|our)"
    r" (?:colleague|lab ?mate|customer|friend|student|user|client|previous \w+)(?:'s)?)"
)
_PEOPLE = ("his ", "her ", "their ", "colleague", "labmate", "lab mate", "customer", "friend",
           "student", "user", "client", "previous ")  # fmt: skip

#: Each begins a quotation, which goes on below where its line ends so.
INTRODUCTIONS = (
    Sign(
        "of-another-time",
        "what was said or shown before",
        (
            *("yesterday", "last ", "first ", "original", "previous", "the old", "my old"),
            *("earlier", "used to", "it had", "i'd had", "i had had", "for history", "posterity"),
            *(" i posted", " i reported", " i wrote", " i asked", " i got", " i saw", "before"),
        ),
        r"\b(?:yesterday|last (?:week|month|year|night|time)"
        r"|(?:the|my) (?:first|original|previous|old|earlier))"
        rf"(?:'s)? (?:\w+ )?{_PIECE} ?(?:was|were|said|read|showed|had|:|\Z)"
        r"|\byesterday's\W{0,3}\Z|\b(?:first|original|old|previous) post (?:said|was|had)\b"
        r"|\b(?:used to|it had|i'd had|i had had)"
        r"(?: (?:say|print|fail|give|show|throw|crash|get)\b|\W{0,2}\Z)"
        rf"|\b(?:in|on|last) {_MONTH}\b.{{0,40}}"
        r"\bI (?:had )?(?:posted|reported|wrote|asked|got|saw)\b"
        r"|\b(?:only for history|for posterity)\b|\A\W*before\b.{0,40}:\Z",
    ),
    Sign(
        "of-somebody-else",
        "what somebody else said or saw",
        (
            *("@", "you wrote", "you said", "you reported", "sent us", "sent me", "forwarded"),
            *("mailed", "like this", "begin ", "start ", "ticket", "other guy", "other one"),
            *("other user", "other person", "other people", " there always ", *_PEOPLE),
        ),
        r"\bthere always (?:says|said|prints|shows)\b"
        r"|\A\W*@[\w-]+ (?:wrote|said)\b|\byou (?:wrote|said|reported)\b.{0,12}[\"':]"
        r"|\b(?:sent|forwarded|mailed) (?:us|me)\b.{0,60}\b(?:below|this|following)\b"
        r"|\b(?:mails?|messages|tickets?|reports?) like this\b"
        r"|\b(?:begin|start) (?:of )?(?:\w+ )?(?:customer|quoted?|user|forwarded)\b"
        rf"|\b{_PERSON}\b[^.?]{{0,100}}:\Z|\bticket\b[^.?]{{0,80}}:\Z"
        rf"|\b(?:{_PERSON}|(?:the )?other (?:guy|one|user|person|people)(?: [^\s\"'`]+){{0,4}})"
        r" (?:got|gets|has|had|sees|saw|claims?) .{0,60}[\"'`]",
    ),
    Sign(
        "of-a-text",
        "what a manual or a thread says",
        (
            *("doc", "readme", "release note", "changelog", "change log", "faq", "wiki", "manual"),
            *("tutorial", "man page", "guide", "page", "article"),
            *("the issue", "the thread", "the ticket", "the discussion", "the linked"),
        ),
        rf"\b{_PAGE}\b.{{0,60}}\b(?:says?|reads?|shows?|states?|mentions?|quotes?)\b"
        rf"|\bin the {_PAGE}\W{{0,3}}\Z|\b{_PAGE}\W{{0,2}}:\Z"
        r"|\b(?:from|in) the (?:linked )?(?:issue|thread|ticket|discussion)"
        r" (?:linked )?(?:there|here)\b",
    ),
)

#: Each is said of the very line.
DISMISSALS = (
    Sign(
        "not-of-interest",
        "somebody says that it is known, expected, or not the question",
        (
            *("ignore", "skip ", "of course", "clear to me", "expected)", "intended)", "not this"),
            *("to see it", "to see the", "to see whether"),
        ),
        r"(?:\b|\W)(?:ignore|skip) (?:it|this|that|them|this line|that line)\b"
        r"|, (?:please )?ignore\W*\Z"
        r"|\bof course (?:says|gives|fails|prints|errors|refuses|complains)\b"
        r"|\bthat is clear to me\b|(?<!\bnot )\((?:as )?(?:expected|intended)\)"
        r"|\bnot this (?:question|issue|machine|problem)\b"
        r"|\bto see (?:it|the \w+|whether it) (?:fires?|fails?|breaks?|crash(?:es)?)\b",
    ),
    Sign(
        "not-had",
        "somebody says that it is not so",
        (
            *("i do not", "i don't", "i did not", "i didn't", "i never"),
            *("we do not", "we don't", "we did not", "we didn't", "we never"),
            *("没出现", "没有出现"),
        ),
        r"\b(?:I|we) (?:do not|don't|did not|didn't|never) (?:have|get|got|see|saw|had)"
        r" (?:the|that|this|any)\b|没有?出现",
    ),
    Sign(
        "supposed",
        "what might be",
        (
            *("hypothetical", "what would happen", "is it true", "suppose "),
            *("if i ", "if we "),
        ),
        r"\bhypothetical\b|\bwhat would happen\b|\bis it true that\b"
        r"|\bsuppose (?:that )?(?:some|I|one|we|a|the|you)\b|\bsuppose some(?:body|one)\b"
        r"|\bif (?:I|we)"
        r" (?:buy|bought|upgraded?|switch(?:ed)?|updated?|replaced?|add(?:ed)?|moved?)\b",
    ),
    Sign(
        "listed",
        "one of a list of sentences; an alert",
        ("[firing", ') "', '. "', '- "', '* "', '• "', ") '", "- '", "* '"),
        r"\A\s*(?:[a-z0-9]{1,2}[).]|[-*•]) {1,4}[\"'][^\"'\n]{8,160}[\"'][,.;]?\s*\Z"
        r"|\A\W{0,3}\[FIRING:\d",
    ),
)  # fmt: skip

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
        ),
        r"\A(?!.*(?:\?|\b(?:but|still|until|every|sometimes|only|not solved|not fixed|cpu)\b"
        r"|\b(?:new|another|next|other) (?:error|problem|issue|machine)))(?:"
        r"\W{0,8}(?:it is |that is |is |was |got )?(?:solved|fixed)\b"
        rf"|.*\b(?:it|everything|all|cuda|torch|gpu) (?:now {_WORKS}|{_WORKS} (?:now|again))\b"
        r"|.*\b(?:that|it|which|this|error|message) (?:went away|is gone (?:now|since))\b"
        r"|.*\bno longer (?:my|the) (?:question|problem)\b"
        r"|.*\bI (?:just |only |simply )?forgot (?:the (?:flag|option|argument)"
        r"|to (?:restart|reboot|start|enable|install|pass|add|set|load|activate|enrol\w*))\b"
        r"|.*(?:已解决|解决了))"
        r"|\b(?:have|has) not (?:had|seen|got) (?:a|one|any) [^.\n]{0,24}\bsince\b",
    ),
    Sign(
        "purpose-told",
        "somebody says that a program leaves the GPU alone on purpose",
        (
            *("by choice", "by intention", "by design", "on purpose", "intentional", "deliberate"),
            *("as intended", "so that it leaves", "to leave the"),
        ),
        r"\A(?=.*\b(?:cpu|hid\w*|leaves?|without|disabled?|cuda_visible_devices)\b)(?!.*(?:\?|\bbut\b))"
        r".*\b(?:by (?:choice|intention|design)|on purpose|intentional(?:ly)?|deliberate(?:ly)?"
        r"|as intended|so that it leaves|to leave the (?:gpus?|cards?))\b",
    ),
)

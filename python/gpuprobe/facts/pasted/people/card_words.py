"""Words with which people tell of a machine and of its card, for the readers of what they tell."""

from ...regex import regex

#: Longer ones are no sentences: a log's line, or a table's.
LONGEST_SENTENCE = 400
#: Somebody else's machine, or none that is there.
SUPPOSED = regex(
    r"(?i)\b(?:if|when|unless|whether|in case|require\w*|recommend\w*|users?|people|anyone"
    r"|someone|those|allow\w*|e\.g|for example|such as|until|check that|another|other|old"
    r"|(?<!can )also(?! (?:do(?:n'?t|es(?:n'?t| not)| not)|have no)\b)"
    r"|previous\w*|friend\w*|should|instead)\b|如果|需要|建议|是否|另一"
)
#: The maker's name, and how people misspell it.
BRAND = r"n(?:vidia|ividia|videa|vida|vdia|ividea)\b"
BRAND_CUES = ("nvid", "nivid", "nvdia")
CARD = r"(?:gpus?|(?:graphics? |video )?(?:cards?|adapters?|hardware|devices?)|graphics)\b"
MACHINE = (
    r"(?:machine|computer|laptop|notebook|pc|desktop|server|vm|virtual machine|instance|node|box"
    r"|workstation|system|cluster|host|platform|mac(?:book)?(?: pro| air| mini)?)"
)
#: What makes it another statement: "no GPU memory", "without GPU support", "no GPU available".
OF_IT = (
    r"(?![ -](?:memory|support\w*|access|drivers?|available|free|left|utili\w+|usage|process\w*"
    r"|accel\w+|is|are|was|version|passthrough|build|backend|code)\b)"
)

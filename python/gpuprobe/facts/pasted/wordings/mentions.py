"""The forms in which a failure is named and none is reported: code, comments, alerts, speech."""

from ..sign import Sign

MENTIONS_IN_FORM = (
    Sign(
        "expected-by-a-test",
        "a test that has to see the failure",
        ("raises", "expect_", "@test_throws", "should_panic"),
        r"\b(?:pytest\.raises|assertRaises\w*|expect_error|EXPECT_(?:THROW|DEATH)|@test_throws"
        r"|should_panic)\b",
    ),
    Sign(
        "searched-for",
        "a search for the text of a failure",
        ("grep",),
        r"\bgrep(?: -\w{1,8}){0,3} (?:'[^'\n]*\w \w[^'\n]*'|\"[^\"\n]*\w \w[^\"\n]*\")",
    ),
    Sign(
        "argument-in-c",
        "a call in C that is given the text",
        ('");',),
        r"\(.{0,80}\"[^\"\n]{8,}\"[^\"\n]{0,60}\);\s*\Z",
    ),
    Sign("comment-in-xml", "a comment in XML", ("<!--",), r"\A\s*<!--.*-->\s*\Z"),
    Sign(
        "text-of-a-program",
        "one of a program's texts, by its name",
        ('="',),
        r"\A\w+\.[\w.]+=\"[^\"\n]*\w \w+ \w+ \w[^\n]*\"\s*\Z",
    ),
    Sign(
        "labelled-example",
        "an example that a classifier learns from",
        ('"label": ',),
        r"\A\s*\{\"text\": \".*\"label\": ",
    ),
    Sign(
        "comment-in-code",
        "a comment that says what has to be thought of",
        ("note", "todo", "fixme", "=>", "->", "means"),
        r"\A\s*#\s*(?-i:NOTE|TODO|FIXME)\b|\A\s*#\s{2,}(?:=>|->|means\b)",
    ),
    Sign("documentation-comment", "a comment that documents code", ("///",), r"\A\s*///"),
    Sign(
        "raised-by-code",
        "an error's name inside a sentence about code",
        ("`raise ", "`throw "),
        r"`(?:raise|throw) \w+\(",
    ),
    Sign(
        "alert-condition",
        "what an alert waits for",
        ("amtool", '*"', '|~ "', '|= "', "annotations:", "expr:"),
        r"\bamtool alert add\b|\A\s*\*\"[^\"\n]+\"\*\)|\|[~=] ?\""
        r"|\A\s*(?:annotations: *\{|expr:)",
    ),
    Sign(
        "message-of-a-chat",
        "a message of a chat, as a model is given it",
        ('"role":', "<|im_"),
        r"\A\W{0,8}(?:\"messages\": ?\[\W{0,6})?\"role\": ?\"(?:user|assistant|system)\""
        r".*[\"\]},]\s*\Z|<\|im_(?:start|end)\|>",
    ),
    Sign(
        "message-to-translate",
        "a program's message, for its translators",
        ("msgid", "msgstr"),
        r"\A(?:msgid|msgstr)(?:\[\d\])? \"",
    ),
    Sign(
        "heard",
        "a sentence that was said aloud, with its time or speaker",
        ("->", "[speaker_"),
        r"\A\s*\[\d[\d:.]*s? ?-{1,2}> ?\d[\d:.]*s?\] |\A\s*\[SPEAKER_\d\d\]: ",
    ),
)

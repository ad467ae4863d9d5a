"""The forms of source code that looks for the text of a failure, or that would log it."""

from ..sign import Sign
from ..text import cues

#: A text that is long enough to be a message.
_QUOTED = r"""[bfru]{0,2}(?:"[^"\n]{8,300}"|'[^'\n]{8,300}')"""
#: How a statement of code begins that asks for something.
_KEYWORD = r"\A\s*(?:\}\s*)?(?:(?:else )?if|elif|while|assert|return)\b"
#: How a condition begins, up to an operand of it; prose goes on in words.
_CONDITION = (
    rf"{_KEYWORD}\s*\(?"
    r"(?:[^\n]{1,200}?\s(?:and|or|&&|\|\|)\s+)?(?:not\s+)?\(?"
)
#: What is looked through: one name, called or indexed, and the end of the operand.
_PLACE = (
    r"[\w.]{1,60}(?:\([^()\n]{0,60}\)|\[[^\]\n]{0,60}\]){0,3}"
    r"\s*(?:\Z|[:)]|(?:and|or|if|else|for)\b)"
)
#: Three words or more with blanks between them, as a key; and a value that can be no message.
_KEY = r"""["']\S{1,40}(?: {1,2}[^\s"']{1,40}){2,40}["']"""
_SHORT = (
    r"""(?:["'][^\s"'\n]{1,40}(?: [^\s"'\n]{1,40})?["']"""
    r"""|[\w.]{1,60}(?:\([^()\n]{0,60}\))?(?=[,}]))"""
)

LOOKED_FOR = (
    Sign(
        "operand-of-in",
        "a message that code looks for with `in`",
        ("' in ", '" in ', "' not in ", '" not in '),
        rf"(?:{_CONDITION}|\w\(|\w = ){_QUOTED}\s(?:not )?in\s{_PLACE}",
    ),
    Sign(
        "operand-of-comparison",
        "a message that code compares with another",
        ("== '", '== "', '=="'),
        rf"{_KEYWORD}[^\n]{{1,160}}?[!=]==?\s?{_QUOTED}",
    ),
    Sign(
        "argument-of-search",
        "a message that a function looks for",
        cues(
            ".includes(|.contains(|find(|index(|indexof(|.count(|.match(|swith(|s_with("
            "|.hasprefix(|.search(|.fullmatch(|.findall(|.compile(|strstr(|/.test(|/i.test(|match="
        ),
        r"(?:\.(?:includes|contains|r?find|findall|(?:last)?index(?:of)?|count|(?:starts|ends)_?with"
        r"|hasprefix|(?:full)?match|search|compile)|\bstr(?:case)?str)\("
        rf"(?:[\w.()]{{1,60}},\s?)?{_QUOTED}|\(.{{0,120}}\bmatch={_QUOTED}"
        r"|/[^/\n]{8,300}/i?\.test\(",
    ),
    Sign(
        "branch-of-case",
        "a message that a branch is for",
        ("case ", "[[ $", '[[ "$'),
        rf"\A\s*case\s{_QUOTED}\s*:"
        rf"|\A\s*case\s[^\n]{{1,80}}?\sin\s[^\n]{{0,160}}?{_QUOTED}\*?\)"
        rf"|\[\[ [^\n]{{1,80}}?(?:==?|=~) ?\*?{_QUOTED}",
    ),
    Sign(
        "key-of-a-table",
        "a message by which a program looks something up",
        ('": ', "': "),
        rf"\A\s*(?:[\w.]{{1,60}}\s?=\s?\{{\s*{_KEY}: |\{{?\s*{_KEY}: {_SHORT}[\s,}}]{{0,8}}\Z)",
    ),
    Sign(
        "argument-of-a-logger",
        "a message that code would log",
        ("log.", "logger.", "logging.", "console.", "log("),
        r"\A\s*(?:(?:self|this)\.)?_?(?:log(?:ger|ging)?|console)\.(?:debug|info|warn(?:ing)?|error"
        rf"|critical|exception|fatal|log)\({_QUOTED}[^\n]{{0,200}}\)\s*;?\s*\Z"
        rf"|\A\s*V?LOG\(\w{{1,20}}\)\s?<<\s?{_QUOTED}",
    ),
)

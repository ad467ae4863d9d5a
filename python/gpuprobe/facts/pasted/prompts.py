"""Commands and what they answered: a shell's, Python's and a notebook's prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .text import Line, Text

#: Longer than any answer that is read here.
ANSWER_LIMIT = 200
_PROMPT = regex(
    r"""(?ax)\A\s{0,8}(?:\([\w.\-/ ]{1,60}\)\s{0,4})?(?:
        (?:PS\s)?[A-Za-z]:\\[^<>|]{0,160}>            # C:\Users\user>
      | PS>                                           # PowerShell's, and Windows', without a folder
      | >(?=(?:where|dumpbin|dir|nvcc|nvidia-smi)\s\S)
      | [\w.\-]{1,60}@[\w.\-]{1,80}[^$\#%>|]{0,120}[$\#%>](?=\s|\Z)   # user@host:~/x$
      | \[[^\]\n]{1,100}\]\s?[$\#%](?=\s|\Z)          # [user@host x]$
      | [\w.\-/~]{1,80}[$](?=\s)                      # bash-5.1$
      | [$%\u276f\u279c!](?=\s|[a-z])                     # $ command, !command
      | [$]\Z                                         # the prompt that waits below an answer
      | (?<!\s)\#\s(?=[a-z])                          # root's; farther in it is a comment
      | >>\s!(?=[a-z])                               # MATLAB's, to the shell
      | >>>(?=\s|\Z) | julia> | In\s\[\d{0,5}\]:
    )\s?(?P<command>.*)"""
)


def command_of(line: Line) -> str | None:
    """What was typed after the prompt of this line; None where it has no prompt."""
    return typed(line.text)


def typed(line: str) -> str | None:
    """The same of a line's mere text."""
    found = _PROMPT.match(line)
    return found["command"].strip() if found else None


def head_of(line: Line) -> str:
    """What a prompt says before its folder: who is where, with which sign."""
    found = _PROMPT.match(line.text)
    return line.text[: found.start("command")].partition(":")[0].strip() if found else ""


def commands(text: Text, *cues: str) -> Iterator[tuple[Line, str, tuple[Line, ...]]]:
    """Each command that holds a cue: its line, its text and the lines that it answered."""
    for line in text.having(*cues):
        command = command_of(line)
        if command is not None and any(cue in command.lower() for cue in cues):
            yield line, command, answer(text, line)


def answer(text: Text, line: Line) -> tuple[Line, ...]:
    """The lines after `line` up to the next prompt."""
    found: list[Line] = []
    while len(found) < ANSWER_LIMIT:
        # One by one: most answers are short, and a text may hold thousands of them.
        following = text.after(found[-1] if found else line, 1)
        if not following or command_of(following[0]) is not None:
            break
        found += following
    return tuple(found)


def is_empty(lines: tuple[Line, ...]) -> bool:
    """Whether a command printed nothing."""
    return not any(line.text.strip(" `\t") for line in lines)

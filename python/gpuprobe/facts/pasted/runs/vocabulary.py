"""Tokens and the rows of the embedding that looks them up: the two have to be of one size.

Whoever adds tokens to a tokenizer has to make the model's embedding larger as well. Else the first
of them ends in a kernel, and what is said of it depends on which call comes next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..prompts import command_of
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Line, Text

_EMBEDDING = regex(r"(?a)\A(?!.*(?:position|token_type)).*?\bEmbedding\((\d{3,7}), ?\d{1,6}\b")
#: How transformers' configurations call it, as they are printed.
_CONFIGURED = regex(r"(?a)['\"]?\bvocab_size['\"]?: (\d{3,7})\b")
#: What is asked for, at a prompt or by print(), and a number alone or first as the answer.
_SIZE = regex(r"\blen\(\s?(?:self\.)?(?:tok|tokenizer)\w{0,12}\s?\)")
_GREATEST = regex(r"\binput_?ids\w{0,8}['\"]?\]?(?:\.\w{1,12}\(\))?\.max\(\)|\bmax\(input_?ids")
_ANSWER = regex(r"\A\s{0,8}(?:tensor\()?(\d{3,7})(?=\s*\Z|[),]| \w{1,30}\()")
_MOST_LINES = 12
#: One call that prints the tokenizer's size and the embedding's rows: ``print(len(tok), …)``.
_PRINTED = regex(r"\bprint\((.{1,300})\)\s*\Z")
_NEXT = regex(r",\s?(?![^()]{0,80}\))")
_ROWS = regex(
    r"\bconfig\.vocab_size\Z|\bnum_embeddings\Z"
    r"|(?:wte|word_embeddings|embed_tokens|get_input_embeddings\(\))\.weight\.shape(?:\[0\])?\Z"
)
_NUMBERS = regex(r"(?a)torch\.Size\(\[(\d{1,7})[\d, ]{0,40}\]\)|(?<![\w.])(\d{1,7})(?![\w.])")
_GROWN = "resize_token_embeddings", "resize_embedding", "set_input_embeddings"

#: No comment, and not the padding's name for a token that is there already.
_ADDED = regex(
    r"\A[^#\n]{0,200}?\.add_(?:special_)?tokens\("
    r"(?!\s?\{\s?['\"]\w{1,20}['\"]: ?[\w.]{1,60}\.\w{1,20}_token\s?\})"
)
_LOADED = regex(r"(?i)\b(?!\w*(?:tokenizer|config|processor)\w*\.)\w{3,60}\.from_pretrained\(")


def read(text: Text) -> Statements:
    """A token that the embedding has no row for, or code that adds tokens and no rows."""
    if any(True for _ in text.having(*_GROWN)):
        return
    sizes = {int(match[1]) for _, match in text.matching(_EMBEDDING, "embedding(")}
    sizes |= {int(match[1]) for _, match in text.matching(_CONFIGURED, "vocab_size")}
    if sizes:
        yield from _beyond(text, max(sizes))
    yield from _printed_together(text)
    for line, _ in text.matching(_ADDED, ".add_tokens(", ".add_special_tokens("):
        if text.shows(_LOADED, ".from_pretrained("):
            yield say(said.TOKENS_WITHOUT_ROWS, line.text.strip()[:120], line)
            return


def _beyond(text: Text, rows: int) -> Statements:
    for line in text.having("len(", "max("):
        greatest = _GREATEST.search(line.text) is not None
        if not greatest and not _SIZE.search(line.text):
            continue
        found = _answer(text, line)
        if found is not None and found[1] >= rows + (not greatest):
            what = "the greatest token" if greatest else "the tokenizer's size"
            told = f"{what} is {found[1]}, the embedding has {rows} rows"
            yield say(said.TOKEN_BEYOND_EMBEDDING, told, found[0])
            return


def _printed_together(text: Text) -> Statements:
    """Both sizes in the answer to one call, each in the place of its argument."""
    for line, call in text.matching(_PRINTED, "len("):
        asked = _NEXT.split(call[1])
        size = next((at for at, each in enumerate(asked) if _SIZE.fullmatch(each.strip())), None)
        rows = next((at for at, each in enumerate(asked) if _ROWS.search(each.strip())), None)
        if size is None or rows is None:
            continue
        for below in text.after(line, 1):
            told = [int(match[1] or match[2]) for match in _NUMBERS.finditer(below.text)]
            if len(told) == len(asked) and told[size] > told[rows] > 0:
                words = f"the tokenizer's size is {told[size]}, the embedding has {told[rows]} rows"
                yield say(said.TOKEN_BEYOND_EMBEDDING, words, below)
                return


def _answer(text: Text, line: Line) -> tuple[Line, int] | None:
    """The number that was printed: beside the code or below it, or below its prompt."""
    beside = _ANSWER.match(line.text.partition("->")[2])
    if beside:
        return line, int(beside[1])
    prompted = command_of(line) is not None
    for below in text.after(line, 1 if prompted else _MOST_LINES):
        if match := _ANSWER.match(below.text):
            return below, int(match[1])
    return None

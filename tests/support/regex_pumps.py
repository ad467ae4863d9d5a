"""Texts that make a pattern work hard: what one of its repeats takes, again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from support.regex_steps import BOUNDED, ONE, REPEATS, inner, parsed, single, sre, times

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from support.regex_steps import Node

#: One character of each kind that patterns tell apart.
KINDS = "aZ0 _.-([{\"'/\\,:=<>|#%*+~$@!;&?)]}`^\t\n\u4e2d"
#: So many of the characters that a repeat takes, and of the ways through alternatives.
_ALONE, _WAYS = 6, 3
#: What no pattern goes on with.
_ODD = "\x01"


class Pump(NamedTuple):
    """What stands before, and what is said again and again until a pattern can go on no more."""

    before: str
    word: str

    def text(self, length: int) -> str:
        """So many characters of words, and the rest of the last one."""
        return self.before + self.word * -(-length // len(self.word)) + _ODD


def pumps(pattern: re.Pattern[str]) -> Iterator[Pump]:
    """The texts, each once."""
    tree, flags = parsed(pattern)
    seen = dict.fromkeys(
        pump
        for prefix, body, inside in _long_repeats(tree, flags, "")
        for word in _words(body, inside)
        for pump in (Pump(prefix, word), Pump("", word), Pump("", prefix + word))
    )
    yield from seen


def _long_repeats(
    nodes: list[Node], flags: int, before: str
) -> Iterator[tuple[str, list[Node], int]]:
    """Each repeat without a bound, with something that the nodes before it take."""
    for node in nodes:
        for sequence, inside in inner(node, flags):
            if node[0] in REPEATS and node[1][1] > BOUNDED:
                yield before, sequence, inside
            yield from _long_repeats(sequence, inside, before)
        before += _taken([node], flags)


def _words(body: list[Node], flags: int) -> Iterator[str]:
    """What one round of a repeat takes: characters of each kind, or one of its alternatives."""
    if len(body) == 1 and body[0][0] in ONE:
        kinds = _characters(body[0], flags)
        yield from kinds[:_ALONE]
        yield from (kinds[0] + other for other in kinds[1:_ALONE])
    else:
        yield from filter(None, (_taken(body, flags, way) for way in range(_WAYS)))


def _characters(node: Node, flags: int) -> list[str]:
    takes = single(node, flags)
    return [each for each in KINDS if takes(each)] or [_named(node)]


def _named(node: Node) -> str:
    """The first character that a node names, of those that stand for no kind."""
    op, value = node
    first, named = (op, value) if op is not sre.IN else value[0]
    return chr(named if first is sre.LITERAL else named[0] if first is sre.RANGE else 0)


def _taken(nodes: list[Node], flags: int, way: int = 0) -> str:
    """A text that a sequence takes, but for what it asks of the places around."""
    text = ""
    for node in nodes:
        op, value = node
        if op in ONE:
            kinds = [chr(value)] if op is sre.LITERAL else _characters(node, flags)
            text += kinds[way % len(kinds)]
        elif op not in (sre.ASSERT, sre.ASSERT_NOT, sre.AT, sre.GROUPREF):
            parts = list(inner(node, flags)) or [([], flags)]  # of one that never matches
            part, inside = parts[way % len(parts)]
            count = times(*value[:2])[0] if op in REPEATS else 1
            text += _taken(part, inside, way) * count
    return text

"""A matcher of regular expressions that counts its steps, as `re` cannot.

It backtracks as `re` does, over the tree that `re` itself parses, and so takes as many steps but
for a factor. What a pattern repeats at most `BOUNDED` times it repeats a few times only: what is
bounded costs a factor as well, and counts then grow with the text alone.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if sys.version_info >= (3, 11):
    from re import _compiler as sre_compile
    from re import _constants as sre
    from re import _parser as sre_parse
else:
    import sre_compile
    import sre_constants as sre
    import sre_parse

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

    Node = tuple[Any, Any]
    Then = Callable[[int], bool]
    Match = Callable[[int, Then], bool]

#: To repeat so often is a factor of the time, no matter of the length of a text.
BOUNDED = 500
_FEW = 3
#: What no search of a short text needs.
TOO_MANY = 100_000
#: Each node of a match calls the next one.
_DEEP = 30_000

ONE = (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)
REPEATS = tuple(
    getattr(sre, name)
    for name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
    if hasattr(sre, name)
)
_ATOMIC = getattr(sre, "ATOMIC_GROUP", None)
_POSSESSIVE = getattr(sre, "POSSESSIVE_REPEAT", None)


class _TooManyError(Exception):
    pass


def parsed(pattern: re.Pattern[str]) -> tuple[list[Node], int]:
    """The tree of a pattern and its flags."""
    tree = sre_parse.parse(pattern.pattern, pattern.flags)
    return list(tree), tree.state.flags


def single(node: Node, flags: int) -> Callable[[str], bool]:
    """Whether a character is one of those that a node for one character takes."""
    state = sre_parse.State()
    state.flags = flags
    matches = sre_compile.compile(sre_parse.SubPattern(state, [node]), flags).fullmatch
    known: dict[str, bool] = {}

    def takes(character: str) -> bool:
        if character not in known:
            known[character] = matches(character) is not None
        return known[character]

    return takes


def times(least: int, most: int) -> tuple[int, int]:
    """How often something is repeated, where few times stand for a bounded number."""
    return min(least, _FEW), min(most, max(min(least, _FEW), _FEW)) if most <= BOUNDED else most


def inner(node: Node, flags: int) -> Iterator[tuple[list[Node], int]]:
    """The sequences inside a node, with the flags that hold there."""
    op, value = node
    if op is sre.BRANCH:
        yield from ((list(each), flags) for each in value[1])
    elif op is sre.SUBPATTERN:
        yield list(value[3]), (flags | value[1]) & ~value[2]
    elif op in REPEATS:
        yield list(value[2]), flags
    elif op in (sre.ASSERT, sre.ASSERT_NOT):
        yield list(value[1]), flags
    elif op is sre.GROUPREF_EXISTS:
        yield from ((list(each or ()), flags) for each in value[1:])
    elif op is _ATOMIC:
        yield list(value), flags


class Counter:
    """Matches one pattern and counts."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        tree, flags = parsed(pattern)
        self._match = self._sequence(tree, flags)
        self._text, self._steps = "", 0
        self._groups: dict[int, tuple[int, int]] = {}

    def steps(self, text: str, method: str = "search") -> int:
        """How many steps this method takes: "search", "match" or "fullmatch"."""
        self._text, self._steps = text, 0
        end = len(text)
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(_DEEP)
        try:
            starts = range(end + 1 if method == "search" else 1)
            whole = method == "fullmatch"
            any(self._match(start, lambda at: at == end or not whole) for start in starts)
        except _TooManyError:
            pass
        finally:
            sys.setrecursionlimit(before)
        return self._steps

    def _count(self) -> None:
        self._steps += 1
        if self._steps > TOO_MANY:
            raise _TooManyError

    def _sequence(self, nodes: list[Node], flags: int) -> Match:
        matchers = [self._node(node, flags) for node in nodes]

        def match(at: int, then: Then, first: int = 0) -> bool:
            if first == len(matchers):
                return then(at)
            return matchers[first](at, lambda next_: match(next_, then, first + 1))

        return match

    def _node(self, node: Node, flags: int) -> Match:
        op, value = node
        if op in ONE:
            return self._one(single(node, flags))
        if op in REPEATS:
            return self._repeat(node, flags)
        if op is sre.AT or op is sre.GROUPREF:
            return self._at(node, flags) if op is sre.AT else self._again(value)
        if op is sre.FAILURE:
            return lambda _at, _then: False
        parts = [self._sequence(nodes, inside) for nodes, inside in inner(node, flags)]
        if op in (sre.BRANCH, sre.GROUPREF_EXISTS):  # of the second one is tried that `re` skips
            return lambda at, then: any(part(at, then) for part in parts)
        [part] = parts
        if op is sre.SUBPATTERN:
            return self._group(part, value[0])
        if op is _ATOMIC:
            return self._atomic(part)
        return self._look(part, node)

    def _look(self, part: Match, node: Node) -> Match:
        op, (direction, looked_for) = node
        width = looked_for.getwidth()[0] if direction < 0 else 0
        wanted = op is sre.ASSERT

        def match(at: int, then: Then) -> bool:
            found = at >= width and part(at - width, lambda _: True)
            return found is wanted and then(at)

        return match

    def _one(self, takes: Callable[[str], bool]) -> Match:
        def match(at: int, then: Then) -> bool:
            self._count()
            return at < len(self._text) and takes(self._text[at]) and then(at + 1)

        return match

    def _at(self, node: Node, flags: int) -> Match:
        state = sre_parse.State()
        state.flags = flags
        is_there = sre_compile.compile(sre_parse.SubPattern(state, [node]), flags).match
        return lambda at, then: is_there(self._text, at) is not None and then(at)

    def _again(self, number: int) -> Match:
        def match(at: int, then: Then) -> bool:
            self._count()
            start, end = self._groups.get(number, (0, 0))
            said = self._text[start:end]
            return self._text.startswith(said, at) and then(at + len(said))

        return match

    def _group(self, part: Match, number: int | None) -> Match:
        def match(at: int, then: Then) -> bool:
            def close(end: int) -> bool:
                if number is not None:
                    self._groups[number] = (at, end)
                return then(end)

            return part(at, close)

        return match

    def _atomic(self, part: Match) -> Match:
        def match(at: int, then: Then) -> bool:
            ends: list[int] = []
            return part(at, lambda end: not ends.append(end)) and then(ends[0])

        return match

    def _repeat(self, node: Node, flags: int) -> Match:
        op, (least, most, body) = node
        least, most = times(least, most)
        if len(body) == 1 and body[0][0] in ONE:
            match = self._run(single(body[0], flags), least, most, lazy=op is sre.MIN_REPEAT)
        else:
            match = self._rounds(
                self._sequence(list(body), flags), least, most, op is sre.MIN_REPEAT
            )
        return self._atomic(match) if op is _POSSESSIVE else match

    def _run(self, takes: Callable[[str], bool], least: int, most: int, *, lazy: bool) -> Match:
        """Of single characters, without one call in another for each of them."""

        def longest(at: int, limit: int) -> int:
            count = 0
            while count < limit and at + count < len(self._text) and takes(self._text[at + count]):
                self._count()
                count += 1
            return count

        def match(at: int, then: Then) -> bool:
            if not lazy:
                counts = range(longest(at, most), least - 1, -1)
                return any(self._tried(at + count, then) for count in counts)
            count = longest(at, least)
            while count >= least:
                if self._tried(at + count, then):
                    return True
                if count >= most or not longest(at + count, 1):
                    return False
                count += 1
            return False

        return match

    def _tried(self, at: int, then: Then) -> bool:
        self._count()
        return then(at)

    def _rounds(self, body: Match, least: int, most: int, lazy: bool) -> Match:
        def match(at: int, then: Then, done: int = 0) -> bool:
            self._count()
            on = done >= least

            def more() -> bool:
                return done < most and body(
                    at, lambda end: (end > at or not on) and match(end, then, done + 1)
                )

            if lazy:
                return (on and then(at)) or more()
            return more() or (on and then(at))

        return match

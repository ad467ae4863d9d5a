"""A Python that is older than what a package is offered for, as people tell of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ...version import Version
from ..statement import Statements, say
from ..text import BETWEEN_SENTENCES

if TYPE_CHECKING:
    import re

    from ..text import Line, Text

_PYTHON = r"python ?(?:version )?(3\.\d{1,2})(?![\d.]*\d)"
#: "only for above python3.9", "requires Python 3.10 or later", "needs python >= 3.9".
_FLOOR = regex(
    rf"(?i)\b(?:only|just)\b[^.;?\n]{{0,60}}?(?:\b(?:above|over|from|at least|(?:newer|later) than)"
    rf"|[>\u2265]=?) ?{_PYTHON}"
    rf"|\b(?:only|just|requires?|needs?|at least)\b[^.;?\n]{{0,60}}?\b{_PYTHON} ?"
    r"(?:\+|(?:and|or) (?:above|up|later|newer|higher|greater|onwards?)\b)"
    r"|\b(?:requires?|needs?)\b[^.;?\n]{0,30}?\bpython ?(?:version )?[>\u2265]=? ?(3\.\d{1,2})\b"
)
#: "My environment is python3.7", "in my Python 3.8", "I have python 3.7".
_OWN = regex(rf"(?i)\b(?:my|our|mine|I(?:'m| am| have| use| run))\b[^.;?\n]{{0,30}}?\b{_PYTHON}")
_PACKAGE = regex(
    r"(?i)(?<![\w./-])(cudf|cuml|cugraph|cuspatial|cucim|rapids|(?:py)?torch|tensorflow|jax|cupy"
    r"|onnxruntime-gpu|paddlepaddle(?:-gpu)?|tensorrt|vllm|xformers|flash-attn)(?![\w/-])"
)
_SUPPOSED = regex(r"(?i)\?\s*\Z|\b(?:if|unless|whether|should|would|solved|fixed|upgraded)\b")
_LONGEST = 400


def read(text: Text) -> Statements:
    """The package with the first Python that it is offered for, and the one that is there."""
    for line, sentence, floor in _floors(text):
        named = _PACKAGE.search(sentence) or _named_near(text, line)
        if named is None:
            continue
        yield say(said.SIGN("python-floor-told"), f"{named[1].lower()} {floor}", line)
        for own in text.having("python"):
            found = _OWN.search(own.text) if len(own.text) <= _LONGEST else None
            if found is not None:
                yield say(names.PYTHON_VERSION, Version(found[1]), own)
                break
        return


def _floors(text: Text) -> list[tuple[Line, str, str]]:
    found = []
    for line in text.having("python"):
        for sentence in BETWEEN_SENTENCES.split(line.text) if len(line.text) <= _LONGEST else ():
            match = _FLOOR.search(sentence)
            if match is not None and not _SUPPOSED.search(sentence):
                found.append((line, sentence, next(filter(None, match.groups()))))
    return found


def _named_near(text: Text, line: Line) -> re.Match[str] | None:
    near = (*text.before(line, 2), line)
    return next(filter(None, (_PACKAGE.search(each.text) for each in near)), None)

"""Who tells JAX to keep less of the GPU's memory, and says that it keeps as much as before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...excerpt import excerpt
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_SETTING = regex(r"\bXLA_PYTHON_CLIENT_(?:PREALLOCATE|MEM_FRACTION)\b")
#: That it changes nothing, or how much of the memory JAX takes all the same.
_IN_VAIN = regex(
    r"(?i)\A(?=.{1,600}\Z)(?!.*(?:\?|\b(?:if|unless|should|would|out of memory|OOM when)\b)).*?("
    r"\b(?:is|are|was|gets?)(?: completely| simply| just)? ignored\b|\bnothing changes\b"
    r"|\b(?:has|have|had|is of) no effect\b"
    r"|\b(?:still|all the same|nevertheless|anyway)\b[^.\n]{0,40}\b(?:pre)?allocat\w+\b[^.\n]{0,24}"
    r"(?:\bmemory\b|\d ?%)"
    r"|\b(?:jax|it|process|program)\b[^.\n]{0,16}\btakes? (?:far )?(?:too much|all|most|\d\d ?%)"
    r"[^.\n]{0,24}\bmemory\b)"
)
_AROUND = 4


def read(text: Text) -> Statements:
    """The first line that says so, near one that names the setting."""
    for line, _ in text.matching(_SETTING, "xla_python_client_"):
        near = (*text.before(line, _AROUND), line, *text.after(line, _AROUND))
        for each in near:
            if told := _IN_VAIN.match(each.text):
                words = excerpt(each.text, told.start(1))
                yield say(said.SIGN("jax-memory-setting-in-vain"), words, each)
                return

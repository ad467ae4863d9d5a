"""What cargo shows of a build script of Rust that compiles CUDA code and finds no nvcc."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...excerpt import excerpt
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

#: The crate that calls nvcc for others; what else it starts, nvidia-smi, it names.
_PANIC = regex(r"(?a)\bpanicked at .{0,400}?\bbindgen_cuda-[\w./\\-]{1,80}\.rs:\d")
_NOT_FOUND = regex(r"\bOs \{ code: 2, kind: NotFound\b")
_OTHER = "nvidia-smi"


def read(text: Text) -> Statements:
    """A program that is not there: in the same line, or, from Rust 1.73 on, in the next one."""
    for line, _ in text.matching(_PANIC, "bindgen_cuda-"):
        for each in (line, *text.after(line, 1)):
            if _NOT_FOUND.search(each.text) and _OTHER not in each.text:
                yield say(said.SIGN("nvcc-not-run"), excerpt(each.text), each)
                return

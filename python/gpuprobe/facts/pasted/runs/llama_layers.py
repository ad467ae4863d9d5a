"""llama.cpp's programs, started without a word of how many layers the GPU takes.

Up to the end of 2025 that was none, in a build for CUDA as well, and the program says no word of
it where its log is left out. So it is told only where somebody misses the GPU's work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_STARTED = regex(
    r"(?:\A|[\s/\\])((?:llama-(?:cli|server|simple)|main|server)(?:\.exe)? [^\n]{0,400}?"
    r"(?:-m|--model)[ =]\S{1,300}\.gguf\b"
    r"|koboldcpp[\w.-]{0,40} [^\n]{0,300}?--use(?:cublas|cuda)\b)"
)
#: Who asks whether it was given does not give it.
_LAYERS = regex(r"\A(?!.*\?).*?(?:-ngl\b|--(?:n-)?gpu-?layers\b|\bn_gpu_layers\b|--fit\b)")
_FOR_CUDA = regex(
    r"(?i)(?:\b|-D)(?:GGML|LLAMA)_(?:CUDA|CUBLAS)\s?=\s?(?:1|on|true|yes)\b|--use(?:cublas|cuda)\b"
)
_COMPLAINT = regex(
    r"(?i)\b(?:too|very|so|really|extremely|is|also) slow\b|\bslower\b"
    r"|\b(?:uses?|on) (?:only )?(?:the )?cpu\b"
    r"|\bgpu (?:is not|isn't|is never) (?:being )?used\b|\bgpu\b[^.\n]{0,16}\b(?:idle|0 ?%)"
)


def read(text: Text) -> Statements:
    """The command of a build for CUDA, where nobody names layers and somebody complains."""
    started = next(text.matching(_STARTED, "-m ", "--model", "koboldcpp"), None)
    if started is None or text.shows(_LAYERS, "ngl", "layers", "--fit"):
        return
    for_cuda = text.shows(_FOR_CUDA, "_cuda", "_cublas", "usecublas", "usecuda")
    if for_cuda and text.shows(_COMPLAINT, "slow", "cpu", "gpu"):
        line, match = started
        yield say(said.SIGN("llama-started-without-layers"), match[1][:120], line)

"""The last line in which a program tells which CUDA device it is on, and whether it did something.

A device is named before anything is computed on it, and code names it too: beside what stands
aside (`asides.py`) it makes believe that the GPU is reached, and clears nothing by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statement, Statements, say

if TYPE_CHECKING:
    from ..text import Text

_PRODUCT = (
    r"(?:NVIDIA|Tesla|Quadro|GeForce|TITAN|(?:RTX|GTX)\s\w?\d{3,4}|[ALHBTPVK]\d{1,3}0?\b|GH200)"
)
_IN_USE = regex(
    rf"""(?x)
    (?<!/)\b(?i:cuda):\d{{1,2}}\b(?![.\d])
  | (?i:\bdevice)['"]?\s?[:=\u2192(]{{1,2}}\s?(?:type=)?['"]?cuda\b
  | (?i:\b(?:device|rank))\s?\d{{1,2}}\s?(?:\W{{1,3}}|is\s){_PRODUCT}
  | (?i:\b(?:on|using))\s(?:the\s)?(?:GPU|card)\b\W{{0,3}}(?:\d|{_PRODUCT}|in\s\d)
  | \b(?:processed|computed|rendered|encoded|ran|[Rr]unning)\son\s(?:the\s)?GPU\b
  | \((?:h264|hevc|av1)_(?:nvenc|cuvid)\)
  | \|\s(?:CUDA|GPU)\s{{1,12}}\|[^\n]*\d\s±\s\d  # llama-bench
  | \b[Uu]sing:?\s(?:NVIDIA\s)?(?:GeForce|Tesla|Quadro|TITAN|RTX|GTX)\s[\w\s]{{2,30}}\W{{0,3}}\Z
  | \b[Rr]unning\son:\scuda\b
  | \boffloaded\s[1-9]\d*/\d+\slayers\sto\sGPU\b  # llama.cpp
  | \bGPU\sKV\scache\susage:\s[\d.]+%  # vLLM
  | \bGPU\b[^\n]{{0,40}}\bTFLOP(?:/)?s  # Megatron-LM
    """
)
#: A line of code, a question, advice, and what failed.
_NOT_IN_USE = regex(
    r"""(?xi)
    \b(?:\w*error|fail\w*|cannot|can't|unable|invalid|expected|expects?|not|no|none|never|if|else
      |old|older|other|another|previous|should|would|could|want|try|wrong|mismatch)\b
  | \bUUID:\s | \bVMM:\s | ,\scompute\scapability\s\d  # lists of what there is
  | \A\s*\w+\s?=\s?[\w{(] | \b(?:in\s(?:spring|summer|autumn|winter)|ago|yesterday|used\sto)\b
  | \.to\( | \bdevice\s?=\s?(?:torch|['"]) | [?]\s*\Z | \A\s*(?:\#|File\s") | --\w
    """
)
#: What tells that something was done there.
_DONE = regex(
    r"(?i)\d ?(?:ms|s|secs?|seconds|it/s|\w{1,10}/s)\b|± ?\d|TFLOP"
    r"|\b(?:ok|done|succeeded|passed|finished)\b"
)
_CUES = (
    *("cuda:", "device", "rank ", "on gpu", "on the gpu", "on card", "on the card", "using gpu"),
    *("using the gpu", "_nvenc)", "_cuvid)", "| cuda ", "| gpu ", "gpu kv cache", "flop"),
    *("using ", "offloaded ", "running on"),
)
_LIMIT = 120


#: What compute-sanitizer and cuda-memcheck end with, which stand between the program and CUDA.
_CHECKED = regex(r"={9} ERROR SUMMARY: 0 errors\s*\Z")
_WITHOUT_CUDA = "terminated before first instrumented api call"


def _checked(text: Text) -> Statements:
    """The last program that called CUDA below a checker, which found no fault."""
    if _WITHOUT_CUDA not in text:
        for line, match in list(text.matching(_CHECKED, "error summary: 0 errors"))[-1:]:
            yield say(said.DEVICE_WORKED, match[0].strip(), line)


def read(text: Text) -> Statements:
    """At most one statement of each kind."""
    last: dict[bool, Statement] = {}
    for line, _ in text.matching(_IN_USE, *_CUES):
        if _NOT_IN_USE.search(line.text) is None:
            done = _DONE.search(line.text) is not None
            key = said.DEVICE_WORKED if done else said.DEVICE_IN_USE
            last[done] = say(key, line.text.strip()[:_LIMIT], line)
    yield from last.values() if True in last else (*last.values(), *_checked(text))

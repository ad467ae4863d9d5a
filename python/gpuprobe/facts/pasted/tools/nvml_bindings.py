"""What Python's bindings to NVML show of a GPU: handles, its memory, a call refused by the GPU.

NVML gives a handle where it started and the GPU answered. That the GPU does not support a call,
such as that for a fan which it does not have, is an answer too: NVML's start never ends in that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

#: pynvml's and py3nvml's pointers to a GPU, as Python prints a list of them.
_HANDLES = regex(r"<(?:[\w.]{1,40}\.)?LP_struct_c_nvmlDevice_t object at 0x[0-9a-f]{4,16}>")
_MEMORY = regex(r"(?a)\bc_nvmlMemory_t\(total: (\d{6,15})(?: B)?, ")
#: The frame of a call about a GPU that is there, or of the binding's check of what NVML returned.
_ASKED = regex(
    r"\bnvmlDeviceGet\w{3,60}\((?:self\.)?_?(?:nvml)?_?(?:handle|device|dev|gpu)\b"
    r"|, line \d{1,5}, in _nvmlCheckReturn\b"
)
_REFUSED = regex(r"\bNVMLError_NotSupported\b")
_NEAR = 16


def read(text: Text) -> Statements:
    """How many GPUs NVML gave handles of, the memory of one, and what one of them refused."""
    for line in text.having("lp_struct_c_nvmldevice_t"):
        if handles := _HANDLES.findall(line.text):
            yield say(names.NVML_COUNT, len(handles), line)
            break
    for line, match in text.matching(_MEMORY, "c_nvmlmemory_t("):
        yield say(names.GPU_MEMORY(0), int(match[1]), line)
        yield say(names.NVML_COUNT, 1, line)  # one at least; what stands first counts
        break
    for line, _ in text.matching(_REFUSED, "nvmlerror_notsupported"):
        if any(_ASKED.search(each.text) for each in text.before(line, _NEAR)):
            yield say(names.NVML_COUNT, 1, line)
            return

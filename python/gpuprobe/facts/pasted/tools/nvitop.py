"""nvitop's table: nvidia-smi's, with lines of its own between the cells and names cut in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ...version import Version
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Line, Text

_BANNER = regex(r"(?a)\bNVITOP \d[\w.+]{0,24}\s{1,24}Driver Version: (\d{3}(?:\.\d{2,3}){1,2})\b")
#: A name that does not fit is "..orce GTX 1080 Ti"; of it the whole words are kept.
_ROW = regex(
    r"(?a)\A\s*[│|]\s{1,4}(?P<gpu>\d{1,3})\s{1,4}(?:\.\.\S{0,24} )?(?P<name>[A-Z][^│|]{0,60}?)"
    r"\s{1,24}(?P<persistence>On|Off|WDDM|TCC|N/A)\s*[│|]\s*"
    r"(?P<pci>[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d)"
)
_MEMORY = regex(r"(?a)[│|]\s*(\d{1,7})MiB / (\d{1,7})MiB\s*[│|]")
_MIB = 1 << 20


def read(text: Text) -> Statements:
    """The driver, and each GPU with its memory."""
    for line, banner in text.matching(_BANNER, "nvitop "):
        yield say(names.DRIVER_VERSION, Version(banner[1]), line)
        yield from _rows(text)
        return


def _rows(text: Text) -> Statements:
    listed: dict[str, Line] = {}
    for line, row in text.matching(_ROW, "on ", "off ", "wddm ", "tcc ", "n/a "):
        listed.setdefault(row["gpu"], line)
        yield say(names.GPU_NAME(row["gpu"]), row["name"], line)
        for below in text.after(line, 1):
            if memory := _MEMORY.search(below.text):
                used, total = (int(figure) * _MIB for figure in memory.groups())
                yield say(names.GPU_MEMORY(row["gpu"]), total, below)
                yield say(names.GPU_MEMORY_FREE(row["gpu"]), total - used, below)
    if listed:
        yield say(names.NVML_COUNT, len(listed), next(iter(listed.values())))

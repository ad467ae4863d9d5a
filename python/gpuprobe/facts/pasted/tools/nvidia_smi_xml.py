"""``nvidia-smi -q -x``: the fields of ``-q`` as XML, of which people paste the beginning.

It is read line by line, as the end is mostly cut off and no parser would take it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ..statement import Statements, say
from ..values import release
from .nvidia_smi_fields import COLUMNS

if TYPE_CHECKING:
    from ..text import Line, Text

_ROOT = "<nvidia_smi_log>"
#: A report whose beginning is cut off stands below what printed it.
_CALLED = "nvidia-smi -q -x", "nvidia-smi -x -q", "nvidia-smi --query --xml-format"
_GPU = regex(r"(?a)<gpu id=\"([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d)\">")
_ELEMENT = regex(r"(?a)<(\w+)>([^<>\n]{1,120})</\1>")
#: The elements of a GPU whose names mean one thing wherever they stand, as columns of a query.
_COLUMNS = {
    "product_name": "name",
    "uuid": "uuid",
    "persistence_mode": "persistence_mode",
    "compute_mode": "compute_mode",
    "current_mig": "mig.mode.current",
}


def read(text: Text) -> Statements:
    """What stands before the first GPU, then each GPU."""
    cut_off = "<?xml" not in text and any(each in text for each in _CALLED)
    if _ROOT not in text and not cut_off:
        return
    number = -1
    for line in text.having("<gpu id=", "</"):
        if gpu := _GPU.search(line.text):
            number += 1
            domain, _, rest = gpu[1].lower().partition(":")
            yield say(names.GPU_PCI(str(number)), f"{domain[-4:]}:{rest}", line)
        elif element := _ELEMENT.search(line.text):
            name, value = element.groups()
            yield from _of_driver(name, value, line)
            if name in _COLUMNS and number >= 0:
                yield from COLUMNS[_COLUMNS[name]](str(number), value, line)


def _of_driver(name: str, value: str, line: Line) -> Statements:
    version = release(value)
    if name == "driver_version" and version is not None:
        yield say(names.DRIVER_VERSION, version, line)
    elif name == "cuda_version" and version is not None:
        yield say(names.DRIVER_CUDA, version, line)
    elif name == "attached_gpus" and value.isascii() and value.isdigit():
        yield say(names.NVML_COUNT, int(value), line)

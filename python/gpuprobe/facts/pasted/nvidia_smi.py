"""nvidia-smi: the banner, the table of GPUs in its old and new forms, ``-L``, ``-q``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import names
from ..version import Version
from .statement import Statement, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .text import Line, Text

# Since driver 610 the banner says "KMD Version" and "CUDA UMD Version".
_DRIVER = re.compile(r"(?:Driver|KMD) Version\s*:\s*(\d+(?:\.\d+)+)")
_CUDA = re.compile(r"CUDA(?: [A-Za-z]+)? Version\s*:\s*(\d+\.\d+)")
_ROW = re.compile(
    r"\|\s+(?P<index>\d{1,3})\s+(?P<name>[A-Z][^|]*?)\s+(?P<persistence>On|Off|WDDM|TCC|MCDM|N/A|ERR!)"
    r"\s*\|\s*(?P<pci>[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d)"
)
_MEMORY = re.compile(r"(\d+)MiB\s*/\s*(\d+)MiB")
_LISTED = re.compile(r"\bGPU (\d{1,3}): ([^(\n]+?)(?: \(UUID: ([^)\s]+)\))?\s*$")
_MIG = re.compile(r"\bMIG \S+\s+Device\s+\d+: \(UUID: (MIG-[^)\s]+)\)")
_QUERIED = re.compile(r"^\s*Product Name\s+: (.+)$")
_MIB = 1 << 20


def read(text: Text) -> Iterator[Statement]:
    """Driver and CUDA ceiling, then each GPU."""
    yield from _banner(text)
    yield from _table(text)
    yield from _list(text)
    yield from _query(text)


def _banner(text: Text) -> Iterator[Statement]:
    for line in text.having("driver version", "kmd version"):
        if match := _DRIVER.search(line.text):
            yield say(names.DRIVER_VERSION, Version(match[1]), line)
            if match := _CUDA.search(line.text):
                yield say(names.DRIVER_CUDA, Version(match[1]), line)


def _table(text: Text) -> Iterator[Statement]:
    """A row of the table is two lines: name and address, then state and memory."""
    for line in text.having("|"):
        match = _ROW.search(line.text)
        if match is None:
            continue
        gpu = match["index"]
        yield say(names.GPU_NAME(gpu), match["name"], line)
        yield say(names.GPU_PCI(gpu), match["pci"].lower(), line)
        if match["persistence"] in ("On", "Off"):
            yield say(names.GPU_PERSISTENCE(gpu), match["persistence"] == "On", line)
        yield from _state(gpu, text.after(line, 2))


def _state(gpu: str, lines: tuple[Line, ...]) -> Iterator[Statement]:
    for line in lines:
        if "ERR!" in line.text:
            yield say(names.GPU_FAILURE(gpu), "nvidia-smi shows ERR!", line)
        if match := _MEMORY.search(line.text):
            used, total = (int(number) * _MIB for number in match.groups())
            yield say(names.GPU_MEMORY(gpu), total, line)
            yield say(names.GPU_MEMORY_FREE(gpu), total - used, line)
            for mode in ("Default", "E. Process", "Exclusive_Process", "Prohibited"):
                if mode in line.text:
                    yield say(names.GPU_COMPUTE_MODE(gpu), mode, line)
            return


def _list(text: Text) -> Iterator[Statement]:
    gpu = None
    for line in text.having("gpu ", "mig "):
        if match := _LISTED.search(line.text):
            gpu = match[1]
            yield say(names.GPU_NAME(gpu), match[2], line)
            if match[3]:
                yield say(names.GPU_UUID(gpu), match[3], line)
        elif gpu is not None and _MIG.search(line.text):
            yield say(names.GPU_MIG(gpu), True, line)


def _query(text: Text) -> Iterator[Statement]:
    for gpu, line in enumerate(text.having("product name")):
        if match := _QUERIED.search(line.text):
            yield say(names.GPU_NAME(gpu), match[1].strip(), line)

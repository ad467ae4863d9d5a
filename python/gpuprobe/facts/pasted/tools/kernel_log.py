"""What the kernel's log says, and TensorFlow's diagnosis, which reads the same places.

A mismatch of the driver's halves is stated with both versions: the client's library and the
kernel module. They become the facts that a look at the machine would give.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names, said
from ...excerpt import excerpt
from ...regex import regex
from ...version import Version
from ..statement import Statements, deny, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..text import Line, Text

_VERSION = r"(\d{2,4}\.\d{1,4}(?:\.\d{1,3})?)"
_XID = regex(
    r"(?ai)(?<!e\.g\. )(?<!e\.g\., )"
    r"(?:\bXid (?:\((?:PCI:)?[\da-f:.]{5,16}[^)\n]{0,60}\))?:? ?(\d{1,3})\b(?!\.\d)"
    r"|\bXid ?[=#:]? ?(\d{1,3})\b(?!\.\d))"
    # what a monitor calls it
    r"(?! (?:is|as|be|counts as) (?:an? )?(?:warn|crit|info|ok\b|error\b|alert))"
)
#: Somebody who tries out a monitor makes them.
_MADE = regex(r"(?i)\b(?:inject|trigger|simulat)\w{0,3}\b[^\n]{0,24}\bxid\b")
_CLIENT = regex(
    r"(?i)(?:client(?: '[^'\n]{1,60}' \(pid \d+\))? has the|driver component has) version:?"
    rf" {_VERSION}"
)
_MODULE = regex(rf"(?i)kernel module (?:has(?: the)?|for) version:? {_VERSION}")
_LOADING = regex(rf"NVRM: loading NVIDIA UNIX[^\n]{{0,40}}? {_VERSION}")
_NVML = regex(rf"NVML library version:? {_VERSION}", re.IGNORECASE)
_DSO = regex(rf"(?i)(?:libcuda reported version is|DSO version):? {_VERSION}")
_KERNEL = regex(rf"(?i)(?:kernel reported version is:|kernel version) {_VERSION}")
_NO_DSO = regex(r"(?i)unable to find libcuda\.so DSO")
_NOUVEAU = regex(r"(?i)\bnouveau(?: [\da-f]{4}:[\da-f:.]{5,10}|: )")
_KEPT_OUT = regex(r"blacklist[= ]nouveau")
_DRIVES = regex(r"(?i)\bnouveau [\da-f]{4}:[\da-f:.]{5,10}: (?:NVIDIA|DRM: VRAM)")
_AHEAD = 3


def read(text: Text) -> Statements:
    """Xids (``xid.79``), then the versions of the driver's halves."""
    for line in (
        () if any(text.matching(_MADE, "inject", "trigger", "simulat")) else text.having("xid")
    ):
        for match in _XID.finditer(line.text):
            number = int(match[1] or match[2])
            yield say(names.XID(number), excerpt(line.text), line)
    yield from _api_mismatch(text)
    for line, loading in text.matching(_LOADING, "nvrm: loading"):
        yield say(names.MODULE_VERSION, Version(loading[1]), line)
        yield say(names.MODULE_LOADED, True, line)
    for line, library in text.matching(_NVML, "nvml library version"):
        yield say(names.NVML_VERSION, Version(library[1]), line)
    yield from _tensorflow(text)
    yield from _nouveau(text)


def _nouveau(text: Text) -> Statements:
    """That it runs, and that it drives a GPU though somebody wanted it kept out."""
    unwanted = text.shows(_KEPT_OUT, "blacklist")
    for line in text.having("nouveau"):
        if _NOUVEAU.search(line.text):
            yield say(names.MODULE_NOUVEAU, True, line)
            if unwanted and _DRIVES.search(line.text):
                yield say(said.SIGN("nouveau-in-the-way"), excerpt(line.text), line)


def _api_mismatch(text: Text) -> Statements:
    """One sentence over two or three lines of the log."""
    for line in text.having("api mismatch"):
        for each in (line, *text.after(line, _AHEAD)):
            if match := _CLIENT.search(each.text):
                yield from _client(Version(match[1]), each)
            if match := _MODULE.search(each.text):
                yield say(names.MODULE_VERSION, Version(match[1]), each)
                yield say(names.MODULE_LOADED, True, each)


def _client(version: Version, line: Line) -> Statements:
    """The log does not say which library it was; the driver's come in one version."""
    yield say(names.LIBCUDA_VERSION, version, line)
    yield say(names.NVML_VERSION, version, line)


def _tensorflow(text: Text) -> Statements:
    libraries: dict[str, Version] = {}
    for line in text.having("libcuda reported version", "dso version"):
        if match := _DSO.search(line.text):
            library = libraries.setdefault(match[1], Version(match[1]))
            yield say(names.LIBCUDA_VERSION, library, line)
        elif _NO_DSO.search(line.text):
            yield deny(names.LIBCUDA_PATH, line)
    for line in text.having("kernel reported version", "does not match dso version"):
        if match := _KERNEL.search(line.text):
            yield say(names.MODULE_VERSION, Version(match[1]), line)
            yield say(names.MODULE_LOADED, True, line)
            yield from _differing(libraries.values(), Version(match[1]), line)


def _differing(libraries: Iterable[Version], module: Version, line: Line) -> Statements:
    """TensorFlow tells both versions where cuInit failed; cuda-compat is of another branch."""
    for library in libraries:
        if library.major == module.major and library != module:
            yield say(said.SIGN("tf-driver-version-mismatch"), f"{module} {library}", line)

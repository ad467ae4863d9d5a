"""Containers that people tell of in a field: "OS: Unraid, docker", "Unmanic: 0.1 in a container".

Sentences are read by `prose`, how a container was started by `runs/container.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_KIND = r"(docker|podman|lxc|kubernetes|container)"
#: The system's own field, where the kind of the container stands behind the system.
_OF_SYSTEM = regex(
    rf"(?i)\A\W{{0,4}}(?:os|operating system|platform|system|host|environment)\s?[:=]\W{{0,3}}"
    rf"(?![^\n]*\b(?:windows|wsl))[^\n:]{{2,60}}?(?:,|\(| [-/+]| \bin(?: an?)?) ?{_KIND}"
    r"(?: container)?\W{0,2}\Z"
)
#: A program's field: its version, and that it runs in a container.
_OF_PROGRAM = regex(
    r"(?i)\A\W{0,4}[A-Za-z][\w.+ -]{1,30}\s?[:=] ?v?\d[\w.+-]{0,40}"
    rf"(?:,? (?:running )?(?:in|inside|as) an? (?:own )?|,? \(|, )(?:docker )?{_KIND}"
    r"(?: container)?(?=\W|\Z)(?! (?:toolkit|runtime|engine|desktop|compose))"
)
#: A field whose label is a program's container: "Jellyfin container: 10.8.13".
_LABEL = regex(
    rf"(?i)\A\W{{0,4}}(?!nvidia\b)[A-Za-z][\w.+-]{{1,24}} {_KIND}(?: (?:version|image|tag))?"
    r"\s?[:=] ?(?:v?\d|latest\b|[\w./-]{3,60}:[\w.-])"
)
#: A driver's library that somebody says a container does not have.
_WITHOUT = regex(
    r"(?i)\b(?:the|my|this|inside(?: the)?|in the)(?: \w+)? (container|pod)\b[^.\n]{0,24}\b"
    r"(?:has no|does not have|doesn't have|lacks|misses|is missing|finds no|there is no) "
    r"[`'\"]?(lib(?:cuda|nvidia-ml|nvidia-encode|nvcuvid)\.so(?:\.\d)?)(?![\w.]*\d)"
)
_KINDS = {"container": "docker", "pod": "kubernetes"}


def read(text: Text) -> Statements:
    """The kind of the container, where a field or a missing library tells of one."""
    for pattern in (_OF_SYSTEM, _OF_PROGRAM, _LABEL):
        for line, told in text.matching(pattern, "docker", "podman", "lxc", "kubern", "container"):
            kind = told[1].lower()
            yield say(names.CONTAINER_KIND, _KINDS.get(kind, kind), line)
    for line, told in text.matching(_WITHOUT, "libcuda.so", "libnvidia-", "libnvcuvid"):
        yield say(names.CONTAINER_KIND, _KINDS[told[1].lower()], line)
        stem = told[2].removeprefix("lib").partition(".so")[0].lower()
        yield say(names.LIBRARY_MISSING(stem), told[2], line)

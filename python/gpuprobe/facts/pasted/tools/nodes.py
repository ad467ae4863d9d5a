"""The device files: ``ls /dev/nvidia*``, and what opening one of them said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from .. import languages
from ..prompts import commands, is_empty
from ..statement import Statements, deny, say

if TYPE_CHECKING:
    from ..text import Text

_NODE = regex(r"/dev/(nvidia(?:ctl|-uvm|-modeset|\d{1,2})|dxg)(?![\w-])")
_LISTED = regex(
    r"(?a)\A\s*c([rwxsStT-]{9})[.+]?\s+\d+\s+\S+\s+\S+\s+\d+,\s*\d+\s.*?(/dev/)?(nvidia(?:ctl|-uvm|\d{1,2})|dxg)\s*\Z"
)
#: Those of NVIDIA's boards, by which a program reaches the GPU there.
_OF_BOARD = regex(
    r"(?a)\A\s*c([rwxsStT-]{9})[.+]?\s+\d+\s+root\s+root\s+\d+,\s*\d+\s.{0,24}?"
    r"\b(nvhost-(?:as-|ctrl-)?gpu|nvmap)\s*\Z"
)
#: SELinux's alert, as setroubleshoot tells it, and whose process it is; a desktop's misses nothing.
_ALERT = regex(
    r"\A\W{0,4}Target Objects?\s{1,24}/dev/(nvidia(?:ctl|-uvm|-modeset|\d{1,2})) \[ chr_file \]"
)
_ALERTED = regex(r"\bSource\b[^\n]{0,80}\b(?:container_t|python[\d.]*|ollama|conmon|nvidia\S*)\b")
#: So many lines above a listing its prompt may stand.
_NEAR = 40
_REFUSED = (*languages.REFUSED, "eperm", "eacces")
_MISSING = (*languages.NO_FILE, "cannot access", "no matches found", "enoent", "does not exist")


def read(text: Text) -> Statements:
    """``not permitted`` and absence before what only lists a file."""
    for line in text.having("/dev/nvidia", "/dev/dxg"):
        low = line.text.lower()
        if any(word in low for word in _REFUSED):
            for name in _NODE.findall(line.text):
                yield say(names.NODE(name), "not permitted", line)
        elif any(word in low for word in _MISSING):
            for name in _NODE.findall(line.text):
                yield deny(names.NODE(name), line)
            if "/dev/nvidia*" in low:
                yield deny(names.NODE("nvidiactl"), line)
                yield deny(names.NODE("nvidia0"), line)
    for line, match in text.matching(_ALERT, " chr_file ]"):
        near = " ".join(each.text for each in (*text.before(line, 4), *text.after(line, 4)))
        if _ALERTED.search(near) and "permissive" not in text:
            yield say(said.SIGN("device-file-refused"), f"/dev/{match[1]}", line)
            yield say(names.NODE(match[1]), "not permitted", line)
    yield from _listed(text)


def _listed(text: Text) -> Statements:
    for line, match in text.matching(_LISTED, "nvidia", "dxg"):
        everybody = match[1][6:8] == "rw"
        yield say(names.NODE(match[3]), "usable" if everybody else "not permitted", line)
        if not everybody and match[1][3:5] != "rw":
            yield say(said.NODES_CLOSED_MODE, _octal(match[1]), line)
    for line, match in text.matching(_OF_BOARD, "nvhost-", "nvmap"):
        of_root = any(each.text.lstrip().startswith("root@") for each in text.before(line, _NEAR))
        if match[1][6:8] != "rw" and not of_root:
            yield say(names.NODE(match[2]), "not permitted", line)
    for line, _, answer in commands(text, "ls /dev/nvidia", "ls -l /dev/nvidia", "ls /dev/dxg"):
        if is_empty(answer):
            yield deny(names.NODE("nvidiactl"), line)
        for each in answer:
            if each.text.lstrip().startswith("/dev/"):
                for name in _NODE.findall(each.text):
                    yield say(names.NODE(name), "usable", each)


def _octal(letters: str) -> str:
    """``rw-rw-rw-`` as chmod writes it: 666; a letter for set-id or sticky comes in front."""
    parts = (letters[:3], letters[3:6], letters[6:])
    special = sum(
        number for part, number in zip(parts, (4, 2, 1), strict=True) if part[2] in "sStT"
    )
    digits = (4 * (part[0] == "r") + 2 * (part[1] == "w") + (part[2] in "xst") for part in parts)
    return f"{special or ''}{''.join(map(str, digits))}"

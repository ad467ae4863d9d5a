"""Versions behind the short names by which people call a framework: torch2.3.1, TF 2.16.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...regex import regex
from ..installed.package_names import recorded

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from ..text import Line, Text

#: TF is also ROS's and Terraform's.
_NAMED = regex(
    r"(?ai)(?<![\w/.+\\-])(?P<name>(?:py)?torch|tensorflow|tf)(?: ?version)?[ =:v]{0,3}"
    r"(?P<version>[12]\.\d{1,2}(?:\.\d{1,2})?(?:\+\w+)?)(?![\w.+-]*\w)"
)
#: The cues of its lines, and the pattern.
NAMED = ("torch", "tf", "tensorflow"), _NAMED
_OF_TENSORFLOW = "tensorflow", "keras", "tf.config", "tf.test"
#: Of another release than the one that fails, mostly.
_WORKS = regex(r"(?i)\b(?:works?|worked|fine)\b")


def by_package(
    text: Text, named: Iterable[tuple[Line, re.Match[str]]]
) -> dict[str, dict[str, Line]]:
    """The versions of each package; they count where its whole name has none."""
    found: dict[str, dict[str, Line]] = {}
    of_tensorflow = any(cue in text for cue in _OF_TENSORFLOW)
    for line, match in named:
        name = recorded(match["name"])
        if name and (name == "torch" or of_tensorflow) and not _WORKS.search(line.text):
            found.setdefault(name, {}).setdefault(match["version"], line)
    return found

"""Whether TensorFlow's package for GPUs is looked for, whose name is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ....facts.regex import regex
from ....facts.version import Version
from ..statements import statements, value

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys

_NAME = "tensorflow-gpu"
_ASKED = regex(r"tensorflow[-_]gpu(?:\s?==\s?(\d[\w.]*))?")
#: Of the next one pip finds a file that says that the package has been removed.
_LAST = (2, 11)


def name_removed(facts: Facts, asked: str) -> tuple[str, Keys]:
    """The package that is gone, and what tells it; `asked` is what pip was to find in vain."""
    removed = value(facts, "pip-deprecated-name")
    if removed.startswith("tensorflow"):
        return removed, statements(facts, "pip-deprecated-name")
    required, made = _ASKED.match(asked), statements(facts, "pip-no-distribution")
    if required is None:
        made = statements(facts, "tensorflow-gpu-gone-told")
    stated = [names.PACKAGE_VERSION(each) for each in (_NAME, "tensorflow")]
    told = (required[1] if required else None, *(facts.known(key) for key in stated))
    release = Version.parse(next(filter(None, told), ""))
    if not made or release is None or (release.major, release.minor) <= _LAST:
        return _NAME, ()
    return _NAME, (*made, *(key for key in stated if facts.known(key) is not None))

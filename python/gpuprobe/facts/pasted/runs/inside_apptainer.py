"""The folder that only the inside of a container of Singularity or Apptainer has.

It stands in search paths and logs whatever the text is about, so it is read after all that names
a container.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_FOLDER = "/.singularity.d/"


def read(text: Text) -> Statements:
    """The container's kind, by the name that the program goes by in this text."""
    kind = "apptainer" if "apptainer" in text else "singularity"
    for line in text.having(_FOLDER):
        yield say(names.CONTAINER_KIND, kind, line)

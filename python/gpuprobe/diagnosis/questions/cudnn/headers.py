"""A build from source that looks for cuDNN's release where this cuDNN does not have it.

Until cuDNN 7 it stands in cudnn.h, since cuDNN 8 in cudnn_version.h.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ....facts.version import Version
from ..statements import statements
from .releases import majors_there

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys

_FIRST_WITH_OWN_HEADER = 8
#: The first TensorFlow whose configuration reads that header.
_FIRST_TO_READ_IT = Version("2.3")


def header_of_other(facts: Facts) -> tuple[str, Version, Keys] | None:
    """What a build from source finds fault with, the cuDNN that it takes, and what tells both."""
    made = statements(facts, "cudnn-header-not-found", "cudnn-release-not-read")
    there = majors_there(facts)
    newer = [key for key, major in there.items() if major >= _FIRST_WITH_OWN_HEADER]
    if not made or not newer or len(newer) < len(there):
        return None
    from ....knowledge import tensorflow
    from ....knowledge.tables import release_number

    key = names.PACKAGE_VERSION("tensorflow")
    version = facts.known(key) or ""
    number, release = release_number(version), tensorflow.release(version)
    if number is None or release is None or number >= _FIRST_TO_READ_IT:
        return None
    title = f"TensorFlow {version} takes cuDNN {release.cudnn}, and cannot read the release of "
    title += f"cuDNN {there[newer[0]]}, which has it in another header"
    return title, release.cudnn, (*made, key, *newer)

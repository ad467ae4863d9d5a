"""Is cuDNN there and the right one, and can GPUs talk to each other?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ..model import Findings, Link, rule
from ..questions.applicable import libraries_searched, only_where_said
from ..questions.libraries.releases import asked_otherwise

if TYPE_CHECKING:
    from ...facts.model import Facts


@rule("GP501", "cudnn-missing", cause="cudnn-missing", link=Link.LIBRARIES, since="0.1")
def cudnn_missing(facts: Facts) -> Findings:
    """A program asked for cuDNN, and it is not found."""
    libraries_searched(facts)
    only_where_said(facts)
    from ..findings.cudnn import cudnn_missing as found

    yield from found(facts)


@rule("GP502", "cudnn-mismatch", cause="cudnn-mismatch", link=Link.LIBRARIES, since="0.1")
def cudnn_mismatch(facts: Facts) -> Findings:
    """The version of cuDNN is not the one that the program needs, or its parts are of several."""
    libraries_searched(facts)
    if asked_otherwise(facts) or names.LIBRARY_VERSION("cudnn").name in facts:
        from ..findings.library_releases import cudnn_mismatch as on_machine

        yield from on_machine(facts)
    only_where_said(facts)
    from ..findings.cudnn import cudnn_mismatch as found

    yield from found(facts)


@rule("GP503", "nccl", cause="nccl", link=Link.WORK, since="0.1")
def nccl(facts: Facts) -> Findings:
    """GPUs that work together cannot talk to each other."""
    only_where_said(facts)
    from ..findings.communication import nccl as found

    yield from found(facts)

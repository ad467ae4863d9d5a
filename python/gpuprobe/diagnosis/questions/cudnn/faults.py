"""What is wrong with cuDNN: not there, of another version than is needed, or shadowed.

One question for three rules: missing, mismatch, and (another copy first) path conflict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..once import asked_once
from . import missing, mixed, other_release

if TYPE_CHECKING:
    from ....facts.model import Facts
    from .fault import CudnnFault


@asked_once
def cudnn_fault(facts: Facts) -> CudnnFault | None:
    """The first thing that is wrong with cuDNN; None: nothing that the facts show."""
    steps = (
        other_release.of_stated_pair,
        mixed.parts_of_two,
        other_release.without_version,
        missing.not_found,
        mixed.mixed_parts,
        other_release.refused_by_source,
        mixed.part_not_loaded,
        mixed.parts_listed,
        other_release.against_table,
        other_release.made_for_older_cuda,
        missing.unnamed,
        missing.not_installed,
        other_release.refused_descriptor,
        missing.without_dnn,
        other_release.loaded_by_paddle,
        other_release.of_other_major,
    )
    return next((found for step in steps if (found := step(facts)) is not None), None)

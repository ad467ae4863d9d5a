"""Lower the header of PTX text, so that older drivers and older cards accept it.

A driver refuses PTX of a later version than its own, even if nothing in the text is new. The plain
kernels use nothing that PTX 6.0 and sm_50 (Maxwell) do not have. ptxas checks that in the tests:
it refuses an instruction that the header does not allow.
"""

from __future__ import annotations

import re

LOWERED_CAPABILITY = 50
LOWERED_CUDA = 9000  # PTX 6.0 came with CUDA 9.0 (PTX ISA, "Release History")

_VERSION = re.compile(r"^\.version \d+\.\d+$", re.MULTILINE)
_TARGET = re.compile(r"^\.target \w+$", re.MULTILINE)
_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)


def lower(text: str) -> str:
    """Return the same PTX with the header of PTX 6.0 for sm_50.

    Raises:
        ValueError: the text has no header, or more than one.
    """
    text, versions = _VERSION.subn(".version 6.0", text)
    text, targets = _TARGET.subn(f".target sm_{LOWERED_CAPABILITY}", text)
    if (versions, targets) != (1, 1):
        raise ValueError(f"PTX with {versions} .version and {targets} .target lines, expected one")
    return text


def without_comments(text: str) -> str:
    """Return the text without its comment lines, which only name the compiler."""
    return _COMMENT.sub("", text).lstrip()

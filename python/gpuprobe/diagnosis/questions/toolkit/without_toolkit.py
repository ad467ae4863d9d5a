"""Where there is nothing to compile with: an image to run programs only, or no toolkit at all."""

from __future__ import annotations

from ....facts import names, said
from ....facts.model import Absent, Facts, Key, Keys
from ....facts.regex import regex
from ..statements import statements

#: NVIDIA's images without the compiler and the headers, which are in those whose tag has "devel".
_BARE_IMAGE = regex(r"\bnvidia/cuda:[\w.-]{1,40}?-(?:base|runtime)\b")

#: The tag of such an image in a Dockerfile.
_TAG, _BARE_TAG = "cuda-image-without-cudnn", regex(r"\A[\d.]+-(?:base|runtime)\b")


def built_in_bare_image(facts: Facts) -> tuple[Key[str], ...]:
    """Somebody looks for nvcc and for headers in an image that was made to run programs only."""
    looked_for = statements(facts, "nvcc-not-found", "header-missing")
    both = len(looked_for) > 1 and in_bare_image(facts)
    tag, failed = statements(facts, _TAG), statements(facts, "torch-build-failed")
    if failed and tag and _BARE_TAG.search(facts.known(tag[0]) or ""):
        return (*failed, *tag)  # PyTorch's builder of extensions calls nvcc
    return (*looked_for, said.CONTAINER_IMAGE) if both else ()


def in_bare_image(facts: Facts) -> bool:
    """Whether the container is of such an image."""
    return _BARE_IMAGE.search(facts.known(said.CONTAINER_IMAGE) or "") is not None


def left_out_without_toolkit(facts: Facts) -> Keys:
    """An extension was installed without its operators where it is known that no toolkit is."""
    left_out = statements(facts, "ops-left-out")
    looked_for = (names.TOOLKIT_PATH, names.TOOLKIT_VERSION)
    gone = tuple(key for key in looked_for if isinstance(facts.fact(key), Absent))
    told = statements(facts, "nvcc-not-found", "cuda-home-unset")
    return (*left_out, *gone, *told) if left_out and (gone or told) else ()

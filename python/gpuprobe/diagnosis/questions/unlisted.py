"""Which library a program lacks that does not name it: one that was looked for in vain."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...facts import names, said
from ...facts.model import Absent
from .build_needs import needs_cuda_dlls, needs_of
from .installed import installed_cuda
from .library_faults import missing_files
from .statements import statements, value

if TYPE_CHECKING:
    from ...facts.model import Facts, Key

    Keys = tuple[Key[object], ...]

#: As a loader meets them: the libraries that come with the toolkit, then cuDNN.
_OF_ONNXRUNTIME = ("cudart", "cublas", "cufft", "cudnn")
_OF_LLAMA = ("cudart", "cublas")
_OF_TENSORFLOW = ("cudart", "cublas", "cufft", "curand", "cusolver", "cusparse", "cudnn")


class Unlisted(NamedTuple):
    """The first library that is not there, and what shows it."""

    stem: str
    keys: Keys


def unlisted(facts: Facts) -> Unlisted | None:
    """The library that a listing or a search does not show; None: none, or it is named elsewhere.

    Of a toolkit of another CUDA than the program needs nothing is to be missed.
    """
    failing, needed = _failing(facts)
    if not failing or next(missing_files(facts), None) is not None:
        return None
    for stem in needed:
        key = said.LIBRARY_LISTED(stem)
        if isinstance(facts.fact(key), Absent) and not _by_pip(facts, stem):
            return None if _needs_another_cuda(facts) else Unlisted(stem, (*failing, key))
    return None


def _failing(facts: Facts) -> tuple[Keys, tuple[str, ...]]:
    """The words of a framework that takes CUDA's libraries from the system, and which it takes."""
    if words := statements(facts, "ort-provider-failed", "ort-requires", "ort-library-load"):
        return words, _OF_ONNXRUNTIME
    if backend := statements(facts, "ggml-cuda-file"):
        unused = statements(facts, "llama-without-gpu")
        return (*unused, *backend) if unused else (), _OF_LLAMA
    if "not found" in value(facts, "tf-cudnn-handle"):
        return statements(facts, "tf-cudnn-handle"), ("cudnn",)
    return (*statements(facts, "tf-libraries-missing"), *needs_cuda_dlls(facts)), _OF_TENSORFLOW


def _by_pip(facts: Facts, stem: str) -> bool:
    start = f"nvidia-{stem}-cu"
    return any(each.startswith(start) for each in facts.subjects(names.PACKAGE_VERSION))


def _needs_another_cuda(facts: Facts) -> bool:
    there = installed_cuda(facts)
    return bool(there) and any(
        not any(need.takes(each.cuda) for each in there) for need in needs_of(facts)
    )

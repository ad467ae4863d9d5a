"""Which library a program lacks that does not name it: a list or a search does not show it."""

from __future__ import annotations

from typing import NamedTuple

from ....facts import names, said
from ....facts.model import Absent, Facts, Key, Keys
from ..once import asked_once
from ..statements import statements, value
from .faults import missing_files
from .installed import installed_or_named
from .needs import needs_cuda_dlls, needs_of

#: As a loader meets them: the libraries that come with the toolkit, then cuDNN.
_OF_ONNXRUNTIME = ("cudart", "cublas", "cufft", "cudnn")
_OF_LLAMA = ("cudart", "cublas")
_OF_TENSORFLOW = ("cudart", "cublas", "cufft", "curand", "cusolver", "cusparse", "cudnn")


class Unlisted(NamedTuple):
    """The first library that is not there, and what shows it; `how` ends a sentence about it."""

    stem: str
    keys: Keys
    how: str = "was looked for in vain"


@asked_once
def unlisted(facts: Facts) -> Unlisted | None:
    """The library that a listing or a search does not show; None: none, or it is named elsewhere.

    Of a toolkit of another CUDA than the program needs nothing is to be missed.
    """
    failing, needed = _failing(facts)
    if next(missing_files(facts), None) is not None:
        return None
    for stem in needed if failing else ():
        key = said.LIBRARY_LISTED(stem)
        if isinstance(facts.fact(key), Absent) and not _by_pip(facts, stem):
            return None if _needs_another_cuda(facts) else Unlisted(stem, (*failing, key))
    return _left_over(facts)


def _left_over(facts: Facts) -> Unlisted | None:
    """The one library of TensorFlow's that pip did not install, or that it did not open."""
    failing = statements(facts, "tf-libraries-missing", "tf-skipping-gpus")
    loaded = {stem: said.LIBRARY_LOADED(stem) for stem in _OF_TENSORFLOW}
    opened = {stem: key for stem, key in loaded.items() if facts.known(key)}
    if not failing:
        return None
    elsewhere = facts.known(names.TOOLKIT_VERSION) is not None
    for there in (opened, {} if elsewhere else _packages(facts)):
        gone = [stem for stem in _OF_TENSORFLOW if stem not in there]
        if len(gone) == 1:
            keys = (*failing, *there.values())
            return Unlisted(gone[0], keys, "is the only one of them that is not there")
    return None


def _packages(facts: Facts) -> dict[str, Key[str]]:
    """The packages by which pip brings these libraries."""
    found: dict[str, Key[str]] = {}
    for package in facts.subjects(names.PACKAGE_VERSION):
        named = package.removeprefix("nvidia-").rpartition("-cu")[0]
        stem = "cudart" if named == "cuda-runtime" else named
        if package.startswith("nvidia-") and stem in _OF_TENSORFLOW:
            found[stem] = names.PACKAGE_VERSION(package)
    return found


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
    there = installed_or_named(facts)
    return bool(there) and any(
        not any(need.takes(each.cuda) for each in there) for need in needs_of(facts)
    )

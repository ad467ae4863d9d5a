"""The CUDA libraries of a framework's build, where an extra of its package brings them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Fix

if TYPE_CHECKING:
    from ..questions.place import Place

_PRELOAD = " Let the program call onnxruntime.preload_dlls() before it makes its first session."


def libraries_of(place: Place, asker: str | None) -> Fix | None:
    """Install the framework that asks, ``tensorflow 2.18.0``, with all its libraries.

    None where no extra of it does that: where this is not Linux, of older releases, of others.
    """
    name, _, version = (asker or "").partition(" ")
    extra = _extra(name, version) if place.system == "Linux" and version else None
    if extra is None:
        return None
    text = f"Install {name} together with the CUDA libraries of its build; pip brings all of them."
    if name == "onnxruntime-gpu":
        text += _PRELOAD
    command = f'pip install "{name}[{extra}]=={version}"'
    return Fix.by_user(text, (command,), undo="pip uninstall the packages that it installed")


def _extra(name: str, version: str) -> str | None:
    if name == "tensorflow":
        from ...knowledge import tensorflow

        release = tensorflow.release(version)
        return "and-cuda" if release is not None and release.and_cuda else None
    if name == "onnxruntime-gpu":
        from ...knowledge import onnxruntime

        return "cuda,cudnn" if onnxruntime.brings_libraries(version) else None
    return None

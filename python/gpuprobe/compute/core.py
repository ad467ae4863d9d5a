"""The C core for modules that are imported where it may be missing: then `require` says so."""

from __future__ import annotations

try:
    from .. import _core as core
    from .._core import DeviceTensor
except ImportError:
    core = None  # type: ignore[assignment]  # nobody gets as far as to use it
    DeviceTensor = object  # type: ignore[assignment,misc]  # nothing can be made of it

__all__ = ["DeviceTensor", "core"]

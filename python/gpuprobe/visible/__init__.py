"""CUDA_VISIBLE_DEVICES, understood: what a value shows and why, and how to set it in time.

    >>> gpuprobe.visible.explain("2,0,7")         # what CUDA makes of it, entry by entry
    >>> gpuprobe.visible.set("GPU-8932f937")      # before anything in this process starts CUDA
    >>> with gpuprobe.visible.only(1):            # for programs that are started inside
    ...     subprocess.run(["python", "train.py"])

CUDA reads the variable once in the life of a process, when it starts. `set` says so where it is
too late, and `explain` tells what the process has instead.
"""

from __future__ import annotations

from .control import NotVisibleError, TooLateError, only, set  # noqa: A004  (visible.set)
from .explanation import Explanation
from .look import explain

__all__ = ["Explanation", "NotVisibleError", "TooLateError", "explain", "only", "set"]

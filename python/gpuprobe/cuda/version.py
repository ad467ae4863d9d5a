"""`cuda`: the CUDA release whose compiler made gpuprobe's kernels, such as "13.0".

None: gpuprobe was built without kernels, or without its C core. torch says here which CUDA it was
built with and brings along. gpuprobe brings none: which CUDA can be used, the driver decides, and
`gpuprobe` tells.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    cuda: str | None
else:

    def __getattr__(name: str) -> str | None:
        if name != "cuda":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return _of_the_kernels()


def _of_the_kernels() -> str | None:
    try:
        from gpuprobe import _core
    except ImportError:
        return None
    number = _core.kernels_cuda
    return f"{number // 1000}.{number % 1000 // 10}" if number else None

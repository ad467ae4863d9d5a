"""torch, beside which is measured: its tensors on gpuprobe's memory, and its settings.

It is optional: where it is not installed, or sees no GPU, its column is left out. It is imported
before gpuprobe computes, so that both find the same cuBLAS and cuDNN in the process.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

T = TypeVar("T")


class CannotDo(Exception):  # noqa: N818  (no error: torch has no such function)
    """torch does not do it; the text says why."""


@dataclass(frozen=True, slots=True)
class TorchHere:
    """torch, or None; what to say of it."""

    module: ModuleType | None
    words: str


@cache
def torch_here() -> TorchHere:
    """torch, if it is installed and sees a GPU."""
    try:
        torch = importlib.import_module("torch")
    except ImportError as error:
        return TorchHere(None, f"left out: {error}")
    if not torch.cuda.is_available():
        return TorchHere(None, f"left out: torch {torch.__version__} sees no GPU")
    cudnn = torch.backends.cudnn
    words = (
        f"{torch.__version__}, CUDA {torch.version.cuda}, cuDNN {cudnn.version()}, "
        f"cudnn.benchmark {cudnn.benchmark}, sums of float16 and bfloat16 in float32"
    )
    return TorchHere(torch, words)


def use_arithmetic(torch: ModuleType, *, is_tf32: bool) -> None:
    """TF32 on or off, for products and convolutions; float16 and bfloat16 are summed in float32.

    gpuprobe sums so, too. Since release 2.9 torch has other names for TF32, and mixing them fails.
    """
    products, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
    if hasattr(products, "fp32_precision"):
        products.fp32_precision = cudnn.conv.fp32_precision = "tf32" if is_tf32 else "ieee"
    else:
        products.allow_tf32 = cudnn.allow_tf32 = is_tf32
    products.allow_fp16_reduced_precision_reduction = False
    products.allow_bf16_reduced_precision_reduction = False


def asked(call: Callable[[], T]) -> T:
    """What torch gives. Raises CannotDo with its words where it refuses."""
    try:
        return call()
    except (RuntimeError, NotImplementedError) as error:
        raise CannotDo(f"torch: {str(error).partition(chr(10))[0]}") from error

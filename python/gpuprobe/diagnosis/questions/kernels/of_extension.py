"""Whether it is an extension that has no code for the GPU: by its file, its function, its words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....facts.regex import regex
from ..statements import errors, statements

if TYPE_CHECKING:
    from ....facts.model import Facts, Key

#: "No kernel image", and what older CUDA says in its place.
NO_IMAGE = (
    *("CUDA_ERROR_NO_BINARY_FOR_GPU", "cudaErrorNoKernelImageForDevice"),
    "cudaErrorInvalidDeviceFunction",
)
#: A source file of an extension, in the message of a kernel that could not be started.
_OWN_FILE = regex(
    r"[/\\](flash[-_]attn\w*\b|flash-attention|flashinfer|xformers|bitsandbytes|mmcv|detectron2"
    r"|spconv|exllama\w*\b|vllm|causal[-_]conv1d|mamba\w*\b|apex|gsplat|pytorch3d|auto_gptq)[/\\\w.+-]{0,300}"
    r"\.(?:cu|cuh|cpp|h|hpp)\b"
    r"|\b(ms_deform\w*_cuda)\b|\b(faiss)::gpu\b"
    r"|\(((?:RO?I_?(?:Align|Pool)|nms|(?:modulated_)?deform|box_iou_rotated)\w*_cuda) at ",
    re.IGNORECASE,
)

#: How operators end that projects compile where they run, PointNet++'s first; torch's never do.
_OWN_WORDS = regex(r"\bCUDA kernel failed ?: ")


def named_by_its_file(facts: Facts) -> str:
    """The extension whose source file, or whose function, a message without code names."""
    codes = errors(facts, *NO_IMAGE)
    match = _OWN_FILE.search(facts.known(codes[0]) or "") if codes else None
    return "" if match is None else next(filter(None, match.groups()))


def own_operator(facts: Facts) -> tuple[Key[str], ...]:
    """What an operator says that has no code, in words that such operators alone have."""
    codes = errors(facts, *NO_IMAGE)
    return tuple(key for key in codes if _OWN_WORDS.search(facts.known(key) or ""))


#: Faiss is built for no PyTorch, so that only the GPU's age counts where the GPU is known.
_OF_ITS_OWN = "faiss"


def names_itself(facts: Facts) -> bool:
    """Whether an extension is known to be what has no code: the GPU may be any."""
    file = named_by_its_file(facts)
    named = (file and file != _OF_ITS_OWN) or own_operator(facts)
    return bool(named or statements(facts, "extension-frame"))

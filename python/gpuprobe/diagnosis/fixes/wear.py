"""What to do about parts of a GPU that are failing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Fix

if TYPE_CHECKING:
    from ..questions.place import Place

_ACCOUNT = "nvidia-smi -i {} -q -d ECC,ROW_REMAPPER,PAGE_RETIREMENT"


def reset_gpu(gpu: str) -> Fix:
    """The spare memory is put in the place of the failing one at a reset."""
    return Fix.by_admin(
        "End all programs on this GPU and reset it: only then is the failing memory left out. "
        "If more errors come soon after, have the card replaced.",
        (_ACCOUNT.format(gpu), f"sudo nvidia-smi -i {gpu} --gpu-reset"),
        undo="none needed: a reset changes no setting that lasts",
    )


def leave_memory_out(_: Place) -> Fix:
    """The GPU does not even start, for memory that fails."""
    return Fix.by_admin(
        "Memory of the GPU fails, and the driver stops all work on it. See which GPU it is, end "
        "all programs on it and reset it. If it comes back, have the card replaced.",
        ("nvidia-smi -q -d ECC,ROW_REMAPPER,PAGE_RETIREMENT", "sudo nvidia-smi --gpu-reset -i GPU"),
        undo="none needed: a reset changes no setting that lasts",
    )


def replace_memory(gpu: str) -> Fix:
    """Nothing is left to put in its place."""
    return Fix(
        "Take the GPU out of service and have it replaced: the next memory error cannot be mended. "
        "Its maker asks for this table.",
        (_ACCOUNT.format(gpu),),
    )


def look_at_links() -> Fix:
    """Bridges, switches and the Fabric Manager."""
    return Fix(
        "See which link is down and what the kernel's log says of it (Xid 74). A reset of the GPU "
        "trains its links anew; seat a bridge again; behind NVSwitch look at the Fabric Manager. "
        "Until then NCCL uses what is left, slower.",
        ("nvidia-smi nvlink --status", "sudo dmesg | grep -iE 'nvlink|xid'"),
    )

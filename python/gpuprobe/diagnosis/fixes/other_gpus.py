"""What to do without an NVIDIA GPU: use the one that is there, or another machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Fix

if TYPE_CHECKING:
    from ..questions.place import Place

RUNS = "here the work runs on the CPU, and nothing needs to be repaired."
_RUNS_WITHOUT = (
    "without such a build the work runs here on the CPU, and nothing needs to be repaired."
)
ASKS = "here let the program compute on the CPU, by its option for that."
ASKS_TORCH = (
    "here let the program compute on the CPU: by its option for that, or device 'cpu' in the place "
    "of .cuda(), and map_location='cpu' for what torch.load reads."
)
_MAKERS = {"amd": "An AMD GPU", "intel": "An Intel GPU", "apple": "Apple's GPU"}


def use_what_is_there(
    place: Place, vendors: tuple[str, ...], vm: str | None = None, *, here: str = RUNS
) -> Fix:
    """Name the builds that serve the GPUs of `vendors` here, and what CUDA itself would need.

    `vm` is the hypervisor, where this is a virtual machine. `here`: what becomes of the work.
    """
    served = "".join(_served(vendor, place.system or "Linux") for vendor in vendors)
    if served and here == RUNS:
        here = _RUNS_WITHOUT
    if vm is not None:
        served += "A virtual machine sees only a GPU that was attached to it. "
    return Fix(f"{served}For CUDA, run on a machine that has an NVIDIA GPU; {here}")


def look_for_card() -> Fix:
    """Find the card that somebody has, and that the bus does not show."""
    return Fix(
        "Look where the card is: a virtual machine or a cloud's instance sees only a GPU that was "
        "attached to it, a laptop may have switched its own off (prime-select, the firmware's "
        "settings), and a card that sits loose or has no power is not on the bus either.",
        ("lspci -nn -d 10de:",),
    )


def ask_for_node_with_gpu() -> Fix:
    """Slurm refused a request before any node was looked at."""
    return Fix(
        "See which partition has GPUs (the column of gres), and name it and its GPUs in the "
        "request; most clusters have a partition of their own for GPUs. Some also ask for an "
        "account or a QOS (--account, --qos), which the cluster's own pages name.",
        ('sinfo -o "%P %G %D"', "srun --partition=NAME --gpus-per-node=1 --pty bash"),
    )


def _served(vendor: str, system: str) -> str:
    from ...knowledge.other_gpus import builds_for

    builds = builds_for(vendor, system)
    if not builds:
        return ""
    *most, last = (build.text for build in builds)
    named = f"{', '.join(most)} or {last}" if most else last
    return f"{_MAKERS[vendor]} is served by {named}. "

"""Other variables that decide what a value of CUDA_VISIBLE_DEVICES means, or who wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import container, entries, order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SLURM = "slurm.schedmd.com/gres.html"
_MPS = "docs.nvidia.com/deploy/mps, environment variables"
_PG = "CUDA Programming Guide, environment variables"


@dataclass(frozen=True, slots=True)
class Remark:
    """One sentence about a variable, and where it comes from."""

    variable: str
    text: str
    source: str


def remarks(value: str | None, variables: Mapping[str, str]) -> tuple[Remark, ...]:
    """What the variables beside it say about `value`, the most telling first."""
    return (
        *_slurm(value, variables),
        *_container(variables.get("NVIDIA_VISIBLE_DEVICES")),
        *_mps(value, variables),
        *_order(variables.get("CUDA_DEVICE_ORDER")),
        *_jax(variables.get("JAX_CUDA_VISIBLE_DEVICES")),
    )


def _slurm(value: str | None, variables: Mapping[str, str]) -> Iterator[Remark]:
    """Slurm writes the same list into several variables; with cgroups it counts from 0 anew."""
    if value == "NoDevFiles":
        yield Remark("CUDA_VISIBLE_DEVICES", "Slurm gave this job no GPU (--gres, --gpus).", _SLURM)
        return
    ours = variables.get("GPU_DEVICE_ORDINAL")
    name = "SLURM_STEP_GPUS" if "SLURM_STEP_GPUS" in variables else "SLURM_JOB_GPUS"
    job = variables.get(name)
    if job is None and ours is None:
        return
    if ours is not None and ours != value:
        now = "it is not set now" if value is None else f'now it is "{value}"'
        text = f'Slurm set "{ours}" (GPU_DEVICE_ORDINAL), and {now}: somebody has changed it.'
        yield Remark("GPU_DEVICE_ORDINAL", text, _SLURM)
    elif job is not None and value is not None and job != value:
        text = (
            f"Slurm gave this job the GPUs {job} of the node; the job sees no others and counts "
            f'them from 0, so "{value}" means these.'
        )
        yield Remark(name, text, _SLURM)


def _container(value: str | None) -> Iterator[Remark]:
    if value is None:
        return
    given = container.given(value)
    if given.nothing:
        text = f'"{value}" gives this container no GPU; CUDA_VISIBLE_DEVICES cannot bring one back.'
    elif given.devices is None:
        return
    else:
        count = len(given.devices)
        gpus = "one GPU" if count == 1 else f"{count} GPUs"
        text = f"The container was given {gpus} ({value}); CUDA_VISIBLE_DEVICES counts in these."
    yield Remark("NVIDIA_VISIBLE_DEVICES", text, container.SOURCE)


def _mps(value: str | None, variables: Mapping[str, str]) -> Iterator[Remark]:
    if value is None or "CUDA_MPS_PIPE_DIRECTORY" not in variables:
        return
    if entries.number(value) is None:
        return
    text = (
        "A program under MPS counts the GPUs that the MPS daemon shows, which has a list of its "
        "own: name GPUs by UUID."
    )
    yield Remark("CUDA_MPS_PIPE_DIRECTORY", text, _MPS)


def _order(value: str | None) -> Iterator[Remark]:
    if value is not None and value not in order.KNOWN:
        text = f'"{value}" is no order that CUDA knows: {" or ".join(order.KNOWN)}.'
        yield Remark("CUDA_DEVICE_ORDER", text, _PG)


def _jax(value: str | None) -> Iterator[Remark]:
    if value not in (None, "all"):
        text = f'JAX takes "{value}" of the devices that CUDA_VISIBLE_DEVICES leaves.'
        yield Remark("JAX_CUDA_VISIBLE_DEVICES", text, "jax-ml/jax, jax/_src/xla_bridge.py")

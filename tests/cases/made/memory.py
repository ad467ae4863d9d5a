"""Memory that is not enough: of the work, of another process, of what was taken in advance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import logs, tools
from .machine import GTX_1080, RTX_3090, T4, Machine, drivers_of
from .shape import Made, joined

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator


def made(dice: random.Random) -> Iterator[Made]:
    """All of them."""
    for card in (GTX_1080, T4, RTX_3090):
        machine = Machine(card, dice.choice(drivers_of(card)[-5:]))
        yield from _workload(machine)
        yield from _others(machine)
        yield from _in_advance(machine)


def _workload(machine: Machine) -> Iterator[Made]:
    """The process that failed holds nearly everything itself."""
    total = machine.card.memory_mib / 1024
    old = logs.torch_oom(total, total - 0.6, 512, 120)
    new = logs.torch_oom_new(total, total - 0.3, 512, 120, 0)
    yield "oom-workload", joined(old)
    yield "oom-workload", joined(new, tools.listed(machine))


def _others(machine: Machine) -> Iterator[Made]:
    """Another process holds most of it."""
    total = machine.card.memory_mib / 1024
    new = logs.torch_oom_new(total, 0.6, 200, 40, total - 0.7)
    yield "oom-other-process", joined(new)
    used = machine.card.memory_mib - 60
    other = (4711, "/usr/bin/python3", used - 600)
    smi = tools.nvidia_smi(machine, used_mib=used, processes=(other,))
    old = logs.torch_oom(total, 0.4, 200, 40)
    yield "oom-other-process", joined(old, smi)


def _in_advance(machine: Machine) -> Iterator[Made]:
    """TensorFlow or JAX took nearly everything, and cuDNN or cuBLAS finds no room to start."""
    used = machine.card.memory_mib - 200
    own = (2222, "python", used - 100)
    smi = tools.nvidia_smi(machine, used_mib=used, processes=(own,))
    cudnn = (
        "E tensorflow/stream_executor/cuda/cuda_dnn.cc:329] Could not create cudnn handle: "
        "CUDNN_STATUS_INTERNAL_ERROR\nUnknownError: Failed to get convolution algorithm. This is "
        "probably because cuDNN failed to initialize"
    )
    yield "oom-preallocation", joined(logs.tf_device(machine), cudnn, smi), "oom-other-process"
    cublas = (
        "E tensorflow/stream_executor/cuda/cuda_blas.cc:226] failed to create cublas handle: "
        "CUBLAS_STATUS_NOT_INITIALIZED"
    )
    text = joined(logs.tf_device(machine), cublas)
    yield "oom-preallocation", text, "oom-other-process", "oom-workload"

"""The GPU works; the program, the link between GPUs, or the power is at fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import tools
from .machine import A100, RTX_3090, T4, Machine, drivers_of, torches
from .shape import Made, joined

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator


def made(dice: random.Random) -> Iterator[Made]:
    """All of them."""
    yield from _user_code(dice)
    yield from _nccl()
    yield from _power(dice)
    yield from _cpu_fallback()


def _user_code(dice: random.Random) -> Iterator[Made]:
    assertion = (
        "/pytorch/aten/src/ATen/native/cuda/Loss.cu:257: nll_loss_forward_reduce_cuda_kernel_2d: "
        "block: [0,0,0], thread: [4,0,0] Assertion `t >= 0 && t < n_classes` failed.\n"
        "RuntimeError: CUDA error: device-side assert triggered"
    )
    index = (
        "../aten/src/ATen/native/cuda/Indexing.cu:1146: indexSelectLargeIndex: block: [47,0,0], "
        "thread: [64,0,0] Assertion `srcIndex < srcSelectDimSize` failed.\n"
        "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling "
        "`cublasCreate(handle)`"
    )
    places = (
        "RuntimeError: Expected all tensors to be on the same device, but found at least two "
        "devices, cuda:0 and cpu!"
    )
    for error in (assertion, index, places):
        wheel = dice.choice([each for each in torches() if each.runs_on(RTX_3090)])
        served = [each for each in drivers_of(RTX_3090) if wheel.is_served_by(each)]
        machine = Machine(RTX_3090, dice.choice(served))
        env = tools.collect_env(machine, wheel.version, wheel.short_cuda, sees=True)
        yield "user-code", joined(error)
        yield "user-code", joined(error, env)


def _nccl() -> Iterator[Made]:
    machine = Machine(A100, drivers_of(A100)[-4], count=4)
    shared = (
        "misc/shmutils.cc:72 NCCL WARN Error: failed to extend /dev/shm/nccl-jLq1vK to 9637892 "
        "bytes\nRuntimeError: NCCL error in: ProcessGroupNCCL.cpp:1269, unhandled system error, "
        "NCCL version 2.14.3"
    )
    watchdog = (
        "[E ProcessGroupNCCL.cpp:828] [Rank 1] Watchdog caught collective operation timeout: "
        "WorkNCCL(SeqNum=1, OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1802710 milliseconds "
        "before timing out."
    )
    yield "nccl", joined(shared, tools.listed(machine))
    yield "nccl", joined(watchdog)


def _power(dice: random.Random) -> Iterator[Made]:
    throttled = (
        "    Clocks Event Reasons\n        Idle                              : Not Active\n"
        "        HW Slowdown                       : Active\n"
        "            HW Thermal Slowdown           : Active\n"
        "            HW Power Brake Slowdown       : Not Active"
    )
    machine = Machine(T4, dice.choice(drivers_of(T4)[-5:]))
    words = "Training became four times slower after an hour."
    yield "power-thermal", joined(words, tools.nvidia_smi(machine), throttled)
    yield "power-thermal", joined("$ nvidia-smi -q -d PERFORMANCE", throttled)


def _cpu_fallback() -> Iterator[Made]:
    missing = (
        "ValueError: This ORT build has ['CUDAExecutionProvider', 'CPUExecutionProvider'] enabled. "
        "Since ORT 1.9, you are required to explicitly set the providers parameter when "
        "instantiating InferenceSession."
    )
    packages = tools.pip_list({"onnxruntime-gpu": "1.19.2"})
    yield "silent-cpu-fallback", joined(packages, missing), "user-code"

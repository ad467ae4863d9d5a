"""Machines on which everything works, as people paste them below a bug about something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import logs, tools
from .machine import CARDS, RTX_3090, T4, Machine, drivers_of, torches
from .shape import Made, joined

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

_BUG = "The loss becomes NaN after about 300 steps with this learning rate. Is that a bug?"


def made(dice: random.Random) -> Iterator[Made]:
    """All of them."""
    yield from _torch(dice)
    yield from _tensorflow(dice)
    yield from _others(dice)
    yield from _tables_only(dice)


def _torch(dice: random.Random) -> Iterator[Made]:
    """Each card with a wheel that has kernels for it, on a driver that serves the wheel."""
    for card in CARDS:
        wheels = [wheel for wheel in torches() if wheel.runs_on(card)]
        for wheel in dice.sample(wheels, min(2, len(wheels))):
            driver = dice.choice([d for d in drivers_of(card) if wheel.is_served_by(d)])
            machine = Machine(card, driver, count=dice.choice((1, 1, 2, 4)))
            env = tools.collect_env(machine, wheel.version, wheel.short_cuda, sees=True)
            yield "healthy", joined(_BUG, env)
        wheel = dice.choice(wheels)
        machine = Machine(card, next(d for d in drivers_of(card) if wheel.is_served_by(d)))
        session = tools.python(
            ("import torch; torch.__version__", f"'{wheel.version}'"),
            ("torch.cuda.is_available()", "True"),
            ("torch.cuda.get_device_name(0)", f"'{card.name}'"),
        )
        yield "healthy", joined(tools.nvidia_smi(machine), session, _BUG)


def _tensorflow(dice: random.Random) -> Iterator[Made]:
    for version, python in (("2.4.1", "3.8.10"), ("2.10.0", "3.9.16"), ("2.17.0", "3.11.9")):
        machine = Machine(T4, dice.choice(drivers_of(T4)[-6:]), python=python)
        listing = tools.python(
            (
                "import tensorflow as tf; tf.config.list_physical_devices('GPU')",
                "[PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')]",
            )
        )
        fields = tools.form(
            {"TensorFlow version": version, "Python version": python, "OS": "Linux"}
        )
        yield "healthy", joined(fields, logs.NOISE, logs.tf_device(machine), listing)
        yield "healthy", joined(tools.pip_list({"tensorflow": version}), logs.NOISE, listing)
        yield "healthy", joined(fields, tools.nvidia_smi(machine), logs.tf_device(machine))


def _others(dice: random.Random) -> Iterator[Made]:
    for version in ("0.4.13", "0.4.30", "0.6.0"):
        machine = Machine(RTX_3090, dice.choice(drivers_of(RTX_3090)[-5:]))
        info = (
            f">>> import jax; jax.print_environment_info()\njax:    {version}\njaxlib: {version}\n"
            "numpy:  1.26.4\npython: 3.11.9 (main, Apr  6 2024, 17:59:24) [GCC 11.4.0]\n"
            "jax.devices (1 total, 1 local): [CudaDevice(id=0)]\nprocess_count: 1"
        )
        yield "healthy", joined(info, tools.nvidia_smi(machine))
        yield "healthy", joined("jax.devices() gives [cuda(id=0)], jit is slow at first", info)
    providers = "['TensorrtExecutionProvider', 'CUDAExecutionProvider', 'CPUExecutionProvider']"
    session = tools.python(
        ("import onnxruntime as ort; ort.get_device()", "'GPU'"),
        ("ort.InferenceSession('m.onnx', providers=['CUDAExecutionProvider']).get_providers()",
         "['CUDAExecutionProvider', 'CPUExecutionProvider']"),
    )  # fmt: skip
    packages = tools.pip_list({"onnxruntime-gpu": "1.19.2", "numpy": "1.26.4"})
    yield "healthy", joined(packages, session)
    yield "healthy", joined(packages, tools.nvidia_smi(Machine(T4, drivers_of(T4)[-3])), providers)


def _tables_only(dice: random.Random) -> Iterator[Made]:
    """Nothing but nvidia-smi, of every age, often beside a toolkit of another version."""
    for card in CARDS:
        machine = Machine(card, dice.choice(drivers_of(card)), count=dice.choice((1, 2, 8)))
        toolkit = tools.nvcc(dice.choice(("11.8", "12.1", "12.4")))
        yield "healthy", joined(_BUG, tools.nvidia_smi(machine))
        yield "healthy", joined(toolkit, tools.nvidia_smi(machine), tools.listed(machine))

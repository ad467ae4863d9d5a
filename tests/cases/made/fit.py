"""Builds that have no kernels for the card, or none for any card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import logs, tools
from .machine import CARDS, GTX_1080, RTX_3090, T4, Machine, drivers_of, torches
from .shape import Made, joined

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from .machine import Card, Torch


def made(dice: random.Random) -> Iterator[Made]:
    """All of them."""
    for card in CARDS:
        unfit = [wheel for wheel in torches() if not wheel.runs_on(card)]
        for wheel in dice.sample(unfit, min(3, len(unfit))):
            served = [driver for driver in drivers_of(card) if wheel.is_served_by(driver)]
            if served:
                yield from _unfit(card, wheel, Machine(card, dice.choice(served)))
    yield from _cpu_builds(dice)
    yield from _windows()


def _unfit(card: Card, wheel: Torch, machine: Machine) -> Iterator[Made]:
    """Too new where all targets are older than the card, too old where all are newer."""
    numbers = [int(target.partition("_")[2]) for target in wheel.targets]
    cause = "gpu-too-new" if max(numbers) < card.sm else "gpu-too-old"
    env = tools.collect_env(machine, wheel.version, wheel.short_cuda, sees=True)
    versions = tools.form({"torch": wheel.version, "Python": machine.python})
    yield cause, joined(versions, logs.torch_unfit(machine, wheel), logs.NO_KERNEL)
    yield cause, joined(env, logs.NO_KERNEL)


def _cpu_builds(dice: random.Random) -> Iterator[Made]:
    """A GPU that works, and a package that was built without CUDA."""
    for card, version in ((T4, "2.1.2"), (RTX_3090, "2.4.1"), (GTX_1080, "1.13.1")):
        machine = Machine(card, dice.choice(drivers_of(card)[-5:]))
        env = tools.collect_env(machine, f"{version}+cpu", None, sees=False)
        yield "cpu-only-build", env
        packages = tools.pip_list({"numpy": "1.26.4", "torch": f"{version}+cpu"})
        yield "cpu-only-build", joined(tools.nvidia_smi(machine), packages)
        error = "AssertionError: Torch not compiled with CUDA enabled"
        yield "cpu-only-build", joined(error, tools.nvidia_smi(machine))
        conda = tools.conda_list({"pytorch": (version, "py3.10_cpu_0", "pytorch")})
        yield "cpu-only-build", joined(conda, "torch.cuda.is_available() -> False")
    jax = (
        "WARNING:absl:An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is "
        "not installed. Falling back to cpu."
    )
    machine = Machine(T4, drivers_of(T4)[-4])
    yield "cpu-only-build", joined(jax, "[CpuDevice(id=0)]", tools.nvidia_smi(machine))
    plain = tools.pip_freeze({"jax": "0.4.30", "jaxlib": "0.4.30", "numpy": "1.26.4"})
    yield "cpu-only-build", joined(plain, jax)
    providers = tools.python(
        (
            "import onnxruntime; onnxruntime.get_available_providers()",
            "['AzureExecutionProvider', 'CPUExecutionProvider']",
        )
    )
    packages = tools.pip_list({"onnxruntime": "1.18.0", "numpy": "1.26.4"})
    yield "cpu-only-build", joined(packages, providers, tools.nvidia_smi(machine))
    tensorflow = tools.pip_list({"tensorflow-cpu": "2.15.0", "keras": "2.15.0"})
    listing = ">>> tf.config.list_physical_devices('GPU')\n[]"
    yield "cpu-only-build", joined(tensorflow, listing, tools.nvidia_smi(machine))


def _windows() -> Iterator[Made]:
    """TensorFlow after 2.10 has no GPU build there; torch of the package index has none at all."""
    for version in ("2.11.0", "2.15.0", "2.17.0"):
        fields = tools.form(
            {"OS": "Windows 11", "TensorFlow version": version, "GPU": "RTX 3060", "CUDA": "11.8"}
        )
        yield "cpu-only-build", joined(fields, ">>> tf.config.list_physical_devices('GPU')\n[]")
    fields = tools.form({"OS": "Windows 10", "GPU": "RTX 4070"})
    session = tools.python(
        ("import torch; torch.__version__", "'2.5.1+cpu'"), ("torch.cuda.is_available()", "False")
    )
    yield "cpu-only-build", joined(fields, session)

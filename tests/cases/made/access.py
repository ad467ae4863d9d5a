"""Machines whose GPU works and is not reached: hidden, in a container, closed, divided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import tools
from .machine import A100, H100, RTX_3090, T4, Machine, drivers_of, torches
from .shape import Made, joined

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

_SEES_NONE = tools.python(("import torch; torch.cuda.is_available()", "False"))


def made(dice: random.Random) -> Iterator[Made]:
    """All of them."""
    yield from _hidden(dice)
    yield from _too_late()
    yield from _container()
    yield from _nodes()
    yield from _busy()
    yield from _mig()
    yield from _wsl()


def _hidden(dice: random.Random) -> Iterator[Made]:
    """A variable that names no GPU of the machine."""
    for value in ("", "-1", "3", "GPU-00000000-1111-2222-3333-444444444444"):
        card = dice.choice((T4, RTX_3090, A100))
        machine = Machine(card, drivers_of(card)[-3])
        asked = f"$ echo $CUDA_VISIBLE_DEVICES\n{value}"
        shell = asked if value == "-1" else f'$ export CUDA_VISIBLE_DEVICES="{value}"'
        yield "hidden-by-visible-devices", joined(tools.nvidia_smi(machine), shell, _SEES_NONE)
        script = f'import os\nos.environ["CUDA_VISIBLE_DEVICES"] = "{value}"\nimport torch'
        yield (
            "hidden-by-visible-devices",
            joined(script, "torch.cuda.device_count() -> 0", tools.listed(machine)),
        )


def _too_late() -> Iterator[Made]:
    machine = Machine(T4, drivers_of(T4)[-4], count=4)
    script = (
        "import torch\nx = torch.zeros(1).cuda()\nimport os\n"
        'os.environ["CUDA_VISIBLE_DEVICES"] = "2"\nmodel = model.cuda()'
    )
    told = "The process still uses GPU 0, the variable is ignored."
    yield "visible-devices-too-late", joined(script, told, tools.nvidia_smi(machine)), "user-code"


def _container() -> Iterator[Made]:
    docker = (
        'docker: Error response from daemon: could not select device driver "" with '
        "capabilities: [[gpu]]."
    )
    yield "container-no-gpu", joined("$ docker run --rm --gpus all nvidia/cuda nvidia-smi", docker)
    machine = Machine(T4, drivers_of(T4)[-3])
    yield "container-no-gpu", joined(tools.nvidia_smi(machine), "$ docker run --gpus all x", docker)
    inside = (
        "$ docker run -it --rm tensorflow/tensorflow:2.15.0-gpu bash\nroot@4c1f0e8b2a9d:/# "
        "nvidia-smi\nbash: nvidia-smi: command not found"
    )
    yield "container-no-gpu", joined(tools.listed(machine), inside)
    kubernetes = (
        "Warning  FailedScheduling  0/3 nodes are available: 3 Insufficient nvidia.com/gpu."
    )
    yield "container-no-gpu", joined("$ kubectl describe pod train-0", kubernetes)


def _nodes() -> Iterator[Made]:
    denied = (
        "$ nvidia-smi\nFailed to initialize NVML: Insufficient Permissions\n$ ls -l /dev/nvidia*\n"
        "crw-rw---- 1 root vglusers 195,   0 Mar  5 10:00 /dev/nvidia0\n"
        "crw-rw---- 1 root vglusers 195, 255 Mar  5 10:00 /dev/nvidiactl"
    )
    yield "device-nodes", joined(denied)
    lost = (
        "It worked for hours, then inside the container:\n$ nvidia-smi\n"
        "Failed to initialize NVML: Unknown Error"
    )
    yield "device-nodes", joined("$ docker exec -it train bash", lost), "container-no-gpu"
    resumed = (
        "RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment, "
        "e.g. changing env variable CUDA_VISIBLE_DEVICES after program start."
    )
    machine = Machine(RTX_3090, drivers_of(RTX_3090)[-2])
    words = "After suspend and resume of the laptop:"
    yield "device-nodes", joined(words, resumed, tools.nvidia_smi(machine))


def _busy() -> Iterator[Made]:
    error = (
        "RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable\n"
        "CUDA kernel errors might be asynchronously reported at some other API call"
    )
    for mode in ("E. Process", "Prohibited"):
        machine = Machine(A100, drivers_of(A100)[-4])
        busy = (1234, "python", 9000)
        smi = tools.nvidia_smi(machine, mode=mode, used_mib=9005, processes=(busy,))
        yield "device-busy", joined(smi, error)
    yield "device-busy", joined("Compute Mode                          : Prohibited", error)


def _mig() -> Iterator[Made]:
    wheel = next(each for each in torches() if each.cuda.startswith("12"))
    for card in (A100, H100):
        machine = Machine(card, drivers_of(card)[-3])
        smi = tools.nvidia_smi(machine, mig="Enabled") + "\n|  No MIG devices found  |"
        env = tools.collect_env(machine, wheel.version, wheel.short_cuda, sees=False)
        yield "mig", joined(smi, _SEES_NONE)
        yield "mig", joined(smi, env)


def _wsl() -> Iterator[Made]:
    kernel = "$ uname -r\n5.15.153.1-microsoft-standard-WSL2"
    missing = "libcuda.so.1: cannot open shared object file: No such file or directory"
    there = "$ ls /usr/lib/wsl/lib\nlibcuda.so  libcuda.so.1  libcuda.so.1.1  nvidia-smi"
    yield "wsl", joined(kernel, f"ImportError: {missing}", there)
    linux = "$ sudo apt install nvidia-driver-535\n" + missing
    yield "wsl", joined("OS: Ubuntu 22.04 under WSL2", kernel, linux), "driver-missing"

"""Start a program with the right GPUs: look, choose among those the caller has, hand over.

The choice is made before the program begins, so that it cannot come too late. It is written as
whole UUIDs, which mean the same whatever CUDA_DEVICE_ORDER says.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..facts.collect import Level
    from .choice import Choice


def choose(
    *,
    visible: str | None = None,
    idle: int | None = None,
    min_free_bytes: int | None = None,
    level: Level | None = None,
    environ: Mapping[str, str] | None = None,
) -> Choice:
    """Devices for a program, among those that CUDA_VISIBLE_DEVICES leaves the caller.

    ``gpuprobe.choose(idle=1).variables`` is what to set before CUDA starts: in the environment of
    a child process, or in `os.environ` ahead of the first import of a framework.

    Args:
        visible: These devices, by a value of CUDA_VISIBLE_DEVICES.
        idle: So many on which nobody holds memory, the least used first.
        min_free_bytes: Only devices with so much free memory; alone: all of these.
        level: "quick" asks NVML only, "normal" also starts CUDA in a child process and takes only
            what CUDA lists. By default quick, and normal where numbers have to be read.
        environ: The caller's variables; by default this process's.

    Raises:
        gpuprobe.launch.choice.NotChosenError: Too few qualify, or `visible` is faulty or beyond the
            caller's own list; the text names each device and what speaks against it.
        TypeError: `visible` is no text, or a number is no whole one.
        ValueError: Nothing is asked for, both `visible` and `idle` are, `idle` is below 1, or no
            level is called so.
    """
    from .choice import Wish, needs_cuda
    from .choice import choose as choose_from
    from .sight import look

    if not isinstance(visible, str | None):
        raise TypeError(f"visible is {visible!r}; it has to be a text, as '0,1' is")
    idle, min_free_bytes = _whole("idle", idle), _whole("min_free_bytes", min_free_bytes)
    wish = Wish(visible, idle, min_free_bytes)
    if wish == Wish():
        raise ValueError("ask for visible, idle or min_free_bytes")
    if visible is not None and idle is not None:
        raise ValueError("visible names the devices, idle chooses them: give one of the two")
    if idle is not None and idle < 1:
        raise ValueError(f"idle={idle}: a number of devices is wanted, 1 or more")
    variables = os.environ if environ is None else environ
    sight = look(variables, level or "quick")
    if level is None and needs_cuda(wish, sight):
        sight = look(variables, "normal")
    return choose_from(wish, sight)


def _whole(name: str, number: int | None) -> int | None:
    from operator import index

    try:
        return None if number is None else index(number)
    except TypeError:
        raise TypeError(f"{name} is {number!r}; it has to be a whole number") from None

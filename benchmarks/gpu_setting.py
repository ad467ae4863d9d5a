"""On what is measured: the GPU and how it does, the driver, the libraries, this source."""

from __future__ import annotations

import ctypes
import os
import platform
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import gpuprobe
from gpuprobe.examine import machine_facts
from gpuprobe.facts import names
from gpuprobe.facts.answers import Answer
from gpuprobe.facts.gpus.state import throttle_reasons
from gpuprobe.facts.libraries.maps import mapped
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Known
from gpuprobe.facts.probe import Probe

from .torch_side import torch_here

#: What tells the release of a library, by its stem.
_RELEASES = {"cublaslt": "cublasLtGetVersion", "cudnn": "cudnnGetVersion"}


@dataclass(frozen=True, slots=True)
class State:
    """How the GPU does at a moment, by NVML; None: it does not tell.

    Attributes:
        throttle: What brakes it, in nvidia-smi's words; empty: nothing.
    """

    sm_mhz: int | None
    memory_mhz: int | None
    watts: float | None
    celsius: int | None
    throttle: tuple[str, ...] | None

    def __str__(self) -> str:
        values = (
            (self.sm_mhz, "MHz SM"),
            (self.memory_mhz, "MHz memory"),
            (self.watts, "W"),
            (self.celsius, "degrees C"),
        )
        told = [f"{value} {unit}" for value, unit in values if value is not None]
        if self.throttle is not None:
            told.append(f"braked by {', '.join(self.throttle) or 'nothing'}")
        return ", ".join(told)


@dataclass(frozen=True, slots=True)
class Setting:
    """What stays the same while it is measured.

    Attributes:
        libraries: What is loaded in this process: the release by its own call, and the file.
        torch: Its release, that of its CUDA, and its settings; or why it is left out.
    """

    device: str
    driver: str
    driver_cuda: str
    libraries: dict[str, str]
    torch: str
    numpy: str
    python: str
    machine: str
    gpuprobe: str
    commit: str
    options: str
    date: str


def state_of_gpu(device: int = 0) -> State | None:
    """Of CUDA's GPU, asked by the probe program; None: nobody tells, as of a MIG instance."""
    from gpuprobe import _core

    uuid = _core.cuda_state().uuids[device]
    probe = Probe(os.environ, lambda _: None)
    try:
        probe.start("nvml")
        answer = probe.answer("nvml")
    finally:
        probe.stop()
    gpus = answer.devices if isinstance(answer, Answer) else ()
    found = next((each.details for each in gpus if each.uuid == uuid), None)
    if found is None:
        return None
    state = found.state
    milliwatts, bits = state.power_milliwatts, state.throttle_bits
    return State(
        state.clock_sm_mhz,
        state.clock_memory_mhz,
        None if milliwatts is None else milliwatts / 1e3,
        state.temperature_c,
        None if bits is None else throttle_reasons(bits),
    )


def setting(commit: str | None) -> Setting:
    """Of this process. To be asked after the work, when the libraries are loaded.

    `commit` is that of the sources where git does not tell.
    """
    facts = machine_facts()
    return Setting(
        device=gpuprobe.cuda.get_device_name(),
        driver=str(facts.known(names.DRIVER_VERSION)),
        driver_cuda=str(facts.known(names.DRIVER_CUDA)),
        libraries=_libraries(),
        torch=torch_here().words,
        numpy=np.__version__,
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        gpuprobe=gpuprobe.__version__,
        commit=commit or _commit(),
        options=" ".join(sys.argv[1:]),
        date=time.strftime("%Y-%m-%d", time.gmtime()),
    )


def _libraries() -> dict[str, str]:
    """``{"cublaslt": "130101, libcublasLt.so.13"}`` of what this process has mapped.

    Two copies of one library are both told: then torch and gpuprobe do not use the same.
    """
    maps = mapped(Machine.here())
    files = maps.value if isinstance(maps, Known) else {}
    return {
        stem: " and ".join(f"{_release(path, ask)}, {Path(path).name}" for path in files[stem])
        for stem, ask in _RELEASES.items()
        if stem in files
    }


def _release(path: str, function: str) -> int:
    """The number that a loaded library gives itself."""
    ask = getattr(ctypes.CDLL(path), function)
    ask.restype = ctypes.c_size_t
    return int(ask())


def _commit() -> str:
    """Of the sources beside this file; "unknown" without git."""
    command = ("git", "describe", "--always", "--dirty", "--abbrev=12")
    try:
        done = subprocess.run(
            command, cwd=Path(__file__).parent, check=False, capture_output=True, text=True
        )
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"

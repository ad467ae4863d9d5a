"""Running the command line, and one set of facts for each verdict."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from gpuprobe.facts.model import Absent, Fact, Known, Unknown, Value
from gpuprobe.facts.version import Version

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORKS: dict[str, Fact[Value]] = {
    "os.system": Known("Linux", "uname"),
    "probe.level": Known("normal", "the user's choice"),
    "pci.nvidia_gpu_count": Known(1, "/sys/bus/pci/devices"),
    "container.kind": Absent("/proc/1/cgroup"),
    "wsl.version": Absent("/proc/version"),
    "cuda.init.outcome": Known("ok", "cuInit"),
    "cuda.device_count": Known(1, "cuDeviceGetCount"),
    "cuda.kernel.outcome": Known("right", "a kernel on device 0"),
    "driver.cuda": Known(Version("12.4"), "cuDriverGetVersion"),
    "gpu.0.name": Known("NVIDIA H100 80GB HBM3", "cuDeviceGetName"),
    "gpu.0.uuid": Known("GPU-5d2f9a7c-1b7e-4c3d-9e0f-a1b2c3d4e5f6", "cuDeviceGetUuid_v2"),
    "python.executable": Known("/home/alice/venv/bin/python", "sys.executable"),
    "env.CUDA_VISIBLE_DEVICES": Absent("environment variable CUDA_VISIBLE_DEVICES"),
    "libraries.searched": Known(("ld.so.cache",), "the order of the search"),
    "packages.folders": Known(("/home/alice/venv/lib/python3.11/site-packages",), "sys.path"),
}
_ONE_CPU_BUILD: dict[str, Fact[Value]] = {
    "os.machine": Known("x86_64", "uname"),
    "package.torch.version": Known("2.4.1+cu121", "/home/alice/venv/torch/version.py"),
    "package.torch.build": Known("cuda", "/home/alice/venv/torch/version.py"),
    "package.torch.cuda": Known(Version("12.1"), "/home/alice/venv/torch/version.py"),
    "package.tensorflow-cpu.version": Known("2.16.1", "/home/alice/venv/tf"),
    "package.tensorflow-cpu.build": Known("cpu", "its name"),
}
_NO_GPU: dict[str, Fact[Value]] = {
    "os.system": Known("Linux", "uname"),
    "os.machine": Known("x86_64", "uname"),
    "node.nvidiactl": Absent("/dev/nvidiactl"),
    "pci.gpu_count": Known(0, "/sys/bus/pci/devices"),
    "pci.nvidia_gpu_count": Known(0, "/sys/bus/pci/devices"),
    "module.nvidia.version": Absent("/proc/driver/nvidia/version"),
    "container.kind": Absent("/proc/1/cgroup"),
    "container.nvidia_traces": Known((), "environment"),
    "wsl.version": Absent("/proc/version"),
    "nvml.init.outcome": Known("not loaded", "libnvidia-ml.so.1"),
    "cuda.init.outcome": Known("not loaded", "libcuda.so.1"),
}
#: One of each verdict.
FACTS: dict[str, Mapping[str, Fact[Value]]] = {
    "healthy": _WORKS,
    "degraded": {**_WORKS, **_ONE_CPU_BUILD},
    "broken": _NO_GPU,
    "unknown": {"os.system": Unknown("nobody looked")},
}


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    def json(self) -> dict[str, object]:
        document: dict[str, object] = json.loads(self.out)
        return document


class Gpuprobe(Protocol):
    def __call__(self, *arguments: str) -> Ran: ...


def child(
    *arguments: str, environ: Mapping[str, str] | None = None, **more: object
) -> subprocess.CompletedProcess[bytes]:
    """`python -m gpuprobe` in a process of its own."""
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [sys.executable, "-m", "gpuprobe", *arguments],
        env={**os.environ, **(environ or {})},
        check=False,
        timeout=120,
        **{"capture_output": True, **more},
    )

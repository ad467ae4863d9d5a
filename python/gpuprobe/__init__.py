"""gpuprobe: does this GPU set-up work? It says so, proves it, or names the one thing that is wrong.

Importing it does nothing: no CUDA library is loaded, no process is started, NumPy stays out.
The public names are imported at their first use.
"""

from __future__ import annotations

TYPE_CHECKING = False  # spares the import of typing; type checkers know the name
if TYPE_CHECKING:
    from . import config, cuda, libraries, memory, visible
    from .compute.asarray import asarray
    from .compute.convolution import conv2d
    from .compute.convolution_proof import prove_conv2d
    from .compute.cuda_array import from_cuda_array
    from .compute.device_array import DeviceArray, to_device
    from .compute.dlpack import from_dlpack
    from .compute.place import GpuUnavailable
    from .compute.product import matmul
    from .compute.product_proof import prove_matmul
    from .compute.proof import Proof
    from .compute.run import RunInfo
    from .compute.verification import Verification
    from .compute.verify import verify
    from .device import Device, devices
    from .examine import device_count, diff, doctor, explain, is_available, lock, snapshot
    from .launch import choose
    from .report.model import Report

__version__ = "0.1.0"

__all__ = [
    "Device",
    "DeviceArray",
    "GpuUnavailable",
    "Proof",
    "Report",
    "RunInfo",
    "Verification",
    "__version__",
    "asarray",
    "choose",
    "config",
    "conv2d",
    "cuda",
    "device_count",
    "devices",
    "diff",
    "doctor",
    "explain",
    "from_cuda_array",
    "from_dlpack",
    "is_available",
    "libraries",
    "lock",
    "matmul",
    "memory",
    "prove_conv2d",
    "prove_matmul",
    "snapshot",
    "to_device",
    "verify",
    "visible",
]

#: Public names that are modules.
_MODULES = ("config", "cuda", "libraries", "memory", "visible")
_HOMES = {
    "Device": ".device",
    "DeviceArray": ".compute.device_array",
    "GpuUnavailable": ".compute.place",
    "Proof": ".compute.proof",
    "Report": ".report.model",
    "RunInfo": ".compute.run",
    "Verification": ".compute.verification",
    "asarray": ".compute.asarray",
    "choose": ".launch",
    "conv2d": ".compute.convolution",
    "device_count": ".examine",
    "devices": ".device",
    "diff": ".examine",
    "doctor": ".examine",
    "explain": ".examine",
    "from_cuda_array": ".compute.cuda_array",
    "from_dlpack": ".compute.dlpack",
    "is_available": ".examine",
    "lock": ".examine",
    "matmul": ".compute.product",
    "prove_conv2d": ".compute.convolution_proof",
    "prove_matmul": ".compute.product_proof",
    "snapshot": ".examine",
    "to_device": ".compute.device_array",
    "verify": ".compute.verify",
}


if not TYPE_CHECKING:  # so that a type checker finds a misspelt name

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in _MODULES:
            return import_module(f".{name}", __name__)
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value: object = getattr(import_module(home, __name__), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""What frameworks, drivers and container tools print while they work or fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .machine import Machine, Torch

_TIME = "2024-03-05 10:12:41.512345"
_SOURCE = {
    "old": "tensorflow/stream_executor/platform/default/dso_loader.cc",
    "new": "tensorflow/compiler/xla/stream_executor/platform/default/dso_loader.cc",
}
NOISE = (
    f"{_TIME}: E external/local_xla/xla/stream_executor/cuda/cuda_fft.cc:485] Unable to register "
    "cuFFT factory: Attempting to register factory for plugin cuFFT when one has already been "
    "registered\n"
    f"{_TIME}: I tensorflow/core/platform/cpu_feature_guard.cc:182] This TensorFlow binary is "
    "optimized to use available CPU instructions in performance-critical operations.\n"
    f"{_TIME}: W tensorflow/compiler/tf2tensorrt/utils/py_utils.cc:38] TF-TRT Warning: Could not "
    "find TensorRT"
)


def tf_opened(libraries: Sequence[str], age: str = "old") -> str:
    """The lines for libraries that TensorFlow found (up to 2.12)."""
    return "\n".join(
        f"{_TIME}: I {_SOURCE[age]}:49] Successfully opened dynamic library {name}"
        for name in libraries
    )


def tf_not_opened(libraries: Sequence[str], age: str = "old") -> str:
    """The lines for those that it did not find, and what it does without."""
    lines = [
        f"{_TIME}: W {_SOURCE[age]}:64] Could not load dynamic library '{name}'; dlerror: {name}: "
        "cannot open shared object file: No such file or directory; LD_LIBRARY_PATH: /usr/lib"
        for name in libraries
    ]
    without = (
        f"{_TIME}: W tensorflow/core/common_runtime/gpu/gpu_device.cc:1850] Cannot dlopen some "
        "GPU libraries. Please make sure the missing libraries mentioned above are installed "
        "properly if you would like to use GPU."
    )
    return "\n".join([*lines, without, "Skipping registering GPU devices..."])


def tf_device(machine: Machine) -> str:
    """The line for a GPU that TensorFlow will use."""
    memory = int(machine.card.memory_mib * 0.9)
    return (
        f"{_TIME}: I tensorflow/core/common_runtime/gpu/gpu_device.cc:1613] Created device "
        f"/job:localhost/replica:0/task:0/device:GPU:0 with {memory} MB memory:  -> device: 0, "
        f"name: {machine.card.name}, pci bus id: 0000:01:00.0, "
        f"compute capability: {machine.card.capability}"
    )


def tf_cudnn(loaded: str, built: str) -> str:
    """Two releases of cuDNN that do not go together."""
    return (
        f"{_TIME}: E tensorflow/stream_executor/cuda/cuda_dnn.cc:319] Loaded runtime "
        f"CuDNN library: {loaded} but source was compiled with: {built}.  CuDNN library "
        "needs to have matching major version and equal or higher minor version."
    )


def torch_unfit(machine: Machine, torch: Torch) -> str:
    """The warning of torch about a device that it has no kernels for."""
    sm = f"sm_{machine.card.sm}"
    return (
        f"UserWarning: \n{machine.card.name} with CUDA capability {sm} is not compatible with the "
        "current PyTorch installation.\nThe current PyTorch install supports CUDA capabilities "
        f"{torch.compiled_for()}."
    )


NO_KERNEL = (
    "RuntimeError: CUDA error: no kernel image is available for execution on the device\n"
    "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace "
    "below might be incorrect."
)


def torch_old_driver(cuda: str) -> str:
    """The warning of torch about a driver for an older CUDA."""
    major, minor = cuda.split(".")
    return (
        "UserWarning: CUDA initialization: The NVIDIA driver on your system is too old (found "
        f"version {int(major) * 1000 + int(minor) * 10}). Please update your GPU driver by "
        "downloading and installing a new version"
    )


def torch_oom(total: float, own: float, asked: float, free: float) -> str:
    """The out-of-memory error of torch 1.x; GiB, `asked` in MiB."""
    return (
        f"RuntimeError: CUDA out of memory. Tried to allocate {asked:.2f} MiB (GPU 0; {total:.2f} "
        f"GiB total capacity; {own - 0.25:.2f} GiB already allocated; {free:.2f} MiB free; "
        f"{own:.2f} GiB reserved in total by PyTorch)"
    )


def torch_oom_new(total: float, own: float, asked: float, free: float, others: float) -> str:
    """The same of torch 2.x, which also tells of other processes."""
    other = f"Process 4711 has {others:.2f} GiB memory in use. " if others else ""
    return (
        f"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {asked:.2f} MiB. GPU 0 has "
        f"a total capacity of {total:.2f} GiB of which {free:.2f} MiB is free. {other}Including "
        f"non-PyTorch memory, this process has {own:.2f} GiB memory in use. Of the allocated "
        f"memory {own - 0.5:.2f} GiB is allocated by PyTorch, and 120.00 MiB is "
        "reserved by PyTorch but unallocated."
    )

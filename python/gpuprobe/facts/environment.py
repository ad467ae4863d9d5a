"""The environment variables that decide about GPUs; no other is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import names
from .model import Absent, Entry, Known, entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .machine import Machine

WRITES = (names.ENV,)

#: Read by the driver, the loader, container run times and the frameworks.
VARIABLES = (
    # which devices
    "CUDA_VISIBLE_DEVICES",
    "CUDA_DEVICE_ORDER",
    "NVIDIA_VISIBLE_DEVICES",
    "NVIDIA_DRIVER_CAPABILITIES",
    "NVIDIA_REQUIRE_CUDA",
    "NVIDIA_DISABLE_REQUIRE",
    "HIP_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",
    "SLURM_JOB_ID",
    "SLURM_JOB_GPUS",
    "SLURM_STEP_GPUS",
    "JAX_PLATFORMS",
    "JAX_CUDA_VISIBLE_DEVICES",
    # which libraries
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "CUDA_HOME",
    "CUDA_PATH",
    "CUDA_VERSION",
    # how the driver works
    "CUDA_MODULE_LOADING",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_CACHE_DISABLE",
    "CUDA_CACHE_PATH",
    "CUDA_CACHE_MAXSIZE",
    "CUDA_FORCE_PTX_JIT",
    "CUDA_FORCE_JIT",
    "CUDA_DISABLE_PTX_JIT",
    "CUDA_DISABLE_JIT",
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_LOG_FILE",
    "CUDA_MPS_PIPE_DIRECTORY",
    "CUDA_MPS_LOG_DIRECTORY",
    "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
    "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT",
    "NVIDIA_TF32_OVERRIDE",
    "CUBLAS_WORKSPACE_CONFIG",
    # how the frameworks take memory
    "TF_FORCE_GPU_ALLOW_GROWTH",
    "TF_GPU_ALLOCATOR",
    "XLA_FLAGS",
    "XLA_PYTHON_CLIENT_PREALLOCATE",
    "XLA_PYTHON_CLIENT_MEM_FRACTION",
    "XLA_CLIENT_MEM_FRACTION",
    "XLA_PYTHON_CLIENT_ALLOCATOR",
    "PYTORCH_ALLOC_CONF",
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_NO_CUDA_MEMORY_CACHING",
    "PYTORCH_NVML_BASED_CUDA_CHECK",
    # where Python and its packages come from
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "PYTHONPATH",
    # what this program itself was told
    "GPUPROBE_ROOT",
    "GPUPROBE_LIBCUDA",
    "GPUPROBE_LIBNVML",
    "GPUPROBE_LIBCUBLASLT",
    "GPUPROBE_LIBCUDNN",
    "GPUPROBE_PROBE",
    "GPUPROBE_TIMEOUT",
)


def collect(machine: Machine) -> Iterator[Entry]:
    """Each variable of the list: its value, the empty one included, or that it is not set."""
    for name in VARIABLES:
        value = machine.environ.get(name)
        source = f"environment variable {name}"
        yield entry(names.ENV(name), Absent(source) if value is None else Known(value, source))

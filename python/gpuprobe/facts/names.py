"""The catalogue of facts: every name, its type, and how a person finds the value out.

`docs/facts.md` is checked against this list. Collectors and text parsers write these facts,
rules read them. The subject of a `gpu.*` fact is a running number (NVML's order where NVML
answers, else CUDA's), of `package.*` the normalised distribution name, of `env.*` the
variable, of `node.*` the file's name under /dev.
"""

from __future__ import annotations

from typing import cast

from .model import Family, Key
from .version import Version

TEXTS = cast("type[tuple[str, ...]]", tuple)

# -- the host -------------------------------------------------------------------------------
OS_SYSTEM = Key("os.system", str, "uname -s")  # Linux, Windows, Darwin
OS_NAME = Key("os.name", str, "cat /etc/os-release")  # Debian GNU/Linux 12 (bookworm)
OS_KERNEL = Key("os.kernel", str, "uname -r")
OS_MACHINE = Key("os.machine", str, "uname -m")  # x86_64, aarch64
OS_LIBC = Key("os.libc", str, "ldd --version")  # glibc 2.36
PYTHON_VERSION = Key("python.version", Version, "python --version")
PYTHON_EXECUTABLE = Key("python.executable", str, "python -c 'import sys; print(sys.executable)'")
PYTHON_ENVIRONMENT = Key("python.environment", str, "echo $VIRTUAL_ENV $CONDA_PREFIX")
CONTAINER_KIND = Key("container.kind", str, "cat /proc/1/cgroup; ls /.dockerenv")
CONTAINER_NVIDIA = Key(
    "container.nvidia_traces", TEXTS, "env | grep NVIDIA; ls /proc/driver/nvidia"
)
WSL_VERSION = Key("wsl.version", int, "wsl.exe --list --verbose")
ENV = Family("env.{}", str, "echo ${}", "variable")

# -- hardware and kernel module -------------------------------------------------------------
PCI_GPU_COUNT = Key("pci.gpu_count", int, "lspci -nn | grep -E 'VGA|3D|Display'")
PCI_NVIDIA_COUNT = Key("pci.nvidia_gpu_count", int, "lspci -nn -d 10de:")
PCI_VENDOR = Family("pci.{}.vendor", str, "lspci -nn", "PCI display device")  # nvidia, amd, …
PCI_ADDRESS = Family("pci.{}.address", str, "lspci -D", "PCI display device")
PCI_DEVICE = Family("pci.{}.device", str, "lspci -nn", "PCI display device")  # 2684
PCI_DRIVER = Family("pci.{}.driver", str, "lspci -k", "PCI display device")  # nvidia, nouveau
TEGRA_MODEL = Key("tegra.model", str, "cat /proc/device-tree/model")  # Jetson; not on PCI
MODULE_VERSION = Key("module.nvidia.version", Version, "cat /proc/driver/nvidia/version")
MODULE_NOUVEAU = Key("module.nouveau.loaded", bool, "lsmod | grep nouveau")
NODE = Family("node.{}", str, "ls -l /dev/{}", "device node")  # usable, not permitted

# -- the user-space driver ------------------------------------------------------------------
LIBCUDA_PATH = Key("libcuda.path", str, "ldconfig -p | grep libcuda.so")
LIBCUDA_FOUND_BY = Key("libcuda.found_by", str, "ldconfig -p | grep libcuda.so")
LIBCUDA_VERSION = Key(
    "libcuda.version", Version, "ls -l $(ldconfig -p | grep -o '/.*libcuda.so.1')"
)
LIBCUDA_STUB = Key("libcuda.stub", bool, "ldconfig -p | grep libcuda.so")
LIBCUDA_ERROR = Key(
    "libcuda.load_error", str, "python -c \"import ctypes; ctypes.CDLL('libcuda.so.1')\""
)
NVML_PATH = Key("nvml.path", str, "ldconfig -p | grep libnvidia-ml.so")
NVML_VERSION = Key("nvml.version", Version, "nvidia-smi --version")
DRIVER_VERSION = Key("driver.version", Version, "nvidia-smi")
DRIVER_CUDA = Key("driver.cuda", Version, "nvidia-smi")  # the highest CUDA this driver serves

# -- what the driver answers; outcomes: ok, failed, hung, crashed, not loaded, not run -------
PROBE_PROGRAM = Key("probe.program", str, "pip show -f gpuprobe")  # what ran the steps
PROBE_LEVEL = Key("probe.level", str, "gpuprobe doctor --level normal")  # quick, normal, deep
NVML_OUTCOME = Key("nvml.init.outcome", str, "nvidia-smi")
NVML_CODE = Key("nvml.init.code", int, "nvidia-smi")
NVML_CALL = Key("nvml.init.call", str, "nvidia-smi")
NVML_COUNT = Key("nvml.device_count", int, "nvidia-smi -L")
CUDA_OUTCOME = Key("cuda.init.outcome", str, "gpuprobe doctor")
CUDA_CODE = Key("cuda.init.code", int, "gpuprobe doctor")
CUDA_CALL = Key("cuda.init.call", str, "gpuprobe doctor")
CUDA_INIT_MS = Key("cuda.init.ms", float, "gpuprobe doctor")
CUDA_COUNT = Key("cuda.device_count", int, "gpuprobe doctor")
CUDA_COUNT_UNMASKED = Key(
    "cuda.device_count_unmasked", int, "CUDA_VISIBLE_DEVICES= unset, gpuprobe"
)
KERNEL_OUTCOME = Key("cuda.kernel.outcome", str, "gpuprobe doctor")  # right, wrong, failed, …
KERNEL_CODE = Key("cuda.kernel.code", int, "gpuprobe doctor")
KERNEL_CALL = Key("cuda.kernel.call", str, "gpuprobe doctor")
KERNEL_WHY = Key("cuda.kernel.why_not", str, "gpuprobe doctor")
KERNEL_IMAGE = Key("cuda.kernel.image", str, "gpuprobe doctor")

# -- devices --------------------------------------------------------------------------------
GPU_NAME = Family("gpu.{}.name", str, "nvidia-smi -L", "GPU")
GPU_UUID = Family("gpu.{}.uuid", str, "nvidia-smi -L", "GPU")
GPU_PCI = Family("gpu.{}.pci", str, "nvidia-smi --query-gpu=pci.bus_id --format=csv", "GPU")
GPU_MINOR = Family("gpu.{}.minor", int, "cat /proc/driver/nvidia/gpus/*/information", "GPU")
GPU_ORDINAL = Family("gpu.{}.cuda_ordinal", int, "gpuprobe devices", "GPU")
GPU_NVML_INDEX = Family("gpu.{}.nvml_index", int, "nvidia-smi -L", "GPU")
GPU_CAPABILITY = Family(
    "gpu.{}.capability", Version, "nvidia-smi --query-gpu=compute_cap --format=csv", "GPU"
)
GPU_SMS = Family("gpu.{}.sms", int, "gpuprobe devices", "GPU")
GPU_MEMORY = Family("gpu.{}.memory_bytes", int, "nvidia-smi", "GPU")
GPU_MEMORY_FREE = Family("gpu.{}.memory_free_bytes", int, "nvidia-smi", "GPU")
GPU_COMPUTE_MODE = Family("gpu.{}.compute_mode", str, "nvidia-smi -q -d COMPUTE", "GPU")
GPU_PERSISTENCE = Family("gpu.{}.persistence", bool, "nvidia-smi", "GPU")
GPU_MIG = Family("gpu.{}.mig", bool, "nvidia-smi", "GPU")
GPU_FAILURE = Family("gpu.{}.failure", str, "nvidia-smi", "GPU")  # why it could not be read

# -- packages, found without importing them --------------------------------------------------
PACKAGE_FOLDERS = Key("packages.folders", TEXTS, "python -m site")  # those that were searched
PACKAGE_VERSION = Family("package.{}.version", str, "pip show {}", "package")
PACKAGE_CUDA = Family("package.{}.cuda", Version, "pip show {}", "package")  # CUDA of the build
PACKAGE_BUILD = Family("package.{}.build", str, "pip show {}", "package")  # cpu, cuda, rocm
PACKAGE_PATH = Family("package.{}.path", str, "pip show -f {}", "package")
# Only where there are several: "version in folder"; Python imports the first.
PACKAGE_COPIES = Family("package.{}.copies", TEXTS, "pip list -v | grep {}", "package")

# -- the collectors themselves ---------------------------------------------------------------
COLLECT_BROKEN = Key("collect.broken", TEXTS, "gpuprobe doctor")  # "pci: KeyError: 'vendor'"


def catalogue() -> tuple[Key[object] | Family[object], ...]:
    """All keys and families of this module, in the order in which they are written."""
    return tuple(value for value in globals().values() if isinstance(value, Key | Family))

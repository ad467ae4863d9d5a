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
# The driver's files that a run time mounted into this container, by their names.
CONTAINER_MOUNTS = Key("container.mounts", TEXTS, "grep -E 'nvidia|cuda' /proc/self/mountinfo")
CONTAINER_DEVICES = Key(  # by the rules of its control group, which only version 1 shows
    "container.devices_allowed", bool, "cat /sys/fs/cgroup/devices/devices.list"
)
CONTAINER_SHM = Key("container.shm_size", str, "df -h /dev/shm")  # 64M, host
WSL_VERSION = Key("wsl.version", int, "wsl.exe --list --verbose")
WSL_LIBRARIES = Key("wsl.libraries", TEXTS, "ls /usr/lib/wsl/lib")  # what Windows put there
WSL_LINUX_DRIVER = Key("wsl.linux_driver", str, "ldconfig -p | grep libcuda.so")
VM_KIND = Key("vm.kind", str, "systemd-detect-virt")  # kvm, vmware, hyper-v, …
ENV = Family("env.{}", str, "echo ${}")

# -- hardware and kernel module -------------------------------------------------------------
PCI_GPU_COUNT = Key("pci.gpu_count", int, "lspci -nn | grep -E 'VGA|3D|Display'")
PCI_NVIDIA_COUNT = Key("pci.nvidia_gpu_count", int, "lspci -nn -d 10de:")
PCI_VENDOR = Family("pci.{}.vendor", str, "lspci -nn")  # nvidia, amd, …
PCI_ADDRESS = Family("pci.{}.address", str, "lspci -D")
PCI_DEVICE = Family("pci.{}.device", str, "lspci -nn")  # 2684
PCI_DRIVER = Family("pci.{}.driver", str, "lspci -k")  # nvidia, nouveau
PCI_NAME = Family("pci.{}.name", str, "wmic path win32_VideoController")
PCI_NVSWITCH_COUNT = Key("pci.nvswitch_count", int, "lspci -nn -d 10de: | grep 0680")
TEGRA_MODEL = Key("tegra.model", str, "cat /proc/device-tree/model")  # Jetson; not on PCI
TEGRA_RELEASE = Key("tegra.release", Version, "head -n 1 /etc/nv_tegra_release")  # L4T 36.3.0
TEGRA_JETPACK = Key("tegra.jetpack", Version, "dpkg -s nvidia-jetpack")
MODULE_VERSION = Key("module.nvidia.version", Version, "cat /proc/driver/nvidia/version")
MODULE_LOADED = Key("module.nvidia.loaded", bool, "lsmod | grep nvidia")
MODULE_KIND = Key("module.nvidia.kind", str, "cat /proc/driver/nvidia/version")  # open, proprietary
MODULE_FILE = Key("module.nvidia.file", str, "modinfo -n nvidia")  # for the running kernel
MODULE_BLOCKED = Key("module.nvidia.blocked_by", str, "grep -r nvidia /etc/modprobe.d")
MODULE_DKMS = Key("module.nvidia.dkms", str, "dkms status")  # installed, built, added, broken
MODULE_LOAD_ERROR = Key("module.nvidia.load_error", str, "sudo modprobe nvidia")
MODULE_START_ERROR = Key("module.nvidia.start_error", str, "sudo dmesg | grep RmInitAdapter")
MODULE_NOUVEAU = Key("module.nouveau.loaded", bool, "lsmod | grep nouveau")
NOUVEAU_BLOCKED = Key("module.nouveau.blocked_by", str, "grep -r nouveau /etc/modprobe.d")
KERNELS = Key("os.kernels", TEXTS, "ls /lib/modules/*/modules.dep")  # whose modules are there
KERNEL_HEADERS = Key("os.kernel_headers", str, "ls -d /lib/modules/$(uname -r)/build")
SECURE_BOOT = Key("secure_boot.enabled", bool, "mokutil --sb-state")
KERNEL_LOG = Key("kernel_log.source", str, "sudo dmesg")  # where it could be read
XID = Family("xid.{}", str, "sudo dmesg | grep Xid")  # its last line
NODE = Family("node.{}", str, "ls -l /dev/{}")  # usable, refused …

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
#: One that lies where the loader does not look by itself.
LIBCUDA_ASIDE = Key("libcuda.aside", str, "ls -d /run/opengl-driver/lib /usr/local/nvidia/lib64")
NVML_PATH = Key("nvml.path", str, "ldconfig -p | grep libnvidia-ml.so")
NVML_VERSION = Key("nvml.version", Version, "nvidia-smi --version")
DRIVER_VERSION = Key("driver.version", Version, "nvidia-smi")
DRIVER_CUDA = Key("driver.cuda", Version, "nvidia-smi")  # the highest CUDA this driver serves

# -- how the driver came here, and the services beside it --------------------------------------
DRIVER_PACKAGE = Key("driver.package", str, "dpkg -l | grep nvidia-driver")  # name and version
DRIVER_INSTALLER = Key("driver.installer", str, "head /var/log/nvidia-installer.log")  # version
FABRIC_VERSION = Key("fabric_manager.version", Version, "nv-fabricmanager --version")
FABRIC_STATE = Key("fabric_manager.state", str, "systemctl status nvidia-fabricmanager")
PERSISTENCED_STATE = Key("persistenced.state", str, "systemctl status nvidia-persistenced")
MPS_STATE = Key("mps.state", str, "ps -e | grep nvidia-cuda-mps")  # running, not running

# -- the CUDA toolkit, for those who compile ---------------------------------------------------
TOOLKIT_PATH = Key("toolkit.path", str, "which nvcc; echo $CUDA_HOME")
TOOLKIT_VERSION = Key("toolkit.version", Version, "nvcc -V")
HOST_COMPILER = Key("toolkit.host_compiler", str, "gcc --version")  # gcc 8.3.0

# -- Windows only -----------------------------------------------------------------------------
MSVC_VERSION = Key("msvc_runtime.version", Version, "winget list Microsoft.VCRedist.2015+.x64")
MSVC_MISSING = Key("msvc_runtime.missing", TEXTS, "where.exe msvcp140.dll vcruntime140_1.dll")
WINDOWS_TOOLKITS = Key("windows.toolkits", TEXTS, "cmd /c set CUDA_PATH")  # 12.4 in C:\…\v12.4
WINDOWS_LONG_PATHS = Key(
    "windows.long_paths",
    bool,
    "reg query HKLM\\SYSTEM\\CurrentControlSet\\Control\\FileSystem /v LongPathsEnabled",
)
WINDOWS_GPU_SCHEDULING = Key(
    "windows.gpu_scheduling",
    bool,
    "reg query HKLM\\SYSTEM\\CurrentControlSet\\Control\\GraphicsDrivers /v HwSchMode",
)

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

# -- this process, looked at where CUDA_VISIBLE_DEVICES is set ---------------------------------
PROCESS_STATE = Key(  # not loaded, not started, started, refuses, lost in a fork
    "visible.process_state", str, "gpuprobe.visible.explain()"
)
PROCESS_DEVICES = Key("visible.process_devices", TEXTS, "gpuprobe.visible.explain()")
# CUDA_VISIBLE_DEVICES when the program began.
VISIBLE_AT_START = Key("visible.at_start", str, "cat /proc/PID/environ")

# -- devices --------------------------------------------------------------------------------
GPU_NAME = Family("gpu.{}.name", str, "nvidia-smi -L")
GPU_UUID = Family("gpu.{}.uuid", str, "nvidia-smi -L")
GPU_PCI = Family("gpu.{}.pci", str, "nvidia-smi --query-gpu=pci.bus_id --format=csv")
GPU_MINOR = Family("gpu.{}.minor", int, "cat /proc/driver/nvidia/gpus/*/information")
GPU_ORDINAL = Family("gpu.{}.cuda_ordinal", int, "gpuprobe devices")
GPU_NVML_INDEX = Family("gpu.{}.nvml_index", int, "nvidia-smi -L")
GPU_CAPABILITY = Family(
    "gpu.{}.capability", Version, "nvidia-smi --query-gpu=compute_cap --format=csv"
)
GPU_SMS = Family("gpu.{}.sms", int, "gpuprobe devices")
GPU_MEMORY = Family("gpu.{}.memory_bytes", int, "nvidia-smi")
GPU_MEMORY_FREE = Family("gpu.{}.memory_free_bytes", int, "nvidia-smi")
GPU_COMPUTE_MODE = Family("gpu.{}.compute_mode", str, "nvidia-smi -q -d COMPUTE")
GPU_PERSISTENCE = Family("gpu.{}.persistence", bool, "nvidia-smi")
GPU_MIG = Family("gpu.{}.mig", bool, "nvidia-smi")
GPU_FAILURE = Family("gpu.{}.failure", str, "nvidia-smi")  # why it could not be read

# -- how a GPU does at this moment: MHz, watts, degrees Celsius --------------------------------
GPU_CLOCK_SM = Family("gpu.{}.clock_sm_mhz", int, "nvidia-smi -q -d CLOCK")
GPU_CLOCK_SM_MAX = Family("gpu.{}.clock_sm_max_mhz", int, "nvidia-smi -q -d CLOCK")
GPU_CLOCK_MEMORY = Family("gpu.{}.clock_memory_mhz", int, "nvidia-smi -q -d CLOCK")
GPU_CLOCK_MEMORY_MAX = Family("gpu.{}.clock_memory_max_mhz", int, "nvidia-smi -q -d CLOCK")
GPU_POWER = Family("gpu.{}.power_watts", float, "nvidia-smi -q -d POWER")
GPU_POWER_LIMIT = Family("gpu.{}.power_limit_watts", float, "nvidia-smi -q -d POWER")
GPU_POWER_LIMIT_DEFAULT = Family(
    "gpu.{}.power_limit_default_watts", float, "nvidia-smi -q -d POWER"
)
GPU_POWER_LIMIT_MAX = Family("gpu.{}.power_limit_max_watts", float, "nvidia-smi -q -d POWER")
GPU_TEMPERATURE = Family("gpu.{}.temperature_c", int, "nvidia-smi")
GPU_TEMPERATURE_SLOWDOWN = Family(
    "gpu.{}.temperature_slowdown_c", int, "nvidia-smi -q -d TEMPERATURE"
)
# The reasons that hold the clocks down now, as nvidia-smi calls them: "SW Power Cap".
GPU_THROTTLE = Family("gpu.{}.throttle", TEXTS, "nvidia-smi -q -d PERFORMANCE")
GPU_UTILIZATION = Family("gpu.{}.utilization_percent", int, "nvidia-smi")

# -- the health of its memory; volatile counters begin at 0 with each start of the driver -------
GPU_ECC = Family("gpu.{}.ecc", bool, "nvidia-smi -q -d ECC")
GPU_ECC_CORRECTED = Family("gpu.{}.ecc_corrected", int, "nvidia-smi -q -d ECC")  # volatile
GPU_ECC_UNCORRECTED = Family("gpu.{}.ecc_uncorrected", int, "nvidia-smi -q -d ECC")
GPU_ECC_UNCORRECTED_TOTAL = Family(  # in all its life
    "gpu.{}.ecc_uncorrected_total", int, "nvidia-smi -q -d ECC"
)
GPU_ROWS_REMAPPED = Family("gpu.{}.rows_remapped", int, "nvidia-smi -q -d ROW_REMAPPER")
GPU_ROWS_PENDING = Family(  # a reset has to come first
    "gpu.{}.rows_remap_pending", bool, "nvidia-smi -q -d ROW_REMAPPER"
)
GPU_ROWS_FAILED = Family("gpu.{}.rows_remap_failed", bool, "nvidia-smi -q -d ROW_REMAPPER")
GPU_PAGES_RETIRED = Family("gpu.{}.pages_retired", int, "nvidia-smi -q -d PAGE_RETIREMENT")
GPU_PAGES_PENDING = Family("gpu.{}.pages_retire_pending", bool, "nvidia-smi -q -d PAGE_RETIREMENT")

# -- how a GPU is connected --------------------------------------------------------------------
GPU_PCIE_GENERATION = Family("gpu.{}.pcie_generation", int, "nvidia-smi -q -d PCI")  # now
GPU_PCIE_GENERATION_MAX = Family("gpu.{}.pcie_generation_max", int, "nvidia-smi -q -d PCI")
GPU_PCIE_WIDTH = Family("gpu.{}.pcie_width", int, "nvidia-smi -q -d PCI")  # lanes in use
GPU_PCIE_WIDTH_MAX = Family("gpu.{}.pcie_width_max", int, "nvidia-smi -q -d PCI")
# What the slot could do, by the bridge above the card.
GPU_SLOT_GENERATION_MAX = Family("gpu.{}.slot_generation_max", int, "lspci -vv")
GPU_SLOT_WIDTH_MAX = Family("gpu.{}.slot_width_max", int, "lspci -vv")
GPU_NVLINKS = Family("gpu.{}.nvlinks", int, "nvidia-smi nvlink --status")
GPU_NVLINKS_DOWN = Family("gpu.{}.nvlinks_down", TEXTS, "nvidia-smi nvlink --status")
GPU_NVLINK_ERRORS = Family("gpu.{}.nvlink_errors", int, "nvidia-smi nvlink -e")
GPU_NVLINK_PEERS = Family("gpu.{}.nvlink_peers", TEXTS, "nvidia-smi nvlink -R")
GPU_FABRIC_STATE = Family("gpu.{}.fabric_state", str, "nvidia-smi -q | grep -A 2 Fabric")
GPU_NUMA_NODE = Family("gpu.{}.numa_node", int, "nvidia-smi topo -m")
GPU_CPU_AFFINITY = Family("gpu.{}.cpu_affinity", str, "nvidia-smi topo -m")  # 0-15,64-79
GPU_PEERS = Family("gpu.{}.peers", TEXTS, "nvidia-smi topo -m")  # "GPU 1: NVLink x18"

# -- who uses a GPU ----------------------------------------------------------------------------
GPU_PROCESSES = Family("gpu.{}.processes", TEXTS, "nvidia-smi")
GPU_PROCESS_BYTES = Family("gpu.{}.process_bytes", int, "nvidia-smi")
GPU_MIG_INSTANCES = Family("gpu.{}.mig_instances", int, "nvidia-smi -L")

# -- MIG instances, numbered over all GPUs -----------------------------------------------------
MIG_GPU = Family("mig.{}.gpu", int, "nvidia-smi -L")  # N of gpu.N
MIG_UUID = Family("mig.{}.uuid", str, "nvidia-smi -L")
MIG_NAME = Family("mig.{}.name", str, "nvidia-smi -L")
MIG_MEMORY = Family("mig.{}.memory_bytes", int, "nvidia-smi")
MIG_GPU_INSTANCE = Family("mig.{}.gpu_instance", int, "nvidia-smi")
MIG_COMPUTE_INSTANCE = Family("mig.{}.compute_instance", int, "nvidia-smi")
MIG_ORDINAL = Family("mig.{}.cuda_ordinal", int, "gpuprobe devices")

# -- packages, found without importing them --------------------------------------------------
PACKAGE_FOLDERS = Key("packages.folders", TEXTS, "python -m site")  # those that were searched
PACKAGE_VERSION = Family("package.{}.version", str, "pip show {}")
PACKAGE_CUDA = Family("package.{}.cuda", Version, "pip show {}")  # CUDA of the build
PACKAGE_BUILD = Family("package.{}.build", str, "pip show {}")  # cpu, cuda, rocm
PACKAGE_PATH = Family("package.{}.path", str, "pip show -f {}")
# As conda recorded it, where it did: "2.1.0 py3.11_cuda12.1_cudnn8.9.2_0".
PACKAGE_CONDA = Family("package.{}.conda", str, "conda list {}")
# Only where there are several: "version in folder"; Python imports the first.
PACKAGE_COPIES = Family("package.{}.copies", TEXTS, "pip list -v | grep {}")
PACKAGE_OWN_VERSION = Family(
    "package.{}.own_version", str, 'python -c "import torch; print(torch.__version__)"'
)
# Only where another release is installed than torch asks pip for.
PACKAGE_ASKED_BY_TORCH = Family("package.{}.asked_by_torch", Version, "pip check")

# -- the CUDA libraries, cuDNN and their kin; by stem: cudart, cublaslt, cudnn_ops --------------
LIBRARIES_SEARCHED = Key("libraries.searched", TEXTS, "gpuprobe libraries")  # the ways gone
# The first copy in the order of the search: the loader's ways, then places that some know.
LIBRARY_PATH = Family("library.{}.path", str, "gpuprobe libraries {}")
LIBRARY_VERSION = Family("library.{}.version", Version, "gpuprobe libraries {}")
LIBRARY_FOUND_BY = Family("library.{}.found_by", str, "gpuprobe libraries {}")
# Only where there are several, in that order.
LIBRARY_COPIES = Family("library.{}.copies", TEXTS, "gpuprobe libraries {}")
# A name that a program or an installed framework asks for and that is nowhere, and who asks:
# a library (libcusolver.so.11 for libnvJitLink.so.12) or a framework (tensorflow 2.17.0).
LIBRARY_MISSING = Family("library.{}.missing", str, "ldconfig -p | grep {}")
LIBRARY_WANTED_BY = Family("library.{}.wanted_by", str, "ldd FILE")
# Only where LD_LIBRARY_PATH names another release before a framework's own: that one's release,
# and the frameworks that get the other.
LIBRARY_OWN_VERSION = Family("library.{}.own_version", Version, "gpuprobe libraries {}")
LIBRARY_TAKEN_BY = Family("library.{}.taken_by", TEXTS, "gpuprobe libraries {}")
LIBRARY_MAPPED = Family("library.{}.mapped", TEXTS, "grep {} /proc/PID/maps")

# -- the collectors themselves ---------------------------------------------------------------
COLLECT_BROKEN = Key("collect.broken", TEXTS, "gpuprobe doctor")  # "pci: KeyError: 'vendor'"


def catalogue() -> tuple[Key[object] | Family[object], ...]:
    """All keys and families of this module, in the order in which they are written."""
    return tuple(value for value in globals().values() if isinstance(value, Key | Family))

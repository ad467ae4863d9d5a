"""The catalogue, continued: what programs said, as a pasted text or a framework's answer tells it.

The subject of `error.*` is one name for one meaning: the driver's constant where the driver has
one (``CUDA_ERROR_NO_DEVICE``), else the library's own (``CUDNN_STATUS_NOT_INITIALIZED``). The
subject of `library.*` is the stem of a library (``cudart``, ``cudnn``), of `framework.*` the
distribution's name (``torch``), of `sign.*` and `noise.*` the id of a statement that is
recognised by its stable wording.
"""

from __future__ import annotations

from .model import Family, Key
from .names import TEXTS
from .version import Version

# -- errors and statements ------------------------------------------------------------------
ERROR = Family("error.{}", str, "run the failing command again")
SIGN = Family("sign.{}", str, "run the failing command again")
NOISE = Family("noise.{}", str, "nothing: this message is harmless")


def _ids(listed: str) -> frozenset[str]:
    """Ids with blanks between them, in the order of the alphabet."""
    return frozenset(listed.split())


#: The messages among them that look like the fault itself: who pastes them asks what they mean.
ALARMING = _ids(
    """
    absl-log allocation-not-a-failure architectures-deprecated computation-placer cpu-instructions
    cupy-cuda-path delay-kernel deprecated-numpy-alias factory-registered firmware-argument
    fuser-falls-back jax-other-backends kernel-tainted lammps-after-its-end numa-node
    nvml-for-admins onednn openmpi-other-transport ptxas-not-on-windows pynvml-renamed
    slow-constant-folding slurm-without-nvml tensorrt-missing tf-profiler-without-cupti
    torch-without-flash-attention torchvision-image utilization-not-counted wsl-libcuda-link
    """
)
#: Statements that describe a circumstance and are no failure by themselves: a rule may use them,
#: and a machine of which only these are said may be healthy.
CIRCUMSTANCES = _ids(
    """
    acs-enabled after-suspend amrex-started as-before-told build-cuda-minor-differs
    build-fails-told busy-outside-task-manager chinese-container chinese-lost chinese-missing
    chinese-not-loaded chinese-reporter chinese-too-old cloud-type-with-gpu
    cloud-type-without-gpu cmake-architectures-asked
    code-asks-for-cpu code-leaves-gpu-out-told compose-alone-told
    compose-used conda-asks-driver conda-installs-torch configured-without-cuda
    container-after-reload container-banner-compatibility container-banner-no-driver
    container-cgroup container-compat-libraries container-compat-trial-failed
    container-restart-helps-told context-call cuda-context-made-told cuda-home-none
    cuda-image-without-cudnn cuda-libraries-missed-told cudart-other-than-built cudnn-demand-unmet
    cudnn-older-told cudnn-package-for cupy-runtime-of-other dcgm-counters-refused dcgm-initialized
    dkms-of-others dll-by-its-path
    dmar-fault docker-build docker-desktop-told driver-awaited driver-changed-told
    dxcore-not-initialised extension-asked-for extension-broken-told extension-crashed
    extension-frame extension-imports-half fabric-not-ready fabric-without-switch
    fails-after-ptx-told fails-on-host-told fault-made fault-on-purpose-told few-layers-told
    first-device-set gencode-ends-with ggml-build-info ggml-cuda-file ggml-flags-with-cuda
    ggml-flags-without-cuda ggml-make-asked-for-cuda goes-to-cpu-told got-cpu-build-told
    gpu-busy-told gpu-in-spite-told gpu-in-tcc-mode gpu-not-usable gpu-of-host-only-told
    gpu-old-series-told gpu-operator gpu-series-told gpu-shared-by-pods gpu-support-asked
    gpu-swings-told gpu-timed-told gpu-used-in-part-told gpu-waits-for-data-told
    gpu-works-in-container gromacs-gpu-incompatible gromacs-told-cpu gsp-record-shown
    guest-cuda-asked head-node-without-gpu in-worker-process internal-error-told jax-extra-asked
    jax-only-cpu-client jax-without-gpu-told julia-gpu-not-covered julia-weights-on-cpu
    k8s-plugin-registered k8s-pod-scheduled keras-fits kernel-source-missing
    kokkos-compiled-for-none later-gpu-asked libtorch-for-cpu lightning-gpu-unused
    linux-driver-installed llama-few-layers lost-on-reload-told lxd-without-container-cli
    made-for-other-gpus make-command-missing memory-held-by-orphan memory-held-told
    mig-change-pending mig-in-use-told mig-instance-named mig-one-of-several-told mig-switched-on
    miner-at-work missing-in-wheel-told model-not-moved module-probe-failed monitor-finds-no-gpu
    mxnet-gpu-named mxnet-module-on-cpu nan-told nccl-by-bridge
    nccl-not-on-windows-told nccl-started no-device-serves-program nonsense-told notebook-on-tpu
    notebook-with-gpu-told numpy-compiled-and-found nvcc-compiles-for nvcc-not-found
    nvenc-asked-told nvidia-driver-missed-told nvml-answered nvml-not-started nvrtc-arch-asked
    nvswitch-problem ollama-no-layers ollama-no-libraries on-head-node-told one-goes-on-told
    one-gpu-for-two-ranks one-hangs-told opencl-no-device opencl-no-platform
    opencv-architecture-asked opencv-architectures opencv-asked-for-cuda
    opencv-configured-with-cuda opencv-configured-without-cuda opencv-cuda-folder
    opengl-by-nvidia optix-not-found-told ort-cuda-asked ort-own-file
    ort-providers-not-named-told ort-source-line os-driver-set-up os-key-missing
    os-package-broken other-card-asked other-state-told own-cuda-frame package-for-cuda
    packages-by-uv
    paddle-cudnn-loaded paddle-imported pci-bus-unseen pcie-narrow pip-asked-torch
    pip-ignored-for-python pip-index-of-torch pip-index-with-tags pip-no-versions
    pip-offers-from pip-offers-stubs pip-requires-python power-limit-locked powerd-fails
    powerd-slows-gpu present-told proc-lists-gpu process-started-in-code process-stays-in-driver
    process-stopped program-ptx-newer-than-driver ptx-compiler-busy purpose-told
    python-floor-told python-of-32-bits python-under-sudo ray-with-request ray-without-request
    ray-worker reboot-helps-told repair-told report-without-nvcc reporter-speaks results-differ-told
    rootless-docker runs-at-full-told runs-on-gpu-told samples-older-than-gpu samples-work-told
    setup-without-cuda
    several-hang-told siftgpu-draws simulated-told since-driver-change single-gpu-told
    slower-than-cpu-told slurm-outside-job slurm-step-without-gpu smaller-runs-told
    smi-answers-inside smi-before-told smi-cuda-not-told smi-finds-none-told
    smi-lists-no-process-told smi-log-printed smi-of-host-told smi-of-windows smi-off-the-path
    smi-while-told smi-works-told snap-docker spark-rapids-left-out stub-linked survived-told
    symbol-asked-by-linker tensorflow-asked tensorflow-gpu-asked tensorflow-gpu-left-out-told
    tf-cpu-registered tf-cuda-asked tf-cuda-extra-asked tf-device-memory
    tf-gpu-ignored-capability tf-gpu-registered tf-import-frame tf-kernels-not-for-gpu
    tf-memory-limited tf-nccl-reduces tf-op-for-cpu tf-op-for-gpu tf-releases-tried
    tf-session-begun tf-whole-memory tf-with-mkl tf-xla-gpu
    told-all-gpus-taken told-all-memory-taken told-capability-not-served told-container
    told-cpu-build told-highest-capability told-idle told-lost told-memory-left
    told-minimum-capability told-minimum-driver told-missing told-never-starts told-nodes
    told-not-loaded told-not-running-on-gpu told-not-together told-of-few-watts told-other-card
    told-other-cuda told-slow-compiling told-slow-copy told-slow-start told-too-old told-wsl
    torch-build-too-new-for-gpu torch-half-on-cpu torch-minimum-capability training-takes-days
    tvm-without-cuda udev-modprobe-failed uvm-reloaded visible-devices-after-import-told
    visible-devices-after-start-told visible-devices-far-down-told visible-devices-set-told
    warp-cuda work-on-first-gpu workers-told works-outside-container-told wrong-output-noted
    wrong-results-told wsl-adapter-of-nvidia wsl-adapter-of-others xla-device-memory
    xla-ptxas-older-than-gpu xla-searched-toolkit
    """
)

# -- toolkit and libraries ------------------------------------------------------------------
PTXAS_VERSION = Key("toolkit.ptxas_version", Version, "ptxas --version")
CUDNN_VERSION = Key(
    "cudnn.version", Version, "python -c 'import torch; print(torch.backends.cudnn.version())'"
)
CUDNN_BUILT_WITH = Key("cudnn.built_with", Version, "the framework's release notes")
#: Every release of CUDA and cuDNN that anybody names, but for what programs need.
CUDA_NAMED = Key("cuda.named", TEXTS, "nvcc --version")
CUDNN_NAMED = Key("cudnn.named", TEXTS, "ldconfig -p | grep libcudnn")
LIBRARY_LOADED = Family("library.{}.loaded", str, "ldconfig -p | grep {}")
LIBRARY_LISTED = Family("library.{}.listed", TEXTS, "ldconfig -p | grep {}")
LIBRARY_BROKEN = Family("library.{}.broken", str, "ldd $(which lib{})")
SYMBOL_WANTED_BY = Family("symbol.{}.wanted_by", str, "ldd -r FILE")

LIBCUDA_INSTALLED = Key("libcuda.package_version", Version, "dpkg -l | grep libnvidia-compute")
DKMS_KERNELS = Key("module.nvidia.dkms_kernels", TEXTS, "dkms status")  # it is there for these
#: A tool that Windows alone has was used, be it that no system is named.
WINDOWS_TOOLS = Key("machine.windows_tools", bool, "see which system it is")
#: The mode, in octal, of a device file whose group may not read and write it.
NODES_CLOSED_MODE = Key("nodes.closed_mode", str, "ls -l /dev/nvidia*")
#: In which words somebody says that the machine has no GPU of NVIDIA's.
WITHOUT_GPU_TOLD = Key("machine.without_gpu_told", str, "look at the machine")
#: Other GPUs on which somebody says that the same program works.
GPUS_WORK_TOLD = Key("machine.gpus_work_told", TEXTS, "run the program on another GPU")
LAPTOP = Key("machine.laptop", bool, "look at the machine")  # known where it is one
#: From which clock to which one, in MHz, a busy GPU goes while it gets hot.
GPU_CLOCK_FALL = Family("gpu.{}.clock_fall", str, "nvidia-smi dmon -s pc")
#: What the greatest holder has of a GPU, where the text names its program nowhere else.
GPU_STRANGER = Family("gpu.{}.stranger_bytes", int, "nvidia-smi")

# -- frameworks -----------------------------------------------------------------------------
_ASK_TORCH = "python -c 'import torch; print(torch.cuda.is_available())'"
FRAMEWORK_SEES_GPU = Family("framework.{}.sees_gpu", bool, _ASK_TORCH)
#: The text answers the same question with no and, of another place or time, with yes.
FRAMEWORK_SEES_ELSEWHERE = Family("framework.{}.sees_elsewhere", bool, _ASK_TORCH)
FRAMEWORK_COUNT = Family(
    "framework.{}.device_count",
    int,
    "python -c 'import torch; print(torch.cuda.device_count())'",
)
FRAMEWORK_ARCHITECTURES = Family(
    "framework.{}.architectures",
    TEXTS,
    "python -c 'import torch; print(torch.cuda.get_arch_list())'",
)
FRAMEWORK_COMPUTED = Family(
    "framework.{}.computed",
    bool,
    "python -c 'import torch; print(torch.ones(2, device=\"cuda\"))'",
)
FRAMEWORK_IMPORTED = Family("framework.{}.imported", str, "read the program")
# The torch that an installed package was made for, as pip states it.
PACKAGE_NEEDS_TORCH = Family("package.{}.needs_torch", str, "pip check")
VISIBLE_SET_LATE = Key(
    "visible.set_after_import", bool, "print the variable before the first import"
)
VISIBLE_SET_AFTER_START = Key("visible.set_after_start", str, "read the program from its start")
#: A line of code that sets the visible devices, and the command in front of which a shell does.
VISIBLE_SET_IN_CODE = Key("visible.set_in_code", bool, "read the program")
VISIBLE_SET_FOR = Key("visible.set_for", str, "read the command that starts the program")
#: The highest number by which code asks for a GPU.
DEVICE_NUMBERED = Key("visible.number_in_code", int, "read the program")
VISIBLE_STARTED_BY = Key("visible.started_by", str, "read the program from its start")

# -- a model and its tokenizer ----------------------------------------------------------------
TOKEN_BEYOND_EMBEDDING = Key("tokens.beyond_embedding", str, "print(len(tokenizer), model)")
TOKENS_WITHOUT_ROWS = Key("tokens.without_rows", str, "read the program from its start")

# -- memory, as an out-of-memory message states it ------------------------------------------
MEMORY_ASKED = Key("memory.asked_bytes", int, "the framework's out-of-memory message")
MEMORY_TOTAL = Key("memory.total_bytes", int, "nvidia-smi")
MEMORY_FREE = Key("memory.free_bytes", int, "nvidia-smi")
MEMORY_OWN = Key("memory.own_bytes", int, "nvidia-smi")  # held by the process that failed
MEMORY_OTHERS = Key("memory.others_bytes", int, "nvidia-smi")  # held by other processes
MEMORY_HOLDERS = Key("memory.holders", TEXTS, "nvidia-smi")  # those processes, by their numbers
MEMORY_BESIDE = Key("memory.beside_bytes", int, "nvidia-smi")  # by the process, not by PyTorch
#: What Windows put into main memory, where the GPU's own is full.
MEMORY_SPILLED = Key("memory.spilled_bytes", int, "the task manager's page of the GPU")

# -- how a container was started --------------------------------------------------------------
CONTAINER_GPUS = Key("container.gpus_asked", bool, "docker inspect NAME")
#: A container that was started with GPUs listed one below its command.
CONTAINER_LISTS_GPU = Key("container.lists_gpu", bool, "docker run --gpus all IMAGE nvidia-smi -L")
FLATPAK_DRIVERS = Key("flatpak.drivers", tuple, "flatpak list --runtime")
CONTAINER_IMAGE = Key("container.image", str, "docker inspect NAME")

# -- the text itself --------------------------------------------------------------------------
#: Only where it calls one GPU by the names of two products: facts of both may be mixed.
MACHINES = Key("text.machines", int, "paste one machine at a time")
#: The last line in which a program tells how far it is or how fast, be it on a GPU or not.
PROGRESS = Key("text.progress", str, "read the text")
#: The last line in which a program names the CUDA device that it is on; that tells of work there.
DEVICE_IN_USE = Key("text.device_in_use", str, "read the text")
DEVICE_WORKED = Key("text.device_worked", str, "read the text")
#: The last line in which a program tells of a failure, be it the same one once more.
FAILURE = Key("text.failure", str, "read the text")
#: The name of a file, where the text is nothing else.
FILE_NAME = Key("text.file_name", str, "give the file itself")
#: The first line of the last traceback, where the text goes on, or ends, before its error.
TRACE_CUT = Key("text.trace_cut", str, "paste the traceback to its end")
#: The lines that are introduced as of another time or machine, or as quoted, or that list texts,
#: by their numbers.
ASIDES = Key("text.asides", TEXTS, "paste what this machine prints now")
#: The line by which somebody closes the report: what it tells of is over.
CLOSED = Key("text.closed", str, "paste what this machine prints now")
#: The lines in which somebody introduces what stands below them, by their numbers.
TURNS = Key("text.turns", TEXTS, "paste what this machine prints now")
#: In how many lines a topic is named: it decides what to ask for next, and nothing else.
ABOUT = Family("about.{}", int, "read the text")
#: The cause whose reports use the text's words most, its share of all causes in percent, and the
#: words of one line that speak for it (knowledge/likeness.py). Where a rule knows more, it is idle.
READS_LIKE = Key("text.reads_like", str, "read the text")
READS_LIKE_PERCENT = Key("text.reads_like_percent", int, "read the text")
READS_LIKE_WORDS = Key("text.reads_like_words", TEXTS, "read the text")


def catalogue() -> tuple[Key[object] | Family[object], ...]:
    """All keys and families of this module, in the order in which they are written."""
    return tuple(value for value in globals().values() if isinstance(value, Key | Family))

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
ERROR = Family("error.{}", str, "run the failing command again", "error")
SIGN = Family("sign.{}", str, "run the failing command again", "statement")
NOISE = Family("noise.{}", str, "nothing: this message is harmless", "message")
#: The messages among them that look like the fault itself: who pastes them asks what they mean.
ALARMING = frozenset(
    {
        *("absl-log", "allocation-not-a-failure", "computation-placer", "cpu-instructions"),
        *("architectures-deprecated", "firmware-argument", "torch-without-flash-attention"),
        *("cupy-cuda-path", "delay-kernel", "deprecated-numpy-alias", "factory-registered"),
        *("jax-other-backends", "kernel-tainted", "numa-node", "onednn", "pynvml-renamed"),
        *("tensorrt-missing", "torchvision-image", "wsl-libcuda-link"),
        *("slurm-without-nvml", "ptxas-not-on-windows"),
        *("fuser-falls-back", "slow-constant-folding", "utilization-not-counted"),
    }
)
#: Statements that describe a circumstance and are no failure by themselves: a rule may use them,
#: and a machine of which only these are said may be healthy.
CIRCUMSTANCES = frozenset(
    {
        *("acs-enabled", "after-suspend", "conda-asks-driver", "context-call", "extension-frame"),
        *(
            "driver-awaited",
            "nvidia-driver-missed-told",
            "guest-cuda-asked",
            "other-card-asked",
            "extension-asked-for",
            "extension-crashed",
            "extension-imports-half",
            "packages-by-uv",
        ),
        "numpy-compiled-and-found",
        *("conda-installs-torch", "lightning-gpu-unused", "nan-told"),
        *("container-banner-compatibility", "container-banner-no-driver", "container-cgroup"),
        *("container-compat-libraries", "container-compat-trial-failed", "docker-build"),
        *("docker-desktop-told", "dmar-fault"),
        *("fabric-not-ready", "fabric-without-switch", "gpu-not-usable", "mig-change-pending"),
        *("code-asks-for-cpu", "gpu-operator", "gromacs-gpu-incompatible", "smi-cuda-not-told"),
        *("report-without-nvcc", "k8s-pod-scheduled", "k8s-plugin-registered"),
        *("in-worker-process", "julia-weights-on-cpu"),
        "linux-driver-installed",
        *("memory-held-told", "mig-in-use-told", "mig-instance-named"),
        *(
            "fault-made",
            *("fault-on-purpose-told", "simulated-told", "torch-half-on-cpu"),
            *("mig-switched-on", "told-capability-not-served", "samples-older-than-gpu"),
            *("gromacs-told-cpu", "llama-few-layers"),
            "purpose-told",
            "repair-told",
            "present-told",
            *("opengl-by-nvidia", "smi-log-printed", "reboot-helps-told"),
            "survived-told",
        ),
        *("as-before-told", "other-state-told", "smi-of-windows", "cloud-type-without-gpu"),
        "cloud-type-with-gpu",
        "made-for-other-gpus",
        *("make-command-missing", "miner-at-work", "ray-with-request", "ray-without-request"),
        *("nvcc-not-found", "nvrtc-arch-asked", "nvswitch-problem", "ollama-no-libraries"),
        *("opencv-architecture-asked", "opencv-architectures", "opencv-asked-for-cuda"),
        *("opencv-configured-without-cuda", "opencv-configured-with-cuda", "ort-own-file"),
        *("ort-cuda-asked", "gencode-ends-with", "gpu-old-series-told"),
        *("ort-providers-not-named-told", "code-leaves-gpu-out-told"),
        *(
            "opencv-cuda-folder",
            "os-key-missing",
            "os-package-broken",
            "pcie-narrow",
            "pip-index-with-tags",
        ),
        *("pip-no-versions", "pip-offers-from", "pip-index-of-torch", "python-of-32-bits"),
        "pip-asked-torch",
        *("pip-requires-python", "power-limit-locked", "ray-worker", "rootless-docker"),
        *(
            "mxnet-module-on-cpu",
            "mxnet-gpu-named",
            "process-stopped",
            "tf-device-memory",
            "xla-device-memory",
            "tf-nccl-reduces",
            *("dcgm-initialized", "dcgm-counters-refused"),
            "nccl-started",
            "smi-before-told",
            "smi-while-told",
            "symbol-asked-by-linker",
        ),
        *("work-on-first-gpu", "first-device-set", "tf-memory-limited"),
        *("spark-rapids-left-out", "siftgpu-draws"),
        *("slurm-outside-job", "snap-docker", "stub-linked", "tf-kernels-not-for-gpu"),
        *("nccl-not-on-windows-told", "gpu-used-in-part-told"),
        *("tf-releases-tried", "setup-without-cuda", "cuda-home-none"),
        *("gpu-support-asked", "fails-after-ptx-told", "cmake-architectures-asked"),
        "tf-gpu-ignored-capability",
        "tf-gpu-registered",
        *("tf-xla-gpu", "tensorflow-asked", "tensorflow-gpu-asked", "told-slow-start"),
        *("opencl-no-platform", "opencl-no-device", "kokkos-compiled-for-none", "keras-fits"),
        *("tvm-without-cuda", "gsp-record-shown"),
        "torch-nvml-not-started",
        *("told-slow-copy", "told-minimum-capability", "told-minimum-driver", "wrong-results-told"),
        "told-never-starts",
        "wrong-output-noted",
        *("told-cpu-build", "ptx-compiler-busy", "ggml-make-asked-for-cuda"),
        *(
            "told-slow-compiling",
            "dxcore-not-initialised",
            "told-all-gpus-taken",
            "told-all-memory-taken",
            "smaller-runs-told",
        ),
        *("ggml-flags-without-cuda", "ggml-flags-with-cuda", "ggml-build-info"),
        *("results-differ-told", "pip-offers-stubs", "os-driver-set-up"),
        *("runs-on-gpu-told", "gpu-works-in-container", "busy-outside-task-manager"),
        "cudart-other-than-built",
        *("torch-build-too-new-for-gpu", "torch-minimum-capability", "uvm-reloaded"),
        *("tf-cpu-registered", "tf-session-begun", "notebook-on-tpu", "smi-finds-none-told"),
        *("powerd-fails", "told-of-few-watts", "slurm-step-without-gpu", "optix-not-found-told"),
        *("lost-on-reload-told", "container-restart-helps-told", "container-after-reload"),
        "fails-on-host-told",
        *(
            "smi-works-told",
            "smi-off-the-path",
            "cudnn-demand-unmet",
            "pip-ignored-for-python",
            "ggml-cuda-file",
            "ollama-no-layers",
            "reporter-speaks",
            "told-container",
            "works-outside-container-told",
            "lxd-without-container-cli",
            "told-lost",
            "told-missing",
            "told-nodes",
            "told-other-card",
        ),
        *(
            "goes-to-cpu-told",
            "told-idle",
            "told-memory-left",
            "told-not-loaded",
            "told-too-old",
            "told-wsl",
            "chinese-container",
            "chinese-lost",
        ),
        *("chinese-missing", "chinese-not-loaded", "chinese-reporter", "chinese-too-old"),
        *("udev-modprobe-failed", "build-cuda-minor-differs", "pci-bus-unseen"),
        *("xla-ptxas-older-than-gpu", "wsl-adapter-of-nvidia", "wsl-adapter-of-others"),
        *("process-stays-in-driver", "one-gpu-for-two-ranks"),
        *("cuda-image-without-cudnn", "nvcc-compiles-for", "xla-searched-toolkit"),
        *("cudnn-package-for", "dll-by-its-path", "python-under-sudo", "powerd-slows-gpu"),
        *("since-driver-change", "gpu-in-tcc-mode", "tf-op-for-gpu", "tf-op-for-cpu"),
        *("gpu-series-told", "extension-broken-told", "training-takes-days"),
        *("told-other-cuda", "told-not-together", "told-not-running-on-gpu", "tf-whole-memory"),
        "visible-devices-after-start-told",
        *("visible-devices-far-down-told", "slower-than-cpu-told", "gpu-swings-told"),
        *("gpu-waits-for-data-told", "cuda-context-made-told", "runs-at-full-told"),
        *("gpu-in-spite-told", "warp-cuda", "driver-changed-told"),
        *("gpu-of-host-only-told", "head-node-without-gpu", "on-head-node-told", "workers-told"),
        *(
            "one-goes-on-told",
            "one-hangs-told",
            "several-hang-told",
            "smi-lists-no-process-told",
            "proc-lists-gpu",
            "smi-of-host-told",
            "gpu-shared-by-pods",
        ),
    }
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
LIBRARY_LOADED = Family("library.{}.loaded", str, "ldconfig -p | grep {}", "library")
LIBRARY_LISTED = Family("library.{}.listed", TEXTS, "ldconfig -p | grep {}", "library")
LIBRARY_BROKEN = Family("library.{}.broken", str, "ldd $(which lib{})", "library")
SYMBOL_WANTED_BY = Family("symbol.{}.wanted_by", str, "ldd -r FILE", "symbol")

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
GPU_CLOCK_FALL = Family("gpu.{}.clock_fall", str, "nvidia-smi dmon -s pc", "GPU")
#: What the greatest holder has of a GPU, where the text names its program nowhere else.
GPU_STRANGER = Family("gpu.{}.stranger_bytes", int, "nvidia-smi", "GPU")

# -- frameworks -----------------------------------------------------------------------------
_ASK_TORCH = "python -c 'import torch; print(torch.cuda.is_available())'"
FRAMEWORK_SEES_GPU = Family("framework.{}.sees_gpu", bool, _ASK_TORCH, "framework")
#: The text answers the same question with no and, of another place or time, with yes.
FRAMEWORK_SEES_ELSEWHERE = Family("framework.{}.sees_elsewhere", bool, _ASK_TORCH, "framework")
FRAMEWORK_COUNT = Family(
    "framework.{}.device_count",
    int,
    "python -c 'import torch; print(torch.cuda.device_count())'",
    "framework",
)
FRAMEWORK_ARCHITECTURES = Family(
    "framework.{}.architectures",
    TEXTS,
    "python -c 'import torch; print(torch.cuda.get_arch_list())'",
    "framework",
)
FRAMEWORK_COMPUTED = Family(
    "framework.{}.computed",
    bool,
    "python -c 'import torch; print(torch.ones(2, device=\"cuda\"))'",
    "framework",
)
FRAMEWORK_IMPORTED = Family("framework.{}.imported", str, "read the program", "framework")
# The torch that an installed package was made for, as pip states it.
PACKAGE_NEEDS_TORCH = Family("package.{}.needs_torch", str, "pip check", "package")
VISIBLE_SET_LATE = Key(
    "visible.set_after_import", bool, "print the variable before the first import"
)
VISIBLE_SET_AFTER_START = Key("visible.set_after_start", str, "read the program from its start")
#: A line of code that sets the visible devices, and the command in front of which a shell does.
VISIBLE_SET_IN_CODE = Key("visible.set_in_code", bool, "read the program")
VISIBLE_SET_FOR = Key("visible.set_for", str, "read the command that starts the program")
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
#: The first line of a traceback with which the text ends before its error.
TRACE_CUT = Key("text.trace_cut", str, "paste the traceback to its end")
#: The lines that are introduced as of another time or machine, or as quoted, or that list texts,
#: by their numbers.
ASIDES = Key("text.asides", TEXTS, "paste what this machine prints now")
#: The line by which somebody closes the report: what it tells of is over.
CLOSED = Key("text.closed", str, "paste what this machine prints now")
#: The lines in which somebody introduces what stands below them, by their numbers.
TURNS = Key("text.turns", TEXTS, "paste what this machine prints now")
#: In how many lines a topic is named: it decides what to ask for next, and nothing else.
ABOUT = Family("about.{}", int, "read the text", "topic")
#: The cause whose reports use the text's words most, its share of all causes in percent, and the
#: words of one line that speak for it (knowledge/likeness.py). Where a rule knows more, it is idle.
READS_LIKE = Key("text.reads_like", str, "read the text")
READS_LIKE_PERCENT = Key("text.reads_like_percent", int, "read the text")
READS_LIKE_WORDS = Key("text.reads_like_words", TEXTS, "read the text")


def catalogue() -> tuple[Key[object] | Family[object], ...]:
    """All keys and families of this module, in the order in which they are written."""
    return tuple(value for value in globals().values() if isinstance(value, Key | Family))

"""What to ask where a text tells of containers, clusters, boards, or of nothing but a GPU."""

from ..model import Reading
from .model import Platform, Question, everywhere, on_linux

_IN_THE_IMAGE = ("container-no-gpu", "cpu-only-build", "driver-too-old")
_ON_THE_HOST = ("driver-missing", "driver-not-loaded", "driver-library-mismatch", "no-nvidia-gpu")
_TABLE = "a table with the GPU"

CONTAINERS = (
    Question(
        "kubernetes",
        everywhere("kubectl describe nodes"),
        ("sign.k8s-no-gpu-resource",),
        (
            Reading('no "nvidia.com/gpu" under Allocatable', "NVIDIA's device plugin does not run "
                    "on the node.", ("container-no-gpu",)),
            Reading('"nvidia.com/gpu: 0"', "it runs, and finds no driver or no healthy GPU there.",
                    _ON_THE_HOST),
            Reading("1 or more", 'the node offers its GPU; the pod has to ask for it, with '
                    '"nvidia.com/gpu: 1" under limits.', ("mig", "cpu-only-build")),
        ),
        when=("about.kubernetes", "sign.k8s"),
        unless=("about.nodes-described",),
    ),
    Question(
        "podman",
        on_linux("podman run --rm --device nvidia.com/gpu=all ubuntu nvidia-smi"),
        ("container.gpus_asked",),
        (
            Reading(_TABLE, "driver and CDI work; your own container was started without --device "
                    "nvidia.com/gpu=all, or its framework is a build without CUDA.", _IN_THE_IMAGE),
            Reading('"unresolvable CDI devices"', "NVIDIA's CDI specification was not made yet.",
                    ("container-no-gpu",)),
            Reading("an error of nvidia-smi", "the host's own driver is at fault.", _ON_THE_HOST),
        ),
        when=("about.podman",),
    ),
    Question(
        "apptainer",
        on_linux("apptainer exec --nv docker://ubuntu nvidia-smi"),
        ("container.gpus_asked",),
        (
            Reading(_TABLE, "driver and --nv work; your own command lacks --nv, or the image has "
                    "a build without CUDA.", _IN_THE_IMAGE),
            Reading("an error of nvidia-smi", "the host's own driver is at fault.", _ON_THE_HOST),
        ),
        when=("about.apptainer",),
    ),
    Question(
        "docker",
        everywhere("docker run --rm --gpus all ubuntu nvidia-smi"),
        ("container.gpus_asked",),
        (
            Reading(_TABLE, "driver and container tools work; your own container was started "
                    "without --gpus all, or its framework is a build without CUDA.", _IN_THE_IMAGE),
            Reading('"could not select device driver"', "the NVIDIA Container Toolkit is missing, "
                    "or Docker does not know of it.", ("container-no-gpu",)),
            Reading('"nvidia-container-cli: ..."', "the host's own driver is at fault.",
                    _ON_THE_HOST),
        ),
        when=("about.docker", "container.kind", "container.image"),
        unless=("sign.docker-", "about.podman"),
    ),
)  # fmt: skip

_SMI_WORKS = Reading(
    _TABLE,
    "the driver works, and the fault lies above it: a build without CUDA, a library, a variable.",
    ("cpu-only-build", "driver-too-old", "hidden-by-visible-devices", "cudart-missing",
     "cudnn-missing", "cublas-missing", "framework-cuda-mismatch", "gpu-too-old", "gpu-too-new"),
)  # fmt: skip
_TELLS_DRIVER = ("driver.version", "gpu.0.name")
_SMI = ("nvidia-smi",)

SMI = Question(
    "nvidia-smi",
    {Platform.LINUX: _SMI, Platform.WINDOWS: _SMI},
    _TELLS_DRIVER,
    (
        _SMI_WORKS,
        Reading('"not found", "not recognized"', "no driver of NVIDIA's is installed.",
                ("driver-missing", "no-nvidia-gpu")),
        Reading('"couldn\'t communicate with the NVIDIA driver"', "it is installed, and its "
                "kernel module does not run.", ("driver-not-loaded",)),
        Reading('"Driver/library version mismatch"', "restart: the driver was updated while it "
                "ran.", ("driver-library-mismatch",)),
    ),
    when=(
        *("gpu.", "driver.", "toolkit.", "cudnn.", "error.", "package.", "library.", "libcuda."),
        "about.driver-fails",
    ),
    unless=("nvml.device_count", "container.kind"),
)  # fmt: skip
SMI_IN_WSL = SMI._replace(
    commands={Platform.WSL: _SMI},
    readings=(
        _SMI_WORKS,
        Reading("anything else", "Windows' driver does not reach WSL: update it in Windows, run "
                '"wsl --update" there, and install no driver in WSL.', ("wsl", "driver-missing")),
    ),
)  # fmt: skip
SMI_IN_CONTAINER = Question(
    "nvidia-smi-inside",
    on_linux("nvidia-smi"),
    _TELLS_DRIVER,
    (
        Reading(_TABLE, "the container has the GPU; the framework in its image is at fault.",
                ("cpu-only-build", "driver-too-old", "framework-cuda-mismatch")),
        Reading("anything else", "the container was started without the GPU, or lost it.",
                ("container-no-gpu", "device-nodes")),
    ),
    when=("container.kind",),
    unless=("nvml.device_count",),
    text="run this inside the container, and paste what it prints below your text",
)  # fmt: skip
BOARD = Question(
    "jetson",
    {Platform.TEGRA: ("cat /etc/nv_tegra_release",)},
    ("tegra.release",),
    (
        Reading("its release", "decides which builds serve the board: those of PyPI are mostly for "
                "its CPU only, NVIDIA has its own for each JetPack.",
                ("cpu-only-build", "framework-cuda-mismatch")),
    ),
)  # fmt: skip
MAC = Question(
    "mac",
    {Platform.MACOS: ("system_profiler SPDisplaysDataType",)},
    ("pci.0.vendor",),
    (
        Reading('"Apple", "AMD", "Intel"', "there is no CUDA for it; torch has the device "
                '"mps" on Apple\'s.', ("no-nvidia-gpu",)),
        Reading('"NVIDIA"', "CUDA ended with macOS 10.13: use another system on that machine.",
                ("driver-missing",)),
    ),
    unless=("about.displays-listed",),
)  # fmt: skip

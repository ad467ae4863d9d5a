"""What to ask where a text tells what goes wrong: the driver, a kernel, a compiler, the speed."""

from ...ourselves import INSTALL_LIBRARIES, WHERE
from ..model import Reading
from .model import Platform, Question, everywhere, on_linux
from .programs import NOT_REACHED

_LOG = ('lsmod | grep -iE "nvidia|nouveau"', 'sudo dmesg | grep -iE "nvrm|nouveau|xid"')

TRACE_CUT = Question(
    "trace-cut",
    everywhere("python your_program.py 2>&1 | tail -n 20"),
    ("error.*",),
    (
        Reading('"CUDA", "cuDNN", "NCCL"', "paste it below your text: it tells what fails."),
        Reading('"KeyError" and the like', "the program's own code fails, not what it runs on.",
                ("user-code",)),
    ),
    when=("text.trace_cut",),
    text="the traceback ends before its error: start the program again, and paste its last lines",
)  # fmt: skip
DRIVER_FAILS = Question(
    "driver-fails",
    {Platform.LINUX: _LOG},
    ("module.nvidia.loaded", "kernel_log.source"),
    (
        Reading("nouveau in the list", "the kernel's own driver holds the GPU.",
                ("driver-not-loaded",)),
        Reading('"NVRM: API mismatch"', "restart: the driver was updated while it ran.",
                ("driver-library-mismatch",)),
        Reading('"NVRM: Xid", "fallen off the bus"', "the GPU itself failed.", ("device-lost",)),
        Reading("nothing", "the driver is not installed, or not built for this kernel.",
                ("driver-missing", "no-nvidia-gpu")),
    ),
    when=("about.driver-fails", "sign.told-not-loaded", "sign.told-missing", "sign.told-lost"),
    unless=("nvml.device_count", "xid.", "module.nouveau.loaded", "about.displays-listed"),
)  # fmt: skip
DRIVER_FAILS_IN_WINDOWS = DRIVER_FAILS._replace(
    commands={Platform.WINDOWS: ("pnputil /enum-devices /class Display",)},
    readings=(
        Reading("NVIDIA with status Started", "Windows runs the GPU with a driver; install "
                "NVIDIA's own over it.", ("driver-missing",)),
        Reading("NVIDIA with a problem code", "the code tells: 28 no driver, 43 the GPU failed, "
                "22 it is switched off.", ("driver-not-loaded", "device-lost")),
        Reading("no NVIDIA", "Windows sees no such card: look at its seat, power and the BIOS.",
                ("no-nvidia-gpu",)),
    ),
)  # fmt: skip
NCCL = Question(
    "nccl",
    on_linux("export NCCL_DEBUG=INFO"),
    ("error.*",),
    (
        Reading('"NCCL WARN"', "the first of them names what fails: a GPU, a network card, "
                "shared memory.", ("nccl", "device-lost")),
        Reading("no line of NCCL", "the program ends before the GPUs talk to each other.",
                ("user-code", "oom-workload")),
    ),
    when=("about.nccl",),
    unless=("error.CUDA", "framework."),
    text="set this, start the program again, and paste its lines with NCCL",
)  # fmt: skip
RESTARTS = Question(
    "restarts",
    {Platform.LINUX: ('sudo journalctl -k -b -1 | grep -iE "nvrm|xid|mce|therm"',)},
    ("kernel_log.source",),
    (
        Reading('"Xid", "fallen off the bus"', "the GPU failed, or lost its power.",
                ("device-lost",)),
        Reading('"thermal"', "the machine became too hot.", ("power-thermal",)),
        Reading("nothing", "it ended at once, as it does where the power supply is too weak.",
                ("power-thermal",)),
    ),
    when=("about.restarts",),
    unless=("xid.",),
    text="run this after the machine has come back, and paste what it prints below your text",
)  # fmt: skip
ARCHITECTURE = Question(
    "architecture",
    everywhere("nvidia-smi --query-gpu=name,compute_cap,driver_version --format=csv"),
    ("gpu.0.name",),
    (
        Reading("a capability above those of the program's build", "a newer build is needed.",
                ("gpu-too-new", "extension-mismatch")),
        Reading("one below", "an older build serves it, or none.", ("gpu-too-old",)),
        Reading('"compute_cap is not a valid field"', "the driver is from before 2021.",
                ("driver-too-old",)),
    ),
    when=("error.CUDA_ERROR_NO_BINARY", "error.CUDA_ERROR_INVALID_IMAGE",
          "error.CUDA_ERROR_INVALID_PTX", "error.CUDA_ERROR_UNSUPPORTED_PTX"),
    unless=("about.torch", "package.torch", "container.kind"),
)  # fmt: skip
_LIBRARIES = (INSTALL_LIBRARIES, "gpuprobe libraries")
_COMPILING = ("about.compiling", "sign.nvcc", "sign.cuda-home", "sign.extension-not-compiled")
TOOLKIT = Question(
    "toolkit",
    everywhere("nvcc -V"),
    ("toolkit.version",),
    (
        Reading('"not found", "not recognized"', "there is no toolkit to compile with, or PATH "
                "lacks it.", ("toolkit-missing",)),
        Reading("a release", "what is compiled has to know it, and the GPU.",
                ("toolkit-mismatch", "gpu-too-new", "gpu-too-old")),
    ),
    when=_COMPILING,
)  # fmt: skip
_OLLAMA = (
    Reading('"library=cuda"', "Ollama has the GPU; what does not fit into its memory runs on the "
            "CPU.", ("oom-workload", "oom-other-process")),
    Reading('"library=cpu", "no compatible GPUs"', "it looked and reached none; the lines before "
            "tell why.", NOT_REACHED),
)  # fmt: skip

SYMPTOMS = (
    Question(
        "kernel-log",
        {Platform.LINUX: ('sudo dmesg | grep -iE "nvrm|xid"',)},
        ("kernel_log.source",),
        (
            Reading('"Xid"', "its number tells: 13, 31 the program; 48, 63, 79, 94 the GPU.",
                    ("user-code", "device-lost")),
            Reading('"NVRM: API mismatch"', "restart: the driver was updated while it ran.",
                    ("driver-library-mismatch",)),
            Reading("nothing", "the GPU is well; device files are missing, or the program forked "
                    "after it had started CUDA.", ("device-nodes", "user-code")),
        ),
        when=("error.CUDA_ERROR_UNKNOWN", "error.CUDA_ERROR_NOT_INITIALIZED"),
        unless=("xid.", "container.kind"),
    ),
    Question(
        "extension",
        everywhere("nvcc -V", 'python -c "import torch; print(torch.version.cuda)"'),
        ("toolkit.version", "package.torch.cuda"),
        (
            Reading("two different major numbers", "toolkit and torch do not go together.",
                    ("toolkit-mismatch",)),
            Reading('"not found" of nvcc', "there is no toolkit to compile with, or PATH lacks it.",
                    ("toolkit-missing",)),
            Reading("None", "this torch is a build without CUDA.", ("cpu-only-build",)),
            Reading("the same number twice", "both are right: build the extension anew against "
                    "this torch.", ("extension-mismatch",)),
        ),
        when=_COMPILING,
        after=("about.torch",),
    ),
    Question(
        "ollama-in-docker",
        everywhere("docker logs ollama"),
        ("sign.ollama-no-gpu", "cuda.device_count"),
        _OLLAMA,
        when=("about.ollama",),
        after=("about.docker",),
        unless=("sign.ollama", "cuda.device_count"),
        text="run this (with your container's name), and paste what it prints below your text",
    ),
    Question(
        "ollama",
        {
            **on_linux('journalctl -u ollama --no-pager | grep -iE "gpu|cuda|compute"'),
            Platform.WINDOWS: ('cmd /c type "%LOCALAPPDATA%\\Ollama\\server.log"',),
        },
        ("sign.ollama-no-gpu", "cuda.device_count"),
        _OLLAMA,
        when=("about.ollama",),
        unless=("sign.ollama", "cuda.device_count"),
    ),
    Question(
        "llama-cpp",
        everywhere("llama-cli --list-devices"),
        ("cuda.device_count",),
        (
            Reading('"CUDA0"', "the build has CUDA and sees the GPU; give it layers, with -ngl 99.",
                    ("silent-cpu-fallback", "oom-workload")),
            Reading('"no CUDA-capable device", "failed to initialize CUDA"', "the driver is not "
                    "reached.", NOT_REACHED),
            Reading("no line of CUDA", "this is a build without CUDA.", ("cpu-only-build",)),
        ),
        when=("about.llama-cpp",),
        unless=("about.ollama", "cuda.device_count", "sign.ggml"),
    ),
    Question(
        "slow",
        {**everywhere("nvidia-smi"), Platform.TEGRA: ("tegrastats",)},
        ("gpu.0.utilization_percent",),
        (
            Reading("the program is listed, GPU-Util is high", "it computes on the GPU; its speed "
                    "is a matter of power, heat or the work itself.", ("power-thermal",)),
            Reading("it is listed, GPU-Util is about 0%", "the GPU waits: for data, or for work "
                    "that runs on the CPU.", ("silent-cpu-fallback", "user-code")),
            Reading("it is not listed", "it never reached the GPU.",
                    ("cpu-only-build", "hidden-by-visible-devices")),
        ),
        when=("about.slow",),
        text="run this while the program computes, and paste what it prints below your text",
    ),
    ARCHITECTURE,
    Question(
        "libraries",
        dict.fromkeys((Platform.LINUX, Platform.WSL), _LIBRARIES),
        ("libraries.searched",),
        (
            Reading("the library in a folder", "it is there, and the program does not look there, "
                    "or takes another copy first.",
                    ("library-path-conflict", "cuda-libs-mismatch", "cudnn-mismatch")),
            Reading("no such line", "it is missing.",
                    ("cudart-missing", "cublas-missing", "cudnn-missing")),
        ),
        when=("library.", "sign.ort-provider-failed"),
        unless=("framework.torch.sees_gpu",),
        text=f"run this on that machine{WHERE}, and paste what it prints below your text",
    ),
)  # fmt: skip

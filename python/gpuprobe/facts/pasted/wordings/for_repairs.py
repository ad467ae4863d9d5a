"""Statements that decide no cause: they tell which repair of a cause is the one for this text."""

from ..sign import Sign

SIGNS = (
    Sign(
        "process-stays-in-driver",
        "a process hangs in the driver's kernel module, where no signal ends it",
        ("kill -9", "[nvidia_uvm]", "[nvidia]"),
        r"\[<\w+>\][^\n]{0,80}\[nvidia(?:_uvm)?\]"
        r"|(?:ignor\w+|cannot|can't|not even|won't|surviv\w+)[^\n]{0,30}\bkill -9"
        r"|\bkill -9[^\n]{0,30}(?:ignor|does(?:n't| not)|no effect|fails|in vain)",
    ),
    Sign(
        "one-gpu-for-two-ranks",
        "NCCL, or what is built on it, found two processes of one group on one GPU",
        ("running on same cuda device is not supported",),
    ),
    Sign(
        "cuda-image-without-cudnn",
        "an image of NVIDIA's that has CUDA and no cuDNN",
        ("nvidia/cuda:",),
        r"\bnvidia/cuda:(\d+\.\d+\.\d+-(?:base|runtime|devel)-[a-z]+[\d.]+\d)(?![\w.-])",
    ),
    Sign(
        "nvcc-compiles-for",
        "the first architecture that a build asks nvcc for",
        ("arch=compute_",),
        r"\bnvcc\b[^\n]{0,400}?arch=compute_(\d\d)\b",
    ),
    Sign(
        "cmake-architectures-asked",
        "the architectures that CMake, or configure, was asked to compile for",
        (
            "cmake_cuda_architectures",
            "cudaarchs",
            "tcnn_cuda_architectures",
            "-dcuda_arch=",
            "--with-cuda-arch",
            "--with-gpu-arch",
            "cuda_arch_bin",
        ),
        r"(?:-D ?CMAKE_CUDA_ARCHITECTURES(?::STRING)?|\b(?:CUDAARCHS|TCNN_CUDA_ARCHITECTURES)"
        r"|-D ?CUDA_ARCH|--with-(?:cuda|gpu)-arch(?:itectures?|s)?) ?= ?[\"']?(?:sm_)?"
        r"(\d{2,3}[af]?(?:-real|-virtual)?(?:;\d{2,3}[af]?(?:-real|-virtual)?){0,20})"
        # OpenCV's, as CMake's file or somebody's words have it.
        r"|\bCUDA_ARCH_BIN(?::STRING)?\s{0,3}(?:=|(?:now )?(?:is|was))\s?\"?"
        r"(\d{1,2}\.\d(?:[ ;,]\d{1,2}\.\d){0,12})\b",
    ),
    Sign(
        "gencode-ends-with",
        "the architecture that a build's list of them ends with, for which it keeps PTX",
        ("code=compute_", 'code="compute_'),
        r"-gencode[ =]\"?arch=compute_\d{2,3},code=\"?compute_(\d{2,3})\W{0,3}\Z",
    ),
    Sign(
        "xla-searched-toolkit",
        "the folder of a toolkit in which XLA looked for libdevice and ptxas",
        ("/cuda-",),
        r"\]\s+(/usr/local/cuda-\d+\.\d+)\s*\Z",
    ),
    Sign(
        "cudnn-package-for",
        "a version of cuDNN's package, and the CUDA that it is for",
        ("+cuda",),
        r"(?<![\w.])(\d\.\d{1,2}\.\d{1,2}(?:\.\d{1,3})?-\d\+cuda\d{2}\.\d)(?!\w)",
    ),
    Sign(
        "dll-by-its-path",
        "a DLL was to be loaded by its whole path, and Windows misses a module",
        ('could not load library "',),
        r"could not load library \"([A-Za-z]:\\[^\"\n]{3,300}\.dll)\"",
    ),
    Sign(
        "python-under-sudo",
        "a program is started by sudo, which passes no LD_LIBRARY_PATH on",
        ("sudo ",),
        r"(?:\A|[$#>] )\s*sudo (?:-\w+ )*((?:python[\d.]*|\./\S+)(?: \S+)?)",
    ),
    Sign(
        "powerd-slows-gpu",
        "the GPU is faster while nvidia-powerd does not run",
        ("powerd",),
        r"with nvidia-powerd running[^\n]{0,100}?(\d+ ?W)\b[^\n]{0,120}stopped[^\n]{0,40}?MHz"
        r"|(?:stopp|disabl)ing nvidia-powerd[^\n]{0,60}(?:faster|higher|fix|help|solv)",
    ),
    Sign(
        "since-driver-change",
        "the fault began with another driver",
        ("after ", "since "),
        r"\b(?:after|since)(?: the| an?)? (?:moving|updat\w+|upgrad\w+|switching)"
        r"[^\n.]{0,40}? (\d{3}(?:\.(?:x|[\d.]*\d))?)(?: driver| branch)",
    ),
    Sign(
        "linux-driver-installed",
        "somebody installed a driver's packages for Linux by a command; the value is the package",
        ("nvidia-driver-", "nvidia-utils-", "nvidia-headless-", "nvidia-dkms-", "cuda-drivers"),
        r"\A(?!.*(?:\?|\b(?:never|not|don'?t|should|instead|if|hypothetical\w*|avoid|without)\b)).*?"
        r"\b(?:apt|apt-get|dnf|yum) install (?:-y )?(?:[\w.+-]{1,60} ){0,6}?"
        r"(nvidia-(?:driver|utils|headless|dkms)-\d{3}[\w-]{0,20}|cuda-drivers(?:-\d{3})?)\b",
    ),
    Sign(
        "gpu-in-tcc-mode",
        "nvidia-smi on Windows shows a GPU in TCC mode, which WSL does not reach",
        (" tcc ",),
        r"\A\|\s+(\d+)\s+\S[^|\n]{2,60}?\s+TCC\s+\|",
    ),
)

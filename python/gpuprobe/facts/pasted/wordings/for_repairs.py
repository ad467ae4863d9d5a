"""Statements that decide no cause: they tell which repair of a cause is the one for this text."""

from __future__ import annotations

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
        "gpu-series-told",
        "somebody names the series of a GPU that is later than CUDA 10; the value is its number",
        ("series", "30xx", "40xx", "50xx"),
        r"(?i)\A\W{0,4}(?:gpus?|graphics cards?)\W{1,3}(?:nvidia )?(?:geforce )?RTX[ -]?([345]0)"
        r"(?:[ -]?series|xx)\b\W*\Z",
    ),
    Sign(
        "import-hides-gpus",
        "a program prints the visible devices before and after an import, which took them away",
        ("cuda",),
        r"\A\s*cuda[ _](?:visible[ _])?devices after [^\n]{1,60}?[: ](?:-1)\s*\Z",
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
        "gpu-in-tcc-mode",
        "nvidia-smi on Windows shows a GPU in TCC mode, which WSL does not reach",
        (" tcc ",),
        r"\A\|\s+(\d+)\s+\S[^|\n]{2,60}?\s+TCC\s+\|",
    ),
)

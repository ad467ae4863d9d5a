"""What the fields of an issue form mean: a label, and what its value states."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ...version import Version
from .. import gpu_names
from ..host import kernel, system
from ..statement import Statements, deny, say
from ..values import capability, release, release_or_major, truth

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..text import Line

    Told = Callable[[str, Line], Statements]

#: A release, or a bare major number with nothing but a list or "12.x" behind it.
_FIRST = regex(
    r"(?ai)\A[^\d]{0,30}?"
    r"(\d{1,2}(?:\.\d{1,3}){1,3}|\d{1,2}(?=\s*(?:\.x|[,;)/]|\Z|and|with|update)))(?!\d)"
)
_CUDNN_NAMED = regex(r"(?ai)cudnn\D{0,12}(\d+(?:\.\d+){0,3})")
#: A file's name: "cudnn-11.2-windows-x64-v8.1.0.77", "cudnn-windows-x86_64-8.3.1.22_cuda11.5".
_CUDNN_FILE = regex(
    r"(?ai)cudnn-(?:[\w.-]{0,60}-v|(?:windows|linux)-(?:x86_64|x64|aarch64|sbsa)-)(\d+(?:\.\d+){0,3})"
)
#: The oldest that anybody still names; smaller numbers number something else.
_FIRST_CUDA, _FIRST_CUDNN = 6, 3
#: Of the releases that there are; a larger number is CUDA's, typed twice.
_LAST_CUDNN = 9
_MAJOR_MINOR, _TENS = 2, 10
#: From here on a number without a point is two: "cuda 92", "cuda 113".
_GLUED = 60


def _cuda(value: str, line: Line) -> Statements:
    """``11.8``, ``v11.8``, ``CUDA 11``, ``12.x``; a "CUDA:0" is a device."""
    match = _FIRST.match(value)
    if match and Version(match[1]).major >= _FIRST_CUDA:
        yield say(names.TOOLKIT_VERSION, _of_number(Version(match[1])), line)


def _of_number(told: Version) -> Version:
    """``11.2`` also of ``11.20``: CUDA's own number, 11020, with a point in it; 9.2 of ``92``."""
    if len(told.parts) == 1 and told.major >= _GLUED:
        return Version.of(*divmod(told.major, _TENS))
    of_number = len(told.parts) == _MAJOR_MINOR and told.minor >= _TENS and told.minor % _TENS == 0
    return Version.of(told.major, told.minor // _TENS) if of_number else told


def _cudnn(value: str, line: Line) -> Statements:
    match = _CUDNN_FILE.search(value) or _FIRST.match(value)
    if match and _FIRST_CUDNN <= Version(match[1]).major <= _LAST_CUDNN:
        yield say(said.CUDNN_VERSION, Version(match[1]), line)


def _both(value: str, line: Line) -> Statements:
    """``11.8/8.6``, ``CUDA 11.2, cuDNN 8.1``, ``cuda_11.2, cudnn8``, ``11.0`` alone."""
    named = _CUDNN_FILE.search(value) or _CUDNN_NAMED.search(value)
    first = _FIRST.match(re.sub(r"(?i)cudnn.*", "", value))
    if first:
        yield say(names.TOOLKIT_VERSION, Version(first[1]), line)
    rest = value[first.end() :] if first else ""
    second = re.search(r"(?a)(?<!\d)(?:[/,;&|]|and|-)\s{0,3}v?(\d+(?:\.\d+){0,3})(?!/)", rest)
    found = named or second
    # "release 11.0, V11.0.194" is nvcc's answer, twice the same.
    if found and not (first and found[1].startswith(first[1])):
        yield from _cudnn(found[1], line)


#: A form's field that says so. Of "none" alone `form` knows where it is an answer.
_WITHOUT_GPU = regex(
    r"(?i)\A\W*(?:(?:no|without)(?: an?| any)?(?: dedicated| discrete| nvidia)? ?gpus?"
    r"|cpu[- ]?only(?: machine| server| box)?|only cpu|(?-i:none)"  # programs print None
    r"|(?:no|without)(?: an?| any)?(?: dedicated| discrete| nvidia)? (?:gpus?|(?:graphics?|video)"
    r" (?:cards?|adapters?)|graphics) (?:in|on) (?:this|the|my) (?:system|machine|computer|pc"
    r"|laptop|server|box|vm))\W*\Z"
)


def _gpus(value: str, line: Line) -> Statements:
    """NVIDIA's by name, each with a number; else the makers of what is there instead."""
    if _WITHOUT_GPU.match(value):
        yield say(names.PCI_NVIDIA_COUNT, 0, line)
        return
    found = gpu_names.typed(value)
    for number, name in enumerate(found):
        yield say(names.GPU_NAME(number), name, line)
    others = gpu_names.other_makers(value)
    if not found and others:
        yield say(names.PCI_NVIDIA_COUNT, 0, line)
        yield say(names.PCI_GPU_COUNT, len(others), line)
        for number, maker in enumerate(others):
            yield say(names.PCI_VENDOR(number), maker, line)


#: "535", "nvidia-driver-535-open": a branch, of which the release is not told.
_BRANCH = regex(r"(?ai)v?(?:nvidia[- ]){0,2}(?:drivers?[- ])?([3-6]\d\d)(?:-(?:server|open))*")


def _driver(value: str, line: Line) -> Statements:
    found = re.search(r"(?a)(?<![\d.])(\d{3}(?:\.\d{1,3}){1,2})(?![\d.])", value)
    found = found or _BRANCH.fullmatch(value)
    if found:
        yield say(names.DRIVER_VERSION, Version(found[1]), line)
    if ceiling := re.search(r"(?ai)cuda(?: version)?:? {0,2}(\d{1,2}\.\d)\b", value):
        yield say(names.DRIVER_CUDA, Version(ceiling[1]), line)


#: No CUDA has so large a major number: "CUDA Driver Version: 535.86.10" tells the driver's own.
_FIRST_DRIVER = 100


def _driver_cuda(value: str, line: Line) -> Statements:
    if found := release(value):
        key = names.DRIVER_CUDA if found.major < _FIRST_DRIVER else names.DRIVER_VERSION
        yield say(key, found, line)


def _python(value: str, line: Line) -> Statements:
    found = re.search(r"(?a)(?<![\d.])([23]\.\d{1,2}(?:\.\d{1,2})?)(?![\d])", value)
    if found:
        yield say(names.PYTHON_VERSION, Version(found[1]), line)
    if "conda" in value.lower():
        yield say(names.PYTHON_ENVIRONMENT, "conda", line)


def _os(value: str, line: Line) -> Statements:
    yield from system(value, line)
    if found := re.search(r"(?a)\bkernel(?: version)?:? (\d+\.\d+\.\S+?)[),]?\Z", value):
        yield from kernel(found[1], line)


def _kernel(value: str, line: Line) -> Statements:
    if re.match(r"(?a)\d+\.\d+", value):
        yield from kernel(value.split(" ", maxsplit=1)[0], line)


def _compiler(value: str, line: Line) -> Statements:
    found = release_or_major(value)
    # The kernel module's own compiler is told as "GCC version:  gcc version 5.4.0".
    # CMake's is the one that it asked who it is, mostly nvcc.
    if found is not None and not value.startswith("gcc version") and "nvcc" not in value:
        maker = "MSVC" if re.search(r"(?i)msvc|visual", value) else "gcc"
        yield say(names.HOST_COMPILER, f"{maker} {found}", line)


def _ptxas(value: str, line: Line) -> Statements:
    """The program's version; "PTX 7.5" is the language's, which CUDA 11.5 brought."""
    found = release(value)
    if found is not None and "ptx " in value.lower():
        from ....knowledge.architecture import toolkit_of_ptx

        found = toolkit_of_ptx(found)
    if found is not None:
        yield say(said.PTXAS_VERSION, found, line)


_CONTAINERS = (
    "docker",
    "kubernetes",
    "podman",
    "singularity",
    "apptainer",
    "containerd",
    "lxc",
    "enroot",
    "openshift",
    "k8s",
    "devcontainer",
)


def _environment(value: str, line: Line) -> Statements:
    """Where it runs: a container, WSL, conda; "no docker" is none of them."""
    low = value.lower()
    if re.match(r"(?:no|not|none|without)\b", low):
        return
    for kind in _CONTAINERS:
        if kind in low:
            told = {"k8s": "kubernetes", "openshift": "kubernetes", "devcontainer": "docker"}
            yield say(names.CONTAINER_KIND, told.get(kind, kind), line)
            break
    if "wsl" in low:
        yield say(names.OS_SYSTEM, "Linux", line)
        yield say(names.WSL_VERSION, 1 if re.search(r"wsl ?1\b", low) else 2, line)
    if "conda" in low or "mamba" in low:
        yield say(names.PYTHON_ENVIRONMENT, "conda", line)
    elif "venv" in low or "virtualenv" in low:
        yield say(names.PYTHON_ENVIRONMENT, "venv", line)


def _capability(value: str, line: Line) -> Statements:
    if found := capability(value):
        yield say(names.GPU_CAPABILITY(0), found, line)


def _secure_boot(value: str, line: Line) -> Statements:
    answer = truth(value.split(" ", maxsplit=1)[0])
    if answer is not None:
        yield say(names.SECURE_BOOT, answer, line)


def _module(value: str, line: Line) -> Statements:
    if found := release(value):
        yield say(names.MODULE_VERSION, found, line)
    elif value.lower().startswith(("not loaded", "not installed")):
        yield deny(names.MODULE_VERSION, line)


#: What each label means; whole labels, in small letters and without brackets.
_LABELS: tuple[tuple[Told, str], ...] = (
    (
        _cuda,
        """cuda; cuda version; cuda toolkit; cuda toolkit version; cuda toolkit installed; cuda sdk;
        cuda sdk version; cuda compiler; cuda release; cuda runtime; cuda runtime version; nvcc;
        nvcc version; nvcc release; installed cuda; system cuda; local cuda; toolkit;
        toolkit version; nvidia cuda; nvidia cuda version; nvidia cuda toolkit;
        execution provider library version""",
    ),
    (_cudnn, "cudnn; cudnn version; cudnn v; nvidia cudnn"),
    (
        _both,
        """cuda/cudnn version; cuda/cudnn; cuda/cudnn versions; cuda / cudnn version; cuda / cudnn;
        cuda cudnn version; cuda and cudnn version; cuda and cudnn; cuda & cudnn;
        installed version of cuda and cudnn""",
    ),
    (
        _gpus,
        """gpu; gpus; gpu(s); gpu model; gpu models; gpu name; gpu type; gpu card; gpu info; gpu 0;
        gpu model and memory; gpu model/memory; gpu device; gpu hardware; gpu/accelerator;
        gpu models and configuration; graphics; graphics card; graphic card; graphics device;
        graphics processor; video card; video controller; nvidia gpu; nvidia gpus; nvidia card;
        card; cards; accelerator; device; devices; cuda device; hardware; number of gpus;
        gpu count; num gpus""",
    ),
    (
        _driver,
        """driver; drivers; driver version; nvidia driver; nvidia driver version; nvidia drivers;
        nvidia-driver; nvidia; nvidia graphics driver; nvidia gpu driver; nvidia driver on host;
        nvidia-smi; nvidia-smi version; nvidia-smi driver version; gpu driver; gpu driver version;
        graphics driver; cuda driver; host driver; host driver version; kmd version;
        windows driver""",
    ),
    (
        _driver_cuda,
        """nvidia-smi cuda version; driver cuda version; driver cuda; cuda driver version;
        cuda umd version; max cuda version""",
    ),
    (_python, "python; python version; py version; python3; python interpreter"),
    (
        _os,
        """os; os platform and distribution; os platform; os version; os name; os type; os/platform;
        os/distribution; operating system; operating system version; platform; system; system os;
        distro; distribution; linux distribution; host os; host""",
    ),
    (_kernel, "kernel; kernel version; linux kernel; linux kernel version"),
    (
        _compiler,
        "gcc; gcc version; gcc/compiler version; g++; compiler; compiler version; host compiler",
    ),
    (_ptxas, "ptxas; ptxas version"),
    (
        _environment,
        """environment; env; container; container runtime; docker; installation; setup; running in;
        running on; runtime environment; virtual environment; virtualization; deployment;
        package manager""",
    ),
    (
        _capability,
        """compute capability; compute cap; cuda capability; cuda compute capability; sm; arch;
        gpu compute capability; gpu capability; gpu arch; gpu architecture""",
    ),
    (_secure_boot, "secure boot; secureboot"),
    (_module, "kernel module; kernel module version; nvidia kernel module"),
)
FIELDS = {label.strip(): told for told, labels in _LABELS for label in labels.split(";")}


def field_of(label: str, beside: str) -> Told | None:
    """What a label in small letters means, by the line that it stands in.

    Beside the driver's version nvidia-smi prints the CUDA that the driver serves, not the one that
    is installed; so does who copies from it.
    """
    if label == "cuda version" and "driver version" in beside.lower():
        label = "driver cuda version"
    return FIELDS.get(label)

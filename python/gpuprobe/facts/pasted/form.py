"""The fields of an issue form, as people fill them in: ``CUDA/cuDNN version: 11.8/8.6``.

What a person types is trusted least, and a whole label has to match: "requires CUDA: 12" does
not state a version. GitHub's forms put the value two lines below a heading.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import names, said
from ..version import Version
from . import gpu_names
from .host import kernel, system
from .package_names import built_for, installed, recorded, version_text
from .statement import Statement, deny, say
from .values import capability, release, release_or_major, truth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .text import Line, Text

    Told = Callable[[str, Line], Iterator[Statement]]

_FIELD = re.compile(
    r"(?a)\A[\s>|*#•·\-–]*(?:\d{1,2}[.)] )?(?P<label>[A-Za-z][\w/.+ \-]{0,60}?)(?:\s?\([^()]{0,120}\)){0,2}"
    r"[*_`\s]{0,6}\??\s?[:=|：][*_`\s|]*(?P<value>\S.*?)[\s*|]*\Z"
)
_HEADING = re.compile(r"\A\s*#{2,5}\s+(?P<label>[\w/.+ \-]{2,60}?)\s*\??\s*\Z")
_BUILT_FOR = re.compile(
    r"(?a)\A(?P<name>[\w.\-]{2,40}) (?:built|compiled) (?:for|with|against) (?:cuda)?\Z"
)
_FIRST = re.compile(r"(?a)\A[^\d]{0,30}?(\d{1,2}(?:\.\d{1,3}){1,3}|\d{1,2}(?=\s*(?:\.x|[,;)/]|$|and|with|update)))(?!\d)", re.IGNORECASE)
_LOWER_BOUND = re.compile(r"\A\s*(?:[<>~!]=?|\^)")
_VERSION_WORD = re.compile(r"(?:\s(?:version|package))+\Z")
#: Labels that begin like a package and name none: a variable, a sentence, a Julia artifact.
_SETTING = re.compile(r"(?a)\A[A-Z][A-Z_]+_[A-Z_]+\Z|\d\.\d|_jll\Z|\s\S+\s\S+\s")
_FIRST_CUDA, _FIRST_CUDNN = 5, 3
_ALONE = re.compile(r"(?ai)\A\s*(cuda|cudnn)[-_ ]?v?(\d{1,2}(?:\.\d{1,3}){1,3})\s*\Z")
_EMPTY = frozenset(
    {"", "n/a", "na", "none", "no", "-", "no response", "_no response_", "not applicable", "nope"}
)


def read(text: Text) -> Iterator[Statement]:
    """Each field whose label is in the table, or names a package."""
    for line in text.having(":", "=", "|", "："):
        match = _FIELD.match(line.text)
        if match:
            yield from _told(match["label"], match["value"], line)
    yield from _gpus_below_each_other(text)
    for line in text.having("cuda", "cudnn"):
        if match := _ALONE.match(line.text):
            yield from (_cuda if match[1].lower() == "cuda" else _cudnn)(match[2], line)
    for line in text.having("## "):
        heading = _HEADING.match(line.text)
        below = [each for each in text.after(line, 3) if each.text.strip()] if heading else []
        if heading and below and not below[0].text.startswith("#"):
            yield from _told(heading["label"], below[0].text.strip(), below[0])


def _gpus_below_each_other(text: Text) -> Iterator[Statement]:
    """Lines "GPU: …" that follow each other name one GPU each."""
    former, number = -1, 0
    for line in text.having("gpu"):
        match = _FIELD.match(line.text)
        if match is None or _FIELDS.get(match["label"].lower()) is not _gpus:
            continue
        number = number if line.number == former + 1 else 0
        former = line.number
        for name in gpu_names.typed(match["value"]):
            yield say(names.GPU_NAME(number), name, line)
            number += 1


def _told(label: str, value: str, line: Line) -> Iterator[Statement]:
    plain = " ".join(label.lower().replace("_", " ").split())
    if value.strip(" .*_").lower() in _EMPTY or _LOWER_BOUND.match(value):
        return
    told = _FIELDS.get(plain)
    if told is not None:
        yield from told(value, line)
        return
    built = _BUILT_FOR.match(plain)
    if built:
        yield from _built(built["name"], value, line)
        return
    name = (
        None if _SETTING.search(label) else recorded(_VERSION_WORD.sub("", plain).replace(" ", "-"))
    )
    version = version_text(value)
    if name is not None and version is not None and _is_release(name, version, value):
        yield from installed(name, version, line)


def _is_release(name: str, version: str, value: str) -> bool:
    """A version, and not the beginning of a sentence or of a size."""
    if not re.match(r"(?a)\d+\.\d+|\d{1,2}\Z", version) or name == "cuda":
        return False
    rest = value.strip().strip("\"'`=v ")[len(version) :]
    return (
        re.match(r"(?i)\s*(?:\Z|[+(,;/|\"'`)\]]|with|and|cuda|cu\d|cpu|gpu|from|by|via|on|-)", rest)
        is not None
    )


def _built(name: str, value: str, line: Line) -> Iterator[Statement]:
    """``torch built for CUDA: 12.4``."""
    package, found = recorded(name), release_or_major(value)
    if package is not None and found is not None:
        yield say(names.PACKAGE_CUDA(package), Version.of(*found.parts[:2]), line)
        yield say(names.PACKAGE_BUILD(package), "cuda", line)
    elif package is not None and value.lower() in ("cpu", "none"):
        yield from built_for(package, "cpu", "", line)


def _cuda(value: str, line: Line) -> Iterator[Statement]:
    """``11.8``, ``v11.8``, ``CUDA 11``, ``12.x``; a "CUDA:0" is a device."""
    match = _FIRST.match(value)
    if match and Version(match[1]).major > _FIRST_CUDA:
        yield say(said.TOOLKIT_VERSION, Version(match[1]), line)


def _cudnn(value: str, line: Line) -> Iterator[Statement]:
    match = _FIRST.match(value)
    if match and Version(match[1]).major >= _FIRST_CUDNN:
        yield say(said.CUDNN_VERSION, Version(match[1]), line)


def _both(value: str, line: Line) -> Iterator[Statement]:
    """``11.8/8.6``, ``CUDA 11.2, cuDNN 8.1``, ``cuda_11.2, cudnn8``, ``11.0`` alone."""
    named = re.search(r"(?ai)cudnn\D{0,12}(\d+(?:\.\d+){0,3})", value)
    first = _FIRST.match(re.sub(r"(?i)cudnn.*", "", value))
    if first:
        yield say(said.TOOLKIT_VERSION, Version(first[1]), line)
    rest = value[first.end() :] if first else ""
    second = re.search(r"(?a)(?:[/,;&|]|and|-)\s{0,3}v?(\d+(?:\.\d+){0,3})", rest)
    if named or second:
        found = named[1] if named else second[1] if second else ""
        yield say(said.CUDNN_VERSION, Version(found), line)


def _gpus(value: str, line: Line) -> Iterator[Statement]:
    """NVIDIA's by name, each with a number; else the makers of what is there instead."""
    found = gpu_names.typed(value)
    for number, name in enumerate(found):
        yield say(names.GPU_NAME(number), name, line)
    others = gpu_names.other_makers(value)
    if not found and others:
        yield say(names.PCI_NVIDIA_COUNT, 0, line)
        yield say(names.PCI_GPU_COUNT, len(others), line)
        for number, maker in enumerate(others):
            yield say(names.PCI_VENDOR(number), maker, line)


def _gpu_count(value: str, line: Line) -> Iterator[Statement]:
    """ "Number of GPUs: 4" names none."""
    if gpu_names.typed(value):
        yield from _gpus(value, line)


def _driver(value: str, line: Line) -> Iterator[Statement]:
    found = re.search(r"(?a)(?<![\d.])(\d{3}(?:\.\d{1,3}){1,2})(?![\d.])", value)
    if found:
        yield say(names.DRIVER_VERSION, Version(found[1]), line)
    if ceiling := re.search(r"(?ai)cuda(?: version)?:? {0,2}(\d{1,2}\.\d)\b", value):
        yield say(names.DRIVER_CUDA, Version(ceiling[1]), line)


def _driver_cuda(value: str, line: Line) -> Iterator[Statement]:
    if found := release(value):
        yield say(names.DRIVER_CUDA, found, line)


def _python(value: str, line: Line) -> Iterator[Statement]:
    found = re.search(r"(?a)(?<![\d.])([23]\.\d{1,2}(?:\.\d{1,2})?)(?![\d])", value)
    if found:
        yield say(names.PYTHON_VERSION, Version(found[1]), line)
    if "conda" in value.lower():
        yield say(names.PYTHON_ENVIRONMENT, "conda", line)


def _os(value: str, line: Line) -> Iterator[Statement]:
    yield from system(value, line)
    if found := re.search(r"(?a)\bkernel(?: version)?:? (\d+\.\d+\.\S+?)[),]?\Z", value):
        yield from kernel(found[1], line)


def _kernel(value: str, line: Line) -> Iterator[Statement]:
    if re.match(r"(?a)\d+\.\d+", value):
        yield from kernel(value.split(" ")[0], line)


def _compiler(value: str, line: Line) -> Iterator[Statement]:
    found = release_or_major(value)
    # The kernel module's own compiler is told as "GCC version:  gcc version 5.4.0".
    if found is not None and not value.startswith("gcc version"):
        maker = "MSVC" if re.search(r"(?i)msvc|visual", value) else "gcc"
        yield say(said.HOST_COMPILER, f"{maker} {found}", line)


def _ptxas(value: str, line: Line) -> Iterator[Statement]:
    """ "PTX 7.5" is the language's version, not the program's."""
    found = release(value)
    if found is not None and "ptx " not in value.lower():
        yield say(said.PTXAS_VERSION, found, line)


_CONTAINERS = ("docker", "kubernetes", "podman", "singularity", "apptainer", "containerd", "lxc",
               "enroot", "openshift", "k8s", "devcontainer")  # fmt: skip


def _environment(value: str, line: Line) -> Iterator[Statement]:
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


def _capability(value: str, line: Line) -> Iterator[Statement]:
    if found := capability(value):
        yield say(names.GPU_CAPABILITY(0), found, line)


def _secure_boot(value: str, line: Line) -> Iterator[Statement]:
    answer = truth(value.split(" ")[0])
    if answer is not None:
        yield say(said.SECURE_BOOT, answer, line)


def _module(value: str, line: Line) -> Iterator[Statement]:
    if found := release(value):
        yield say(names.MODULE_VERSION, found, line)
    elif value.lower().startswith(("not loaded", "not installed")):
        yield deny(names.MODULE_VERSION, line)


def _fields() -> dict[str, Told]:
    """What each label means; whole labels, in small letters, without brackets."""
    labels: tuple[tuple[Told, tuple[str, ...]], ...] = (
        (_cuda, ("cuda", "cuda version", "cuda toolkit", "cuda toolkit version", "nvcc", "nvcc version",
                 "nvcc release", "cuda sdk", "cuda sdk version", "installed cuda", "cuda toolkit installed",
                 "cuda compiler", "cuda runtime", "system cuda", "local cuda", "cuda release",
                 "cuda runtime version", "toolkit", "toolkit version", "nvidia cuda", "nvidia cuda version",
                 "nvidia cuda toolkit", "execution provider library version")),
        (_cudnn, ("cudnn", "cudnn version", "cudnn v", "nvidia cudnn")),
        (_both, ("cuda/cudnn version", "cuda/cudnn", "cuda/cudnn versions", "cuda / cudnn version", "cuda / cudnn",
                 "cuda cudnn version", "cuda and cudnn version", "cuda/cudnn/gpu", "cuda & cudnn", "cuda and cudnn")),
        (_gpus, ("gpu", "gpus", "gpu model", "gpu models", "gpu name", "gpu type", "gpu model and memory", "gpu card",
                 "gpu model/memory", "gpu info", "gpu device", "graphics card", "graphics", "graphic card", "video card",
                 "nvidia gpu", "nvidia gpus", "gpu(s)", "hardware", "card", "cards", "accelerator", "device", "devices",
                 "gpu/accelerator", "nvidia card", "gpu 0", "gpu hardware", "cuda device", "gpu models and configuration",
                 "graphics processor", "video controller", "graphics device", "显卡")),
        (_gpu_count, ("number of gpus", "gpu count", "num gpus")),
        (_driver, ("driver", "driver version", "nvidia driver", "nvidia driver version", "nvidia drivers", "gpu driver",
                   "gpu driver version", "drivers", "nvidia-driver", "nvidia-smi", "nvidia-smi version", "graphics driver",
                   "cuda driver", "nvidia", "nvidia graphics driver", "nvidia-smi driver version", "nvidia gpu driver",
                   "host driver", "host driver version", "kmd version", "windows driver", "nvidia driver on host")),
        (_driver_cuda, ("nvidia-smi cuda version", "driver cuda version", "driver cuda", "cuda driver version",
                        "cuda umd version", "max cuda version", "cuda version (nvidia-smi)")),
        (_python, ("python", "python version", "py version", "python3", "python interpreter")),
        (_os, ("os", "os platform and distribution", "os platform", "operating system", "platform", "system", "distro",
               "distribution", "os version", "os name", "linux distribution", "host os", "os/platform",
               "os/distribution", "operating system version", "os type", "system os", "host")),
        (_kernel, ("kernel", "kernel version", "linux kernel", "linux kernel version")),
        (_compiler, ("gcc", "gcc version", "gcc/compiler version", "compiler", "host compiler", "g++", "compiler version")),
        (_ptxas, ("ptxas", "ptxas version")),
        (_environment, ("environment", "env", "container", "container runtime", "installation", "setup", "running in",
                        "runtime environment", "virtual environment", "virtualization", "docker",
                        "package manager", "running on", "deployment")),
        (_capability, ("compute capability", "cuda capability", "cuda compute capability", "compute cap", "sm",
                       "gpu compute capability", "gpu capability", "arch", "gpu arch", "gpu architecture")),
        (_secure_boot, ("secure boot", "secureboot")),
        (_module, ("kernel module", "kernel module version", "nvidia kernel module")),
    )  # fmt: skip
    return {label: told for told, all_labels in labels for label in all_labels}


_FIELDS = _fields()

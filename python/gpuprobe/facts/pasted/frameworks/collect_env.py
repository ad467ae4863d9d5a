"""``python -m torch.utils.collect_env`` of every age, and vLLM's, which grew out of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ...version import Version
from ..installed.package_names import built_for, copies, installed, recorded
from ..statement import Statements, deny, say
from ..values import after_colon, release

if TYPE_CHECKING:
    from ..text import Text

# vLLM's program pads the names: "PyTorch version              : 2.5.1+cu124".
_VERSION = regex(r"(?a)\A\s*PyTorch version\s*:\s*(\d[\w.+]*)", re.IGNORECASE)
#: As people fill in what a form asks for: "1.5.0 (CPU toolkit)".
_OF_CPU = regex(r"(?i)\s?\(cpu\b")
_NO_DRIVER = regex(r"(?i)\A\s*Nvidia driver version\s*:\s*(No CUDA|Could not collect)\s*\Z")
_NO_GPU = regex(r"(?i)\A\s*GPU models and configuration\s*:\s*(?:No CUDA|Could not collect)")
_DRIVER = regex(r"(?ai)\A\s*Nvidia driver version\s*:\s*(\d+(?:\.\d+)+)")
_RUNTIME = regex(r"(?ai)\A\s*CUDA runtime version\s*:\s*(\d+(?:\.\d+)+)\s*\Z")
_CUDNN = regex(r"(?i)\A\s*cuDNN version\s*:")
_NOT_THERE = ("could not collect", "n/a", "none", "no cuda", "not available", "")
_GPU = regex(
    r"(?a)(?:GPU models and configuration\s*:\s*)?GPU (\d{1,3}): (.+?)(?: \(UUID: (\S+)\))?$"
)
_CUDNN_FILE = regex(r"(?a)libcudnn\w{0,40}\.so\.(\d+\.\d+(?:\.\d+)?)|cudnn\w{0,40}64_(\d+)\.dll")
_LIBC = regex(r"(?a)glibc[- ](\d+\.\d+)")
_PIP = regex(r"\[pip3?\]\s{0,4}([\w.\-]+)\s{0,2}(?:==|\s|\()\s{0,2}([\w.+]+)")
_CONDA = regex(r"\[conda\]\s{0,4}([\w.\-]+)\s+([\w.+]+)(?:\s+(\S+))?(?:\s+(\S+))?")


def read(text: Text) -> Statements:
    """The fields that speak of the GPU stack.

    "No CUDA" is printed where torch sees no GPU, and neither driver nor GPU nor toolkit was found;
    "Could not collect" of both driver and GPU where nvidia-smi is not there or does not answer.
    """
    yield from _torch(text)
    for line in text.having("is cuda available"):
        answer = after_colon(line).lower()
        if answer in ("yes", "true", "no", "false"):
            yield say(said.FRAMEWORK_SEES_GPU("torch"), answer in ("yes", "true"), line)
    no_gpu = any(text.matching(_NO_GPU, "gpu models and configuration"))
    for line, match in text.matching(_NO_DRIVER, "nvidia driver version"):
        if no_gpu or match[1].lower() == "no cuda":
            yield deny(names.DRIVER_VERSION, line)
    for line, match in text.matching(_DRIVER, "nvidia driver version"):
        yield say(names.DRIVER_VERSION, Version(match[1]), line)
    for line, match in text.matching(_RUNTIME, "cuda runtime version"):
        yield say(names.TOOLKIT_VERSION, Version(match[1]), line)
    yield from _cudnn(text)
    yield from _host(text)
    yield from _devices(text)
    yield from _of_intel(text)
    yield from _libraries(text)


def _torch(text: Text) -> Statements:
    for line in text.having("used to build pytorch"):
        value = after_colon(line).lower()
        if "rocm" in line.text.lower() or "hip" in line.text.lower():
            if value not in _NOT_THERE:
                yield say(names.PACKAGE_BUILD("torch"), "rocm", line)
                yield deny(names.PACKAGE_CUDA("torch"), line)
        elif found := release(value):
            yield say(names.PACKAGE_CUDA("torch"), Version.of(found.major, found.minor), line)
            yield say(names.PACKAGE_BUILD("torch"), "cuda", line)
        elif value in ("none", "no cuda", "cpu", "could not collect"):  # of a torch without CUDA
            yield from built_for("torch", "cpu", "", line)
    for line, match in text.matching(_VERSION, "pytorch version"):
        yield from installed("torch", match[1], line)
        if _OF_CPU.match(line.text, match.end()):
            yield from built_for("torch", "cpu", "", line)


def _cudnn(text: Text) -> Statements:
    """A version, or the path of the library, alone or in the list that follows."""
    for start, _ in text.matching(_CUDNN, "cudnn version"):
        is_path = "/" in start.text or "\\" in start.text
        if not is_path and (found := release(after_colon(start))):
            yield say(said.CUDNN_VERSION, found, start)
        for line in (start, *text.after(start, 12)):
            if match := _CUDNN_FILE.search(line.text):
                yield say(said.CUDNN_VERSION, Version(match[1] or match[2]), line)
                break
            if line is not start and ":" in line.text and "probably" not in line.text.lower():
                break


_INTELS = regex(r"\A\W{0,4}Intel\(R\) \w")


def _of_intel(text: Text) -> Statements:
    """Since 2.8 it lists the GPUs of Intel's; a build for those serves no others."""
    for start in text.having("intel gpu models onboard"):
        listed = [line for line in text.after(start, 4) if _INTELS.match(line.text)]
        if listed and not any(text.matching(_GPU, "gpu ")):
            yield say(names.PCI_NVIDIA_COUNT, 0, start)
            yield say(names.PCI_VENDOR(0), "intel", listed[0])


def _host(text: Text) -> Statements:
    """Fields whose names are not this program's alone, so only where its own stand near."""
    if "used to build pytorch" not in text and "collecting environment information" not in text:
        return
    for line, match in text.matching(_LIBC, "libc version"):
        yield say(names.OS_LIBC, f"glibc {match[1]}", line)
    for line in text.having("gcc version"):
        if found := re.search(r"(?a)(\d+\.\d+(?:\.\d+)?)\s*$", line.text.partition("[")[0]):
            yield say(names.HOST_COMPILER, f"gcc {found[1]}", line)


def _devices(text: Text) -> Statements:
    for start in text.having("gpu models and configuration"):
        for line in (start, *text.after(start, 64)):
            match = _GPU.match(line.text)
            if match is None and line is not start:
                break
            if match is not None:
                yield say(names.GPU_NAME(match[1]), match[2], line)
                if match[3]:
                    yield say(names.GPU_UUID(match[1]), match[3], line)


def _libraries(text: Text) -> Statements:
    """``[pip3] torch==2.1.0`` and ``[conda] pytorch 2.1.0 py3.11_cuda12.1_cudnn8.9.2_0``.

    The old program wrote "[pip] torch (1.0.0)". A package in both lists is there twice.
    """
    from ..installed.conda import built_by_channel

    seen: dict[str, list[tuple[str, str]]] = {}
    for line in text.having("[pip", "[conda]"):
        pip, conda = _PIP.search(line.text), _CONDA.search(line.text)
        if pip and (name := recorded(pip[1])) and pip[2][:1].isdigit():
            yield from installed(name, pip[2], line)
            seen.setdefault(name, []).append((pip[2], "pip"))
        elif conda and (name := recorded(conda[1])) and conda[2][:1].isdigit():
            yield from built_by_channel(conda[1], conda[3] or "", conda[4] or "", line)
            yield from installed(name, conda[2], line)
            if conda[4] != "pypi":
                seen.setdefault(name, []).append((conda[2], "conda"))
        else:
            continue
        yield from copies(name, seen[name], line) if name in seen else ()

"""Container images that a text runs or builds on, whose tags tell what is inside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names, said
from ...excerpt import excerpt
from ...regex import regex
from ...version import Version
from ..statement import Statements, say
from .package_names import built_for, installed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

#: Where an image's name means that it is used: a command, a Dockerfile, a compose file.
_USED = regex(
    r"(?i)\b(?:docker|podman|nerdctl|singularity|apptainer)\b.{0,400}\b(?:run|create|pull|exec|build|shell)\b"
    r"|\A\s*FROM\s|\A\s*image:\s"
)
_TENSORFLOW = regex(r"(?a)\btensorflow/tensorflow:(\d+\.\d+\.\d+(?:-?rc\d)?)?([\w.-]*)")
_PYTORCH = regex(r"(?a)\bpytorch/pytorch:(\d+\.\d+(?:\.\d+)?)-cuda(\d+\.\d+)-cudnn(\d+)")
_CUDA = regex(r"(?a)\bnvidia/cuda:(\d+\.\d+(?:\.\d+)?)-(?:\w+-)*")
#: A tag of Paddle's image, which people name without the image.
_PADDLE = regex(r"(?a)(?<![\w.])(\d+\.\d+\.\d+)-gpu-cuda(\d+\.\d+)-cudnn\d")
#: An image alone in its line, as people name where a program runs: its tag tells of CUDA.
_ALONE = regex(
    r"(?a)\A\W{0,4}((?:[\w.-]{1,60}/){0,3}[\w.-]{2,60}:(?=[\w.-]{0,80}(?:devel|runtime|cudnn))"
    r"[\w.-]{0,60}?cuda\d{1,2}\.\d[\w.-]{0,60})\W{0,3}\Z"
)
#: What NVIDIA's images of its inference server print at their start, with the image of each.
_BANNER = regex(r"\A\W{0,3}== (T(?:riton|ensorRT) Inference Server) ==\W{0,3}\Z")
_RELEASE = regex(r"(?a)\A\W{0,3}NVIDIA Release (\d\d\.\d\d)(?:-\w{1,8})? \(build ")
_SERVERS = {
    "Triton Inference Server": "tritonserver",
    "TensorRT Inference Server": "tensorrtserver",
}
#: The lines of the banner in which the release stands.
_HEADING = 4
_SERVICES = regex(r"services:\s*\Z")
_SERVED = regex(r"\s{2,}(?:image|build|container_name):")
#: What Compose puts before each line of a service's log; the service's name and number. That of
#: Compose 2, with a hyphen, is taken off a text's lines; what it says of its containers is left.
_LOGGED = regex(r"\A\W{0,2}([a-z][\w.-]*[-_]\d{1,2}) {1,8}\| ")
_COMPOSED = regex(
    r"\A\W{0,4}Container [\w.-]{1,80}-\d{1,2} {1,4}(?:Created|Recreated|Started|Running)\b"
    r"|\AAttaching to [\w.-]{1,80}-\d{1,2}(?:,|\s*\Z)"
)
_LOGS = 2
#: The lines under ``services:`` among which the first image stands.
_SERVICE = 12
_CUES = ("docker", "podman", "nerdctl", "singularity", "apptainer", "from ", "image:")


def read(text: Text) -> Statements:
    """That it runs in a container, and the framework or toolkit of a well-known image."""
    for line, used in text.matching(_USED, *_CUES):
        inside = tuple(_inside(line))
        yield from inside
        if re.search(r"(?i)\b(?:docker|podman|nerdctl) (?:run|exec)\b", used[0]):
            yield say(names.CONTAINER_KIND, "podman" if "podman" in used[0] else "docker", line)
    for line, named in text.matching(_ALONE, "cuda1"):
        yield say(names.CONTAINER_KIND, "docker", line)
        yield say(said.CONTAINER_IMAGE, named[1], line)
    yield from _composed(text)
    for start, banner in text.matching(_BANNER, "inference server =="):
        for line in text.after(start, _HEADING):
            if release := _RELEASE.match(line.text):
                image = f"nvcr.io/nvidia/{_SERVERS[banner[1]]}:{release[1]}"
                yield say(said.CONTAINER_IMAGE, image, line)


def _composed(text: Text) -> Statements:
    for line in _of_compose(text):
        yield say(names.CONTAINER_KIND, "docker", line)
        yield say(said.SIGN("compose-used"), excerpt(line.text), line)


def _of_compose(text: Text) -> Iterator[Line]:
    """A Compose file: services, and under them an image or what to build; or a service's log."""
    logged = [line for line in text.having("1  ", "1 |") if _LOGGED.match(line.text)]
    if len(logged) >= _LOGS:
        yield logged[0]
    for line, _ in text.matching(_COMPOSED, "container ", "attaching to "):
        yield line
        break
    for start in text.having("services:"):
        under = text.after(start, _SERVICE)
        if _SERVICES.match(start.text) and any(_SERVED.match(line.text) for line in under):
            yield start


def _inside(line: Line) -> Statements:
    if match := _TENSORFLOW.search(line.text):
        if match[1]:
            yield from installed("tensorflow", match[1], line)
        yield from built_for("tensorflow", "cuda" if "gpu" in match[2] else "cpu", "", line)
    if match := _PYTORCH.search(line.text):
        yield from installed("torch", match[1], line)
        yield say(names.PACKAGE_BUILD("torch"), "cuda", line)
        yield say(names.PACKAGE_CUDA("torch"), Version(match[2]), line)
    if match := _PADDLE.search(line.text):
        yield from installed("paddlepaddle-gpu", match[1], line)
        yield say(names.PACKAGE_CUDA("paddlepaddle-gpu"), Version(match[2]), line)
    if match := _CUDA.search(line.text):
        yield say(names.TOOLKIT_VERSION, Version(match[1]), line)

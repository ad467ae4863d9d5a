"""Packages that are compiled for one framework (torchvision), for NumPy, or for a range of GPUs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .tables import Unstated, load, release_number

if TYPE_CHECKING:
    from ..facts.version import Version

_CUDA_SUFFIX = re.compile(r"-cu\d+\Z")


@dataclass(frozen=True, slots=True)
class Floor:
    """The smallest capability that a program serves."""

    capability: Version
    verified: bool
    source: str


@dataclass(frozen=True, slots=True)
class NumpyTwo:
    """The first release of a package that loads with NumPy 2.

    `works_without`: older ones are imported beside NumPy 2 and only cannot exchange arrays.
    """

    since: Version
    works_without: bool
    source: str


def numpy_2_since(package: str, system: str = "Linux") -> NumpyTwo | Unstated:
    """From which release of `package` (``onnxruntime-gpu``) on its wheels load with NumPy 2."""
    for row in load("companions").section("numpy_2"):
        name = row.text("package")
        if package not in (name, f"{name}-gpu"):
            continue
        if row.text_or_none("system") in (None, system):
            return NumpyTwo(row.version("from"), row.flag("works_without"), row.source)
    return Unstated(f"the table does not say which {package} loads with NumPy 2")


def torchvision_for(torch: str) -> Version | Unstated:
    """The minor release of torchvision that is compiled for a version of torch."""
    asked = release_number(torch)
    for row in load("companions").section("torchvision"):
        listed = row.version("torch")
        if asked is not None and (asked.major, asked.minor) == (listed.major, listed.minor):
            return row.version("torchvision")
    return Unstated(f"the table names no torchvision for torch {torch}")


def program_floor(program: str, compute_type: str | None = None) -> Floor | Unstated:
    """The smallest capability that `program` (``ollama``) serves, or computes in a type on."""
    for row in load("companions").section("programs"):
        if (row.text("program"), row.text_or_none("compute_type")) == (program, compute_type):
            return Floor(row.version("minimum_capability"), row.verified, row.source)
    return Unstated(f"the table does not say which GPUs {program} serves")


def first_release(program: str, capability: Version) -> Version | Unstated:
    """The first release of `program` (``tensorrt``) that serves GPUs of so late a capability."""
    for row in load("companions").section("first_releases"):
        if row.text("program") == program and row.version("capability") <= capability:
            return row.version("release")
    return Unstated(f"the table does not say since when {program} serves {capability}")


def image_floor(image: str, release: str) -> Floor | Unstated:
    """The smallest capability that a release (``21.10``) of one of NVIDIA's images serves."""
    asked = release_number(release)
    for row in load("companions").section("images"):
        if row.text("image") == image and asked is not None and row.spans(asked):
            return Floor(row.version("minimum_capability"), row.verified, row.source)
    return Unstated(f"the table does not say which GPUs {image} {release} serves")


def is_rapids(package: str) -> bool:
    """Whether `package` (``cuml``, ``cudf-cu12``) is one of RAPIDS."""
    name = _CUDA_SUFFIX.sub("", package)
    return any(row.text("package") == name for row in load("companions").section("rapids_packages"))


def lowest_rapids_floor() -> Version:
    """The smallest capability that any release of RAPIDS served."""
    return min(row.version("minimum_capability") for row in load("companions").section("rapids"))


def rapids_floor(
    version: str, cuda_major: int | None = None, *, wsl: bool = False
) -> Floor | Unstated:
    """The smallest capability that release `version`, built with a CUDA major, serves.

    Inside WSL it may be another one than on Linux.
    """
    asked = release_number(version)
    for row in load("companions").section("rapids"):
        built_with = row.integer_or_none("cuda_major")
        if row.flag("wsl") and not wsl:
            continue
        if asked is not None and row.spans(asked) and built_with in (None, cuda_major):
            return Floor(row.version("minimum_capability"), row.verified, row.source)
    return Unstated(f"RAPIDS {version} is not in the table")


def last_rapids_for(python: Version) -> str | None:
    """The last release of RAPIDS for a Python, as RAPIDS writes it: ``22.02``; None: not told."""
    for row in load("companions").section("rapids_pythons"):
        listed = row.version("python")
        if (listed.major, listed.minor) == (python.major, python.minor):
            last = row.version("last_release")
            return f"{last.major}.{last.minor:02}"
    return None

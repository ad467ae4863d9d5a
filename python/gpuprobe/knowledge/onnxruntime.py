"""ONNX Runtime: CUDA and cuDNN that the CUDA execution provider of a release needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .tables import Record, Unstated, load, release_number

if TYPE_CHECKING:
    from ..facts.version import Version


@dataclass(frozen=True, slots=True)
class Build:
    """One CUDA build of a span of releases; `on_index`: it is what pip installs.

    `cuda` with a major alone (``12``) means any toolkit of that major.
    """

    first: Version
    last: Version | None
    cuda: Version
    cudnn: Version
    cudnn_windows: Version | None
    on_index: bool
    minimum_capability: Version | None
    note: str | None
    verified: bool
    source: str


@dataclass(frozen=True, slots=True)
class Libraries:
    """The libraries that the CUDA provider opens, by soname."""

    names: tuple[str, ...]
    verified: bool
    source: str


def _build(row: Record) -> Build:
    return Build(
        row.version("from"),
        row.version_or_none("to"),
        row.version("cuda"),
        row.version("cudnn"),
        row.version_or_none("cudnn_windows"),
        row.flag("on_index"),
        row.version_or_none("minimum_capability"),
        row.text_or_none("note"),
        row.verified,
        row.source,
    )


def builds(version: str) -> tuple[Build, ...]:
    """The CUDA builds of a release, the one that pip installs first; () where none is listed."""
    asked = release_number(version)
    rows = load("onnxruntime").section("releases")
    found = [_build(row) for row in rows if asked is not None and row.spans(asked)]
    return tuple(sorted(found, key=lambda build: not build.on_index))


def build(version: str) -> Build | Unstated:
    """The build of onnxruntime-gpu that pip installs for a version."""
    for found in builds(version):
        if found.on_index:
            return found
    return Unstated(f"the table has no indexed CUDA build of ONNX Runtime {version}")


def libraries(cuda_major: int) -> Libraries | Unstated:
    """What the CUDA provider opens when it was built for a CUDA major."""
    for row in load("onnxruntime").section("libraries"):
        if row.integer("cuda_major") == cuda_major:
            return Libraries(row.texts("libraries"), row.verified, row.source)
    return Unstated(f"the table lists no libraries for CUDA {cuda_major}")


def provider_library(platform: str) -> str | None:
    """The file of the CUDA provider on ``linux`` or ``windows``; None elsewhere."""
    for row in load("onnxruntime").section("providers"):
        if row.text("platform") == platform:
            return row.text("file")
    return None


def providers(package: str) -> tuple[str, ...]:
    """The execution providers that a package brings (``onnxruntime`` the CPU's only)."""
    wanted = package.lower().replace("_", "-")
    for row in load("onnxruntime").section("packages"):
        if row.text("package") == wanted:
            return row.texts("providers")
    return ()


def last_for_cuda(cuda_major: int, capability: Version | None = None) -> Build | Unstated:
    """The newest indexed build for a CUDA major, and for a GPU where one is given."""
    for row in load("onnxruntime").section("releases"):
        found = _build(row)
        minimum = found.minimum_capability
        able = capability is None or minimum is None or capability >= minimum
        if found.on_index and found.cuda.major == cuda_major and able:
            return found
    return Unstated(f"the table has no indexed build of ONNX Runtime for CUDA {cuda_major}")
